/**
 * Uses browser parts that may be missing, throw, or be taken away during play: gamepads, sound,
 * wake locks. A browser's lockdown mode lacks them, and an embedding page's policy may forbid them.
 * The game then only loses that part.
 */

/** How many errors one page reports, because the same one may come with every frame. */
const REPORTS_MAX = 20;
let reports = 0;

/** Uses an optional part. @returns what `use` returns, or `otherwise` if it throws */
export function optional<Result>(use: () => Result, otherwise: Result): Result {
  try {
    return use();
  } catch (error) {
    if (reports++ < REPORTS_MAX) console.warn(error);
    return otherwise;
  }
}

/**
 * Runs a step in a loop that must go on whatever happens. It reports an error as if nothing had
 * caught it.
 */
export function survive(step: () => void): void {
  try {
    step();
  } catch (error) {
    if (reports++ < REPORTS_MAX) reportError(error);
  }
}

/**
 * Asks the browser about its screen or its user's preferences.
 * @returns a live answer, which is "no" where the browser cannot be asked
 */
export function mediaQuery(query: string): { readonly matches: boolean } {
  return optional<{ readonly matches: boolean }>(() => matchMedia(query), { matches: false });
}
