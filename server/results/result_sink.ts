/** The receiver of the rounds' results. Rooms know no more of it. */
import type { NamedScore, RoundOver } from "../match/round_watch.ts";

/** The match that a result belongs to. */
export interface ResultMatch {
  /** The name of its log. */
  readonly id: string;
  readonly room: string;
}

export interface ResultSink {
  /** Takes a round's result. The same round of the same match counts once. */
  addRound(match: ResultMatch & { readonly game: string }, round: RoundOver): void;
  /** The match is over. @param reason one or two words */
  endMatch(id: string, reason: string): void;
}

/** The results of a whole server. */
export interface ServerResults extends ResultSink {
  /**
   * Ends the matches of earlier processes that do not go on.
   * @param open those that go on here
   */
  endOthers(open: readonly string[]): void;
}

/** The same as the sink for the matches of one game. */
export interface GameResults {
  addRound(match: ResultMatch, round: RoundOver): void;
  endMatch(id: string, reason: string): void;
}

/** The results of one game. @param game its name on this server */
export function gameResultsOf(sink: ResultSink | undefined, game: string): GameResults | undefined {
  return sink && {
    addRound: (match, round) => sink.addRound({ ...match, game }, round),
    endMatch: (id, reason) => sink.endMatch(id, reason),
  };
}

/** The seats with the best score; none if all scores are equal, as they are with one player. */
export function winnersOf(scores: readonly NamedScore[]): readonly NamedScore[] {
  const best = Math.max(...scores.map(({ score }) => score));
  return scores.some(({ score }) => score < best)
    ? scores.filter(({ score }) => score === best)
    : [];
}
