/**
 * What a server that stops says of its matches, so that a page promises nothing that will not be
 * (SPEC 15.20).
 */

/** "Going away" (RFC 6455 §7.4.1): the server stops, and usually starts again. */
export const GOING_AWAY = 1001;

/**
 * The reasons of links that a stopping server closes with 1001. Those of other 1001s say nothing of
 * the match.
 */
export const StopReason = {
  /** The match has a log, from which the next process goes on. */
  kept: "the match goes on",
  over: "the match is over",
  /** Another machine goes on with the match, or will in a moment. */
  moved: "the match has moved",
} as const;

/** The reason of a link that a stopping server refuses with 4010. */
export const STOPPING = "the server is stopping; try again in 10 s";
