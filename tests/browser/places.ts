/** Paths of browsers, and whether a test may do without one. */

/** The first of these paths that is a file; undefined if none is. */
export function firstFile(paths: readonly string[]): string | undefined {
  return paths.find((path) => {
    try {
      return Deno.statSync(path).isFile;
    } catch {
      return false;
    }
  });
}

/**
 * Whether a missing browser is an error, as in CI. Elsewhere, tests that need it are skipped with a
 * warning.
 */
export function browsersAreRequired(): boolean {
  return Deno.env.get("WYVERN_BROWSER") === "required";
}
