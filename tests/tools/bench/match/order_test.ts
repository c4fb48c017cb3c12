import { assertEquals, assertGreater, assertLess } from "@std/assert";
import { measureOrder } from "./order.ts";

Deno.test("measureOrder: an ordered match costs less than the same one in full, and liars are named, nobody else (SPEC 24.1, 24.5, 24.6)", async () => {
  const figures = await measureOrder(() => {}, {
    dragonPairs: 1,
    crowdPairs: 1,
    measuredBlocks: 1,
    lateTick: 200,
  });

  assertEquals(Object.keys(figures), [
    "order",
    "crowd",
    "refereeMsPerMinute",
    "lateJoinMs",
    "liar",
  ]);
  assertEquals(Object.keys(figures.order), ["msPerTick", "fullMsPerTick"]);
  assertEquals(figures.crowd.map((each) => Object.keys(each)), [
    ["bodies", "orderMs", "fullMs"],
    ["bodies", "orderMs", "fullMs"],
    ["bodies", "orderMs", "fullMs"],
  ]);
  assertEquals(Object.keys(figures.refereeMsPerMinute), ["all", "sample", "differences"]);
  assertGreater(figures.lateJoinMs, 0);

  // Those in virtual time are the same on each machine.
  const { foundSeconds, fiveFoundSeconds, othersNamed, ...more } = figures.liar;
  assertEquals(more, {});
  for (const seconds of [foundSeconds, fiveFoundSeconds]) {
    assertGreater(seconds, 0);
    assertLess(seconds, 2);
  }
  assertEquals(othersNamed, 0);
});
