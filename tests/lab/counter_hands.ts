/** Hands for lab players of the counter game that count what they press. */
import { PressCounter } from "../../client/press_counter.ts";
import type { Controls } from "../../client/session.ts";
import type { Tick } from "../../shared/netcode/game.ts";
import { Random } from "../../shared/random.ts";
import type { CounterCommand } from "./counter_game.ts";

/** Presses at random and changes direction three or four times a second, until told to rest. */
export class CounterHands implements Controls<CounterCommand> {
  readonly #random: Random;
  readonly #counter = new PressCounter();
  #dir = 0;
  made = 0;
  resting = false;

  constructor(seed: number) {
    this.#random = new Random(seed);
  }

  next(_tick: Tick, acknowledged: CounterCommand | undefined): CounterCommand {
    // Nobody can press before he is in the game and sees himself there.
    if (!this.resting && acknowledged !== undefined && this.#random.chance(0.2)) this.made++;
    if (this.#random.chance(0.18)) this.#dir = this.#random.below(3) - 1;
    this.#counter.setTotal(this.made);
    return { presses: this.#counter.next(acknowledged?.presses), dir: this.#dir };
  }
}
