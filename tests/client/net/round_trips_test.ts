import { assertEquals, assertLessOrEqual } from "@std/assert";
import { measureRoundTrips, REQUESTS } from "../../../client/net/round_trips.ts";

/**
 * Regions whose answers take these times, ms, one request after the other; then they are refused.
 */
async function measured(delays: Readonly<Record<string, readonly number[]>>) {
  const figures: Record<string, number> = {};
  const asked: string[] = [];
  let nowMs = 0;
  let open = 0;
  let mostOpen = 0;
  await measureRoundTrips(Object.keys(delays).map((name) => ({ name, url: name })), {
    clock: { now: () => nowMs },
    ask: async (url) => {
      asked.push(url);
      const takesMs = delays[url]![asked.filter((each) => each === url).length - 1];
      mostOpen = Math.max(mostOpen, ++open);
      await Promise.resolve();
      open--;
      if (takesMs === undefined) throw new TypeError("refused");
      nowMs += takesMs;
    },
    onMeasured: (region, ms) => figures[region] = ms,
  });
  return { figures, asked, mostOpen };
}

Deno.test("measureRoundTrips: the least of a few requests counts, without the one that connects (SPEC 17.161)", async () => {
  assertEquals(await measured({ eu: [5, 40, 30, 35] }), {
    figures: { eu: 30 },
    asked: new Array(REQUESTS).fill("eu"),
    mostOpen: 1,
  });
});

Deno.test("measureRoundTrips: what is refused has no figure, and is asked no more (SPEC 17.161)", async () => {
  const { figures, asked } = await measured({ gone: [], half: [90, 80] });
  assertEquals([figures, asked.filter((name) => name === "gone").length], [{ half: 80 }, 1]);
});

Deno.test("measureRoundTrips: at most 32 regions, four side by side (SPEC 17.161)", async () => {
  const regions = Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`r${i}`, [1, 1, 1, 1]]));
  const { figures, asked, mostOpen } = await measured(regions);
  assertEquals([Object.keys(figures).length, asked.length], [32, 32 * REQUESTS]);
  assertLessOrEqual(mostOpen, 4);
});
