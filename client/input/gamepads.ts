/**
 * Gamepads in the standard mapping (W3C Gamepad, "Remapping"), all of them as one hand. Browsers tell of no press by themselves: they
 * are looked at with every picture, and a button that went down between two looks counts once.
 */
import type { Hand, Side } from "./input_device.ts";

/** Buttons by their place in the standard mapping. Flap: lower face button, right shoulder. Fire: left face button, right trigger. */
const FLAP_BUTTONS = [0, 5, 12];
const FIRE_BUTTONS = [2, 7];
const LEFT_BUTTON = 14;
const RIGHT_BUTTON = 15;
/** Start, and what confirms everywhere. */
const CONFIRM_BUTTONS = [0, 9];
/** A worn stick rests beside its middle. */
const STICK_REST = 0.35;

/** What is read of a browser's `Gamepad`. */
export interface Pad {
  readonly mapping: string;
  readonly axes: readonly number[];
  readonly buttons: readonly { readonly pressed: boolean }[];
}

/** One kind of press over all pads. */
class Presses {
  readonly #buttons: readonly number[];
  total = 0;
  isDown = false;

  constructor(buttons: readonly number[]) {
    this.#buttons = buttons;
  }

  look(pads: readonly Pad[]): void {
    const isDown = pads.some((pad) => this.#buttons.some((button) => isPressed(pad, button)));
    if (isDown && !this.isDown) this.total++;
    this.isDown = isDown;
  }
}

export class Gamepads implements Hand {
  readonly #read: () => readonly (Pad | null)[];
  readonly #flap = new Presses(FLAP_BUTTONS);
  readonly #fire = new Presses(FIRE_BUTTONS);
  readonly #confirm = new Presses(CONFIRM_BUTTONS);
  #dir: Side = 0;
  #tappedSide: Side = 0;

  /** @param read `navigator.getGamepads` in the browser */
  constructor(read: () => readonly (Pad | null)[]) {
    this.#read = read;
  }

  /** Looks at every pad. */
  poll(): void {
    const pads = this.#read().filter((pad) => pad !== null && pad.mapping === "standard") as Pad[];
    for (const presses of [this.#flap, this.#fire, this.#confirm]) presses.look(pads);
    this.#dir = 0;
    for (const pad of pads) if (this.#dir === 0) this.#dir = sideOf(pad);
    if (this.#dir !== 0) this.#tappedSide = this.#dir;
  }

  takeDir(): Side {
    const dir = this.peekDir();
    this.#tappedSide = 0;
    return dir;
  }

  peekDir(): Side {
    return this.#dir || this.#tappedSide;
  }

  get hold(): boolean {
    return this.#flap.isDown;
  }

  get flapPresses(): number {
    return this.#flap.total;
  }

  get firePresses(): number {
    return this.#fire.total;
  }

  /** How often a dialog's answer was given. */
  get confirmPresses(): number {
    return this.#confirm.total;
  }
}

function isPressed(pad: Pad, button: number): boolean {
  return pad.buttons[button]?.pressed === true;
}

function sideOf(pad: Pad): Side {
  if (isPressed(pad, LEFT_BUTTON)) return -1;
  if (isPressed(pad, RIGHT_BUTTON)) return 1;
  const stick = pad.axes[0] ?? 0;
  return stick <= -STICK_REST ? -1 : stick >= STICK_REST ? 1 : 0;
}
