/** What it is worth to host: duels between the host's player and another one, in virtual time. */
import { assert, assertGreater, assertLess, assertLessOrEqual } from "@std/assert";
import { networkModelOf } from "../../../../shared/netcode/simulated_network/network_profiles.ts";
import { duelsFor, fightDuels } from "./duels.ts";

/** The half width of the interval at 95 %, and so many duels for it. */
const SHARE = 0.08;
const LINES = [
  ["40 ms each way", { oneWayMs: 40, jitterMs: 5, loss: 0.02 }],
  ["90 ms each way", { oneWayMs: 90, jitterMs: 10, loss: 0.02 }],
  ["4g", networkModelOf("4g")],
] as const;

for (const [name, network] of LINES) {
  Deno.test(`page room: the host's player wins half of the duels, ${name} (SPEC 23.6) [seed 1]`, () => {
    const duels = duelsFor(SHARE);
    const fair = fightDuels({ seed: 1, duels, network });
    assertLessOrEqual(fair.interval, SHARE + 0.001);
    assert(Math.abs(fair.hostShare - 0.5) <= SHARE, `the host won ${fair.hostShare}`);

    const unfair = fightDuels({ seed: 1, duels: Math.round(duels / 3), network, hostWaits: false });
    assertGreater(unfair.hostShare, 0.6, "a host that does not wait");
    assertLess(unfair.interval, 0.15);
  });
}
