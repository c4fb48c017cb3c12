/**
 * What any device says of a player's will: levels that a tick can read whenever it likes, and running totals of presses.
 *
 *     presses made since the last look = total now − total then
 *
 * so a tap that begins and ends between two ticks is still counted, and no queue has to be emptied in time.
 */

/** -1 is left. */
export type Direction = -1 | 0 | 1;

/** One device, or several taken together. */
export interface InputDevice {
  /** The direction for one tick: the one held, otherwise one that was tapped since the last call. Call it once a tick. */
  consumeDirection(): Direction;
  /** What `consumeDirection` would give now; takes nothing. */
  peekDirection(): Direction;
  /** Flap is down now. */
  readonly flapHeld: boolean;
  /** How often flap was pressed since the page began. */
  readonly flapPresses: number;
  /** How often fire was pressed since the page began. */
  readonly firePresses: number;
}

/** Several devices as one: nobody has to say which he plays with. */
export class CombinedInput implements InputDevice {
  readonly #devices: readonly InputDevice[];

  /** @param devices of two that steer at once the first wins */
  constructor(...devices: readonly InputDevice[]) {
    this.#devices = devices;
  }

  consumeDirection(): Direction {
    let consumed: Direction = 0;
    // Each is asked, so that none keeps an old tap.
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

  get flapHeld(): boolean {
    return this.#devices.some((device) => device.flapHeld);
  }

  get flapPresses(): number {
    return this.#devices.reduce((sum, device) => sum + device.flapPresses, 0);
  }

  get firePresses(): number {
    return this.#devices.reduce((sum, device) => sum + device.firePresses, 0);
  }
}

/** Ticks of 50 ms. Longer than anybody's tap, shorter than a wait: 300 ms, and 700 ms. */
export const TURN_TICKS = 6;
export const FIRE_TICKS = 14;

/**
 * The whole game with flap alone: a tap flaps and the dragon always flies on; held for 0.3 s it turns round, for 0.7 s it breathes
 * fire as well. It counts ticks, so it needs no clock.
 */
export class OneButton implements InputDevice {
  readonly #button: InputDevice;
  #direction: Direction = 1;
  #heldTicks = 0;
  firePresses = 0;
  /** Wings that repeat by themselves would make holding useless. */
  readonly flapHeld = false;

  /** @param button what of it is flap is the button; the rest is not looked at */
  constructor(button: InputDevice) {
    this.#button = button;
  }

  get flapPresses(): number {
    return this.#button.flapPresses;
  }

  consumeDirection(): Direction {
    this.#heldTicks = this.#button.flapHeld ? this.#heldTicks + 1 : 0;
    if (this.#heldTicks === TURN_TICKS) this.#direction = this.#direction === 1 ? -1 : 1;
    if (this.#heldTicks === FIRE_TICKS) this.firePresses++;
    return this.#direction;
  }

  /** Turning counts ticks: it does not begin before one. */
  peekDirection(): Direction {
    return this.#direction;
  }
}
