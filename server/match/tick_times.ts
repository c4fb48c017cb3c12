/**
 * Knows when a match's ticks are due, and when the server stalled.
 *
 * Messages that came during a stall are handled only after it, so their times of arrival reflect
 * the stall instead of the network.
 */
import type { Tick } from "../../shared/netcode/game.ts";

/**
 * A tick is late if it has not begun within this time after it was due, ms. Its commands may still
 * wait in the sockets, so these are read first (`Ticker`). The timers of an idle process are more
 * exact than this.
 */
export const LATE_MS = 4;
/**
 * A tick that runs later than this after it was due reveals a stall, as a share of a tick. Timers
 * are more exact.
 */
const STALL_TICKS = 0.5;
/**
 * How soon after a stall the messages that waited for its end are handled, as a share of a tick.
 */
const BACKLOG_TICKS = 1;

/** When one match's ticks are due, and its newest stall. */
export class TickTimes {
  readonly #tickMs: number;
  /** The newest tick, and when it was due, ms. */
  #tick: Tick;
  #dueMs: number;
  /** The newest stall, from its beginning until what waited for its end is handled, ms. */
  #stallBeganMs = -Infinity;
  #stallEndedMs = -Infinity;
  /** The newest run of consecutive late ticks, and until when what waited meanwhile is read, ms. */
  #lateFrom: Tick = 0;
  #lateTo: Tick = -1;
  #lateReadMs = -Infinity;

  /** @param tick the tick before the first @param options.dueMs its due time */
  constructor(tick: Tick, { tickHz, dueMs }: { tickHz: number; dueMs: number }) {
    this.#tickMs = 1000 / tickHz;
    this.#tick = tick;
    this.#dueMs = dueMs;
  }

  /** When the newest tick was due, ms. */
  get dueMs(): number {
    return this.#dueMs;
  }

  /**
   * Begins a tick.
   * @param options.nowMs when it runs, at or after `dueMs`
   * @param options.beganMs when the server's first match ran it; no message has been read since. By
   * default now
   */
  beginTick(
    tick: Tick,
    { dueMs, nowMs, beganMs = nowMs }: { dueMs: number; nowMs: number; beganMs?: number },
  ): void {
    const expectedMs = this.#dueMs + this.#tickMs;
    this.#tick = tick;
    this.#dueMs = dueMs;

    // Late, so its commands may be read only now
    if (beganMs - dueMs > LATE_MS) {
      if (this.#lateTo !== tick - 1) this.#lateFrom = tick;
      this.#lateTo = tick;
      this.#lateReadMs = nowMs + BACKLOG_TICKS * this.#tickMs;
    }

    // So late that times of arrival tell nothing about the network
    if (nowMs - expectedMs <= STALL_TICKS * this.#tickMs) return;
    this.#stallBeganMs = expectedMs;
    this.#stallEndedMs = nowMs + BACKLOG_TICKS * this.#tickMs;
  }

  /** Lets a tick's time pass while no client is connected, without running or missing a tick. */
  pause(dueMs: number): void {
    this.#dueMs = dueMs;
  }

  /** When any tick is due, ms, assuming that none is dropped between it and the newest one. */
  dueMsOf(tick: Tick): number {
    return this.#dueMs + (tick - this.#tick) * this.#tickMs;
  }

  /** Whether a message handled at this time may have waited for a stall to end. */
  isInStall(atMs: number): boolean {
    return atMs >= this.#stallBeganMs && atMs <= this.#stallEndedMs;
  }

  /**
   * Whether a command came too late because the server did not read it in time: its tick ran late,
   * and the command was read soon afterwards. That includes a few commands that were still on their
   * way.
   * @param atMs when the command was read
   */
  isLateByServer(tick: Tick, atMs: number): boolean {
    return tick >= this.#lateFrom && tick <= this.#lateTo && atMs <= this.#lateReadMs;
  }
}
