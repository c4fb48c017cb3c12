/** Where browsers are on a machine, and whether a test may do without one. */

/** The first of these paths that is a file; undefined where none is. */
export function firstFile(paths: readonly string[]): string | undefined {
  return paths.find((path) => {
    try {
      return Deno.statSync(path).isFile;
    } catch {
      return false;
    }
  });
}

/** In CI a missing browser is an error; elsewhere what needs it is left out aloud. */
export function browsersAreRequired(): boolean {
  return Deno.env.get("WYVERN_BROWSER") === "required";
}
