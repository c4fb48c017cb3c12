/**
 * What any device says of a player's will: levels that a tick can read whenever it likes, and running totals of presses.
 *
 *     presses made since the last look = total now − total then
 *
 * so a tap that begins and ends between two ticks is still counted, and no queue has to be emptied in time.
 */

/** -1 is left. */
export type Side = -1 | 0 | 1;

/** One device, or several taken together. */
export interface Hand {
  /** The direction for one tick: the one held, otherwise one that was tapped since the last call. Call it once a tick. */
  takeDir(): Side;
  /** What `takeDir` would give now; takes nothing. */
  peekDir(): Side;
  /** Flap is down now. */
  readonly hold: boolean;
  /** How often flap was pressed since the page began. */
  readonly flapPresses: number;
  /** How often fire was pressed since the page began. */
  readonly firePresses: number;
}

/** Several devices as one: nobody has to say which he plays with. */
export class Hands implements Hand {
  readonly #hands: readonly Hand[];

  /** @param hands of two that steer at once the first wins */
  constructor(...hands: readonly Hand[]) {
    this.#hands = hands;
  }

  takeDir(): Side {
    let taken: Side = 0;
    // Each is asked, so that none keeps an old tap.
    for (const hand of this.#hands) {
      const dir = hand.takeDir();
      if (taken === 0) taken = dir;
    }
    return taken;
  }

  peekDir(): Side {
    for (const hand of this.#hands) {
      const dir = hand.peekDir();
      if (dir !== 0) return dir;
    }
    return 0;
  }

  get hold(): boolean {
    return this.#hands.some((hand) => hand.hold);
  }

  get flapPresses(): number {
    return this.#hands.reduce((sum, hand) => sum + hand.flapPresses, 0);
  }

  get firePresses(): number {
    return this.#hands.reduce((sum, hand) => sum + hand.firePresses, 0);
  }
}

/** Ticks of 50 ms. Longer than anybody's tap, shorter than a wait: 300 ms, and 700 ms. */
export const TURN_TICKS = 6;
export const FIRE_TICKS = 14;

/**
 * The whole game with flap alone: a tap flaps and the dragon always flies on; held for 0.3 s it turns round, for 0.7 s it breathes
 * fire as well. It counts ticks, so it needs no clock.
 */
export class OneButton implements Hand {
  readonly #button: Hand;
  #dir: Side = 1;
  #heldTicks = 0;
  firePresses = 0;
  /** Wings that repeat by themselves would make holding useless. */
  readonly hold = false;

  /** @param button what of it is flap is the button; the rest is not looked at */
  constructor(button: Hand) {
    this.#button = button;
  }

  get flapPresses(): number {
    return this.#button.flapPresses;
  }

  takeDir(): Side {
    this.#heldTicks = this.#button.hold ? this.#heldTicks + 1 : 0;
    if (this.#heldTicks === TURN_TICKS) this.#dir = this.#dir === 1 ? -1 : 1;
    if (this.#heldTicks === FIRE_TICKS) this.firePresses++;
    return this.#dir;
  }

  /** Turning counts ticks: it does not begin before one. */
  peekDir(): Side {
    return this.#dir;
  }
}
