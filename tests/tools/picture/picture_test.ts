import { assert, assertEquals, assertThrows } from "@std/assert";
import { lastFit } from "./animate.ts";
import { bestSpan, framesOf } from "./moments.ts";
import { slowTime } from "./slow_time.ts";

const RECORDED = { fromMs: 1000, toMs: 41_000 };
const OPTIONS = { recorded: RECORDED, lengthMs: 9000, marginMs: 2500 };

Deno.test("bestSpan: the part with the most kills, each with its cause and its effect", () => {
  const kills = [5000, 20_000, 23_000, 39_500];
  const span = bestSpan(kills, OPTIONS)!;
  assertEquals(span.toMs - span.fromMs, 9000);
  for (const atMs of [20_000, 23_000]) {
    assert(span.fromMs + 2500 <= atMs && atMs <= span.toMs - 2500);
  }
});

Deno.test("bestSpan: a kill right after the begin or before the end shows no cause or no effect", () => {
  assertEquals(bestSpan([1200, 40_000], OPTIONS), undefined);
  assertEquals(bestSpan([], OPTIONS), undefined);
  const span = bestSpan([3600], OPTIONS)!;
  assert(span.fromMs >= RECORDED.fromMs);
  assertEquals(bestSpan([5000], { ...OPTIONS, recorded: { fromMs: 1000, toMs: 9000 } }), undefined);
});

Deno.test("framesOf: what the screen shows at the end of each period, the last frame again if none is new", () => {
  const frames = [90, 149, 151, 199, 301].map((atMs) => ({ atMs, png: `${atMs}` }));
  const shown = framesOf(frames, { fromMs: 120, toMs: 370 }, 50).map(({ atMs }) => atMs);
  assertEquals(shown, [149, 199, 199, 199, 301]);
  assertThrows(() => framesOf(frames, { fromMs: 0, toMs: 100 }, 50), Error, "begins too late");
});

Deno.test("lastFit: finds each border, with few looks", async () => {
  for (let border = 0; border <= 13; border++) {
    let looks = 0;
    const fits = (index: number) => {
      looks++;
      return Promise.resolve(index < border);
    };
    assertEquals(await lastFit(13, fits), border - 1);
    assert(looks <= 4, `${looks} looks`);
  }
});

/** Runs a test with other globals, and puts the old ones back. */
function withGlobals(others: Readonly<Record<string, unknown>>, run: () => void): void {
  const { Date: date, performance: clock } = globalThis;
  const before = { dateNow: date.now, clockNow: clock.now };
  const old = new Map(Object.keys(others).map((name) => [name, Reflect.get(globalThis, name)]));
  Object.assign(globalThis, others);
  try {
    run();
  } finally {
    Object.assign(date, { now: before.dateNow });
    Object.assign(clock, { now: before.clockNow });
    for (const [name, value] of old) {
      if (value === undefined) Reflect.deleteProperty(globalThis, name);
      else Reflect.set(globalThis, name, value);
    }
  }
}

Deno.test("slowTime: clock and timers run slower, and all pages draw in the same periods", () => {
  let machineMs = 8000;
  const delays: number[] = [];
  const timer = (_action: () => void, delayMs: number) => delays.push(delayMs);
  const requested: (() => void)[] = [];
  const others = {
    setTimeout: timer,
    setInterval: timer,
    requestAnimationFrame: (draw: () => void) => requested.push(draw),
  };

  withGlobals(others, () => {
    Date.now = performance.now = () => machineMs;
    slowTime({ slowdown: 4, framesPerSecond: 20 });
    assertEquals(performance.now(), 2000);
    assertEquals(Date.now(), Math.floor(performance.timeOrigin + 2000));
    setTimeout(() => {}, 50);
    setInterval(() => {}, 5);
    setTimeout(() => {});
    assertEquals(delays, [200, 20, 0]);

    // Twenty frames a second are one in 200 ms of the machine.
    const drawn: number[] = [];
    requestAnimationFrame((atMs) => drawn.push(atMs));
    for (machineMs of [8100, 8199, 8216, 8300]) requested.pop()?.();
    assertEquals(drawn, [8216 / 4]);
  });
});
