/**
 * Plays a whole game with one button, for players who have just one: a pedal, a switch at the chin, a
 * single finger. A tap presses it; held for a while it does more. The thing always moves on along one
 * axis, because there is no second button to stop it.
 *
 *     tap → press      held for 0.3 s → turn round      held for 0.7 s → another press
 *
 * It counts ticks instead of reading a clock, so that nothing happens between two ticks.
 */
import { GameError } from "../../../shared/game_kit/game_error.ts";
import type { InputDevice } from "../../input/input_device.ts";
import { type KeyBindings, keyLabel } from "../../input/key_bindings.ts";
import type { KitActions } from "./kit_actions.ts";

/** Longer than any tap, and short enough not to be a wait, s. */
const TURN_SECONDS = 0.3;
const HELD_SECONDS = 0.7;

/** What the one button does. Names are those of the declaration's `command`. */
export interface OneButtonOptions<Press extends string = string, Axis extends string = string> {
  /** The press that a tap does. Its keys and its touch zone are those of the one button. */
  readonly tap: Press;
  /** An axis that is always at one of its ends, at first at 1; a button held for 0.3 s turns it. */
  readonly turn?: Axis;
  /** Another press: it happens once when the button has been held for 0.7 s. */
  readonly hold?: Press;
}

/** What a view's `oneButton` takes. */
export interface OneButton<Press extends string = string, Axis extends string = string> {
  /** As given. */
  readonly options: OneButtonOptions<Press, Axis>;
  /** @throws GameError for a name that the command does not have */
  open(device: InputDevice, actions: KitActions, tickHz: number): InputDevice;
  /** One line that says how to play. */
  help(actions: KitActions, keys: KeyBindings, options: { readonly fingers: boolean }): string;
}

/**
 * Lets players play with one button, which they choose in "Rules and controls".
 *
 *     oneButton: oneButton({ tap: "flap", turn: "dir", hold: "fire" })
 */
export function oneButton<const Press extends string, const Axis extends string = never>(
  options: OneButtonOptions<Press, Axis>,
): OneButton<Press, Axis> {
  return {
    options,
    open(device, { axes, presses }, tickHz) {
      const { tap, turn, hold } = options;
      for (const name of [tap, hold]) {
        if (name === undefined || presses.some(({ id }) => id === name)) continue;
        throw new GameError(`oneButton: the command has no press or hold "${name}"`);
      }
      if (turn !== undefined && !axes.some(({ id }) => id === turn)) {
        throw new GameError(`oneButton: the command has no axis "${turn}"`);
      }
      return new OneButtonDevice(device, options, tickHz);
    },
    help: (actions, keys, { fingers }) => helpText(options, actions, keys, fingers),
  };
}

class OneButtonDevice implements InputDevice {
  readonly #device: InputDevice;
  readonly #options: OneButtonOptions;
  readonly #turnTicks: number;
  readonly #holdTicks: number;
  #direction = 1;
  #heldTicks = 0;
  #holds = 0;

  constructor(device: InputDevice, options: OneButtonOptions, tickHz: number) {
    this.#device = device;
    this.#options = options;
    this.#turnTicks = Math.max(1, Math.round(TURN_SECONDS * tickHz));
    this.#holdTicks = Math.max(this.#turnTicks + 1, Math.round(HELD_SECONDS * tickHz));
  }

  /** Nothing counts as held: what repeats by itself would make holding useless. */
  isHeld(): boolean {
    return false;
  }

  presses(button: string): number {
    const { tap, hold } = this.#options;
    if (button === hold) return this.#holds;
    return button === tap ? this.#device.presses(tap) : 0;
  }

  readAxis(axis: string): number {
    return axis === this.#options.turn ? this.#direction : 0;
  }

  tick(): void {
    this.#heldTicks = this.#device.isHeld(this.#options.tap) ? this.#heldTicks + 1 : 0;
    if (this.#heldTicks === this.#turnTicks) this.#direction = -this.#direction;
    if (this.#heldTicks === this.#holdTicks) this.#holds++;
  }
}

function helpText(
  { tap, turn, hold }: OneButtonOptions,
  { presses }: KitActions,
  keys: KeyBindings,
  fingers: boolean,
): string {
  const wordsOf = (name: string) =>
    presses.find(({ id }) => id === name)?.label.toLowerCase() ?? name;
  const first = keys[tap]?.[0];
  const button = fingers || first === undefined ? "Tap" : keyLabel(first);

  const parts = [`${button}: ${wordsOf(tap)}`];
  if (turn !== undefined) parts.push("hold: turn round");
  if (hold !== undefined) {
    parts.push(`${turn === undefined ? "hold" : "hold longer"}: ${wordsOf(hold)}`);
  }
  return parts.join(" · ");
}
