/**
 * Parts of a browser that may be missing, that may throw, and that may be taken away during play:
 * gamepads, sound, wake locks. A browser's lockdown mode lacks them, and the policy of an embedding
 * page forbids them. That costs the part alone.
 */

/** Errors that one page reports. The same one may come with every frame. */
const REPORTS_MAX = 20;
let reports = 0;

/** Uses such a part. @returns what `use` returns, or `otherwise` if it throws */
export function optional<Result>(use: () => Result, otherwise: Result): Result {
  try {
    return use();
  } catch (error) {
    if (reports++ < REPORTS_MAX) console.warn(error);
    return otherwise;
  }
}

/**
 * Runs a step of a loop that must go on whatever happens in it. An error is reported as if nothing
 * had caught it.
 */
export function survive(step: () => void): void {
  try {
    step();
  } catch (error) {
    if (reports++ < REPORTS_MAX) reportError(error);
  }
}

/**
 * A question to the browser about its screen or its person.
 * @returns a live answer, which is "no" where it cannot be asked
 */
export function mediaQuery(query: string): { readonly matches: boolean } {
  return optional<{ readonly matches: boolean }>(() => matchMedia(query), { matches: false });
}
