/**
 * Combines all gamepads in the standard mapping (W3C Gamepad, "Remapping") into one device. Because
 * browsers do not send events for presses, the page polls with every frame. A button that went down
 * between two polls counts once.
 */
import { type ActionSet, actionsOf, type AxisAction } from "./actions.ts";
import { type InputDevice, TappedAxes } from "./input_device.ts";
import { optional } from "./optional.ts";
import { digitalStick } from "./sticks.ts";

/** The lower face button, and Start, which answer a dialog. */
const CONFIRM_BUTTONS = [0, 9];
/** How long one blow lasts, ms: long enough to feel, and over before the next. */
const RUMBLE_MS = 140;

/** What is used from a browser's `Gamepad`. */
export interface GamepadState {
  readonly mapping: string;
  /** Undefined for a gamepad without motors, and in browsers without rumble. */
  readonly vibrationActuator?: Pick<GamepadHapticActuator, "playEffect">;
  readonly axes: readonly number[];
  readonly buttons: readonly { readonly pressed: boolean }[];
}

/**
 * Reads this browser's gamepads; none if it lacks the interface, or does not let this page read
 * them.
 */
export function readGamepads(): readonly (GamepadState | null)[] {
  return optional(() => navigator.getGamepads?.() ?? [], []);
}

/** Tracks one action over all gamepads. */
class PressTracker {
  readonly #buttons: readonly number[];
  /** Whether the buttons were pressed for something else, until they are released. */
  #isTaken = false;
  total = 0;
  isDown = false;

  constructor(buttons: readonly number[]) {
    this.#buttons = buttons;
  }

  update(gamepads: readonly GamepadState[], isTaken: boolean): void {
    const isPressedNow = gamepads.some((gamepad) =>
      this.#buttons.some((button) => isPressed(gamepad, button))
    );
    this.#isTaken = isPressedNow && (isTaken || this.#isTaken);
    const isDown = isPressedNow && !this.#isTaken;
    if (isDown && !this.isDown) this.total++;
    this.isDown = isDown;
  }
}

export class Gamepads implements InputDevice {
  readonly #read: () => readonly (GamepadState | null)[];
  readonly #axes: ActionSet["axes"];
  /** By action id, including the ends of axes. */
  readonly #actions: ReadonlyMap<string, PressTracker>;
  readonly #confirm = new PressTracker(CONFIRM_BUTTONS);
  /** By axis id, as of the last poll. */
  readonly #values = new Map<string, number>();
  readonly #tapped = new TappedAxes();

  /** @param read `readGamepads` in the browser */
  constructor(read: () => readonly (GamepadState | null)[], actions: ActionSet) {
    this.#read = read;
    this.#axes = actions.axes;
    this.#actions = new Map(
      actionsOf(actions).map(({ id, gamepadButtons }) => [id, new PressTracker(gamepadButtons)]),
    );
  }

  /**
   * Reads every gamepad.
   * @param isTaken whether the buttons mean something else now, such as in a menu. A button that was
   *   pressed for that counts only after it was released.
   * @returns whether there is a gamepad
   */
  poll(isTaken = false): boolean {
    const gamepads = this.#read().filter((gamepad) =>
      gamepad !== null && gamepad.mapping === "standard"
    ) as GamepadState[];
    for (const presses of this.#actions.values()) presses.update(gamepads, isTaken);
    this.#confirm.update(gamepads, false);
    for (const axis of this.#axes) {
      const value = isTaken ? 0 : this.#pressedEnd(axis) || stickOf(axis, gamepads);
      this.#values.set(axis.id, value);
      this.#tapped.tap(axis.id, value);
    }
    return gamepads.length > 0;
  }

  readAxis(axis: string, consumes: boolean): number {
    return this.#tapped.read(axis, consumes, this.#values.get(axis) ?? 0);
  }

  isHeld(button: string): boolean {
    return this.#actions.get(button)?.isDown ?? false;
  }

  presses(button: string): number {
    return this.#actions.get(button)?.total ?? 0;
  }

  /** Shakes every gamepad for a moment. @param strength 0 … 1; 0 does nothing */
  rumble(strength: number): void {
    if (strength === 0) return;
    const effect = { duration: RUMBLE_MS, strongMagnitude: strength, weakMagnitude: strength / 2 };
    for (const gamepad of this.#read()) {
      // A gamepad that was unplugged, or cannot rumble, stays still.
      optional(
        () => gamepad?.vibrationActuator?.playEffect?.("dual-rumble", effect)?.catch(() => {}),
        undefined,
      );
    }
  }

  /** How often a button that answers a dialog was pressed. */
  get confirmPresses(): number {
    return this.#confirm.total;
  }

  #pressedEnd({ less, more }: AxisAction): number {
    return this.isHeld(less.id) ? -1 : this.isHeld(more.id) ? 1 : 0;
  }
}

function isPressed(gamepad: GamepadState, button: number): boolean {
  return gamepad.buttons[button]?.pressed === true;
}

/** Finds the value of the first stick that is off its centre. */
function stickOf(
  { gamepadAxis = -1, ofStick = digitalStick }: AxisAction,
  gamepads: readonly GamepadState[],
): number {
  return gamepads.map(({ axes }) => ofStick(axes[gamepadAxis] ?? 0)).find(Boolean) ?? 0;
}
