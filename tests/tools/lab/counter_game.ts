/**
 * A game without physics that proves the contract (DESIGN 3). Each seat counts its presses and
 * drifts along a line. The game runs thousands of times faster than real time, and reveals every
 * lost or doubled press.
 */
import {
  type Commands,
  type Game,
  type GameEvent,
  type GameOptions,
  PLAYER_SEATS,
  type SeatId,
  SEATS,
  type Simulation,
} from "../../../shared/netcode/game.ts";
import type { PoseList } from "../../../shared/netcode/pose_list.ts";
import { hashOf } from "../../../shared/random.ts";
import { type Snapshot, SnapshotError } from "../../../shared/snapshot.ts";

export interface CounterCommand {
  /** The press counter, 0 … 3. */
  readonly presses: number;
  /** The drift's direction: -1, 0, 1. */
  readonly dir: number;
}

/** A state holds tick, npcs and seed, then four words for each seat. */
const HEAD_WORDS = 3;
const SEAT_WORDS = 4;
const ABSENT = 0xffffffff;

export class CounterSimulation implements Simulation<CounterCommand> {
  tick = 0;
  /**
   * By seat: the newest press counter or ABSENT; all presses; the place in centimetres; a hash of
   * all places so far.
   */
  readonly #seats = new Uint32Array(SEATS * SEAT_WORDS);
  readonly #npcs: number;
  readonly #seed: number;
  readonly npcSeats: readonly SeatId[];
  readonly events: GameEvent[] = [];

  constructor(options: GameOptions, seed: number) {
    this.#npcs = options.npcs;
    this.#seed = seed;
    this.npcSeats = Array.from({ length: options.npcs }, (_, i) => PLAYER_SEATS + i);
    for (let seat = 0; seat < SEATS; seat++) this.#seats[seat * SEAT_WORDS] = ABSENT;
  }

  step(commands: Commands<CounterCommand>): void {
    this.tick++;
    this.events.length = 0;
    for (let seat = 0; seat < SEATS; seat++) this.#stepSeat(seat, commands[seat]);
  }

  /** Presses that the game has counted for a seat since it entered. */
  pressesOf(seat: SeatId): number {
    return this.#seats[seat * SEAT_WORDS + 1]!;
  }

  isPresent(seat: SeatId): boolean {
    return this.#seats[seat * SEAT_WORDS] !== ABSENT;
  }

  save(into: Snapshot): void {
    into.length = 0;
    into.reserve(HEAD_WORDS + this.#seats.length);
    into.words[0] = this.tick;
    into.words[1] = this.#npcs;
    into.words[2] = this.#seed;
    into.words.set(this.#seats, HEAD_WORDS);
    into.length = HEAD_WORDS + this.#seats.length;
  }

  load(from: Snapshot): void {
    if (from.length !== HEAD_WORDS + this.#seats.length) {
      throw new SnapshotError(`${from.length} words`);
    }
    if (from.words[1] !== this.#npcs || from.words[2] !== this.#seed) {
      throw new SnapshotError("another match");
    }
    this.tick = from.words[0]!;
    this.#seats.set(from.words.subarray(HEAD_WORDS, from.length));
    this.events.length = 0;
  }

  npcCommand(seat: SeatId, queued: readonly CounterCommand[]): CounterCommand {
    const tick = this.tick + queued.length + 1;
    const before = queued.at(-1)?.presses ?? this.#seats[seat * SEAT_WORDS]! & 3;
    const choice = hashOf(this.#seed, seat, tick >> 3);
    return { presses: (before + (choice % 7 === 0 ? 1 : 0)) & 3, dir: choice % 3 - 1 };
  }

  reactionTicks(seat: SeatId): number {
    return 1 + seat % 4;
  }

  poses(out: PoseList): void {
    out.reset();
    for (let seat = 0; seat < SEATS; seat++) {
      const at = seat * SEAT_WORDS;
      if (this.#seats[at] === ABSENT) continue;
      const pose = out.add();
      pose.entity = seat + 1;
      pose.seat = seat;
      pose.x = (this.#seats[at + 2]! | 0) / 100;
      pose.y = pose.angle = pose.teleports = 0;
    }
  }

  #stepSeat(seat: SeatId, command: CounterCommand | undefined): void {
    const seats = this.#seats;
    const at = seat * SEAT_WORDS;
    if (command === undefined) {
      if (seats[at] === ABSENT) return;
      seats.fill(0, at, at + SEAT_WORDS);
      seats[at] = ABSENT;
      return;
    }
    const pressed = seats[at] === ABSENT ? 0 : (command.presses - seats[at]!) & 3;
    seats[at] = command.presses;
    seats[at + 1]! += pressed;
    seats[at + 2]! += command.dir * 10 + pressed * 30;
    seats[at + 3] = hashOf(seats[at + 3]!, seats[at + 2]!, this.tick);
    if (pressed > 0) {
      this.events.push({ tick: this.tick, kind: "press", entity: seat + 1, x: 0, y: 0 });
    }
  }
}

/** How many ticks an assumed command repeats the direction. */
const ASSUME_HELD_TICKS = 3;

export const counterGame: Game<CounterCommand, CounterSimulation> = {
  id: "counter-1",
  tickHz: 20,
  command: {
    neutral: { presses: 0, dir: 0 },
    code: (value, _reference, coder) => ({
      presses: coder.bits(value.presses, 2),
      dir: Math.min(1, coder.bits(value.dir + 1, 2) - 1),
    }),
    same: (a, b) => a.presses === b.presses && a.dir === b.dir,
  },
  assume: (last, ticksMissing) => ({
    presses: last?.presses ?? 0,
    dir: ticksMissing <= ASSUME_HELD_TICKS ? last?.dir ?? 0 : 0,
  }),
  start: (options, seed) => new CounterSimulation(options, seed),
};

export { counterGame as game };
