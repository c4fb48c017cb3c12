/**
 * How the supervisor starts the server: the same program with one more argument, and with those of
 * its own permissions that the settings need. The server cannot start programs, so the process that
 * strangers reach may do less than the user may.
 */
import { fileURLToPath } from "node:url";
import type { Settings } from "../settings/settings.ts";

/** The last argument of a supervised server. Flags do not look like it. */
export const SERVER_PROCESS = "server-process";
/** A match process's last argument. Server flags do not look like it. */
export const MATCH_PROCESS = "match-process";

/** The variables that the server reads: its settings, and those of the `ws` package. */
const READ_VARIABLES = ["WYVERN_*", "WS_NO_BUFFER_UTIL", "WS_NO_UTF_8_VALIDATE"];

/** What Deno must allow beside its stable interfaces, as `deno.json` says it for this project. */
export const UNSTABLE: readonly string[] = ["--unstable-net", "--unstable-worker-options"];

const RELATIVE_FOLDERS = ["../../server", "../../shared", "../../node_modules"];
/**
 * The folders with the program's modules, because threads that it starts load theirs by themselves.
 */
export const MODULE_FOLDERS: readonly string[] = RELATIVE_FOLDERS.map((folder) =>
  fileURLToPath(new URL(folder, import.meta.url))
);

/** Every path that a setting can name, apart from folders that are written. */
const READ_SETTINGS = [
  "config",
  "secret-file",
  "ops-token-file",
  "tls-cert",
  "tls-key",
  "authorise",
] as const satisfies readonly (keyof Settings)[];

export interface ChildPlace {
  /** The program's module, file://… */
  readonly module: string;
  /** The program's arguments; a restart adds more behind them. */
  readonly args: readonly string[];
  readonly settings: Settings;
  /** The built pages. */
  readonly staticFolder: URL;
  /** Folders with modules that the program names only when it runs. */
  readonly reads: readonly string[];
  /** Whether a debugger on this machine may inspect the server, to find the line that hangs. */
  readonly isInspected: boolean;
}

/**
 * Why this process's permissions do not allow a supervised server; undefined if they do. Paths can
 * be passed on one by one, but hosts cannot, because only the operator knows which ones a hook
 * needs.
 */
export function unsupervisedReason(): string | undefined {
  if (!isGranted({ name: "run", command: Deno.execPath() })) return "Deno runs without --allow-run";
  if (!isGranted({ name: "net" })) return "Deno runs with --allow-net for some hosts alone";
  return undefined;
}

/** Deno's arguments. */
export function childArgs(
  { module, args, settings, staticFolder, reads, isInspected }: ChildPlace,
): string[] {
  const { data, archive } = settings;
  const written = [...data === "off" ? [] : [data], ...archive === undefined ? [] : [archive]];
  const named = READ_SETTINGS.map((name) => settings[name]).filter((path) => path !== undefined);
  const program = [...MODULE_FOLDERS, ...reads];
  const read = [...program, fileURLToPath(staticFolder), ...named, ...written];

  return [
    "run",
    "--no-prompt",
    // The supervisor has all packages already. Checking them here would wait for every other Deno
    // that checks its own.
    "--cached-only",
    "--node-modules-dir=manual",
    ...UNSTABLE,
    ...isInspected ? ["--inspect=127.0.0.1:0"] : [],
    "--allow-net",
    ...permission("read", read, program),
    ...permission("write", written),
    isGranted({ name: "env" }) ? "--allow-env" : `--allow-env=${READ_VARIABLES.join(",")}`,
    module,
    ...args,
    SERVER_PROCESS,
  ];
}

/**
 * The whole permission if this process has it, otherwise the wanted paths that it may use itself.
 * @param always paths that the server gets in any case
 */
function permission(
  name: "read" | "write",
  paths: readonly string[],
  always: readonly string[] = [],
): string[] {
  if (isGranted({ name })) return [`--allow-${name}`];
  const granted = paths.filter((path) => always.includes(path) || isGranted({ name, path }));
  return granted.length === 0 ? [] : [`--allow-${name}=${granted.join(",")}`];
}

function isGranted(permission: Deno.PermissionDescriptor): boolean {
  return Deno.permissions.querySync(permission).state === "granted";
}
