/** The answers below `/api/results`. They are public, and bounded. */
import type { Results } from "./results.ts";

export const RESULTS_PATH = "/api/results";
/** How many rows an answer holds at most. */
const ROWS_MAX = 100;
/** How many rows an answer holds if the request does not say. */
const ROWS = 20;

/** An answer as JSON, or why there is none. */
export type ResultsAnswer = { readonly value: unknown } | {
  readonly status: 400 | 404;
  readonly text: string;
};

export interface ResultsApiOptions {
  /** Undefined for a server without results, which answers with empty tables. */
  readonly results: Results | undefined;
  /** The names of the hosted games. */
  readonly games: readonly string[];
}

/**
 * @param path below `/api/results`: "" for the newest rounds, "/matches" for the newest matches,
 *   "/best" for the best
 * @param query as in the request
 * @returns undefined for another path
 */
export function resultsAnswer(
  { results, games }: ResultsApiOptions,
  { path, query }: { path: string; query: string },
): ResultsAnswer | undefined {
  if (path !== "" && path !== "/matches" && path !== "/best") return undefined;

  // Which game, and how many
  const wanted = new URLSearchParams(query);
  const game = wanted.get("game") ?? undefined;
  if (game !== undefined && !games.includes(game)) {
    return { status: 404, text: "There is no such game." };
  }
  const text = wanted.get("limit") ?? String(ROWS);
  const limit = Number(text);
  if (!/^\d{1,3}$/.test(text) || limit < 1 || limit > ROWS_MAX) {
    return { status: 400, text: `limit is a whole number from 1 to ${ROWS_MAX}.` };
  }

  if (path === "") return { value: { results: results?.rounds(game, limit) ?? [] } };
  if (path === "/matches") return { value: { matches: results?.matches(game, limit) ?? [] } };

  // The best are listed for one game.
  const [only] = games;
  const one = game ?? (games.length === 1 ? only : undefined);
  if (one === undefined) {
    return { status: 400, text: "game is needed, because several are played here." };
  }
  return { value: { players: results?.best(one, limit) ?? [] } };
}
