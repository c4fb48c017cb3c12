/** The choices that a kit game declares, as lists in the lobby. */
import { withoutVersion } from "../../shared/game_names.ts";
import { LobbyChoices } from "../ui/lobby/lobby_choices.ts";
import type { LooseDeclaration } from "./loose_types.ts";

/** Whether players choose anything before they join. */
export function hasChoices({ join = {}, options = {} }: LooseDeclaration): boolean {
  return Object.keys(join).length + Object.keys(options).length > 0;
}

/**
 * Adds the lists to a lobby.
 * @param root holds the markup of lobby.html
 * @param onJoinChoice as in `ChoiceOptions`
 */
export function kitChoices(
  root: ParentNode,
  { id, join = {}, options = {} }: LooseDeclaration,
  onJoinChoice: (chosen: Readonly<Record<string, string>>) => void,
): LobbyChoices {
  const listed = (choices: typeof join) =>
    Object.entries(choices).map(([name, { words }]) => ({ name, words }));
  return new LobbyChoices(root, {
    // Choices are words, and a game's next version has most of them.
    storedAs: withoutVersion(id),
    join: listed(join),
    room: listed(options),
    onJoinChoice,
  });
}
