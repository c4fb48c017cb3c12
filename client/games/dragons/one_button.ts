/**
 * The whole game with the flap button alone. A tap flaps, and the dragon always flies on. Held for
 * 0.3 s it turns, held for 0.7 s the dragon also breathes fire. The device counts ticks instead of
 * reading a clock.
 */
import type { InputDevice } from "../../input/input_device.ts";

/** Ticks of 50 ms: longer than any tap, and short enough not to be a wait. */
export const TURN_TICKS = 6;
export const FIRE_TICKS = 14;

export class OneButton implements InputDevice {
  readonly #device: InputDevice;
  #direction = 1;
  #heldTicks = 0;
  #firePresses = 0;

  /** @param device only its flap button is read */
  constructor(device: InputDevice) {
    this.#device = device;
  }

  /** Nothing is held: wings that repeat by themselves would make holding useless. */
  isHeld(): boolean {
    return false;
  }

  presses(button: string): number {
    return button === "fire" ? this.#firePresses : this.#device.presses(button);
  }

  /** Turning counts ticks, so it never begins between two ticks. */
  readAxis(_axis: string, consumes: boolean): number {
    if (consumes) this.#count();
    return this.#direction;
  }

  #count(): void {
    this.#heldTicks = this.#device.isHeld("flap") ? this.#heldTicks + 1 : 0;
    if (this.#heldTicks === TURN_TICKS) this.#direction = this.#direction === 1 ? -1 : 1;
    if (this.#heldTicks === FIRE_TICKS) this.#firePresses++;
  }
}
