/**
 * How a gateway starts a match process: the same program, with one more argument and the narrowest
 * permissions. The match process may listen on its port, also for datagrams, and connect to it; it
 * may use its own log folder, and read the program, which its threads load. Where machines share the
 * matches, it may also connect to the log's servers and use the archive; and nothing else. Secrets
 * reach it on its standard input instead of in arguments or variables.
 */
import { withoutCredentials } from "../settings/server_address.ts";

import { MATCH_PROCESS, MODULE_FOLDERS, UNSTABLE } from "../supervision/child_command.ts";

/** The variables that the `ws` package reads. */
const READ_VARIABLES = "WS_NO_BUFFER_UTIL,WS_NO_UTF_8_VALIDATE";
/**
 * Variables that may hold an operator's secret. They are blanked, because a process inherits those
 * of its parent.
 */
const HIDDEN_VARIABLES = { WYVERN_SECRET: "", WYVERN_OPS_TOKEN: "", WYVERN_CLUSTER: "" };
/**
 * A process connects to itself at these addresses every 2 s, to check whether its port accepts
 * (SPEC 14.8).
 */
const LOOPBACK = ["127.0.0.1", "[::1]"];

/** The ports of the log's servers whose addresses name none. */
const DEFAULT_PORTS = { "nats:": 4222, "tls:": 4222, "ws:": 80, "wss:": 443 } as const;

export interface ProcessPlace {
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
  /** The folder of all machines' finished matches; undefined if there is none. */
  readonly archive?: string | undefined;
  /** The log's servers, as `--cluster` names them; none for a machine by itself. */
  readonly servers?: readonly string[];
  /** Folders with modules that the program names only when it runs. */
  readonly reads: readonly string[];
}

/** Makes Deno's arguments, and the variables that differ. */
export function processCommand(
  { module, args, host, port, udpHost = host, folder, archive, servers = [], reads }: ProcessPlace,
): { readonly args: readonly string[]; readonly env: Readonly<Record<string, string>> } {
  const listens = [host, udpHost].map((each) => each.includes(":") ? `[${each}]` : each);
  const written = [folder, archive].filter((each) => each !== undefined);
  const read = [...MODULE_FOLDERS, ...reads, ...written];
  const own = [...new Set([...listens, ...LOOPBACK])].map((each) => `${each}:${port}`);
  const net = [...own, ...servers.map(placeOf)].join(",");
  return {
    args: [
      "run",
      "--no-prompt",
      // The gateway has all packages already. Checking them here would wait for every other
      // Deno that checks its own.
      "--cached-only",
      "--node-modules-dir=manual",
      ...UNSTABLE,
      `--allow-net=${net}`,
      `--allow-env=${READ_VARIABLES}`,
      `--allow-read=${read.join(",")}`,
      ...written.length === 0 ? [] : [`--allow-write=${written.join(",")}`],
      module,
      ...args.map(shownArgument),
      MATCH_PROCESS,
    ],
    env: HIDDEN_VARIABLES,
  };
}

/** A server's host and port. */
function placeOf(server: string): string {
  const { protocol, hostname, port } = new URL(server);
  return `${hostname}:${port || DEFAULT_PORTS[protocol as keyof typeof DEFAULT_PORTS]}`;
}

/** An argument without the credentials of the log's servers, because every user may read it. */
function shownArgument(argument: string): string {
  return argument.replaceAll(/\b(?:nats|tls|wss?):\/\/[^\s,]+/g, withoutCredentials);
}
