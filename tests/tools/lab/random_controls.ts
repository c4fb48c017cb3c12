/** Random command sources for the lab's players. They count their presses. */
import type { DragonCommand } from "../../../shared/games/dragons/declaration.ts";
import { commandOf } from "../../support/dragons.ts";
import { PressCounter } from "../../../client/input/press_counter.ts";
import type { CommandSource } from "../../../client/session/session.ts";
import type { Tick } from "../../../shared/netcode/game.ts";
import { Random } from "../../../shared/random.ts";
import type { CounterCommand } from "./counter_game.ts";

/** Changes the command about four times a second, at random, while not idle. */
export class RandomDragonControls implements CommandSource<DragonCommand> {
  readonly #random: Random;
  readonly #flaps = new PressCounter();
  readonly #fires = new PressCounter();
  #dir: -1 | 0 | 1 = 0;
  flapTotal = 0;
  fireTotal = 0;
  isIdle = false;

  constructor(seed: number) {
    this.#random = new Random(seed);
  }

  next(_tick: Tick, acknowledged: DragonCommand | undefined): DragonCommand {
    if (!this.isIdle) this.#press();
    this.#flaps.setTotal(this.flapTotal);
    this.#fires.setTotal(this.fireTotal);
    const flaps = this.#flaps.next(acknowledged?.flaps);
    const fires = this.#fires.next(acknowledged?.fires);
    return commandOf({ dir: this.#dir, flaps, fires });
  }

  resume(own: DragonCommand | undefined): void {
    this.#flaps.resume(own?.flaps);
    this.#fires.resume(own?.fires);
  }

  #press(): void {
    const random = this.#random;
    if (random.chance(0.1)) this.#dir = (random.below(3) - 1) as -1 | 0 | 1;
    if (random.chance(0.14)) this.flapTotal++;
    // Sometimes several presses come within one tick.
    if (random.chance(0.01)) this.flapTotal += 3;
    if (random.chance(0.05)) this.fireTotal++;
  }
}

/**
 * Presses at random and changes direction three or four times a second. While idle it presses
 * nothing.
 */
export class RandomCounterControls implements CommandSource<CounterCommand> {
  readonly #random: Random;
  readonly #counter = new PressCounter();
  #dir = 0;
  pressTotal = 0;
  isIdle = false;

  constructor(seed: number) {
    this.#random = new Random(seed);
  }

  next(_tick: number, acknowledged: CounterCommand | undefined): CounterCommand {
    // Presses before the player is in the game would not count.
    if (!this.isIdle && acknowledged !== undefined && this.#random.chance(0.2)) this.pressTotal++;
    if (this.#random.chance(0.18)) this.#dir = this.#random.below(3) - 1;
    this.#counter.setTotal(this.pressTotal);
    return { presses: this.#counter.next(acknowledged?.presses), dir: this.#dir };
  }

  resume(own: CounterCommand | undefined): void {
    this.#counter.resume(own?.presses);
  }
}
