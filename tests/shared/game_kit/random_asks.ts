/** Random players of the yard game. */
import { PressCounter } from "../../../client/input/press_counter.ts";
import type { CommandSource } from "../../../client/session/session.ts";
import { Random } from "../../../shared/random.ts";
import { yardGame } from "./yard_game.ts";

export type YardCommand = typeof yardGame.command.neutral;

/**
 * Changes what it asks for a few times a second. It counts its presses; none is made before the
 * server has an own one.
 */
export class RandomAsks implements CommandSource<YardCommand> {
  readonly #random: Random;
  readonly #team: "auto" | "blue" | "orange";
  readonly #counters = { tie: new PressCounter(), fire: new PressCounter() };
  #ask = { dx: 0, dy: 0, aim: 0, gear: 1, brake: false };
  #before = yardGame.command.neutral;
  readonly pressed = { tie: 0, fire: 0 };
  isIdle = false;

  constructor(seed: number) {
    this.#random = new Random(seed);
    this.#team = (["auto", "blue", "orange"] as const)[seed % 3]!;
  }

  next(_tick: number, acknowledged: YardCommand | undefined): YardCommand {
    const random = this.#random;
    const { pressed } = this;
    if (!this.isIdle && acknowledged !== undefined) {
      if (random.chance(0.1)) pressed.tie++;
      if (random.chance(0.2)) pressed.fire += random.chance(0.1) ? 3 : 1;
    }

    if (random.chance(0.2)) {
      // A stick that is in no step, and an angle of several turns.
      const [dx, dy, aim] = [
        random.below(3) - 1,
        2 * random.fraction() - 1,
        40 * random.fraction() - 20,
      ];
      this.#ask = { dx, dy, aim, gear: random.below(4), brake: random.chance(0.1) };
    }

    const before = this.#before;
    const presses = {
      tie: this.#presses("tie", acknowledged),
      fire: this.#presses("fire", acknowledged),
    };
    return this.#before = yardGame.commandOf(
      { ...this.#ask, ...presses, team: this.#team },
      before,
    );
  }

  /** Presses since the command before. */
  #presses(part: "tie" | "fire", acknowledged: YardCommand | undefined): number {
    const counter = this.#counters[part];
    counter.setTotal(this.pressed[part]);
    return (counter.next(acknowledged?.[part]) - this.#before[part]) & 3;
  }
}

/**
 * The commands of a match without a network: players come and go, and NPCs decide some ticks ahead.
 */
export class RandomMatch {
  readonly #random: Random;
  readonly #players: readonly RandomAsks[];
  readonly #isIn: boolean[];
  readonly #queues = new Map<number, YardCommand[]>();

  constructor(seed: number, players: number) {
    this.#random = new Random(seed);
    this.#players = Array.from({ length: players }, (_, i) => new RandomAsks(100 * seed + i));
    this.#isIn = this.#players.map((_, i) => i < 2);
  }

  /** The commands of the simulation's next tick. */
  next(simulation: ReturnType<typeof yardGame.start>): (YardCommand | undefined)[] {
    const commands: (YardCommand | undefined)[] = new Array(32).fill(undefined);
    for (const [seat, player] of this.#players.entries()) {
      if (this.#random.chance(0.02)) this.#isIn[seat] = !this.#isIn[seat];
      if (this.#isIn[seat]) commands[seat] = player.next(simulation.tick, yardGame.command.neutral);
    }
    for (const seat of simulation.npcSeats) {
      const queue = this.#queues.get(seat) ?? [];
      this.#queues.set(seat, queue);
      while (queue.length < simulation.reactionTicks(seat)) {
        queue.push(simulation.npcCommand(seat, queue));
      }
      commands[seat] = queue.shift()!;
    }
    return commands;
  }
}
