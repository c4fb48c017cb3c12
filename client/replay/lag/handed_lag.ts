/** Takes the lag report that the page which opened this one has just saved (`saved_notice.ts`). */
import {
  type HandedLag,
  LAG_BYTES_MAX,
  LAG_QUERY,
  LAG_REQUEST,
} from "../../debug/lag/lag_report.ts";
import type { OpenedLog } from "../fetch_log.ts";

/** How long the other page may take, ms: it answers at once unless it is gone. */
const ANSWER_MS_MAX = 5_000;
const REFUSAL =
  "The report did not come from the match’s page. It is among your downloads: drop it here.";

/** Whether the address asks for it. */
export function asksForHandedLag({ search }: { search: string }): boolean {
  return new URLSearchParams(search).has(LAG_QUERY);
}

/** @returns the report's bytes, which are checked as those of any other file */
export function handedLag(): Promise<OpenedLog> {
  const opener = globalThis.opener as Window | null;
  if (opener === null) return Promise.resolve({ refusal: REFUSAL });

  return new Promise((resolve) => {
    const signal = AbortSignal.timeout(ANSWER_MS_MAX);
    signal.addEventListener("abort", () => resolve({ refusal: REFUSAL }));
    addEventListener("message", ({ source, origin, data }: MessageEvent<unknown>) => {
      if (source !== opener || origin !== location.origin) return;
      const bytes = (data as Partial<HandedLag> | null)?.lag;
      if (bytes instanceof Uint8Array && bytes.length <= LAG_BYTES_MAX) resolve({ bytes });
    }, { signal });
    opener.postMessage(LAG_REQUEST, location.origin);
  });
}
