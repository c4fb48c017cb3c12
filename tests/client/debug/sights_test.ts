import { assertEquals } from "@std/assert";
import { RecordedFrames, savedFrames, savedTable, sightOf } from "../../../client/debug/sights.ts";
import { FRAMES_MAX } from "../../../client/presentation/flight_recording.ts";
import { SEATS } from "../../../shared/netcode/game.ts";

/** Frames each 10 ms, in which seat 2 is drawn off its place by `offsets`, in metres. */
function framesOf(offsets: readonly number[]) {
  const framesAtMs = new Float64Array(FRAMES_MAX);
  const frameOffsets = new Float32Array(FRAMES_MAX * SEATS);
  offsets.forEach((metres, frame) => {
    framesAtMs[frame % FRAMES_MAX] = 10 * frame;
    frameOffsets[(frame % FRAMES_MAX) * SEATS + 2] = metres;
  });
  return new RecordedFrames({ frames: offsets.length, framesAtMs, frameOffsets });
}

Deno.test("sightOf: slid, snapped, unseen, or older than the frames; a saved copy says the same (SPEC 15.61)", () => {
  const correction = { atMs: 15, seat: 2, metres: 0.4 };
  const sights = (offsets: readonly number[], atMs = 15) => {
    const recorded = framesOf(offsets);
    const saved = savedTable(savedFrames(recorded, -Infinity));
    return [recorded, saved].map((table) => sightOf(table, { ...correction, atMs }));
  };
  const both = <Value>(value: Value) => [value, value];
  assertEquals(sights([0, 0, 0.4, 0.2, 0.1, 0.04]), both({ seen: "slid", visibleMs: 30 }));
  assertEquals(sights([0, 0, 0.4, 0.2]), both({ seen: "slid", visibleMs: undefined }));
  assertEquals(sights([0, 0, 0.05, 0]), both({ seen: "snapped", visibleMs: 0 }));
  assertEquals(sights([0, 0]), both({ seen: "unseen", visibleMs: undefined }));

  // The ring has lost the frames before; a copy never had those
  const long = new Array<number>(FRAMES_MAX + 100).fill(0);
  assertEquals(sights(long, 500), both(undefined));
});
