/** What is wrong with a declaration, or with a use of the world that the stage does not see. */

/** A game that cannot be. The message is one sentence that names the thing and the field. */
export class GameError extends Error {
  override readonly name = "GameError";
}
