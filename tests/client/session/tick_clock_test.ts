import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import { TickClock } from "../../../client/session/tick_clock.ts";

/** A clock whose pings are answered after 80 ms, and every fifth after 140 ms. */
function joinedClock(): TickClock {
  const pings: number[] = [];
  const clock = new TickClock(20, (id) => pings.push(id));
  for (let nowMs = 0; !clock.begin(nowMs, { isSpectator: false }); nowMs += 20) {
    clock.ping(nowMs);
    assert(nowMs < 1000);
    const roundTripMs = pings.length === 5 ? 140 : 80;
    const id = pings.at(-1)!;
    clock.pong(nowMs + roundTripMs, {
      type: "pong",
      id,
      serverTicks: (nowMs + roundTripMs / 2) / 50,
    });
  }
  return clock;
}

Deno.test("TickClock: no lead is longer than the slowest round trip and 250 ms (SPEC 5.31)", () => {
  const clock = joinedClock();
  clock.advise(1000, 389);
  assertEquals(clock.timeDilation.advisedMs, 389);
  clock.advise(1000, 969);
  assertAlmostEquals(clock.timeDilation.advisedMs, 140 + 250);
});
