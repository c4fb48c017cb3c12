/**
 * Counts what becomes of datagrams with ticks. The server sends one a tick, and its newest tick is its number:
 *
 *     lost        numbers between the first and the newest that have not arrived
 *     duplicates  datagrams whose number has arrived before
 *     saved       ticks that first arrived in the datagram of a later tick: without repeats they would be missing
 *
 * The way up is measured by pings, one a second. With the share `both` of pings without a pong,
 *
 *     loss up = 1 − (1 − both) / (1 − loss down)
 */
import type { Tick } from "../../shared/netcode/game.ts";
import { TickRing } from "../../shared/netcode/tick_ring.ts";

/** An overtaken datagram that is this much older, in ticks, counts as lost. */
const KEPT_TICKS = 64;
/** A longer gap of ticks is a pause, or another path. */
const GAP_TICKS_MAX = 32;

export class DatagramStats {
  readonly #arrived = new TickRing<null>(KEPT_TICKS, () => null);
  #newest: Tick = -1;
  arrived = 0;
  lost = 0;
  duplicates = 0;
  /** Ticks saved by repeats. */
  savedTicks = 0;
  pings = 0;
  pongs = 0;

  /** A datagram of ticks has arrived. @param received the newest tick up to which the client had all before it */
  onTicks(first: Tick, { newest, received }: { newest: Tick; received: Tick }): void {
    if (this.#arrived.get(newest) !== undefined) return void this.duplicates++;
    const before = this.#newest;
    if (newest <= before - KEPT_TICKS) return;
    if (before < 0 || newest > before + GAP_TICKS_MAX) this.#arrived.clear();
    else this.lost += newest > before ? newest - before - 1 : -1;
    this.#arrived.claim(newest);
    this.arrived++;
    for (let tick = Math.max(first, received + 1, before + 1); tick < newest; tick++) this.savedTicks++;
    this.#newest = Math.max(before, newest);
  }

  get lossDown(): number {
    return this.lost / Math.max(1, this.arrived + this.lost);
  }

  get lossUp(): number {
    const through = this.pongs / Math.max(1, this.pings);
    return this.pings === 0 ? 0 : Math.max(0, 1 - through / (1 - this.lossDown || 1));
  }
}
