import { assert, assertEquals, assertGreater, assertLess } from "@std/assert";
import { QualityLadder, SLOWEST_RUNG } from "../../../client/presentation/quality_ladder.ts";

const VSYNC_MS = 1000 / 60;

/** A screen whose page takes a time for each frame that depends on the rung. */
class Screen {
  readonly ladder = new QualityLadder();
  /** The rung after each frame that was offered. */
  readonly rungs: number[] = [];
  /** The times at which frames were drawn, ms. */
  drawnMs: number[] = [];
  /** The cost of a drawn frame by rung, ms. */
  costsMs: readonly number[];
  /** Its period, ms. */
  periodMs: number;
  /**
   * Whether another processor draws: a frame is offered when it has drawn all but the newest one.
   */
  readonly #isPipelined: boolean;
  #drawnUntilMs = 0;
  #nowMs = 0;

  constructor(costsMs: readonly number[], hz = 60, { isPipelined = false } = {}) {
    this.costsMs = costsMs;
    this.#isPipelined = isPipelined;
    this.periodMs = 1000 / hz;
  }

  run(seconds: number): void {
    this.drawnMs = [];
    for (const endMs = this.#nowMs + seconds * 1000; this.#nowMs < endMs;) {
      const isDrawn = this.ladder.offerFrame(this.#nowMs);
      this.rungs.push(this.ladder.rung);
      if (isDrawn) this.drawnMs.push(this.#nowMs);
      const costMs = isDrawn ? this.costsMs[this.ladder.rung]! : 0;
      const waitMs = Math.max(0, this.#drawnUntilMs - this.#nowMs);
      const busyMs = this.#isPipelined ? waitMs : costMs;
      this.#drawnUntilMs = this.#nowMs + waitMs + costMs;
      this.#nowMs = (Math.floor((this.#nowMs + busyMs + 1e-6) / this.periodMs) + 1) * this.periodMs;
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

/** Rates of real screens, and of some that come and go between them. */
// deno-fmt-ignore
const SCREEN_RATES_HZ = [
  23.976, 24, 25, 30, 36, 39.9, 40, 41.9, 45, 48, 50, 59.94, 60, 72, 75, 90, 120, 144, 240,
];

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

Deno.test("QualityLadder: on a fast device each screen has the whole picture at its own rate (SPEC 8.61, 8.22)", () => {
  for (const hz of SCREEN_RATES_HZ) {
    const screen = new Screen([3], hz);
    screen.run(240);
    assertEquals(
      [screen.changes, screen.ladder.rung, screen.ladder.isTooSlow],
      [0, 0, false],
      `${hz} Hz`,
    );
    screen.run(60);
    // A probe may leave six frames out.
    assertGreater(screen.drawnMs.length, 60 * hz - 7, `${hz} Hz`);
  }
});

Deno.test("QualityLadder: a slow device is no slow screen, whatever its screen (SPEC 8.61)", () => {
  for (const hz of [30, 40, 50, 60, 75, 120, 144]) {
    for (const isPipelined of [false, true]) {
      const screen = new Screen([80, 60, 8, 8, 8], hz, { isPipelined });
      screen.run(30);
      assertEquals(screen.ladder.rung, 2, `${hz} Hz, ${isPipelined}`);
    }
    const poor = new Screen([200, 150, 120, 100, 100], hz);
    poor.run(30);
    assertEquals([poor.ladder.rung, poor.ladder.isTooSlow], [SLOWEST_RUNG, true], `${hz} Hz`);
  }
});

Deno.test("QualityLadder: a browser that begins to save energy, or a window on another screen, changes no rung (SPEC 8.61)", () => {
  const screen = new Screen([8, 8, 8, 8, 8]);
  for (const hz of [60, 30, 144, 24, 60, 40]) {
    screen.periodMs = 1000 / hz;
    screen.run(90);
    assertEquals(screen.ladder.rung, 0, `${hz} Hz`);
  }
  screen.costsMs = [80, 12, 12, 12, 12];
  screen.run(8);
  assertGreater(screen.ladder.rung, 0, "a picture that has become slow is none of that");
});

Deno.test("QualityLadder: a slow device is asked rarely how slow its screen is: six frames in half a minute, then ever fewer (SPEC 8.61)", () => {
  const screen = new Screen([20, 20, 20, 20, 20], 55);
  screen.run(120);
  screen.run(300);
  const skips =
    screen.drawnMs.slice(1).filter((ms, i) => ms - screen.drawnMs[i]! > 3.5 * screen.periodMs)
      .length;
  assertLess(skips, 7);
});

Deno.test("QualityLadder: the rung that the player has chosen stays (SPEC 8.21)", () => {
  for (const fixedRung of [0, 3]) {
    const screen = new Screen([100, 100, 100, 100, 100]);
    screen.ladder.fixedRung = fixedRung;
    screen.run(20);
    assertEquals(new Set(screen.rungs), new Set([fixedRung]));
  }
});
