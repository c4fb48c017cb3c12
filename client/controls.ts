/** What the keyboard says, as the command for one tick. */
import type { DragonCommand } from "../shared/dragons/command.ts";
import type { Tick } from "../shared/netcode/game.ts";
import type { Keyboard } from "./keyboard.ts";
import { PressCounter } from "./press_counter.ts";
import type { Controls } from "./session.ts";

export class KeyboardControls implements Controls<DragonCommand> {
  readonly #keyboard: Keyboard;
  readonly #flaps = new PressCounter();
  readonly #fires = new PressCounter();
  /** Presses before this match began are not ours. */
  readonly #flapsBefore: number;
  readonly #firesBefore: number;

  constructor(keyboard: Keyboard) {
    this.#keyboard = keyboard;
    this.#flapsBefore = keyboard.flapPresses;
    this.#firesBefore = keyboard.firePresses;
  }

  next(_tick: Tick, acknowledged: DragonCommand | undefined): DragonCommand {
    const keyboard = this.#keyboard;
    this.#flaps.setTotal(keyboard.flapPresses - this.#flapsBefore);
    this.#fires.setTotal(keyboard.firePresses - this.#firesBefore);
    return {
      dir: keyboard.takeDir(),
      hold: keyboard.hold,
      flaps: this.#flaps.next(acknowledged?.flaps),
      fires: this.#fires.next(acknowledged?.fires),
      tethers: 0,
    };
  }
}
