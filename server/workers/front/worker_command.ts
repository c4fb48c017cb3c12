/**
 * How the front process starts a match process: the same program, with one more argument and the
 * narrowest permissions. The match process may listen on its port, also for datagrams, and connect
 * to it; it may use its own log folder, and read the program, which its threads load; and nothing
 * else. Secrets reach it on its standard input instead of in arguments or variables.
 */

import { MODULE_FOLDERS, UNSTABLE } from "../../supervision/child_command.ts";

/** A match process's last argument. Server flags do not look like it. */
export const MATCH_PROCESS = "match-process";

/** The variables that the `ws` package reads. */
const READ_VARIABLES = "WS_NO_BUFFER_UTIL,WS_NO_UTF_8_VALIDATE";
/**
 * Variables that may hold an operator's secret. They are blanked, because a process inherits those
 * of its parent.
 */
const HIDDEN_VARIABLES = { WYVERN_SECRET: "", WYVERN_OPS_TOKEN: "" };
/**
 * A process connects to itself at these addresses every 2 s, to check whether its port accepts
 * (SPEC 14.8).
 */
const LOOPBACK = ["127.0.0.1", "[::1]"];

export interface WorkerPlace {
  /** The program's module, file://… */
  readonly module: string;
  /** The program's arguments. */
  readonly args: readonly string[];
  readonly host: string;
  readonly port: number;
  /** Where its UDP listens, on the same port; undefined for `host`. */
  readonly udpHost?: string | undefined;
  /** Its log folder; undefined if it has none. */
  readonly folder: string | undefined;
  /** Folders with modules that the program names only when it runs. */
  readonly reads: readonly string[];
}

/** Makes Deno's arguments, and the variables that differ. */
export function workerCommand(
  { module, args, host, port, udpHost = host, folder, reads }: WorkerPlace,
): { readonly args: readonly string[]; readonly env: Readonly<Record<string, string>> } {
  const listens = [host, udpHost].map((each) => each.includes(":") ? `[${each}]` : each);
  const read = [...MODULE_FOLDERS, ...reads, ...folder === undefined ? [] : [folder]];
  const net = [...new Set([...listens, ...LOOPBACK])].map((each) => `${each}:${port}`).join(",");
  return {
    args: [
      "run",
      "--no-prompt",
      // The front process has all packages already. Checking them here would wait for every other
      // Deno that checks its own.
      "--cached-only",
      "--node-modules-dir=manual",
      ...UNSTABLE,
      `--allow-net=${net}`,
      `--allow-env=${READ_VARIABLES}`,
      `--allow-read=${read.join(",")}`,
      ...folder === undefined ? [] : [`--allow-write=${folder}`],
      module,
      ...args,
      MATCH_PROCESS,
    ],
    env: HIDDEN_VARIABLES,
  };
}
