/**
 * Runs an author's functions of a view. One that throws must not take the rest of the picture, the
 * HUD and the menu with it, so the kit shows something plain in its place and names it once.
 */

/** Names that were reported. A drawing throws in each frame, and one report says it all. */
const reported = new Set<string>();

/**
 * Calls an author's function.
 * @param name what it is in the view's definition, such as "things.car"
 * @returns what it returns, or `fallback()` if it throws
 */
export function guarded<Result>(
  name: string,
  call: () => Result,
  fallback: () => Result,
): Result {
  try {
    return call();
  } catch (error) {
    report(name, error);
    return fallback();
  }
}

/** The console and, in `deno task dev`, the page show it (`live_reload.ts`). */
function report(name: string, cause: unknown): void {
  if (reported.has(name)) return;
  reported.add(name);
  const words = cause instanceof Error ? cause.message : String(cause);
  // The stack is that of the cause, which leads to the author's line.
  const error = new Error(`${name} of the view threw: ${words}`, { cause });
  if (cause instanceof Error && cause.stack !== undefined) {
    error.stack = `${error.message}\n${cause.stack}`;
  }
  reportError(error);
}
