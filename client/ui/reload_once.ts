/**
 * Reloads a page that is of another version than the server. It does so once: if the reloaded page is of another version
 * again, a cache on the way is stale, and only its player can help.
 */
const KEY = "wyvern.reloaded";

/** @returns whether the page reloads; false if it has done so before, or cannot remember it */
export function reloadOnce(): boolean {
  try {
    if (sessionStorage.getItem(KEY) !== null) return false;
    sessionStorage.setItem(KEY, "for another version");
  } catch {
    return false;
  }
  location.reload();
  return true;
}

/** Page and server have understood each other, so another version may come later. */
export function forgetReload(): void {
  try {
    sessionStorage.removeItem(KEY);
  } catch {
    // Storage is switched off, so there is nothing to forget.
  }
}
