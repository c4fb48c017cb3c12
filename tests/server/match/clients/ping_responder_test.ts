import { assertEquals } from "@std/assert";
import { commandWith, MatchHarness } from "../match_harness.ts";

Deno.test("PingResponder: who asks with a command is told where the clock stands and how long he waited, also where ticks are late (SPEC 5.7)", () => {
  const harness = new MatchHarness(), rider = harness.join();
  harness.run(1);
  const { tick } = rider.newest, dueMs = harness.nowMs;
  harness.nowMs = dueMs + 10;
  rider.command(tick + 1, commandWith(1), { ping: 7 });
  // Held up for two and a half ticks, the server runs what is due in one go.
  harness.nowMs = dueMs + 175;
  for (let i = 1; i <= 3; i++) harness.match.tickOnce(dueMs + i * 50);
  const waitedTicks = Math.round(3.3 * 1024) / 1024;
  const pongs = rider.ticks.filter((message) => message.tick > tick).map(({ pong }) => pong);
  assertEquals(pongs, [{ id: 7, serverTicks: tick + 3.5, waitedTicks }, undefined, undefined]);
});
