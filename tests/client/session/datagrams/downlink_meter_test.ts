import { assertEquals } from "@std/assert";
import { DownlinkMeter } from "../../../../client/session/datagrams/downlink_meter.ts";
import { newDatagramStats } from "../../../../client/session/datagrams/datagram_stats.ts";

function openMeter() {
  const stats = newDatagramStats();
  const meter = new DownlinkMeter(stats);
  const counts = () => [stats.down, stats.downLost, stats.downAgain, stats.ticksSaved];
  return { meter, counts };
}

Deno.test("DownlinkMeter: it counts lost datagrams, those that come again, and ticks that a later one repeated (SPEC 2.4)", () => {
  const { meter, counts } = openMeter();
  for (
    const [first, newest] of [[10, 10], [10, 11], [10, 13], [13, 13], [12, 14], [15, 15], [
      15,
      16,
    ]] as const
  ) {
    meter.datagram(first, newest);
  }
  assertEquals(counts(), [4, 1, 1, 1]);
  // The datagram of tick 17 is lost, and no later one has the tick.
  for (const tick of [18, 19, 20]) meter.datagram(tick, tick);
  assertEquals(counts(), [8, 2, 1, 1]);
});

Deno.test("DownlinkMeter: a datagram that is overtaken by two is not lost, nor is one that a state replaces (SPEC 2.5)", () => {
  const { meter, counts } = openMeter();
  for (const tick of [10, 12, 13, 11]) meter.datagram(tick, tick);
  meter.state(14);
  for (const tick of [15, 16, 17]) meter.datagram(tick, tick);
  assertEquals(counts(), [5, 0, 0, 0]);
  meter.reset();
  meter.datagram(500, 500);
  meter.datagram(503, 503);
  assertEquals(counts(), [6, 0, 0, 0]);
});
