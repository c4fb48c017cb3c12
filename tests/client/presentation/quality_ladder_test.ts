import { assert, assertEquals, assertGreater, assertLess } from "@std/assert";
import { QualityLadder, SLOWEST_RUNG } from "../../../client/presentation/quality_ladder.ts";

const VSYNC_MS = 1000 / 60;

/** A screen of 60 Hz, whose page takes a time for each frame that depends on the rung. */
class Screen {
  readonly ladder = new QualityLadder();
  /** The rung after each frame that was offered. */
  readonly rungs: number[] = [];
  /** The times at which frames were drawn, ms. */
  drawnMs: number[] = [];
  /** The cost of a drawn frame by rung, ms. */
  costsMs: readonly number[];
  #nowMs = 0;

  constructor(costsMs: readonly number[]) {
    this.costsMs = costsMs;
  }

  run(seconds: number): void {
    this.drawnMs = [];
    for (const endMs = this.#nowMs + seconds * 1000; this.#nowMs < endMs;) {
      const isDrawn = this.ladder.offerFrame(this.#nowMs);
      this.rungs.push(this.ladder.rung);
      if (isDrawn) this.drawnMs.push(this.#nowMs);
      const busyMs = isDrawn ? this.costsMs[this.ladder.rung]! : 0;
      this.#nowMs = (Math.floor((this.#nowMs + busyMs + 1e-6) / VSYNC_MS) + 1) * VSYNC_MS;
    }
  }

  /** The tab is hidden. */
  hide(seconds: number): void {
    this.#nowMs += seconds * 1000;
  }

  get framesPerSecond(): number {
    return 1000 * (this.drawnMs.length - 1) / (this.drawnMs.at(-1)! - this.drawnMs[0]!);
  }

  /** How often the rung has changed. */
  get changes(): number {
    return this.rungs.filter((rung, i) => i > 0 && rung !== this.rungs[i - 1]).length;
  }
}

Deno.test("QualityLadder: a fast device keeps the whole picture, also when the tab was hidden and after one long frame", () => {
  const screen = new Screen([10]);
  for (let i = 0; i < 5; i++) {
    screen.run(20);
    screen.hide(0.3 + i);
  }
  assertEquals(screen.changes, 0);
});

Deno.test("QualityLadder: goes down until the picture is fluent, and stays there (SPEC 8.21)", () => {
  const screen = new Screen([40, 30, 15, 12, 12]);
  screen.run(10);
  assertEquals(screen.ladder.rung, 2);
  assertEquals(screen.changes, 1, "with so few frames two rungs at once");
  assertGreater(screen.framesPerSecond, 40);
});

Deno.test("QualityLadder: a device that draws fewer than 40 frames a second on any rung draws an even 30 (SPEC 8.21)", () => {
  const screen = new Screen([90, 70, 50, 32, 32]);
  screen.run(10);
  assertEquals(screen.ladder.rung, SLOWEST_RUNG);
  assertEquals(screen.ladder.isTooSlow, false);
  const gapsMs = screen.drawnMs.slice(1).map((ms, i) => ms - screen.drawnMs[i]!).slice(-100);
  assert(gapsMs.every((ms) => Math.abs(ms - 2 * VSYNC_MS) < 0.01), `${gapsMs}`);
});

Deno.test("QualityLadder: neither one slow window nor a slow start keeps a page on the last rung (SPEC 8.21)", () => {
  const screen = new Screen([90, 70, 40, 15, 15]);
  screen.run(8);
  assertEquals(screen.ladder.rung, SLOWEST_RUNG - 1);
  screen.costsMs = [90, 70, 60, 50, 50];
  screen.run(2);
  assertEquals(screen.ladder.rung, SLOWEST_RUNG - 1, "one slow window");
  screen.run(10);
  assertEquals(screen.ladder.rung, SLOWEST_RUNG);
  screen.costsMs = [90, 70, 40, 15, 15];
  screen.run(30);
  assertEquals(screen.ladder.rung, SLOWEST_RUNG - 1);
  assertGreater(screen.framesPerSecond, 40);
});

Deno.test("QualityLadder: says so if not even the last rung is fluent (SPEC 8.22)", () => {
  const screen = new Screen([200, 150, 120, 80, 80]);
  screen.run(10);
  assert(screen.ladder.isTooSlow);
  screen.costsMs = [200, 150, 120, 30, 30];
  screen.run(4);
  assert(!screen.ladder.isTooSlow);
});

Deno.test("QualityLadder: a rung that has become cheap is climbed; trials that fail get rare (SPEC 8.21)", () => {
  const screen = new Screen([60, 40, 12, 12, 12]);
  screen.run(20);
  assertEquals(screen.ladder.rung, 2);
  screen.rungs.length = 0;
  screen.run(600);
  const failed = screen.changes / 2;
  // 9 s, then 18, 36, 72, 144 and 288.
  assertGreater(failed, 3);
  assertLess(failed, 8);
  screen.costsMs = [60, 12, 12, 12, 12];
  screen.run(600);
  assertEquals(screen.ladder.rung, 1);
});

Deno.test("QualityLadder: after a short slow time the whole picture is back", () => {
  const screen = new Screen([10, 10, 10, 10, 10]);
  screen.run(5);
  screen.costsMs = [45, 45, 45, 45, 45];
  screen.run(6);
  assertGreater(screen.ladder.rung, 1);
  screen.costsMs = [10, 10, 10, 10, 10];
  screen.run(60);
  assertEquals(screen.ladder.rung, 0);
});

Deno.test("QualityLadder: a browser that saves energy by half of the frames gets the whole picture (SPEC 8.21)", () => {
  const screen = new Screen([17, 17, 17, 17, 17]);
  screen.run(120);
  assertEquals(screen.changes, 4, "down to the third rung and back");
  assertEquals(screen.ladder.rung, 0);
  screen.costsMs = [40, 12, 12, 12, 12];
  screen.run(5);
  assertGreater(screen.ladder.rung, 0, "a picture that has become slow is none of that");
});

Deno.test("QualityLadder: the rung that the player has chosen stays (SPEC 8.21)", () => {
  for (const fixedRung of [0, 3]) {
    const screen = new Screen([100, 100, 100, 100, 100]);
    screen.ladder.fixedRung = fixedRung;
    screen.run(20);
    assertEquals(new Set(screen.rungs), new Set([fixedRung]));
  }
});
