/** Why a request for a ticket brought none. */

/**
 * The codes of RFC 6455's registry for what is no refusal of the match: the next attempt may bring
 * a ticket.
 */
export const TRY_LATER = 1013;
/** Something on the way has answered in the server's place. */
export const FOREIGN_ANSWER = 1014;

/**
 * There is no ticket. The message has the server's words, or for `FOREIGN_ANSWER` a sentence for
 * the player.
 */
export class JoinRefusal extends Error {
  /** The close code that a socket would get. */
  readonly code: number;

  constructor(code: number, reason: string) {
    super(reason);
    this.code = code;
  }
}
