/**
 * Keeps the press counters that one match's commands carry. Presses before the match, or on a
 * device that does not play now, do not count.
 */
import type { InputDevice } from "./input_device.ts";
import { PressCounter } from "./press_counter.ts";

interface Button {
  readonly counter: PressCounter;
  /** Presses in this match. */
  total: number;
  /** The device's total at the last reading. */
  seen: number;
}

export class ButtonCounters {
  readonly #source: () => InputDevice;
  readonly #buttons: ReadonlyMap<string, Button>;
  #device: InputDevice | undefined;

  /**
   * @param source returns the device that plays now, which may change
   * @param buttons ids of the buttons to count in commands
   */
  constructor(source: () => InputDevice, buttons: readonly string[]) {
    this.#source = source;
    this.#buttons = new Map(
      buttons.map((id) => [id, { counter: new PressCounter(), total: 0, seen: 0 }]),
    );
    this.currentDevice();
  }

  /** Returns the device that plays now. If it changed, its presses so far do not count. */
  currentDevice(): InputDevice {
    const device = this.#source();
    if (device !== this.#device) {
      this.#device = device;
      for (const [id, button] of this.#buttons) button.seen = device.presses(id);
    }
    return device;
  }

  /**
   * Returns the counter for the next command, 0 … 3. Call `currentDevice` first.
   * @param acknowledged the counter in the seat's newest announced command; undefined before the
   *   first
   */
  next(id: string, acknowledged: number | undefined): number {
    return this.#updated(id).next(acknowledged);
  }

  /** Returns the counter that `next` would return now. */
  peek(id: string, acknowledged: number | undefined): number {
    return this.#updated(id).peek(acknowledged);
  }

  /**
   * Call it after others gave the seat's last commands, so that all counters continue from the next
   * acknowledged one.
   * @param ownOf returns the counter in the newest announced command that this client gave
   */
  resume(ownOf: (id: string) => number | undefined): void {
    for (const [id, { counter }] of this.#buttons) counter.resume(ownOf(id));
  }

  #updated(id: string): PressCounter {
    const button = this.#buttons.get(id)!;
    const presses = this.#device!.presses(id);
    button.total += presses - button.seen;
    button.seen = presses;
    button.counter.setTotal(button.total);
    return button.counter;
  }
}
