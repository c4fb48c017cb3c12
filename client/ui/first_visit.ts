/** Whether a visitor has had the first flight of a game (`asked/first_flight.ts`). */

/** @param storedAs the game's name in the browser's storage */
function keyOf(storedAs: string): string {
  return `wyvern.flown.${storedAs}`;
}

/** True where storage is switched off, because the flight would begin anew with every match. */
export function hasFlown(storedAs: string): boolean {
  try {
    return localStorage.getItem(keyOf(storedAs)) !== null;
  } catch {
    return true;
  }
}

export function rememberFlight(storedAs: string): void {
  try {
    localStorage.setItem(keyOf(storedAs), "yes");
  } catch {
    // The storage is full, so the next match offers it again.
  }
}
