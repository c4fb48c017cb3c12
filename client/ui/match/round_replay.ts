/** Finds the log of a round that has just ended, by the result that the server has stored of it. */
import { hostedName, pageHome, serverUrl } from "../home.ts";

/** How many of the newest rounds to look through: more than end on a server in the same moment. */
const ROWS = 20;
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
  const row = (await newestRows(query)).find((row) => row.room === room && row.round === round);
  if (row === undefined) return undefined;
  const { origin, path } = pageHome();
  return `${origin}${path}replay#${row.match}@${Math.max(0, tick)}`;
}

async function newestRows(query: string): Promise<readonly Row[]> {
  try {
    const answer = await fetch(serverUrl(`/api/results${query}`), {
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    if (!answer.ok) return [];
    return (await answer.json() as { readonly results: readonly Row[] }).results;
  } catch {
    // The server is away, as the page says.
    return [];
  }
}
