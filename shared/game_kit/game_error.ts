/**
 * The error for a wrong declaration, and for misuse of the world that the stage does not detect.
 */

/** A game that is wrong. The message is one sentence that names the thing and the field. */
export class GameError extends Error {
  override readonly name = "GameError";
}

/** The names that may stand in place of a misspelt one: "it has hero, coin". */
export function listed(names: Iterable<string>): string {
  const all = [...names];
  return all.length === 0 ? "it has none" : `it has ${all.join(", ")}`;
}
