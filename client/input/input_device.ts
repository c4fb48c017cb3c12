/**
 * One input device, or several combined. A tick reads levels at any time and running totals of presses:
 *
 *     presses since the last tick = total now − total then
 *
 * So a tap that begins and ends between two ticks counts, and no queue can overflow.
 */

/** -1 is left. */
export type Direction = -1 | 0 | 1;

export interface InputDevice {
  /** The direction for one tick: the held one, else one that was tapped since the last call. Call it once per tick. */
  consumeDirection(): Direction;
  /** The direction that `consumeDirection` would return now. It consumes nothing. */
  peekDirection(): Direction;
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

/** A direction that is tapped between two ticks: it counts for one tick, although no tick sees it held. */
export class TappedDirection {
  #tapped: Direction = 0;

  /** @param direction 0 changes nothing */
  tap(direction: Direction): void {
    this.#tapped = direction || this.#tapped;
  }

  clear(): void {
    this.#tapped = 0;
  }

  /** For `InputDevice.consumeDirection`. @param held the direction that is held now */
  consume(held: Direction): Direction {
    const direction = this.peek(held);
    this.clear();
    return direction;
  }

  /** For `InputDevice.peekDirection`. */
  peek(held: Direction): Direction {
    return held || this.#tapped;
  }
}

/** Several devices as one: players need not choose a device. */
export class CombinedInput implements InputDevice {
  readonly #devices: readonly InputDevice[];

  /** @param devices if two give a direction at once, the first one counts */
  constructor(...devices: readonly InputDevice[]) {
    this.#devices = devices;
  }

  consumeDirection(): Direction {
    let consumed: Direction = 0;
    // Every device is read, so that none keeps an old tap.
    for (const device of this.#devices) {
      const direction = device.consumeDirection();
      if (consumed === 0) consumed = direction;
    }
    return consumed;
  }

  peekDirection(): Direction {
    for (const device of this.#devices) {
      const direction = device.peekDirection();
      if (direction !== 0) return direction;
    }
    return 0;
  }

  isHeld(button: string): boolean {
    return this.#devices.some((device) => device.isHeld(button));
  }

  presses(button: string): number {
    return this.#devices.reduce((sum, device) => sum + device.presses(button), 0);
  }
}
