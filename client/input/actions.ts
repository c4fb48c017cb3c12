/** The actions of one game, as its view declares them: a horizontal direction, and buttons. */

/** One end of the direction, or one button. */
export interface Action {
  /** Text beside its keys in the settings. */
  readonly label: string;
  /** Default keys, as `KeyboardEvent.code`: 1 to `KEYS_PER_ACTION_MAX`. */
  readonly keys: readonly string[];
}

/** An action that is held and counted. */
export interface ButtonAction extends Action {
  /** Unique in its game, and neither "left" nor "right". */
  readonly id: string;
  /** Text on its touch zone. */
  readonly touchLabel: string;
  /** Buttons of a gamepad in the standard mapping (W3C Gamepad, "Remapping"). */
  readonly gamepadButtons: readonly number[];
}

/** The first button is the main one: its touch zone is the largest. */
export interface ActionSet {
  readonly left: Action;
  readonly right: Action;
  readonly buttons: readonly ButtonAction[];
}

/** Every action by its id, the direction first. */
export function actionsById({ left, right, buttons }: ActionSet): ReadonlyMap<string, Action> {
  return new Map<string, Action>([
    ["left", left],
    ["right", right],
    ...buttons.map((button) => [button.id, button] as const),
  ]);
}
