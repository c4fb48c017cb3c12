import { assertEquals } from "@std/assert";
import { LossDetector } from "../../../../server/match/lead/loss_detector.ts";
import { Random } from "../../../../shared/random.ts";

const ROUND_TRIP_MS = 120;
const TICK_MS = 50;

/** A command each tick over a reliable link: none overtakes another. */
class Line {
  readonly detector = new LossDetector();
  readonly #random: Random;
  #sentMs = 0;
  #arrivedMs = 0;

  constructor(seed: number) {
    this.#random = new Random(seed);
  }

  /** @param options.loss the share of commands that come a fifth more than a round trip late */
  play({ ticks, jitterMs, loss = 0 }: { ticks: number; jitterMs: number; loss?: number }): void {
    for (let tick = 0; tick < ticks; tick++) {
      this.#sentMs += TICK_MS;
      const jitter = -Math.log(1 - this.#random.fraction()) * jitterMs;
      const resentMs = this.#random.chance(loss) ? 1.2 * ROUND_TRIP_MS : 0;
      this.#arrivedMs = Math.max(
        this.#arrivedMs,
        this.#sentMs + ROUND_TRIP_MS / 2 + jitter + resentMs,
      );
      this.detector.observe({ atMs: this.#arrivedMs, delayMs: this.#arrivedMs - this.#sentMs });
      this.detector.endTick();
    }
  }

  get hasLosses(): boolean {
    return this.detector.hasLosses;
  }
}

for (const jitterMs of [2, 15, 30]) {
  Deno.test(`LossDetector: behind jitter of ${jitterMs} ms losses show while one command in a hundred is resent (SPEC 5.45) [seed 31]`, () => {
    const line = new Line(31);
    line.play({ ticks: 10_000, jitterMs });
    assertEquals(line.hasLosses, false);
    line.play({ ticks: 12_000, jitterMs, loss: 0.01 });
    assertEquals(line.hasLosses, true);
    line.play({ ticks: 40_000, jitterMs });
    assertEquals(line.hasLosses, false);
  });
}

Deno.test("LossDetector: no jitter, however wide, looks like losses (SPEC 5.45) [seeds 41-60]", () => {
  for (let seed = 41; seed <= 60; seed++) {
    for (const jitterMs of [40, 60, 100]) {
      const line = new Line(seed);
      line.play({ ticks: 10_000, jitterMs });
      assertEquals(line.hasLosses, false, `seed ${seed}, jitter ${jitterMs}`);
    }
  }
});
