import { assertEquals } from "@std/assert";
import { RecentMax } from "../../../server/metrics/recent_max.ts";

Deno.test("RecentMax: a peak is seen for half a minute at least, and for a minute at most", () => {
  const recent = new RecentMax();
  assertEquals(recent.value(0), 0);
  recent.observe(3, 1_000);
  recent.observe(9, 29_000);
  recent.observe(4, 29_500);
  assertEquals(recent.value(31_500), 9);
  recent.observe(5, 40_000);
  assertEquals(recent.value(59_000), 9);
  assertEquals(recent.value(62_000), 5, "the peak of the first half minute is over");
  assertEquals(recent.value(200_000), 0, "nothing was observed for long");
});
