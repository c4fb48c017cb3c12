/** One game's actions, as its view declares them: axes and buttons. A dial takes two buttons. */

/** One end of an axis, or one button. */
export interface Action {
  /** Unique among its game's actions. Settings store keys under it. */
  readonly id: string;
  /** The text beside its keys in the settings. */
  readonly label: string;
  /** Default keys, as `KeyboardEvent.code`: 1 to `KEYS_PER_ACTION_MAX`. */
  readonly keys: readonly string[];
  /** Gamepad buttons in the standard mapping (W3C Gamepad, "Remapping"). */
  readonly gamepadButtons: readonly number[];
}

/** A value from -1 to 1. */
export interface AxisAction {
  /** Unique among its game's axes. */
  readonly id: string;
  /** -1: left, or down. */
  readonly less: Action;
  /** 1: right, or up. */
  readonly more: Action;
  /** The gamepad axis in the standard mapping, 0 and 1 for the left stick; undefined for none. */
  readonly gamepadAxis?: number | undefined;
  /** Converts a stick's deflection, -1 … 1, right or down, to a value; by default -1, 0 or 1. */
  readonly ofStick?: (deflection: number) => number;
}

/** An action that is held and counted. */
export interface ButtonAction extends Action {
  /** The text on its touch zone. */
  readonly touchLabel: string;
}

/** The first button is the main one, with the largest touch zone. */
export interface ActionSet {
  readonly axes: readonly AxisAction[];
  readonly buttons: readonly ButtonAction[];
}

/** Lists all actions in the order of the settings: both ends of each axis, then the buttons. */
export function actionsOf({ axes, buttons }: ActionSet): readonly Action[] {
  return [...axes.flatMap(({ less, more }) => [less, more]), ...buttons];
}
