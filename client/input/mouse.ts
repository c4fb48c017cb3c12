/**
 * A mouse beside the keys, as two devices: its buttons press the first two buttons, and its wheel
 * turns a dial.
 */
import { type InputDevice, PressTotals } from "./input_device.ts";

/** `MouseEvent.button` for the left and the right button. */
const BUTTONS = [0, 2];
/** One notch on most wheels, CSS pixels. */
const NOTCH = 100;
/** CSS pixels by `WheelEvent.deltaMode`: pixels, lines, pages. */
const WHEEL_UNITS = [1, NOTCH / 3, 3 * NOTCH];
/** The most steps by which one event turns a dial. */
const STEPS_MAX = 8;

export class MouseButtons implements InputDevice {
  readonly #presses = new PressTotals();
  readonly #down = new Set<string>();

  /**
   * @param target receives releases: the window in a browser
   * @param canvas receives presses
   * @param buttons action ids for the left and the right button
   */
  constructor(target: EventTarget, canvas: EventTarget, buttons: readonly string[]) {
    const actionOf = (event: Event) => buttons[BUTTONS.indexOf((event as MouseEvent).button)];
    canvas.addEventListener("mousedown", (event) => {
      const action = actionOf(event);
      if (action === undefined) return;
      this.#presses.add(action);
      this.#down.add(action);
    });
    target.addEventListener("mouseup", (event) => this.#down.delete(actionOf(event) ?? ""));
    target.addEventListener("blur", () => this.#down.clear());
    canvas.addEventListener("contextmenu", (event) => event.preventDefault());
  }

  isHeld(button: string): boolean {
    return this.#down.has(button);
  }

  presses(button: string): number {
    return this.#presses.of(button);
  }

  readAxis(): number {
    return 0;
  }
}

/** Turns a dial: each wheel step presses one of its ends. */
export class Wheel implements InputDevice {
  readonly #presses = new PressTotals();
  /** CSS pixels since the last step. */
  #turned = 0;

  /**
   * @param canvas receives the turns
   * @param dial ids of the buttons that turn it; up is more
   */
  constructor(
    canvas: EventTarget,
    { less, more }: { readonly less: string; readonly more: string },
  ) {
    canvas.addEventListener("wheel", (event) => {
      const { deltaY, deltaMode } = event as WheelEvent;
      event.preventDefault(); // prevents zooming
      this.#turned = (this.#turned * deltaY < 0 ? 0 : this.#turned) +
        deltaY * WHEEL_UNITS[deltaMode]!;
      const steps = Math.trunc(this.#turned / NOTCH);
      if (steps === 0) return;
      // Drop the rest, so that a wheel with longer notches does not gain a step now and then.
      this.#turned = 0;
      for (let i = Math.min(STEPS_MAX, Math.abs(steps)); i > 0; i--) {
        this.#presses.add(steps > 0 ? less : more);
      }
    }, { passive: false });
  }

  isHeld(): boolean {
    return false;
  }

  presses(button: string): number {
    return this.#presses.of(button);
  }

  readAxis(): number {
    return 0;
  }
}
