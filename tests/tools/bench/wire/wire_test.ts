import { assertGreater, assertLessOrEqual } from "@std/assert";
import { measureWire } from "./main.ts";
import type { Join } from "./wire_join.ts";

Deno.test("bench wire: workload W costs at most 150 bytes a second down, 190 up, and 4,000 to join, soon; nothing grows with time (SPEC 5.21, 10.1, 10.2, 12.1, 12.8, 12.10) [seed 6]", async () => {
  const report = await measureWire({ seconds: 20, json: true }) as Record<string, number>;
  assertLessOrEqual(report.downBytesPerSecond!, 150);
  assertLessOrEqual(report.upBytesPerSecond!, 190);
  assertLessOrEqual(report.joinBytes!, 4000);
  for (const { rttMs, playingMs, bytes } of (report as unknown as { joins: Join[] }).joins) {
    assertLessOrEqual(playingMs, rttMs + 3 * 50, `over ${rttMs} ms`);
    assertLessOrEqual(bytes, 4000);
  }

  // One small object leaked per client and tick would add about two hundred bytes.
  assertLessOrEqual(report.heapGrowthBytesPerTick!, 100);

  // `measureStream` throws unless the body stream sends the own body in every tick and every body
  // each half second.
  assertLessOrEqual(report.stateStreamBytesPerSecond!, 3400);
  assertLessOrEqual(report.stateStreamErrorM!, 0.02);
  assertLessOrEqual(report.stateStreamRebasedErrorM!, 0.02);

  // A prediction errs by the other players' unknown commands, as it does for exactly simulating
  // clients.
  assertLessOrEqual(report.stateStreamPredictedErrorM!, 0.03);

  // The workload uses human-like input, and the alternative encodings were measured on it.
  assertGreater(report.changesPerSecond!, 3.5);
  assertGreater((report.peers as unknown as Record<string, number>).delta!, 3000);
});
