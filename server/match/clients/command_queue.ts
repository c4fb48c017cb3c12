/**
 * One seat's commands, waiting for their ticks. The server never waits for a command and never
 * takes a late one; of several commands for one tick it takes the first. A taken command is
 * announced, which is a promise.
 */
import type { SeatId, Tick } from "../../../shared/netcode/game.ts";
import {
  COMMANDS_AHEAD_TICKS_MAX,
  HISTORY_TICKS,
  type Timeline,
} from "../../../shared/netcode/timeline.ts";

export type CommandOutcome = "taken" | "late" | "tooFarAhead" | "duplicate";

/** The command queue of one seat. The timeline holds the commands that it took. */
export class CommandQueue<Command> {
  readonly seat: SeatId;
  readonly #timeline: Timeline<Command>;
  /**
   * The newest ticks for which a command arrived, by tick modulo the length. This distinguishes
   * commands that datagrams repeat from new ones.
   */
  readonly #seen = new Int32Array(HISTORY_TICKS).fill(-1);
  /** The newest tick for which a command was taken; −1 before the first. */
  newestTick: Tick = -1;

  constructor(seat: SeatId, timeline: Timeline<Command>) {
    this.seat = seat;
    this.#timeline = timeline;
  }

  /**
   * Offers a command that has arrived.
   * @param nextTick the tick that the server runs next
   * @returns the command's outcome
   */
  offer(command: Command, { tick, nextTick }: { tick: Tick; nextTick: Tick }): CommandOutcome {
    // Without this bound a hostile client could fill the timeline for hours ahead.
    if (tick >= nextTick + COMMANDS_AHEAD_TICKS_MAX) return "tooFarAhead";
    if (this.#markSeen(tick) || this.#timeline.isAnnounced(tick, this.seat)) return "duplicate";
    if (tick < nextTick) return "late";
    this.#timeline.announce(tick, this.seat, command);
    this.newestTick = Math.max(this.newestTick, tick);
    return "taken";
  }

  /**
   * Announces the newest earlier command for `tick` too, if none was taken for it.
   * @returns that command; undefined if one was taken, or if there is no earlier one
   */
  repeatNewest(tick: Tick): Command | undefined {
    if (this.#timeline.isAnnounced(tick, this.seat)) return undefined;
    let command: Command | undefined;
    const oldest = Math.max(0, tick - HISTORY_TICKS + 1);
    for (let before = tick - 1; before >= oldest && command === undefined; before--) {
      command = this.#timeline.announcedAt(before, this.seat);
    }
    if (command !== undefined) this.#timeline.announce(tick, this.seat, command);
    return command;
  }

  /**
   * Marks that a command arrived for `tick`.
   * @returns whether one had arrived before, or the tick is too old to tell
   */
  #markSeen(tick: Tick): boolean {
    const slot = tick % HISTORY_TICKS;
    if (this.#seen[slot]! >= tick) return true;
    this.#seen[slot] = tick;
    return false;
  }
}
