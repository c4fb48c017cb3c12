/**
 * The error for a wrong declaration, and for misuse of the world that the stage does not detect.
 */

/** A game that is wrong. The message is one sentence that names the thing and the field. */
export class GameError extends Error {
  override readonly name = "GameError";
}
