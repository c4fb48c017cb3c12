/**
 * The real server with one addition: it keeps what its lead advisors observe, which is each command
 * at its first arrival, and answers with it on a port of its own.
 *
 *     deno run … tests/tools/bench/transport/probed_server.ts [the flags of the server]
 */
import { runServer } from "../../../../server/run_server.ts";
import { LeadAdvisor } from "../../../../server/match/lead/lead_advisor.ts";
import { SERVER_PROCESS } from "../../../../server/supervision/child_command.ts";
import { GAMES } from "../../../../shared/games/registry.ts";
import type { CommandArrival } from "../../lab/queues/oracle.ts";

/** How many of one client's commands are kept: those of 20 minutes. */
const ARRIVALS_MAX = 24_000;

/** By client, in the order of their first commands. */
const clients = new Map<LeadAdvisor, CommandArrival[]>();

const { observe } = LeadAdvisor.prototype;
LeadAdvisor.prototype.observe = function (command) {
  const { leadMs, slackMs, atMs } = command;
  const arrivals = clients.get(this) ?? [];
  clients.set(this, arrivals);
  // Both contain the client's error about the server's clock, so it cancels out where they are
  // subtracted.
  if (arrivals.length < ARRIVALS_MAX) {
    arrivals.push({ dueMs: atMs + slackMs, leadMs, delayMs: leadMs - slackMs });
  }
  observe.call(this, command);
};

if (import.meta.main) {
  // The supervisor runs this script as well, but plays no matches.
  if (Deno.args.at(-1) === SERVER_PROCESS) {
    Deno.serve({
      hostname: "127.0.0.1",
      port: 0,
      onListen: ({ port }) => console.log(`The probe listens on http://127.0.0.1:${port}/`),
    }, () => Response.json([...clients.values()]));
  }
  Deno.exit(await runServer(GAMES, Deno.args));
}
