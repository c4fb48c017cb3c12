/**
 * The vote on a podium: what the next set begins with. Rounds go through sixteen turns, each with
 * another pair of arena and mode, and the vote may let them go on from another turn:
 *
 *     left: a turn that was drawn      fire: the turn that is next      right: another one
 *
 * Votes are commands as all others, so the match's log has them.
 */
import type { Dragon, DragonInput, DragonWorld, DragonWorldView } from "./declaration.ts";
import { FIRST_NPC_SEAT } from "./entering.ts";
import { isOneSetting, nextTurn, settingOf, TURNS } from "./setting.ts";

/** What a player may vote for, in the order of the choices on the page. */
export const VOTES = ["left", "middle", "right"] as const;

export type Vote = typeof VOTES[number];

/** Draws what players can vote for. Runs as a set ends. */
export function openVote(world: DragonWorld): void {
  const { match } = world;
  closeVote(world);
  if (isOneSetting(world)) return;
  match.left = drawTurn(world, [nextTurn(match.turn)]);
  match.right = drawTurn(world, [nextTurn(match.turn), match.left]);
}

/** Counts a player's newest press. Runs before physics while a result shows. */
export function castVote(world: DragonWorld, dragon: Dragon, { dir, fires }: DragonInput): void {
  if (!isVoteOpen(world) || dragon.seat >= FIRST_NPC_SEAT) return;
  const { fields } = dragon;
  if (fires > 0) fields.vote = "middle";
  else if (dir !== 0) fields.vote = dir < 0 ? "left" : "right";
}

/**
 * Ends the vote. Most votes win; equals are drawn.
 * @returns the turn that is next, also without a vote
 */
export function countVotes(world: DragonWorld): number {
  const votes = VOTES.map((vote) =>
    world.all("dragon").filter(({ fields }) => fields.vote === vote).length
  );
  const most = Math.max(...votes);
  const best = VOTES.filter((_, i) => votes[i] === most);
  const won = most === 0 || !isVoteOpen(world) ? "middle" : best[world.random(best.length)]!;
  const turn = turnOf(world, won);
  closeVote(world);
  return turn;
}

/** Whether players can vote now. */
export function isVoteOpen({ match }: Pick<DragonWorldView, "match">): boolean {
  return match.setOver && match.left !== 0;
}

/** The turn for which a vote stands. */
export function turnOf({ match }: Pick<DragonWorldView, "match">, vote: Vote): number {
  return vote === "middle" ? nextTurn(match.turn) : match[vote];
}

function closeVote(world: DragonWorld): void {
  world.match.left = 0;
  world.match.right = 0;
  for (const { fields } of world.all("dragon")) fields.vote = "none";
}

/** Draws a turn whose arena or mode differs from that of all `others`. */
function drawTurn(world: DragonWorld, others: readonly number[]): number {
  const wordsOf = (turn: number) => Object.values(settingOf(world, turn)).join();
  const taken = others.map(wordsOf);
  const turns = Array.from({ length: TURNS }, (_, i) => i + 1)
    .filter((turn) => !taken.includes(wordsOf(turn)));
  return turns[world.random(turns.length)]!;
}
