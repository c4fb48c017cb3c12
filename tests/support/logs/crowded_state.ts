/**
 * The slowest sort of state that a game accepts: as many bodies as it may have, all of them at one
 * place.
 */
import { MutableState } from "../../tools/soak/states/mutations.ts";
import { playMatches, type SoakedGame } from "../../tools/soak/states/match_states.ts";
import type { Snapshot } from "../../../shared/snapshot.ts";

/** Ticks of play before the crowd: somebody and something is in the match. */
const PLAYED_TICKS = 40;

/**
 * @param count entities, at most as many as the game may have; its load refuses more
 * @param name of the entities that are copied; a player's cannot be
 */
export function crowdedState(
  game: SoakedGame,
  { count, name }: { count: number; name: string },
): Snapshot {
  const { states } = playMatches(game, [PLAYED_TICKS]);
  const state = new MutableState(states[0]!);
  const copied = state.blocks("entity").find(({ begin }) =>
    state.labels[begin]!.endsWith(` ${name} id`)
  );
  if (copied === undefined) throw new Error(`no ${name} is in the match`);
  state.dropContacts();
  state.copyEntity(copied, count - state.blocks("entity").length);
  const place = copied.begin +
    state.labels.slice(copied.begin).findIndex((label) => label.endsWith(" x"));
  for (const at of state.indices(/^entity \d+ \S+ (x|y)$/)) {
    state.words[at] = state.words[state.labels[at]!.endsWith("x") ? place : place + 1]!;
  }
  return state.snapshot;
}
