/**
 * All gamepads in the standard mapping (W3C Gamepad, "Remapping") as one device. Browsers send no event for a press:
 * the page polls with every frame. A button that went down between two polls counts once.
 */
import type { ButtonAction } from "./actions.ts";
import { type Direction, type InputDevice, TappedDirection } from "./input_device.ts";

/** Left and right of the directional pad. */
const LEFT_BUTTON = 14;
const RIGHT_BUTTON = 15;
/** The lower face button, and Start: they answer a dialog. */
const CONFIRM_BUTTONS = [0, 9];
/** The centre of a worn stick reads up to about this much of the full deflection. */
const STICK_DEAD_ZONE = 0.35;

/** A blow, ms: long enough to be felt, and over before the next one. */
const RUMBLE_MS = 140;

/** The part of a browser's `Gamepad` that is used. */
export interface GamepadState {
  readonly mapping: string;
  /** Undefined for a gamepad without motors, and in browsers without rumble. */
  readonly vibrationActuator?: Pick<GamepadHapticActuator, "playEffect">;
  readonly axes: readonly number[];
  readonly buttons: readonly { readonly pressed: boolean }[];
}

/** One action over all gamepads. */
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
  readonly #buttons: ReadonlyMap<string, PressTracker>;
  readonly #confirm = new PressTracker(CONFIRM_BUTTONS);
  #direction: Direction = 0;
  readonly #tapped = new TappedDirection();

  /** @param read `navigator.getGamepads` in the browser */
  constructor(read: () => readonly (GamepadState | null)[], buttons: readonly ButtonAction[]) {
    this.#read = read;
    this.#buttons = new Map(buttons.map(({ id, gamepadButtons }) => [id, new PressTracker(gamepadButtons)]));
  }

  /** Reads every gamepad. */
  poll(): void {
    const gamepads = this.#read().filter((gamepad) =>
      gamepad !== null && gamepad.mapping === "standard"
    ) as GamepadState[];
    for (const presses of [...this.#buttons.values(), this.#confirm]) presses.update(gamepads);
    this.#direction = 0;
    for (const gamepad of gamepads) if (this.#direction === 0) this.#direction = directionOf(gamepad);
    this.#tapped.tap(this.#direction);
  }

  consumeDirection(): Direction {
    return this.#tapped.consume(this.#direction);
  }

  peekDirection(): Direction {
    return this.#tapped.peek(this.#direction);
  }

  isHeld(button: string): boolean {
    return this.#buttons.get(button)?.isDown ?? false;
  }

  presses(button: string): number {
    return this.#buttons.get(button)?.total ?? 0;
  }

  /** Shakes every gamepad for a moment. @param strength 0 … 1; 0 does nothing */
  rumble(strength: number): void {
    if (strength === 0) return;
    const effect = { duration: RUMBLE_MS, strongMagnitude: strength, weakMagnitude: strength / 2 };
    for (const gamepad of this.#read()) {
      // A gamepad that was unplugged, or that cannot do it, stays still.
      gamepad?.vibrationActuator?.playEffect?.("dual-rumble", effect).catch(() => {});
    }
  }

  /** Presses of the buttons that answer a dialog. */
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
