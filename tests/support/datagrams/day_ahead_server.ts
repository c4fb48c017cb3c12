/**
 * The real server on a machine whose clock is a day ahead. For a page, its own machine's clock is
 * then a day behind: the certificate of the datagrams is not valid yet.
 *
 *     deno run … tests/support/datagrams/day_ahead_server.ts [the flags of the server]
 */
import { ServerResponse } from "node:http";
import { runServer } from "../../../server/run_server.ts";
import { unixClock } from "../../../server/ground/ticker.ts";
import { GAMES } from "../../../shared/games/registry.ts";

const DAY_MS = 86_400_000;

/** Answers have the same time. Deno would write that of the system. */
function sendOwnDate(): void {
  const { writeHead } = ServerResponse.prototype;
  ServerResponse.prototype.writeHead = function (
    this: ServerResponse,
    ...parts: Parameters<typeof writeHead>
  ) {
    this.setHeader("Date", new Date(unixClock.now()).toUTCString());
    return writeHead.apply(this, parts);
  } as typeof writeHead;
}

if (import.meta.main) {
  Object.defineProperty(performance, "timeOrigin", { value: performance.timeOrigin + DAY_MS });
  sendOwnDate();
  Deno.exit(await runServer(GAMES, Deno.args));
}
