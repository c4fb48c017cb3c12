/**
 * `wyvern/server`: a server as a part of a program of your own. `wyvern serve` is the same server as
 * a program of its own, with a supervisor and with several processes.
 *
 *     import { host } from "wyvern/server";
 *     import { game } from "./games/hop/game.ts";
 *
 *     const server = await host({ hop: game }, { port: 8080 });
 *     console.log(server.url);
 */
import process from "node:process";
import { EXIT_UNUSABLE } from "../../shared/usage_error.ts";
import type { Game } from "../../shared/netcode/game.ts";
import type { HostedServer, HostSettings } from "./hosted_server.ts";

export type { Authorise, AuthoriseRequest, Denial, Grant } from "../tickets/authorise.ts";
export type { HostRate, ServerSettings } from "./host_settings.ts";
export type { HostedServer, HostSettings } from "./hosted_server.ts";
export { HostError } from "./host_error.ts";

/**
 * Hosts games until `stop`, SIGTERM or SIGINT. Matches have logs in the folder `data`, so those that
 * were under way go on when the program starts again. The log is on standard output. Errors that
 * nothing catches are logged there and end nothing while the server runs, so that a match survives
 * them.
 *
 * It needs Deno, with `--allow-net`, `--allow-read`, `--allow-env`, and `--allow-write` for `data`.
 * `--unstable-net` adds datagrams. Under another runtime it says so in one line and ends the process
 * with code 2.
 * @param games by their names in addresses, at least one. One alone is at `/`, each of several at
 * `/NAME/`
 * @param settings by the names of the flags, such as `"log-json"`; no flag, variable or file is read,
 * except for secrets
 * @throws HostError for a setting or a name that is not allowed, and for a port or folder in use
 */
export async function host(
  games: Readonly<Record<string, Game<unknown>>>,
  settings: HostSettings = {},
): Promise<HostedServer> {
  if (!("Deno" in globalThis)) {
    console.error("wyvern: host needs Deno: deno run -A FILE");
    process.exit(EXIT_UNUSABLE);
  }
  const { openHost } = await import("./open_host.ts");
  return await openHost(games, settings);
}
