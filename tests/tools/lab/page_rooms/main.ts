/**
 * Measures rooms that pages host, in virtual time: what players have there beside the same players
 * on a server, what it is worth to host, and what a host that is gone costs.
 *
 *     deno task lab pages [--players --minutes --kills --seed --json]
 */
import { type FlagValues, present, wholeNumber } from "../../../../shared/flags.ts";
import {
  networkModelOf,
  PROFILE_NAMES,
} from "../../../../shared/netcode/simulated_network/network_profiles.ts";
import { runTool } from "../../../support/tool.ts";
import { duelsFor, fightDuels } from "./duels.ts";
import { killHosts } from "./host_kills.ts";
import { playOnPagesAndServer } from "./pages_row.ts";

/** A room has to be back by then, ms. */
const BACK_MS_MAX = 3000;
/** By how much the host's share of duels may differ from a half. */
const DUEL_SHARE = 0.05;

const FLAGS = {
  players: {
    schema: wholeNumber(8, 2).default(4),
    about: "how many play in each room [4]",
    allowed: "a whole number 2 to 8",
  },
  minutes: {
    schema: wholeNumber(60, 1).default(3),
    about: "simulated minutes of each profile, on pages and on a server [3]",
    allowed: "a whole number 1 to 60",
  },
  kills: {
    schema: wholeNumber(1000, 1).default(20),
    about: "hosts that are killed [20]",
    allowed: "a whole number 1 to 1000",
  },
  seed: {
    schema: wholeNumber(0xffff_0000).default(1),
    about: "what happens by chance [1]",
    allowed: "a whole number 0 to 4294901760",
  },
  json: { schema: present(), about: "one JSON object as the last line", allowed: "", switch: true },
} as const;

/** @returns the exit code: 1 if a page differs from its host, a room stays away, or hosting pays */
function measurePages({ players, minutes, kills, seed, json }: FlagValues<typeof FLAGS>): number {
  const say = (text: string) => json ? console.error(text) : console.log(text);
  const percent = (share: number) => `${(100 * share).toFixed(2)} %`;

  const rows = PROFILE_NAMES.map((profile) => {
    const row = playOnPagesAndServer({ profile, players, seconds: 60 * minutes, seed });
    const { pages, server } = row;
    say(
      `${profile.padEnd(10)} late ${percent(pages.lateShare)} (server ${
        percent(server.lateShare)
      })  wait ${pages.waitMs.toFixed(1)} ms (server ${
        server.waitMs.toFixed(1)
      })  ${pages.desyncs} desyncs`,
    );
    return row;
  });

  const duels = (["cable", "4g", "far"] as const).map((profile) => {
    const network = networkModelOf(profile);
    const fair = fightDuels({ seed, duels: duelsFor(DUEL_SHARE), network });
    const unfair = fightDuels({ seed, duels: 100, network, hostWaits: false });
    say(
      `${profile.padEnd(10)} the host wins ${percent(fair.hostShare)} ± ${
        percent(fair.interval)
      }; without the wait ${percent(unfair.hostShare)}`,
    );
    return { profile, ...fair, withoutWait: unfair.hostShare };
  });

  const gone = killHosts({ kills, players, seed });
  say(
    `hosts killed ${gone.kills}: back after ${gone.backMsP50} ms, p95 ${gone.backMsP95} ms; ${gone.seatsKept} of ${gone.seats} seats kept, ${gone.ticksLost} ticks lost`,
  );

  if (json) console.log(JSON.stringify({ profiles: rows, duels, hostKills: gone }));
  const isExact = rows.every(({ pages }) => pages.desyncs === 0) && gone.desyncs === 0;
  const isFair = duels.every(({ hostShare }) => Math.abs(hostShare - 0.5) <= DUEL_SHARE);
  const isBack = gone.backMsP95 <= BACK_MS_MAX && gone.seatsKept === gone.seats;
  return isExact && isFair && isBack ? 0 : 1;
}

if (import.meta.main) Deno.exit(await runTool("lab pages", { flags: FLAGS, run: measurePages }));
