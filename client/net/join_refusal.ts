/** Why a request did not bring a ticket. */

/**
 * Codes from RFC 6455's registry for answers that do not refuse the match, so that the next attempt
 * may bring a ticket.
 */
export const TRY_LATER = 1013;
/** Something on the way answered in the server's place. */
export const FOREIGN_ANSWER = 1014;

/**
 * Thrown instead of a ticket. The message holds the server's words, or for `FOREIGN_ANSWER` a
 * sentence for the player.
 */
export class JoinRefusal extends Error {
  /** The close code that a socket would get. */
  readonly code: number;

  constructor(code: number, reason: string) {
    super(reason);
    this.code = code;
  }
}
