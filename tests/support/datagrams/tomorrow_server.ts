/**
 * The real server on a machine whose clock is a day ahead. For a page it is the same as if its own clock were a day
 * behind. All that has the time of day has this one: tickets, certificates, logs, and the dates of HTTP's answers.
 */
import { Listener } from "../../../server/http/listener.ts";
import { runServer } from "../../../server/run_server.ts";
import { unixClock } from "../../../server/ticker.ts";
import { GAMES } from "../../../shared/games/registry.ts";

const DAY_MS = 86_400_000;

const { now } = Date, realClock = { ...unixClock }, { open } = Listener;
Date.now = () => now() + DAY_MS;
unixClock.now = () => realClock.now() + DAY_MS;

// Deno itself dates the answers otherwise, by a clock that no script changes.
Listener.open = (options) =>
  open.call(Listener, {
    ...options,
    onRequest(request, response) {
      response.setHeader("Date", new Date(Date.now()).toUTCString());
      options.onRequest(request, response);
    },
  });

if (import.meta.main) Deno.exit(await runServer(GAMES, Deno.args));
