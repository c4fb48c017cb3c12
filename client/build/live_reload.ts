/**
 * The script that only pages of `deno task dev` have. It fetches the page again and again, and reloads once the fetched
 * page no longer names this script: the build renames the script whenever anything in the page has changed. It also
 * shows how the game breaks its contract with the netcode, if it does.
 */
import { ContractReports, type WatchedMatch } from "../debug/contract_reports.ts";

/** The time between two fetches, ms. An answer costs the server next to nothing. */
const PERIOD_MS = 500;

const ownName = new URL(import.meta.url).pathname;

async function reloadWhereChanged(): Promise<void> {
  try {
    const page = await fetch("/");
    if (page.ok && !(await page.text()).includes(ownName)) location.reload();
  } catch {
    // The server is restarting.
  }
}

const reports = new ContractReports({
  match: () => (globalThis as unknown as { wyvernMatch?: WatchedMatch }).wyvernMatch,
  get: getJson,
  show: (text) => console.error(`Wyvern: ${text}`),
  now: () => performance.now(),
});

async function getJson(path: string): Promise<unknown> {
  try {
    const answer = await fetch(path);
    return answer.ok ? await answer.json() : undefined;
  } catch {
    return undefined; // the server is restarting
  }
}

// The overlay's log shows the same sentences.
Object.defineProperty(globalThis, "wyvernFaults", { value: reports.faults });
setInterval(reloadWhereChanged, PERIOD_MS);
setInterval(() => void reports.advance(), PERIOD_MS);
