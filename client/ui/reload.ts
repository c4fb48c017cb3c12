/**
 * Reloads a page that is of another version than the server. It leaves the page only for one that
 * is there: while a server restarts, a proxy may answer in its place, and nothing leads back from a
 * proxy's error page.
 *
 * A page reloads by itself once: if the new page is of another version again, a cache on the way is
 * stale, and only its player can help.
 */
import { SERVER_MARK } from "../../shared/netcode/link.ts";

const KEY = "wyvern.reloaded";
/**
 * The time between two looks whether the new page is there, and the longest time for one of them,
 * ms.
 */
const LOOK_EVERY_MS = 2_000;
const LOOK_MS_MAX = 5_000;
/**
 * Looks before the page leaves it to its player: ten minutes of them, longer than a deploy takes.
 */
const LOOKS_MAX = 300;

/** @returns whether the page has not reloaded before; false also if it cannot remember that */
export function mayReload(): boolean {
  try {
    if (sessionStorage.getItem(KEY) !== null) return false;
    sessionStorage.setItem(KEY, "for another version");
    return true;
  } catch {
    return false;
  }
}

/** Page and server have understood each other, so another version may come later. */
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
 * Whether the server has no such file any more: it has another build than this page. False if it
 * does not answer.
 */
export async function isGone(url: string): Promise<boolean> {
  try {
    const answer = await fetch(url, {
      method: "HEAD",
      cache: "no-store",
      signal: AbortSignal.timeout(LOOK_MS_MAX),
    });
    return answer.status === 404 && answer.headers.has(SERVER_MARK);
  } catch {
    return false;
  }
}

/**
 * Whether this page's address is answered now, and by the server. A reload then takes that answer
 * from the cache.
 */
async function isPageThere(): Promise<boolean> {
  try {
    const answer = await fetch(location.pathname + location.search, {
      cache: "reload",
      redirect: "manual",
      signal: AbortSignal.timeout(LOOK_MS_MAX),
    });
    return answer.ok && answer.headers.has(SERVER_MARK);
  } catch {
    return false;
  }
}
