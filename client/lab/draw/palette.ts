/** The lab's colours: one for each player, and the meanings of chips and bands. */
const PLAYER_COLOURS = ["#6cc5ff", "#ffb454", "#7fe0a3", "#e58bff"] as const;
const NPC_COLOUR = "#8b90ad";
export const THING_COLOUR = "#d9cfb6";

export const ROPE = "#c9b27c";
export const GROUND = "#343b66";
export const GROUND_EDGE = "#596199";
export const TEXT = "#f1eee6";
export const QUIET = "#9aa0c0";
export const GHOST = "#ffffff";
export const WRONG = "#ff5d6c";
export const PROVEN = "#58d68d";
export const UNKNOWN = "#4a5078";
/** A future that is stepped again. */
export const AGAIN = "#ff9f43";

/** A player's colour by seat; NPCs share one. */
export function seatColour(seat: number): string {
  return seat >= 0 && seat < PLAYER_COLOURS.length ? PLAYER_COLOURS[seat]! : NPC_COLOUR;
}
