/**
 * One seat's commands waiting for their tick. The server never waits for a command and never takes a late one; it takes one
 * per tick, the first that arrives. A command that is taken is announced, and that is a promise.
 */
import type { SeatId, Tick } from "../../shared/netcode/game.ts";
import { COMMANDS_AHEAD_TICKS_MAX, type Timeline } from "../../shared/netcode/timeline.ts";

export type Verdict = "taken" | "late" | "tooFarAhead" | "duplicate";

/** What one seat has sent and what of it was taken. */
export class CommandQueue<Command> {
  readonly seat: SeatId;
  readonly #timeline: Timeline<Command>;
  /** The newest tick that a command was taken for; -1 before the first. */
  newestTick: Tick = -1;

  constructor(seat: SeatId, timeline: Timeline<Command>) {
    this.seat = seat;
    this.#timeline = timeline;
  }

  /** @param nextTick the tick that the server runs next */
  offer(command: Command, { tick, nextTick }: { tick: Tick; nextTick: Tick }): Verdict {
    if (tick < nextTick) return "late";
    // Without this bound a hostile client could fill the timeline for hours to come.
    if (tick >= nextTick + COMMANDS_AHEAD_TICKS_MAX) return "tooFarAhead";
    if (this.#timeline.isAnnounced(tick, this.seat)) return "duplicate";
    this.#timeline.announce(tick, this.seat, command);
    this.newestTick = Math.max(this.newestTick, tick);
    return "taken";
  }
}
