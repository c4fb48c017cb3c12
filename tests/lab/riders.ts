/** Hands for lab players that count what they press. */
import { PressCounter } from "../../client/input/press_counter.ts";
import type { Controls } from "../../client/session/session.ts";
import type { DragonCommand } from "../../shared/games/dragons/command.ts";
import type { Tick } from "../../shared/netcode/game.ts";
import { Random } from "../../shared/random.ts";
import type { CounterCommand } from "./counter_game.ts";

/** Flies about at random, some four changes a second, until told to rest. */
export class RandomRider implements Controls<DragonCommand> {
  readonly #random: Random;
  readonly #flaps = new PressCounter();
  readonly #fires = new PressCounter();
  #dir: -1 | 0 | 1 = 0;
  flapsMade = 0;
  firesMade = 0;
  resting = false;

  constructor(seed: number) {
    this.#random = new Random(seed);
  }

  next(_tick: Tick, acknowledged: DragonCommand | undefined): DragonCommand {
    if (!this.resting) this.#press();
    this.#flaps.setTotal(this.flapsMade);
    this.#fires.setTotal(this.firesMade);
    return {
      dir: this.#dir,
      flapHeld: false,
      flaps: this.#flaps.next(acknowledged?.flaps),
      fires: this.#fires.next(acknowledged?.fires),
    };
  }

  #press(): void {
    const random = this.#random;
    if (random.chance(0.1)) this.#dir = (random.below(3) - 1) as -1 | 0 | 1;
    if (random.chance(0.14)) this.flapsMade++;
    // Now and then a drum roll: several presses within one tick.
    if (random.chance(0.01)) this.flapsMade += 3;
    if (random.chance(0.05)) this.firesMade++;
  }
}

/** Presses at random and changes direction three or four times a second, until told to rest. */
export class CountingControls implements Controls<CounterCommand> {
  readonly #random: Random;
  readonly #counter = new PressCounter();
  #dir = 0;
  made = 0;
  resting = false;

  constructor(seed: number) {
    this.#random = new Random(seed);
  }

  next(_tick: number, acknowledged: CounterCommand | undefined): CounterCommand {
    // Nobody can press before he is in the game and sees himself there.
    if (!this.resting && acknowledged !== undefined && this.#random.chance(0.2)) this.made++;
    if (this.#random.chance(0.18)) this.#dir = this.#random.below(3) - 1;
    this.#counter.setTotal(this.made);
    return { presses: this.#counter.next(acknowledged?.presses), dir: this.#dir };
  }
}
