/**
 * Words how a round or a set ended. Who has won follows from `round_outcome.ts`, from which the
 * server stores its results, so the sentence, the list and the stored result agree.
 */
import type { RoundSet } from "../../../shared/netcode/game.ts";
import { outcomeOf, setOutcomeOf } from "../../../shared/netcode/round_outcome.ts";
import type { HudValues } from "../../presentation/match_presenter.ts";
import type { Round, Score } from "../../presentation/view.ts";

/** How many names a sentence lists; of more it says how many. */
const NAMED_MAX = 3;

/** What a verdict is about. */
export interface Verdict {
  readonly round: Pick<Round, "number" | "set">;
  readonly scores: readonly Score[];
  /** The view's word for players. */
  readonly players: string;
}

/** Words a round's result. NPCs win and draw as players do. */
export function roundText({ round, scores, players }: Verdict): string {
  const what = roundName(round);
  const { winners, drew } = outcomeOf(scores);
  const [winner] = winners;

  if (winner !== undefined) return winText(winner, { what, has: pointsText(winner.score) });
  if (drew.length > 0) {
    const names = listed(drew, players);
    return `${capital(what)} is a draw: ${names} have ${pointsText(drew[0]!.score)}.`;
  }

  // A lone player does not beat anyone.
  const [lone] = scores;
  return lone === undefined || lone.score <= 0
    ? `Nobody scored in ${what}.`
    : `${lone.own ? "You" : lone.name} scored ${pointsText(lone.score)} in ${what}.`;
}

/** Words a whole set's result. */
export function setText({ scores, players }: Omit<Verdict, "round">): string {
  const { winners, drew } = setOutcomeOf(scores);
  const [winner] = winners;
  if (winner !== undefined) return winText(winner, { what: "the match", has: wonText(winner) });
  if (drew.length > 0) {
    return `The match is a draw: ${listed(drew, players)} have ${wonText(drew[0]!)}.`;
  }
  const [lone] = scores;
  return lone === undefined || totalOf(lone) <= 0
    ? "Nobody scored in this match."
    : `${lone.own ? "You" : lone.name} scored ${pointsText(totalOf(lone))} in this match.`;
}

/** Whether the round has ended a set of several rounds, which gets a verdict of its own. */
export function endsSet(set: RoundSet | undefined): boolean {
  return set !== undefined && set.isOver && set.of > 1;
}

/** Names a round: "round 2", or within a set "round 2 of 3". */
export function roundName({ number, set }: Pick<Round, "number" | "set">): string {
  return set === undefined || set.of === 1 ? `round ${number}` : `round ${set.round} of ${set.of}`;
}

/** Words a score. */
export function pointsText(score: number): string {
  return score === 1 ? "1 point" : `${score} points`;
}

/** Words what comes next, and when. @param readyHint how to ask for it */
export function nextText(
  { round, scores, ready, isSpectating, readyHint }:
    & Pick<HudValues, "ready" | "isSpectating" | "scores">
    & { readonly round: Round; readonly readyHint: string },
): string {
  const seconds = Math.max(0, Math.ceil(round.secondsLeft));
  const next = `${round.set?.isOver ? "Rematch" : "Next round"} in ${seconds} s`;
  const players = scores.filter((score) => score.ready !== undefined);
  const readyCount = players.filter((score) => score.ready).length;
  const howMany = readyCount > 0 ? ` · ${readyCount} of ${players.length} ready` : "";
  if (isSpectating) return next + howMany;
  if (ready) return `You are ready · ${next.toLowerCase()}${howMany}`;
  return `${next}${readyHint === "" ? "" : ` — ${readyHint}`}${howMany}`;
}

function winText(
  { own, name }: Score,
  { what, has }: { readonly what: string; readonly has: string },
): string {
  return own ? `You win ${what} with ${has}!` : `${name} wins ${what} with ${has}.`;
}

/** "2 rounds and 31 points in total". */
function wonText(score: Score): string {
  const { wins = 0 } = score;
  const rounds = wins === 1 ? "1 round" : `${wins} rounds`;
  return `${rounds} and ${pointsText(totalOf(score))} in total`;
}

function totalOf({ score, total = score }: Score): number {
  return total;
}

/** "Ash and you", or "Ash, Gale, you and 2 other dragons". */
function listed(scores: readonly Score[], players: string): string {
  const names = scores.slice(0, NAMED_MAX).map(({ own, name }) => own ? "you" : name);
  const others = scores.length - names.length;
  if (others > 0) names.push(others === 1 ? "another one" : `${others} other ${players}`);
  return `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}

function capital(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}
