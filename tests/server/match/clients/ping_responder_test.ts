import { assertEquals } from "@std/assert";
import { commandWith, MatchHarness, tickOnce } from "../match_harness.ts";

Deno.test("PingResponder: a piggybacked pong has the clock and the time that it waited, also after a delay (SPEC 5.25)", () => {
  const harness = new MatchHarness();
  const client = harness.join();
  harness.run(1);
  const { tick } = client.newest;
  const dueMs = harness.nowMs;
  harness.nowMs = dueMs + 10;
  client.command(tick + 1, commandWith(1), { ping: 7 });
  // After a delay of two and a half ticks the server runs all due ticks at once.
  harness.nowMs = dueMs + 175;
  for (let i = 1; i <= 3; i++) tickOnce(harness.match, dueMs + i * 50);
  const waitedTicks = Math.round(3.3 * 1024) / 1024;
  const pongs = client.ticks.filter((message) => message.tick > tick).map(({ pong }) => pong);
  assertEquals(pongs, [{ id: 7, serverTicks: tick + 3.5, waitedTicks }, undefined, undefined]);
});

Deno.test("Match: of a client's pings between two ticks eight are answered, and each of other clients (SPEC 5.26, 5.47)", () => {
  const harness = new MatchHarness();
  const client = harness.join();
  const other = harness.join();
  harness.run(1);
  for (let id = 0; id < 100; id++) client.send({ type: "ping", id });
  other.send({ type: "ping", id: 200 });
  assertEquals([client.pongs, other.pongs], [[0, 1, 2, 3, 4, 5, 6, 7], [200]]);
  harness.run(1);
  client.send({ type: "ping", id: 101 });
  assertEquals(client.pongs.at(-1), 101);
});

Deno.test("Match: while it stands still it answers a ping a second, for as long as it stands (SPEC 8.51)", () => {
  const harness = new MatchHarness();
  const client = harness.join();
  harness.run(1);
  for (let second = 0; second < 30; second++) {
    for (let tick = 0; tick < 20; tick++) harness.match.pause(harness.nowMs += 50);
    client.send({ type: "ping", id: second });
  }
  assertEquals(client.pongs, Array.from({ length: 30 }, (_, second) => second));
});
