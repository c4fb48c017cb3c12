/**
 * One input device, or several combined. A tick reads levels at any time and running totals of
 * presses:
 *
 *     presses since the last tick = total now − total then
 *
 * So a tap that begins and ends between two ticks counts, and there is no queue that could
 * overflow.
 */

export interface InputDevice {
  /**
   * Reads an axis now, -1 … 1: its held value, or else one that was tapped since a tick last
   * consumed it.
   * @param axis an `AxisAction`'s id
   * @param consumes whether the value is for a tick, once per tick
   */
  readAxis(axis: string, consumes: boolean): number;
  /** Whether a button is down now. @param button a `ButtonAction`'s id */
  isHeld(button: string): boolean;
  /** Counts a button's presses since the page began. @param button a `ButtonAction`'s id */
  presses(button: string): number;
  /** Called before a tick reads the device, by controls of games that have such a device. */
  tick?(): void;
}

/** Counts presses by button. */
export class PressTotals {
  readonly #totals = new Map<string, number>();

  add(button: string): void {
    this.#totals.set(button, this.of(button) + 1);
  }

  of(button: string): number {
    return this.#totals.get(button) ?? 0;
  }
}

/**
 * Keeps axes that were tapped between two ticks, so that they count for one tick although no tick
 * sees them held.
 */
export class TappedAxes {
  readonly #tapped = new Map<string, number>();

  /** @param value 0 changes nothing */
  tap(axis: string, value: number): void {
    if (value) this.#tapped.set(axis, value);
  }

  clear(): void {
    this.#tapped.clear();
  }

  /** Reads an axis, for `InputDevice.readAxis`. @param held the axis's value now */
  read(axis: string, consumes: boolean, held: number): number {
    const value = held || (this.#tapped.get(axis) ?? 0);
    if (consumes) this.#tapped.delete(axis);
    return value;
  }
}

/** Combines several devices, so that players need not choose one. */
export class CombinedInput implements InputDevice {
  readonly #devices: readonly InputDevice[];

  /** @param devices if two move one axis at once, the first one counts */
  constructor(...devices: readonly InputDevice[]) {
    this.#devices = devices;
  }

  readAxis(axis: string, consumes: boolean): number {
    // Read every device, so that none keeps an old tap.
    return this.#devices.map((device) => device.readAxis(axis, consumes)).find(Boolean) ?? 0;
  }

  isHeld(button: string): boolean {
    return this.#devices.some((device) => device.isHeld(button));
  }

  presses(button: string): number {
    return this.#devices.reduce((sum, device) => sum + device.presses(button), 0);
  }
}
