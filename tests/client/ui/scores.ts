/** Scoreboards for tests. */
import type { Score } from "../../../client/presentation/view.ts";

/**
 * Scores in falling order without a tie.
 * @param ownRank the rank of the player, from 0; -1 for a spectator
 */
export function scoresOf(count: number, ownRank: number): Score[] {
  return Array.from({ length: count }, (_, rank) => (
    { seat: rank, name: `n${rank}`, score: count - rank, own: rank === ownRank, npc: false }
  ));
}

/** Scores with these points. @param own whether the first row is the player's own */
export function standings(points: readonly number[], own = false): Score[] {
  const names = ["Ash", "Wren", "Gale", "Rook"];
  return points.map((score, i) => ({
    seat: i,
    name: names[i]!,
    score,
    own: own && i === 0,
    npc: false,
  }));
}
