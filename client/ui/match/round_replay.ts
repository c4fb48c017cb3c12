/** Finds the log of a round that has just ended, by the result that the server has stored of it. */
import { hostedName, pageHome, serverUrl } from "../home.ts";

/** How many of the newest rounds to look through: those of a server with as many rooms. */
const ROWS = 100;
/** How long to wait for an answer, ms. */
const TIMEOUT_MS = 5_000;

interface Row {
  readonly match: string;
  readonly room: string;
  readonly round: number;
}

/**
 * @param wanted.tick where the replay begins
 * @returns the address of its replay; undefined while the server has no result of it, which is for
 *   good in a room that keeps no log
 */
export async function roundReplayUrl(
  { room, round, tick }: { readonly room: string; readonly round: number; readonly tick: number },
): Promise<string | undefined> {
  const game = hostedName();
  const query = `?limit=${ROWS}${game === "" ? "" : `&game=${encodeURIComponent(game)}`}`;
  const answer = await fetch(serverUrl(`/api/results${query}`), {
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  if (!answer.ok) return undefined;

  const { results } = await answer.json() as { readonly results: readonly Row[] };
  const row = results.find((row) => row.room === room && row.round === round);
  if (row === undefined) return undefined;
  const { origin, path } = pageHome();
  return `${origin}${path}replay#${row.match}@${Math.max(0, tick)}`;
}
