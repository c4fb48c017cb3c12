/** The lobby's texts where a game has none of its own. */

export const OWN_BODY = "Your colour";
export const NO_ROOMS = "Nobody is playing now. Press Play now, and the computer plays with you.";
