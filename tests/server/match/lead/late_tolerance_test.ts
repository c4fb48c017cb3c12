import { assertEquals, assertGreater, assertLess } from "@std/assert";
import { LateTolerance } from "../../../../server/match/lead/late_tolerance.ts";
import { Random } from "../../../../shared/random.ts";

const USUAL_MS = 100;
const RESENT_MS = 240;

/**
 * Ticks in which a few commands arrive, except that now and then more arrive together, because the
 * first was lost and sent again.
 * @param options.leadStepMs by how much the reported leads of two commands differ
 * @param options.heldMs how much later than usual the first of those that arrive together is
 */
function play(
  tolerance: LateTolerance,
  { ticks, share, seed, leadStepMs = 0, heldMs = RESENT_MS }: {
    ticks: number;
    share: number;
    seed: number;
    leadStepMs?: number;
    heldMs?: number;
  },
): void {
  const random = new Random(seed);
  for (let tick = 0; tick < ticks; tick++) {
    const isBlocked = random.chance(share);
    const commands = isBlocked ? 4 + random.below(3) : 1 + random.below(3);
    for (let i = 0; i < commands; i++) {
      const delayMs = USUAL_MS + (isBlocked ? heldMs - 50 * i : random.below(10));
      tolerance.observe({ leadMs: 100 - leadStepMs * i, delayMs, atMs: 50 * tick });
    }
    tolerance.endTick();
  }
}

Deno.test("LateTolerance: a reliable link that holds commands back accepts more late ones, until it no longer does (SPEC 5.9, 5.10, 5.44) [seed 11]", () => {
  const tolerance = new LateTolerance({ isReliable: true });
  const usual = tolerance.present;
  assertEquals(usual, { pricePerWidth: 330, lateShareMax: 0.015 });
  play(tolerance, { ticks: 20_000, share: 0.002, seed: 11 });
  assertEquals(tolerance.present, usual);
  play(tolerance, { ticks: 8000, share: 0.02, seed: 11 });
  assertEquals(tolerance.present, { pricePerWidth: 150, lateShareMax: 0.045 });
  // Between both shares the tolerance stays as it is.
  play(tolerance, { ticks: 30_000, share: 0.006, seed: 11 });
  assertGreater(tolerance.present.lateShareMax, usual.lateShareMax);
  play(tolerance, { ticks: 30_000, share: 0.001, seed: 11 });
  assertEquals(tolerance.present, usual);
});

Deno.test("LateTolerance: commands that arrive together, but no round trip later than usual, do not block a link (SPEC 5.44, 5.45) [seed 14]", () => {
  const tolerance = new LateTolerance({ isReliable: true });
  play(tolerance, { ticks: 20_000, share: 0.1, seed: 14, heldMs: 180 });
  assertLess(tolerance.present.lateShareMax, 0.02);
});

Deno.test("LateTolerance: commands that a stalled page sends together do not block its link (SPEC 5.44, 5.30) [seed 13]", () => {
  const tolerance = new LateTolerance({ isReliable: true });
  play(tolerance, { ticks: 20_000, share: 0.1, seed: 13, leadStepMs: 50 });
  assertLess(tolerance.present.lateShareMax, 0.02);
});

Deno.test("LateTolerance: a link of datagrams never counts as blocked (SPEC 5.44) [seed 12]", () => {
  const tolerance = new LateTolerance({ isReliable: false });
  play(tolerance, { ticks: 20_000, share: 0.1, seed: 12 });
  assertLess(tolerance.present.lateShareMax, 0.02);
});
