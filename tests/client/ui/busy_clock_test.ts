import { assertEquals } from "@std/assert";
import { BusyClock } from "../../../client/ui/busy_clock.ts";

const FRAME_MS = 16;

/** A page whose timer fires every 16 ms, or later while the page is busy. */
class TimedPage {
  nowMs = 0;
  readonly clock = new BusyClock(() => this.nowMs, FRAME_MS);

  /** The timer's handler runs now. @param workMs how long it takes */
  fire(workMs = 0): void {
    this.nowMs += workMs;
    this.clock.setTimer(this.nowMs + FRAME_MS);
  }

  /** The lag of an event that is handled so much later. */
  lagAfter(ms: number): number {
    this.nowMs += ms;
    return this.clock.lagMs();
  }
}

Deno.test("BusyClock: without a busy page, and before the first timer, nothing has waited", () => {
  const page = new TimedPage();
  assertEquals(page.lagAfter(500), 0);
  page.fire();
  assertEquals(page.lagAfter(FRAME_MS), 0);
  page.fire();
  assertEquals(page.lagAfter(3), 0);
});

Deno.test("BusyClock: an event may have waited since the timer was due, also if the late timer ran before it", () => {
  const page = new TimedPage();
  page.fire();
  // The page is busy for 100 ms from now on.
  assertEquals(page.lagAfter(100), 84);
  page.fire();
  assertEquals(page.lagAfter(2), 86);
  assertEquals(page.lagAfter(FRAME_MS - 2), 100);
  page.fire();
  assertEquals(page.lagAfter(1), 0);
});

Deno.test("BusyClock: the work of the timer's handler holds events up, too", () => {
  const page = new TimedPage();
  page.fire();
  page.nowMs += FRAME_MS;
  page.fire(60);
  assertEquals(page.lagAfter(1), 61);
});
