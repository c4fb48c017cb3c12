/**
 * One lane per seat: for each tick, what this page knew about the seat's command, and whether the
 * server received it.
 */
import { type Commands, type SeatId, SEATS, type Tick } from "../../../shared/netcode/game.ts";

/** How many ticks lanes keep: what a page records at 20 Hz, and the ticks ahead. */
export const LANE_TICKS = 1440;

/** What was known about a seat's command at a tick. */
export const LANE = {
  /** The seat is empty. */
  empty: 0,
  /** The command was known when this page first simulated the tick, as own commands always are. */
  known: 1,
  /** It was unknown, and the page guessed right, or cannot know yet. */
  guessed: 2,
  /** It was unknown, and the page guessed wrong. */
  wrong: 3,
  /** It did not reach the server in time, which had to assume it. */
  late: 4,
} as const;

export type LaneState = typeof LANE[keyof typeof LANE];

/** The lanes as one list of bytes; worker and page each keep one. */
export class SeatLanes {
  readonly #states = new Uint8Array(LANE_TICKS * SEATS);
  #newest: Tick = -1;

  /** The newest tick with a state; -1 before the first. */
  get newest(): Tick {
    return this.#newest;
  }

  /**
   * Returns the seat's state at a tick; `LANE.empty` for a tick that is too old or not here yet.
   */
  at(tick: Tick, seat: SeatId): LaneState {
    if (tick < 0 || tick > this.#newest || tick <= this.#newest - LANE_TICKS) return LANE.empty;
    return this.#states[(tick % LANE_TICKS) * SEATS + seat]! as LaneState;
  }

  /** Counts the commands that the server had to assume at a tick. */
  lateAt(tick: Tick): number {
    let late = 0;
    for (let seat = 0; seat < SEATS; seat++) if (this.at(tick, seat) === LANE.late) late++;
    return late;
  }

  set(tick: Tick, seat: SeatId, state: LaneState): void {
    this.#reach(tick);
    if (tick > this.#newest - LANE_TICKS) this.#states[(tick % LANE_TICKS) * SEATS + seat] = state;
  }

  /** Copies all seats' states from a tick on, tick by tick. */
  copyFrom(tick: Tick): Uint8Array<ArrayBuffer> {
    const first = Math.max(tick, this.#newest - LANE_TICKS + 1, 0);
    const copy = new Uint8Array(Math.max(0, this.#newest - first + 1) * SEATS);
    for (let at = first; at <= this.#newest; at++) {
      const row = (at % LANE_TICKS) * SEATS;
      copy.set(this.#states.subarray(row, row + SEATS), (at - first) * SEATS);
    }
    return copy;
  }

  /** Takes the states from `copyFrom`, of which the last belong to `newest`. */
  paste(states: Uint8Array, newest: Tick): void {
    this.#reach(newest);
    const ticks = states.length / SEATS;
    for (let i = 0; i < ticks; i++) {
      const row = ((newest - ticks + 1 + i) % LANE_TICKS) * SEATS;
      this.#states.set(states.subarray(i * SEATS, (i + 1) * SEATS), row);
    }
  }

  clear(): void {
    this.#states.fill(LANE.empty);
    this.#newest = -1;
  }

  /** Makes room for the ticks up to this one. */
  #reach(tick: Tick): void {
    if (tick <= this.#newest) return;
    for (let next = Math.max(this.#newest + 1, tick - LANE_TICKS + 1); next <= tick; next++) {
      const row = (next % LANE_TICKS) * SEATS;
      this.#states.fill(LANE.empty, row, row + SEATS);
    }
    this.#newest = tick;
  }
}

/** What a page first used for a tick, and what is definitive. */
export interface FinalTick<Command> {
  /** The commands in the tick's first step. */
  readonly first: Commands<Command>;
  readonly definitive: Commands<Command>;
  /**
   * As bits, the seats with a command that was known at the first step, and those with one that the
   * server announced.
   */
  readonly known: number;
  readonly announced: number;
  readonly same: (a: Command, b: Command) => boolean;
}

/** Finds a seat's state at a definitive tick. */
export function finalState<Command>(
  seat: SeatId,
  { first, definitive, known, announced, same }: FinalTick<Command>,
): LaneState {
  const now = definitive[seat];
  const before = first[seat];
  if (now === undefined) return LANE.empty;
  if ((announced >>> seat & 1) === 0) return LANE.late;
  if ((known >>> seat & 1) === 1) return LANE.known;
  return before !== undefined && same(before, now) ? LANE.guessed : LANE.wrong;
}
