/**
 * How the front process starts a match process: the same program, with one argument more and the
 * narrowest permissions. It may listen on its port, also for datagrams, and connect to it; it may
 * use its own folder of logs, and read the program, which its threads load; and nothing else.
 * Secrets come over its standard input, and are neither arguments nor variables of it.
 */

import { MODULE_FOLDERS } from "../../supervision/child_command.ts";

/** The last argument of a match process. No flag of a server looks like it. */
export const MATCH_PROCESS = "match-process";

/** The variables that the package `ws` reads. */
const READ_VARIABLES = "WS_NO_BUFFER_UTIL,WS_NO_UTF_8_VALIDATE";
/**
 * Variables that may have a secret of the operator. A process begins with those of the one that
 * starts it.
 */
const HIDDEN_VARIABLES = { WYVERN_SECRET: "", WYVERN_OPS_TOKEN: "" };
/**
 * A process connects to itself at these addresses every 2 s, to see whether its port accepts (SPEC
 * 14.8).
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
  /** The folder of its logs; undefined without any. */
  readonly folder: string | undefined;
}

/** The arguments of Deno, and the variables that differ. */
export function workerCommand(
  { module, args, host, port, udpHost = host, folder }: WorkerPlace,
): { readonly args: readonly string[]; readonly env: Readonly<Record<string, string>> } {
  const listens = [host, udpHost].map((each) => each.includes(":") ? `[${each}]` : each);
  const net = [...new Set([...listens, ...LOOPBACK])].map((each) => `${each}:${port}`).join(",");
  return {
    args: [
      "run",
      "--no-prompt",
      // The front process has all packages. Checking them here would wait for every other Deno
      // that checks its own.
      "--cached-only",
      "--node-modules-dir=manual",
      `--allow-net=${net}`,
      `--allow-env=${READ_VARIABLES}`,
      `--allow-read=${[...MODULE_FOLDERS, ...folder === undefined ? [] : [folder]].join(",")}`,
      ...folder === undefined ? [] : [`--allow-write=${folder}`],
      module,
      ...args,
      MATCH_PROCESS,
    ],
    env: HIDDEN_VARIABLES,
  };
}
