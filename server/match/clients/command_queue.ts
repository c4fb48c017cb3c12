/**
 * One seat's commands waiting for their tick. The server never waits for a command and never takes a late one; it takes one
 * per tick, the first that arrives. A command that is taken is announced, and that is a promise.
 */
import type { SeatId, Tick } from "../../../shared/netcode/game.ts";
import { COMMANDS_AHEAD_TICKS_MAX, HISTORY_TICKS, type Timeline } from "../../../shared/netcode/timeline.ts";

export type CommandOutcome = "taken" | "late" | "tooFarAhead" | "duplicate";

/** What one seat has sent and what of it was taken. */
export class CommandQueue<Command> {
  readonly seat: SeatId;
  readonly #timeline: Timeline<Command>;
  /** The newest ticks that a command came for, by tick modulo their number: datagrams bring the same one several times. */
  readonly #seen = new Int32Array(HISTORY_TICKS).fill(-1);
  /** The newest tick that a command was taken for; -1 before the first. */
  newestTick: Tick = -1;

  constructor(seat: SeatId, timeline: Timeline<Command>) {
    this.seat = seat;
    this.#timeline = timeline;
  }

  /** @param nextTick the tick that the server runs next */
  offer(command: Command, { tick, nextTick }: { tick: Tick; nextTick: Tick }): CommandOutcome {
    // Without this bound a hostile client could fill the timeline for hours to come.
    if (tick >= nextTick + COMMANDS_AHEAD_TICKS_MAX) return "tooFarAhead";
    if (this.#markSeen(tick) || this.#timeline.isAnnounced(tick, this.seat)) return "duplicate";
    if (tick < nextTick) return "late";
    this.#timeline.announce(tick, this.seat, command);
    this.newestTick = Math.max(this.newestTick, tick);
    return "taken";
  }

  /** Notes that a command came for `tick`. @returns whether one had come before, or it is too old to know */
  #markSeen(tick: Tick): boolean {
    const slot = tick % HISTORY_TICKS;
    if (this.#seen[slot]! >= tick) return true;
    this.#seen[slot] = tick;
    return false;
  }
}
