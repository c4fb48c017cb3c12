import { assert, assertEquals, assertGreater, assertLess, assertThrows } from "@std/assert";
import { CATCH_UP_TICKS_MAX, clock, type Scheduler, Ticker } from "../../server/ticker.ts";

interface Timer {
  readonly atMs: number;
  readonly action: () => void;
}

/** A clock that the test sets. */
class TestScheduler implements Scheduler {
  #nowMs = 1000;
  readonly #timers = new Set<Timer>();
  readonly #timersMax: number;

  /** @param timersMax how many timers may be set at once */
  constructor(timersMax = 1) {
    this.#timersMax = timersMax;
  }

  now(): number {
    return this.#nowMs;
  }

  after(delayMs: number, action: () => void): () => void {
    assertLess(this.#timers.size, this.#timersMax, "too many timers at once");
    assertEquals(delayMs, Math.ceil(delayMs), "timers have whole milliseconds");
    const timer = { atMs: this.#nowMs + delayMs, action };
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  }

  get isSet(): boolean {
    return this.#timers.size > 0;
  }

  /** Time passes and no timer fires. */
  hold(forMs: number): void {
    this.#nowMs += forMs;
  }

  /** Fires every timer that is due until `timeMs`, then sets the clock to it. @param lateMs lateness of each timer */
  runTo(timeMs: number, lateMs = 0): void {
    for (let timer; (timer = this.#firstTimer()) !== undefined && timer.atMs + lateMs <= timeMs;) {
      this.#timers.delete(timer);
      this.#nowMs = Math.max(this.#nowMs, timer.atMs + lateMs);
      timer.action();
    }
    this.#nowMs = Math.max(this.#nowMs, timeMs);
  }

  #firstTimer(): Timer | undefined {
    return [...this.#timers].sort((a, b) => a.atMs - b.atMs)[0];
  }
}

function tickerOn(scheduler: Scheduler, { hz = 20, onTick = (_dueMs: number) => {} } = {}) {
  const due: number[] = [];
  const dropped: number[] = [];
  const ticker = new Ticker({
    hz,
    scheduler,
    onTick(dueMs) {
      due.push(dueMs);
      onTick(dueMs);
    },
    onDropped: (ticks) => dropped.push(ticks),
  });
  return { ticker, due, dropped };
}

Deno.test("Ticker: ticks are due at absolute times, and late timers do not add up", () => {
  const scheduler = new TestScheduler();
  const late = new Set<number>();
  const { ticker, due, dropped } = tickerOn(scheduler, { onTick: (dueMs) => late.add(scheduler.now() - dueMs) });
  ticker.start();
  scheduler.runTo(1000 + 50 * 400 + 7, 7);
  assertEquals(due, Array.from({ length: 400 }, (_, i) => 1000 + 50 * (i + 1)));
  assertEquals([...late], [7]);
  assertEquals(ticker.ticks, 400);
  assertEquals(dropped, []);
});

Deno.test("Ticker: a period that is no whole number of milliseconds does not drift", () => {
  const scheduler = new TestScheduler();
  const { ticker, due } = tickerOn(scheduler, { hz: 60 });
  ticker.start();
  scheduler.runTo(1000 + 60_000);
  assertEquals(due.length, 3600);
  assertEquals(due.at(-1), 61_000);
});

Deno.test("Ticker: after a short delay the due ticks run at once, each with its own due time", () => {
  const scheduler = new TestScheduler();
  const { ticker, due, dropped } = tickerOn(scheduler);
  ticker.start();
  scheduler.hold(50 * CATCH_UP_TICKS_MAX + 20);
  scheduler.runTo(scheduler.now());
  assertEquals(due, [1050, 1100, 1150, 1200]);
  assertEquals(dropped, []);
  assertEquals(ticker.overdueMs, 0);
});

Deno.test("Ticker: after a long delay the oldest due ticks are dropped, four run, and the next is on time (SPEC 2.13)", () => {
  const scheduler = new TestScheduler();
  const { ticker, due, dropped } = tickerOn(scheduler);
  ticker.start();
  scheduler.hold(1000);
  assertEquals(ticker.overdueMs, 950);
  scheduler.runTo(2050);
  assertEquals(due, [1850, 1900, 1950, 2000, 2050], "no gap between the due times");
  assertEquals(dropped, [16]);
  assertEquals(due.length + dropped[0]!, 21, "every due time was run or dropped");
});

Deno.test("Ticker: ticks that take longer than their period are dropped, not piled up", () => {
  const scheduler = new TestScheduler();
  const { ticker, due, dropped } = tickerOn(scheduler, { onTick: () => scheduler.hold(75) });
  ticker.start();
  scheduler.runTo(1000 + 10_000);
  assertGreater(dropped.length, 0);
  assert(ticker.overdueMs <= 75 * CATCH_UP_TICKS_MAX, `${ticker.overdueMs} ms behind`);
  assertEquals(due, [...due].sort((a, b) => a - b));
});

Deno.test("Ticker: a tick that throws does not stop the next", () => {
  const scheduler = new TestScheduler();
  const { ticker, due } = tickerOn(scheduler, {
    onTick(dueMs) {
      if (dueMs === 1050) throw new Error("planted");
    },
  });
  ticker.start();
  assertThrows(() => scheduler.runTo(1050), Error, "planted");
  scheduler.runTo(1100);
  assertEquals(due, [1050, 1100]);
});

Deno.test("Ticker: after a stop within a tick no other tick runs, not even a due one", () => {
  const scheduler = new TestScheduler();
  const { ticker, due } = tickerOn(scheduler, { onTick: () => ticker.stop() });
  ticker.start();
  scheduler.hold(200);
  scheduler.runTo(5000);
  assertEquals(due, [1050]);
  assert(!scheduler.isSet);
});

Deno.test("Ticker: on the machine's own clock no tick comes before it is due", async () => {
  const early: number[] = [];
  await new Promise<void>((resolve) => {
    const ticker = new Ticker({
      hz: 500,
      onTick(dueMs) {
        if (clock.now() < dueMs) early.push(dueMs - clock.now());
        if (ticker.ticks < 50) return;
        ticker.stop();
        resolve();
      },
      onDropped() {},
    });
    ticker.start();
  });
  assertEquals(early, []);
});

Deno.test("Ticker: the middle between two ticks is half a period after the first, and is left out after a delay (SPEC 2.14)", () => {
  const scheduler = new TestScheduler(2), calls: string[] = [];
  const ticker = new Ticker({
    ...{ hz: 20, scheduler },
    onTick: (dueMs) => calls.push(`tick ${dueMs - 1000}`),
    onMidTick: () => calls.push(`middle ${scheduler.now() - 1000}`),
    onDropped: () => {},
  });
  ticker.start();
  scheduler.runTo(1110);
  assertEquals(calls, ["middle 25", "tick 50", "middle 75", "tick 100"]);
  calls.length = 0;
  scheduler.hold(85);
  scheduler.runTo(1220);
  // The stall outlasts the tick that is due, so that tick takes what has waited.
  assertEquals(calls, ["tick 150", "tick 200"]);
  ticker.stop();
  assertEquals(scheduler.isSet, false);
});
