/**
 * Counts the commands that the server had to assume for a definitive tick: seats that are present, and whose command
 * was not announced in time. The count reads received messages only, so that telemetry cannot change the prediction.
 */
import { type SeatId, SEATS, type Tick } from "../../shared/netcode/game.ts";
import type { PresenceChange, TickMessage } from "../../shared/netcode/wire/messages.ts";
import { HISTORY_TICKS } from "../../shared/netcode/timeline.ts";

export class AssumedCount {
  readonly #present = new Set<SeatId>();
  /** Announced changes of ticks to come; at most `SEATS` are kept. */
  #pendingPresence: PresenceChange[] = [];
  /** By tick modulo `HISTORY_TICKS`: bit n is set if the command of seat n is known. */
  readonly #known = new Uint32Array(HISTORY_TICKS);
  #newest: Tick = -1;

  /**
   * Adds a definitive tick.
   * @returns the commands assumed for it; 0 for a tick that came with a full state, or twice
   */
  addTick(
    { tick, presence, announcements, state }: Pick<TickMessage<unknown>, "tick" | "presence" | "announcements"> & {
      readonly state: { readonly seats: readonly { readonly seat: SeatId }[] } | undefined;
    },
  ): number {
    if (tick <= this.#newest) return 0;
    for (let old = Math.max(this.#newest, tick - HISTORY_TICKS); old < tick; old++) {
      this.#known[old % HISTORY_TICKS] = 0;
    }
    this.#newest = tick;
    if (state !== undefined) this.#begin(state.seats);
    this.#pendingPresence.push(...presence);
    for (const each of announcements) this.#known[each.tick % HISTORY_TICKS]! |= 1 << each.seat;
    this.#applyPresence(tick);
    if (state !== undefined) return 0;
    let assumed = 0;
    for (const seat of this.#present) if ((this.#known[tick % HISTORY_TICKS]! >> seat & 1) === 0) assumed++;
    return assumed;
  }

  #begin(seats: readonly { readonly seat: SeatId }[]): void {
    this.#present.clear();
    this.#known.fill(0);
    this.#pendingPresence = [];
    for (const { seat } of seats) this.#present.add(seat);
  }

  #applyPresence(tick: Tick): void {
    for (const change of this.#pendingPresence) {
      if (change.tick > tick) continue;
      if (change.present) this.#present.add(change.seat);
      else this.#present.delete(change.seat);
    }
    this.#pendingPresence = this.#pendingPresence.filter((change) => change.tick > tick).slice(-SEATS);
  }
}
