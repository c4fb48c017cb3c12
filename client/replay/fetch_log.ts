/** Fetches the log of a match that is over, or up to now of one that goes on. */
import { serverUrl } from "../ui/home.ts";

/** A log, or one sentence about why it could not be opened. */
export type OpenedLog = { readonly bytes: Uint8Array } | { readonly refusal: string };

/** How long a log may take to come, ms: 32 MiB at 4 Mbit/s. */
const LOG_MS_MAX = 70_000;

/** Fetches a match's log from this page's server, without what a replay makes itself. */
export async function fetchLog(id: string): Promise<OpenedLog> {
  try {
    const answer = await fetch(serverUrl(`/api/matches/${encodeURIComponent(id)}/log`), {
      signal: AbortSignal.timeout(LOG_MS_MAX),
    });
    if (!answer.ok) return { refusal: (await answer.text()).trim() };
    return { bytes: new Uint8Array(await answer.arrayBuffer()) };
  } catch {
    return { refusal: "The server does not answer." };
  }
}
