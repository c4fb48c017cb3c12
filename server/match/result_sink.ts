/** Where rooms report their rounds' results, without knowing who receives them. */
import type { RoundOver } from "./round_watch.ts";

/** The match that a result belongs to. */
export interface ResultMatch {
  /** Its log's name. */
  readonly id: string;
  readonly room: string;
}

/** Takes the results of one game's matches, or of all. */
export interface ResultSink {
  /** Takes a round's result. A round counts once, even if it is reported again. */
  addRound(match: ResultMatch & { readonly game: string }, round: RoundOver): void;
  /** Notes that the match is over. @param reason one or two words */
  endMatch(id: string, reason: string): void;
}

/** A whole server's results. */
export interface ServerResults extends ResultSink {
  /**
   * Ends the matches of earlier processes that do not go on.
   * @param open the matches that go on here
   */
  endOthers(open: readonly string[]): void;
}

/** A sink for one game's matches. */
export interface GameResults {
  addRound(match: ResultMatch, round: RoundOver): void;
  endMatch(id: string, reason: string): void;
}

/** Makes one game's sink. @param game its name on this server */
export function gameResultsOf(sink: ResultSink | undefined, game: string): GameResults | undefined {
  return sink && {
    addRound: (match, round) => sink.addRound({ ...match, game }, round),
    endMatch: (id, reason) => sink.endMatch(id, reason),
  };
}
