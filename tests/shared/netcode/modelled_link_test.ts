import { assertAlmostEquals, assertEquals, assertGreater, assertLess } from "@std/assert";
import type { Link } from "../../../shared/netcode/link.ts";
import { ModelledLink } from "../../../shared/netcode/modelled_link.ts";

function line(model: { oneWayMs: number; jitterMs: number }, seed = 1) {
  const clock = { nowMs: 0, now: () => clock.nowMs };
  const arrivals: { atMs: number; number: number }[] = [];
  const send = (message: Uint8Array) => {
    arrivals.push({ atMs: clock.nowMs, number: message[0]! + message[1]! * 256 });
  };
  const inner: Link = {
    ordered: true,
    send,
    sendReliably: send,
    onMessage: () => {},
    onClose: () => {},
    close: () => {},
    bufferedBytes: 0,
  };
  return { clock, arrivals, link: new ModelledLink(inner, { model, seed, clock }) };
}

/** Sends one message every 50 ms and delivers each when it is due. */
function sendMany(count: number, { clock, link }: ReturnType<typeof line>): void {
  for (let i = 0; i < count || link.nextDueMs < Infinity;) {
    const sendAtMs = i < count ? i * 50 : Infinity;
    clock.nowMs = Math.min(sendAtMs, link.nextDueMs);
    link.advance(clock.nowMs);
    if (clock.nowMs === sendAtMs) link.send(Uint8Array.of(i & 255, i++ >> 8));
  }
}

Deno.test("ModelledLink: all arrive, in order, never earlier than the delay; jitter has the asked mean and deviation [seed 1]", () => {
  const count = 20_000;
  const way = line({ oneWayMs: 80, jitterMs: 10 });
  sendMany(count, way);
  assertEquals(way.arrivals.map(({ number }) => number), Array.from({ length: count }, (_, i) => i));
  const extra = way.arrivals.map(({ atMs }, i) => atMs - i * 50 - 80);
  assertGreater(Math.min(...extra), 0);
  const mean = extra.reduce((sum, ms) => sum + ms) / count;
  const deviation = Math.sqrt(extra.reduce((sum, ms) => sum + (ms - mean) ** 2, 0) / count);
  assertAlmostEquals(mean, 10, 0.5);
  assertAlmostEquals(deviation, 10, 1);
  // A tail, not a box: the worst of twenty thousand is far out.
  assertGreater(Math.max(...extra), 60);
  assertLess(Math.max(...extra), 1000);
});

Deno.test("ModelledLink: the same seed delays alike, another differs", () => {
  const run = (seed: number) => {
    const way = line({ oneWayMs: 5, jitterMs: 20 }, seed);
    sendMany(100, way);
    return way.arrivals;
  };
  assertEquals(run(3), run(3));
  assertGreater(JSON.stringify(run(3)) === JSON.stringify(run(4)) ? 0 : 1, 0);
});
