/** The two hunted games, and how their players press keys. */
import type {
  DragonCommand,
  DragonSimulation,
} from "../../../../shared/games/dragons/declaration.ts";
import { dragonGame } from "../../../../shared/games/dragons/game.ts";
import { commandOf } from "../../../support/dragons.ts";
import type { CommandSource } from "../../../../client/session/session.ts";
import type { Game, Simulation, Tick } from "../../../../shared/netcode/game.ts";
import type { Random } from "../../../../shared/random.ts";
import {
  type CounterCommand,
  counterGame,
  type CounterSimulation,
} from "../../lab/counter_game.ts";
import { RandomCounterControls, RandomDragonControls } from "../../lab/random_controls.ts";

/** A player's hands. */
export interface Hands<Command> extends CommandSource<Command> {
  /** While idle, they press nothing. */
  isIdle: boolean;
  /**
   * Presses that its commands have carried so far; undefined for a game that does not count
   * presses.
   */
  readonly pressesGiven?: number;
  /** The newest tick with a command that carried another press. */
  readonly pressedAt?: Tick;
}

/**
 * Counts the presses in the commands themselves, because others may wait until the server has
 * acknowledged these.
 */
class CountedHands implements Hands<CounterCommand> {
  readonly #hands: RandomCounterControls;
  #presses: number | undefined;
  pressesGiven = 0;
  pressedAt: Tick = -1;

  constructor(seed: number) {
    this.#hands = new RandomCounterControls(seed);
  }

  set isIdle(isIdle: boolean) {
    this.#hands.isIdle = isIdle;
  }

  next(tick: Tick, acknowledged: CounterCommand | undefined): CounterCommand {
    const command = this.#hands.next(tick, acknowledged);
    if (acknowledged === undefined) return command;
    const presses = (command.presses - (this.#presses ?? acknowledged.presses)) & 3;
    this.#presses = command.presses;
    this.pressesGiven += presses;
    if (presses > 0) this.pressedAt = tick;
    return command;
  }
}

export interface HuntedGameParts<Command, Sim extends Simulation<Command>> {
  readonly game: Game<Command, Sim>;
  readonly newHands: (seed: number) => Hands<Command>;
  /** Any command, for a client that sends whatever it likes. */
  readonly anyCommand: (random: Random) => Command;
  /** A command's press counter, 0 … 3; undefined for a game that does not count presses. */
  readonly pressesOf?: (command: Command) => number;
}

export const counterParts: HuntedGameParts<CounterCommand, CounterSimulation> = {
  game: counterGame,
  newHands: (seed) => new CountedHands(seed),
  anyCommand: (random) => ({ presses: random.below(4), dir: random.below(3) - 1 }),
  pressesOf: ({ presses }) => presses,
};

export const dragonParts: HuntedGameParts<DragonCommand, DragonSimulation> = {
  game: dragonGame,
  newHands: (seed) => new RandomDragonControls(seed),
  anyCommand: (random) =>
    commandOf({
      dir: random.below(3) - 1 as -1 | 0 | 1,
      flaps: random.below(4),
      fires: random.below(4),
    }),
};
