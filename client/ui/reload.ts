/**
 * Reloads a page that differs in version from the server. It leaves the page only once the new one
 * is there, because while a server restarts a proxy may answer in its place, and nothing leads back
 * from a proxy's error page.
 *
 * A page reloads by itself once: if the new page again differs in version, a cache on the way is
 * stale, and only the player can help.
 */
import { SERVER_MARK } from "../../shared/netcode/link.ts";
import { pageHome } from "./home.ts";

const KEY = "wyvern.reloaded";
/** The time between two looks for the new page, and the longest time for one look, ms. */
const LOOK_EVERY_MS = 2_000;
const LOOK_MS_MAX = 5_000;
/**
 * After this many looks the page leaves it to the player: ten minutes, longer than a deploy takes.
 */
const LOOKS_MAX = 300;

/** @returns whether the page has not reloaded before; also false if it cannot remember that */
export function mayReload(): boolean {
  try {
    if (sessionStorage.getItem(KEY) !== null) return false;
    sessionStorage.setItem(KEY, "for another version");
    return true;
  } catch {
    return false;
  }
}

/**
 * Call it when page and server understand each other, so that the page may reload for a later
 * version.
 */
export function forgetReload(): void {
  try {
    sessionStorage.removeItem(KEY);
  } catch {
    // Storage is switched off, so there is nothing to forget.
  }
}

/** Reloads as soon as the server gives this page. It looks at once, and then every two seconds. */
export async function reloadWhenThere(): Promise<void> {
  for (let look = 0; look < LOOKS_MAX; look++) {
    if (await isPageThere()) return location.reload();
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
}

/**
 * Whether the server no longer offers this file, because its build differs from this page's. False
 * if it does not answer.
 */
export async function isGone(url: string): Promise<boolean> {
  try {
    const answer = await fetch(url, {
      method: "HEAD",
      cache: "no-store",
      signal: AbortSignal.timeout(LOOK_MS_MAX),
    });
    return answer.status === 404 && isOfHost(answer);
  } catch {
    return false;
  }
}

/**
 * Whether the server itself answers this page's address now. A reload then takes that answer from
 * the cache.
 */
async function isPageThere(): Promise<boolean> {
  try {
    const answer = await fetch(location.pathname + location.search, {
      cache: "reload",
      redirect: "manual",
      signal: AbortSignal.timeout(LOOK_MS_MAX),
    });
    return answer.ok && isOfHost(answer);
  } catch {
    return false;
  }
}

/**
 * Whether the page's own host answered. Another site than the game's server has no mark, so any
 * answer counts there.
 */
function isOfHost({ headers }: Response): boolean {
  return pageHome().isElsewhere || headers.has(SERVER_MARK);
}
