/**
 * Gamepads in the standard mapping (W3C Gamepad, "Remapping"), all of them as one hand. Browsers tell of no press by themselves: they
 * are looked at with every picture, and a button that went down between two looks counts once.
 */
import type { Direction, InputDevice } from "./input_device.ts";

/** Buttons by their place in the standard mapping. Flap: lower face button, right shoulder. Fire: left face button, right trigger. */
const FLAP_BUTTONS = [0, 5, 12];
const FIRE_BUTTONS = [2, 7];
const LEFT_BUTTON = 14;
const RIGHT_BUTTON = 15;
/** Start, and what confirms everywhere. */
const CONFIRM_BUTTONS = [0, 9];
/** A worn stick rests beside its middle. */
const STICK_DEAD_ZONE = 0.35;

/** What is read of a browser's `Gamepad`. */
export interface GamepadState {
  readonly mapping: string;
  readonly axes: readonly number[];
  readonly buttons: readonly { readonly pressed: boolean }[];
}

/** One kind of press over all pads. */
class PressTracker {
  readonly #buttons: readonly number[];
  total = 0;
  isDown = false;

  constructor(buttons: readonly number[]) {
    this.#buttons = buttons;
  }

  update(gamepads: readonly GamepadState[]): void {
    const isDown = gamepads.some((gamepad) => this.#buttons.some((button) => isPressed(gamepad, button)));
    if (isDown && !this.isDown) this.total++;
    this.isDown = isDown;
  }
}

export class Gamepads implements InputDevice {
  readonly #read: () => readonly (GamepadState | null)[];
  readonly #flap = new PressTracker(FLAP_BUTTONS);
  readonly #fire = new PressTracker(FIRE_BUTTONS);
  readonly #confirm = new PressTracker(CONFIRM_BUTTONS);
  #direction: Direction = 0;
  #tappedDirection: Direction = 0;

  /** @param read `navigator.getGamepads` in the browser */
  constructor(read: () => readonly (GamepadState | null)[]) {
    this.#read = read;
  }

  /** Looks at every pad. */
  poll(): void {
    const gamepads = this.#read().filter((gamepad) =>
      gamepad !== null && gamepad.mapping === "standard"
    ) as GamepadState[];
    for (const presses of [this.#flap, this.#fire, this.#confirm]) presses.update(gamepads);
    this.#direction = 0;
    for (const gamepad of gamepads) if (this.#direction === 0) this.#direction = directionOf(gamepad);
    if (this.#direction !== 0) this.#tappedDirection = this.#direction;
  }

  consumeDirection(): Direction {
    const direction = this.peekDirection();
    this.#tappedDirection = 0;
    return direction;
  }

  peekDirection(): Direction {
    return this.#direction || this.#tappedDirection;
  }

  get flapHeld(): boolean {
    return this.#flap.isDown;
  }

  get flapPresses(): number {
    return this.#flap.total;
  }

  get firePresses(): number {
    return this.#fire.total;
  }

  /** How often a dialog's answer was given. */
  get confirmPresses(): number {
    return this.#confirm.total;
  }
}

function isPressed(gamepad: GamepadState, button: number): boolean {
  return gamepad.buttons[button]?.pressed === true;
}

function directionOf(gamepad: GamepadState): Direction {
  if (isPressed(gamepad, LEFT_BUTTON)) return -1;
  if (isPressed(gamepad, RIGHT_BUTTON)) return 1;
  const stick = gamepad.axes[0] ?? 0;
  return stick <= -STICK_DEAD_ZONE ? -1 : stick >= STICK_DEAD_ZONE ? 1 : 0;
}
