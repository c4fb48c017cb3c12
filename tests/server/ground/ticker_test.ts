import { assert, assertEquals, assertGreater, assertLess, assertThrows } from "@std/assert";
import { LATE_MS } from "../../../server/match/tick_times.ts";
import {
  CATCH_UP_TICKS_MAX,
  clock,
  LOOK_MS,
  READING_MS_MAX,
  READING_TURNS_MAX,
  type Scheduler,
  Ticker,
} from "../../../server/ground/ticker.ts";

interface Timer {
  readonly atMs: number;
  /** Whether the event loop reads sockets before it fires. */
  readonly isTurn: boolean;
  readonly action: () => void;
}

/** A clock that the test sets. */
class TestScheduler implements Scheduler {
  /** Called in each turn of the event loop, in which sockets are read. */
  onTurn = () => {};
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
    const timer = { atMs: this.#nowMs + delayMs, isTurn: delayMs === 0, action };
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

  /**
   * Fires every timer that is due until `timeMs`, then sets the clock to it.
   * @param lateMs lateness of each timer
   */
  runTo(timeMs: number, lateMs = 0): void {
    for (let timer; (timer = this.#firstTimer()) !== undefined && timer.atMs + lateMs <= timeMs;) {
      this.#nowMs = Math.max(this.#nowMs, timer.atMs + lateMs);
      if (timer.isTurn) this.onTurn();
      if (this.#timers.delete(timer)) timer.action();
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
  const { ticker, due, dropped } = tickerOn(scheduler, {
    onTick: (dueMs) => late.add(scheduler.now() - dueMs),
  });
  ticker.start();
  scheduler.runTo(1000 + 50 * 400 + 3, 3);
  assertEquals(due, Array.from({ length: 400 }, (_, i) => 1000 + 50 * (i + 1)));
  assertEquals([...late], [3]);
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
  const scheduler = new TestScheduler(2);
  const calls: string[] = [];
  const ticker = new Ticker({
    hz: 20,
    scheduler,
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

/**
 * A ticker whose ticks, turns and drops are written down in their order, with their times since the
 * start.
 */
function writtenTicker(
  scheduler: TestScheduler,
  { hz = 20, onTick = (_dueMs: number) => {} } = {},
) {
  const written: string[] = [];
  scheduler.onTurn = () => written.push("turn");
  const ticker = new Ticker({
    hz,
    scheduler,
    onTick(dueMs) {
      written.push(`tick ${dueMs - 1000}`);
      onTick(dueMs);
    },
    onDropped: (ticks) => written.push(`${ticks} dropped`),
  });
  ticker.start();
  return { ticker, written };
}

Deno.test("Ticker: a tick runs without a turn if the sockets were read in the 5 ms before it, and at most 4 ms late (SPEC 2.15)", () => {
  const scheduler = new TestScheduler();
  const { written } = writtenTicker(scheduler);
  scheduler.runTo(1050 - LOOK_MS);
  scheduler.hold(LOOK_MS + LATE_MS);
  scheduler.runTo(scheduler.now());
  assertEquals(written.splice(0), ["tick 50"]);
  scheduler.runTo(1100 - LOOK_MS);
  scheduler.hold(LOOK_MS + LATE_MS + 1);
  scheduler.runTo(scheduler.now());
  assertEquals(written.splice(0), ["turn", "turn", "tick 100"], "more than 4 ms late");
  scheduler.runTo(1150 - LOOK_MS - 1);
  scheduler.hold(LOOK_MS);
  scheduler.runTo(1150);
  assertEquals(written.splice(0), ["tick 150"], "a late look that is before the tick is due");
  scheduler.runTo(1200 - LOOK_MS - 1);
  scheduler.hold(LOOK_MS + 1);
  scheduler.runTo(scheduler.now());
  assertEquals(written.splice(0), ["turn", "turn", "tick 200"], "nothing was read since the pause");
});

Deno.test("Ticker: before late ticks run, the event loop gets two turns to read, for all of them together (SPEC 2.15)", () => {
  const scheduler = new TestScheduler();
  const { written } = writtenTicker(scheduler);
  scheduler.hold(120);
  scheduler.runTo(scheduler.now());
  assertEquals(written, ["turn", "turn", "tick 50", "tick 100"]);
  assertEquals(READING_TURNS_MAX, 2);
});

Deno.test("Ticker: a tick that comes due while others are caught up gets turns of its own (SPEC 2.15)", () => {
  const scheduler = new TestScheduler();
  const onTick = (dueMs: number) => dueMs < 1200 && scheduler.hold(25);
  const { written } = writtenTicker(scheduler, { onTick });
  scheduler.hold(160);
  scheduler.runTo(1240);
  // The third tick ends at 235 ms, and the fourth was due at 200: after the sockets were read.
  assertEquals(written, [
    "turn",
    "turn",
    "tick 50",
    "tick 100",
    "tick 150",
    "turn",
    "turn",
    "tick 200",
  ]);
});

Deno.test("Ticker: ticks are dropped after the sockets are read, and those that run are due when they say (SPEC 2.13, 2.15)", () => {
  const scheduler = new TestScheduler();
  const { written } = writtenTicker(scheduler);
  scheduler.hold(300);
  scheduler.runTo(scheduler.now());
  assertEquals(written, [
    "turn",
    "turn",
    "2 dropped",
    "tick 150",
    "tick 200",
    "tick 250",
    "tick 300",
  ]);
});

Deno.test("Ticker: it can be stopped and started again while the sockets are read (SPEC 2.15)", () => {
  const scheduler = new TestScheduler();
  const { ticker, written } = writtenTicker(scheduler);
  scheduler.onTurn = () => ticker.stop();
  scheduler.hold(120);
  scheduler.runTo(2000);
  assertEquals([written, scheduler.isSet], [[], false]);
  ticker.start();
  scheduler.runTo(2100);
  assertEquals(written, ["tick 1050", "tick 1100"]);
});

Deno.test("Ticker: tickers of two rates read each for itself after one pause, and neither delays the other further (SPEC 2.15)", () => {
  const scheduler = new TestScheduler(2);
  const slow = writtenTicker(scheduler);
  const fast = writtenTicker(scheduler, { hz: 50 });
  let turns = 0;
  scheduler.onTurn = () => turns++;
  scheduler.hold(70);
  scheduler.runTo(scheduler.now());
  assertEquals(slow.written, ["tick 50"]);
  assertEquals(fast.written, ["tick 20", "tick 40", "tick 60"]);
  assertEquals(turns, 2 * READING_TURNS_MAX);
});

Deno.test("Ticker.hurry: it ends a reading that has lasted for 5 ms, and the late ticks run within the call (SPEC 2.16)", () => {
  const scheduler = new TestScheduler();
  const { ticker, written } = writtenTicker(scheduler);
  ticker.hurry();
  scheduler.hold(50 + LATE_MS);
  ticker.hurry();
  assertEquals(written, [], "no tick is late");

  // The timer cannot fire while sockets are read.
  scheduler.hold(1);
  ticker.hurry();
  scheduler.hold(READING_MS_MAX - 1);
  ticker.hurry();
  assertEquals(written, [], "the sockets are read for 4 ms");
  scheduler.hold(1);
  ticker.hurry();
  assertEquals(written.splice(0), ["tick 50"]);
  scheduler.runTo(1100);
  assertEquals(written.splice(0), ["tick 100"], "the next one is on time");

  scheduler.onTurn = () => {
    written.push("turn");
    scheduler.hold(READING_MS_MAX);
    ticker.hurry();
    written.push("read on");
  };
  scheduler.hold(60);
  scheduler.runTo(scheduler.now());
  assertEquals(written, ["turn", "tick 150", "read on"], "in the first turn");
});

Deno.test("Ticker.hurry: a ticker that is stopped runs nothing (SPEC 2.16)", () => {
  const scheduler = new TestScheduler();
  const { ticker, written } = writtenTicker(scheduler);
  scheduler.hold(70);
  ticker.hurry();
  ticker.stop();
  scheduler.hold(READING_MS_MAX);
  ticker.hurry();
  assertEquals([written, scheduler.isSet], [[], false]);
});
