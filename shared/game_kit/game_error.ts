/**
 * The error for a wrong declaration, and for a wrong use of the world that the stage does not see.
 */

/** A game that cannot be. The message is one sentence that names the thing and the field. */
export class GameError extends Error {
  override readonly name = "GameError";
}
