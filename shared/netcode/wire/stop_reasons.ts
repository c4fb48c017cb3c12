/**
 * What a stopping server says about its matches, so that a page promises only what will happen
 * (SPEC 15.20).
 */

/** "Going away" (RFC 6455 §7.4.1): the server stops, and usually starts again. */
export const GOING_AWAY = 1001;

/**
 * The reasons that a stopping server gives when it closes links by 1001. Reasons with other 1001s
 * say nothing about the match.
 */
export const StopReason = {
  /** The match is logged, and the next process goes on from there. */
  kept: "the match goes on",
  over: "the match is over",
  /** Another machine goes on with the match, or will in a moment. */
  moved: "the match has moved",
} as const;

/** The reason that a stopping server gives when it refuses a link by 4010. */
export const STOPPING = "the server is stopping; try again in 10 s";
