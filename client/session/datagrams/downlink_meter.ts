/**
 * Counts the datagrams of ticks that get lost on their way to this client, and those that arrive
 * again. The server sends one for each tick, and repeats the tick in later ones until this client
 * confirms it.
 */
import type { Tick } from "../../../shared/netcode/game.ts";
import { TickRing } from "../../../shared/netcode/tick_ring.ts";
import type { DatagramStats } from "./datagram_stats.ts";

const KEPT_TICKS = 64;
/** As for datagrams to the server: 150 ms at 20 Hz, longer than detours last. */
const OVERTAKEN_TICKS = 3;

interface ArrivedTick {
  /**
   * Whether this tick's own datagram arrived, in which it is the newest, and whether a later one
   * repeated it.
   */
  isOwn: boolean;
  isRepeated: boolean;
}

export class DownlinkMeter {
  readonly #stats: DatagramStats;
  readonly #ticks = new TickRing<ArrivedTick>(
    KEPT_TICKS,
    () => ({ isOwn: false, isRepeated: false }),
  );
  #newest: Tick = -1;
  /** The next tick to judge; −1 before the first datagram. */
  #next: Tick = -1;

  constructor(stats: DatagramStats) {
    this.#stats = stats;
  }

  /** Begins anew with the next datagram. */
  reset(): void {
    this.#ticks.clear();
    this.#newest = this.#next = -1;
  }

  /** Registers a datagram with the ticks `first` … `newest`. */
  datagram(first: Tick, newest: Tick): void {
    if (this.#next < 0) this.#next = newest;
    const own = this.#entryOf(newest);
    if (own.isOwn) this.#stats.downAgain++;
    own.isOwn = true;
    for (let tick = Math.max(first, newest - KEPT_TICKS + 1); tick < newest; tick++) {
      this.#entryOf(tick).isRepeated = true;
    }
    this.#judgeUntil(newest);
  }

  /** Registers a state that came in place of the tick's datagram. */
  state(tick: Tick): void {
    this.#entryOf(tick).isOwn = true;
  }

  #judgeUntil(newest: Tick): void {
    this.#newest = Math.max(this.#newest, newest);
    const last = this.#newest - OVERTAKEN_TICKS;
    for (let tick = Math.max(this.#next, last - KEPT_TICKS + 1); tick <= last; tick++) {
      const entry = this.#entryOf(tick);
      this.#stats.down++;
      if (entry.isOwn) continue;
      this.#stats.downLost++;
      if (entry.isRepeated) this.#stats.ticksSaved++;
    }
    this.#next = Math.max(this.#next, last + 1);
  }

  #entryOf(tick: Tick): ArrivedTick {
    return this.#ticks.get(tick) ??
      Object.assign(this.#ticks.claim(tick), { isOwn: false, isRepeated: false });
  }
}
