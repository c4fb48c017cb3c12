/**
 * What the log says about each seat's command at each tick, in one byte each, for the lanes below
 * the picture.
 */
import { type Commands, type SeatId, SEATS, type Tick } from "../../shared/netcode/game.ts";
import type { Timeline } from "../../shared/netcode/timeline.ts";

/** What a seat's command was at a tick. */
export const COMMAND = {
  /** The seat is empty, or the tick is not checked yet. */
  none: 0,
  /** The same command as in the tick before. */
  same: 1,
  /** A different one than in the tick before. */
  changed: 2,
  /** None came in time, so the server assumed one. */
  assumed: 3,
} as const;

export class CommandLanes<Command> {
  readonly #isSame: (a: Command, b: Command) => boolean;
  #states: Uint8Array;
  readonly #first: Tick;
  readonly #before: (Command | undefined)[] = new Array(SEATS).fill(undefined);
  readonly #marks = new Set<Tick>();
  /** The newest tick with states. */
  newest: Tick;

  /**
   * @param options.first the tick before the first with states
   * @param options.ticks how many ticks follow it
   */
  constructor(
    isSame: (a: Command, b: Command) => boolean,
    { first, ticks }: { readonly first: Tick; readonly ticks: number },
  ) {
    this.#isSame = isSame;
    this.#first = first;
    this.#states = new Uint8Array(ticks * SEATS);
    this.newest = first;
  }

  /** Makes room for a longer match. @param ticks how many ticks follow the first one now */
  extend(ticks: number): void {
    const states = new Uint8Array(ticks * SEATS);
    states.set(this.#states);
    this.#states = states;
  }

  at(tick: Tick, seat: SeatId): number {
    if (tick <= this.#first || tick > this.newest) return COMMAND.none;
    return this.#states[(tick - this.#first - 1) * SEATS + seat]!;
  }

  /** Whether the game has a caption for something that happened in the tick. */
  hasMark(tick: Tick): boolean {
    return this.#marks.has(tick);
  }

  /** Adds the tick after the newest one. */
  add(commands: Commands<Command>, timeline: Timeline<Command>, isMarked: boolean): void {
    const tick = ++this.newest;
    const row = (tick - this.#first - 1) * SEATS;
    for (let seat = 0; seat < SEATS; seat++) {
      const command = commands[seat];
      const before = this.#before[seat];
      this.#before[seat] = command;
      if (command === undefined) continue;
      const isSame = before !== undefined && this.#isSame(command, before);
      this.#states[row + seat] = !timeline.isKnown(tick, seat)
        ? COMMAND.assumed
        : isSame
        ? COMMAND.same
        : COMMAND.changed;
    }
    if (isMarked) this.#marks.add(tick);
  }
}
