/**
 * Who has won a round or a set, and who drew. Pages word it and the server stores it by this one
 * rule, so what a page says and what is stored cannot differ. NPCs count like players.
 *
 *     winners   the seat that is better than all others; with teams, all seats of the best team
 *     drew      the seats that share the best score, if they are of no one team
 *     neither   nobody has scored, or there is one seat alone
 */
import type { RoundScore } from "./game.ts";

/** At most one of the two lists has entries. */
export interface Outcome<Score> {
  /** The best one, or all of the best team; empty if nobody has won. */
  readonly winners: readonly Score[];
  /** Those who share the best score; empty if somebody has won, or nobody has scored. */
  readonly drew: readonly Score[];
}

/** More than any total, so that one more round won is worth more than any points. */
const WIN_WORTH = 4_294_967_296;

type Scored = Pick<RoundScore, "score" | "team" | "total" | "wins">;

/** Decides a round by its points. */
export function outcomeOf<Score extends Scored>(scores: readonly Score[]): Outcome<Score> {
  return decided(scores, ({ score }) => score);
}

/** Decides a set by the rounds won, and between equals by the total. */
export function setOutcomeOf<Score extends Scored>(scores: readonly Score[]): Outcome<Score> {
  return decided(scores, worthInSet);
}

/** Ranks by what decides a set: a greater number is a better place. */
export function worthInSet({ score, total = score, wins = 0 }: Scored): number {
  return WIN_WORTH * wins + total;
}

function decided<Score extends Scored>(
  scores: readonly Score[],
  worthOf: (score: Score) => number,
): Outcome<Score> {
  const worths = scores.map(worthOf);
  const best = Math.max(...worths);
  const first = scores.filter((_, i) => worths[i] === best);
  const isDecided = first.length < scores.length;

  // Nobody is better than anybody: one seat alone has not won, and several without points have not
  // drawn.
  if (!isDecided && (scores.length < 2 || best <= 0)) return { winners: [], drew: [] };

  const [one] = first;
  const isOneTeam = one?.team !== undefined && first.every(({ team }) => team === one.team);
  return isDecided && (first.length === 1 || isOneTeam)
    ? { winners: first, drew: [] }
    : { winners: [], drew: first };
}
