/**
 * One input device, or several combined. A tick reads levels at any time and running totals of
 * presses:
 *
 *     presses since the last tick = total now − total then
 *
 * So a tap that begins and ends between two ticks counts, and no queue can overflow.
 */

export interface InputDevice {
  /**
   * An axis now, -1 … 1: its held value, else one that was tapped since a tick consumed the last
   * one.
   * @param axis id of an `AxisAction`
   * @param consumes whether the value is for a tick; once per tick
   */
  readAxis(axis: string, consumes: boolean): number;
  /** Whether a button is down now. @param button id of a `ButtonAction` */
  isHeld(button: string): boolean;
  /** Presses of a button since the page began. @param button id of a `ButtonAction` */
  presses(button: string): number;
}

/** Totals of presses by button. */
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
 * Axes that are tapped between two ticks: they count for one tick, although no tick sees them held.
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

  /** For `InputDevice.readAxis`. @param held the axis's value now */
  read(axis: string, consumes: boolean, held: number): number {
    const value = held || (this.#tapped.get(axis) ?? 0);
    if (consumes) this.#tapped.delete(axis);
    return value;
  }
}

/** Several devices as one: players need not choose a device. */
export class CombinedInput implements InputDevice {
  readonly #devices: readonly InputDevice[];

  /** @param devices if two move one axis at once, the first one counts */
  constructor(...devices: readonly InputDevice[]) {
    this.#devices = devices;
  }

  readAxis(axis: string, consumes: boolean): number {
    // Every device is read, so that none keeps an old tap.
    return this.#devices.map((device) => device.readAxis(axis, consumes)).find(Boolean) ?? 0;
  }

  isHeld(button: string): boolean {
    return this.#devices.some((device) => device.isHeld(button));
  }

  presses(button: string): number {
    return this.#devices.reduce((sum, device) => sum + device.presses(button), 0);
  }
}
