import { assertAlmostEquals, assertEquals, assertLess } from "@std/assert";
import { DecayingHistogram } from "../../../../server/match/lead/decaying_histogram.ts";
import { Random } from "../../../../shared/random.ts";

Deno.test("DecayingHistogram: the cheapest bound is the cheapest within the share (SPEC 5.10) [seeds 1-50]", () => {
  for (let seed = 1; seed <= 50; seed++) {
    const random = new Random(seed);
    const histogram = new DecayingHistogram({ bins: 50, from: -10, width: 2, decay: 1 });
    const values = Array.from({ length: 200 }, () => -20 + 140 * random.fraction() ** 3);
    for (const value of values) histogram.add(value);
    // Values outside the bins count in the outermost ones, so nothing exceeds the last bin.
    const share = (bound: number) =>
      bound >= 90 ? 0 : values.filter((value) => value >= bound).length / 200;
    for (const [price, shareMax] of [[100, 1], [1000, 1], [30, 0.1], [1000, 0.01]] as const) {
      const bounds = Array.from({ length: 50 }, (_, bin) => -10 + 2 * (bin + 1));
      const costs = bounds.filter((bound) => share(bound) <= shareMax).map((bound) =>
        bound + price * share(bound)
      );
      const bound = histogram.cheapestBound(price, shareMax);
      assertAlmostEquals(bound + price * share(bound), Math.min(...costs), 1e-6);
    }
    const lowest = histogram.bound(0.05);
    assertLess(share(lowest), 0.05 + 1e-9);
    if (lowest > -8) assertLess(0.05, share(lowest - 2));
  }
});

Deno.test("DecayingHistogram: old values count less and less, also after weights are scaled back", () => {
  const histogram = new DecayingHistogram({ bins: 100, from: 0, width: 1, decay: 0.99 });
  for (let i = 0; i < 3000; i++) histogram.add(80.5);
  assertEquals(histogram.bound(0.01), 81);
  // 0.99^460 is just below 1 %.
  for (let i = 0; i < 450; i++) histogram.add(20.5);
  assertEquals(histogram.bound(0.01), 81);
  for (let i = 0; i < 20; i++) histogram.add(20.5);
  assertEquals(histogram.bound(0.01), 21);
});
