/**
 * When a match's ticks are due, and when the server stalled.
 *
 * Messages that came during a stall are handled after it. Their times of arrival show the stall and
 * not the network.
 */
import type { Tick } from "../../shared/netcode/game.ts";

/**
 * A tick that has not begun so long after it was due, ms, is late. Its commands may wait in the
 * sockets, so these are read first (`Ticker`). The timers of a process that has time are more
 * exact.
 */
export const LATE_MS = 4;
/**
 * A tick that runs later than this after it was due shows a stall, as a share of a tick. Timers are
 * more exact.
 */
const STALL_TICKS = 0.5;
/**
 * Messages that waited for a stall's end are handled within this time after it, as a share of a
 * tick.
 */
const BACKLOG_TICKS = 1;

/** The due times of one match's ticks, and its newest stall. */
export class TickTimes {
  readonly #tickMs: number;
  /** The newest tick, and when it was due, ms. */
  #tick: Tick;
  #dueMs: number;
  /** The newest stall, and the time in which what waited for its end is handled, ms. */
  #stallBeganMs = -Infinity;
  #stallEndedMs = -Infinity;
  /**
   * The newest late ticks that ran one after the other, and until when what waited meanwhile is
   * read, ms.
   */
  #lateFrom: Tick = 0;
  #lateTo: Tick = -1;
  #lateReadMs = -Infinity;

  /** @param tick the tick before the first @param options.dueMs its due time */
  constructor(tick: Tick, { tickHz, dueMs }: { tickHz: number; dueMs: number }) {
    this.#tickMs = 1000 / tickHz;
    this.#tick = tick;
    this.#dueMs = dueMs;
  }

  /** Due time of the newest tick, ms. */
  get dueMs(): number {
    return this.#dueMs;
  }

  /**
   * Begins a tick.
   * @param options.nowMs when it runs, at or after `dueMs`
   * @param options.beganMs when the first match of the server ran it: no message was read since; by
   *   default now
   */
  beginTick(
    tick: Tick,
    { dueMs, nowMs, beganMs = nowMs }: { dueMs: number; nowMs: number; beganMs?: number },
  ): void {
    const expectedMs = this.#dueMs + this.#tickMs;
    this.#tick = tick;
    this.#dueMs = dueMs;

    // Late: its commands may be read only now
    if (beganMs - dueMs > LATE_MS) {
      if (this.#lateTo !== tick - 1) this.#lateFrom = tick;
      this.#lateTo = tick;
      this.#lateReadMs = nowMs + BACKLOG_TICKS * this.#tickMs;
    }

    // So late that times of arrival say nothing about the network
    if (nowMs - expectedMs <= STALL_TICKS * this.#tickMs) return;
    this.#stallBeganMs = expectedMs;
    this.#stallEndedMs = nowMs + BACKLOG_TICKS * this.#tickMs;
  }

  /** Lets a tick's time pass while no client is connected: no tick is run, and none is missed. */
  pause(dueMs: number): void {
    this.#dueMs = dueMs;
  }

  /** Due time of any tick, ms, as if none were dropped between it and the newest one. */
  dueMsOf(tick: Tick): number {
    return this.#dueMs + (tick - this.#tick) * this.#tickMs;
  }

  /** Whether a message that was handled at this time may have waited for the end of a stall. */
  isInStall(atMs: number): boolean {
    return atMs >= this.#stallBeganMs && atMs <= this.#stallEndedMs;
  }

  /**
   * Whether a command came too late because the server did not read it in time: its tick ran late,
   * and the command was read soon after that. A few such commands were still on their way.
   * @param atMs when the command was read
   */
  isLateByServer(tick: Tick, atMs: number): boolean {
    return tick >= this.#lateFrom && tick <= this.#lateTo && atMs <= this.#lateReadMs;
  }
}
