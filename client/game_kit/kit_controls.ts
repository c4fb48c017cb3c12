/** The devices of a kit game, from its command. The part that reads them follows. */
import type { ActionSet } from "../input/actions.ts";
import type { InputDevice } from "../input/input_device.ts";
import type { KeyBindings } from "../input/key_bindings.ts";
import type { CommandSource } from "../session/session.ts";
import type { LooseCommand, LooseGame } from "./loose_types.ts";

export interface KitControls {
  readonly actions: ActionSet;
  devices(root: ParentNode): readonly InputDevice[];
  controls(device: () => InputDevice): CommandSource<LooseCommand>;
  helpText(keys: KeyBindings, options: { readonly oneButton: boolean }): string;
  /** What the player chose to join, a word for each choice: from now on commands have it. */
  choose(chosen: Readonly<Record<string, string>>): void;
  /** Where the own thing was drawn, in pixels of the canvas; an aim begins there. */
  aimFrom(x: number, y: number): void;
}

export function kitControls(game: LooseGame): KitControls {
  return {
    actions: { axes: [], buttons: [] },
    devices: () => [],
    controls: () => ({ next: (_tick, acknowledged) => acknowledged ?? game.command.neutral }),
    helpText: () => "",
    choose: () => {},
    aimFrom: () => {},
  };
}
