import { assertGreater, assertLessOrEqual } from "@std/assert";
import { measureWire } from "./wire.ts";
import type { Join } from "./wire_join.ts";

Deno.test("bench wire: workload W costs at most 150 bytes a second down, 190 up, and 4,000 to join, soon (SPEC 5.6, 10.1, 10.2) [seed 6]", () => {
  const report = measureWire({ seconds: 20, json: true }) as Record<string, number>;
  assertLessOrEqual(report.downBytesPerSecond!, 150);
  assertLessOrEqual(report.upBytesPerSecond!, 190);
  assertLessOrEqual(report.joinBytes!, 4000);
  for (const { rttMs, playingMs, bytes } of (report as unknown as { joins: Join[] }).joins) {
    assertLessOrEqual(playingMs, rttMs + 3 * 50, `over ${rttMs} ms`);
    assertLessOrEqual(bytes, 4000);
  }
  // It is what people's hands do, and what others would send is measured on the same.
  assertGreater(report.changesPerSecond!, 3.5);
  assertGreater((report.peers as unknown as Record<string, number>).delta!, 3000);
});
