/**
 * The ways in which a client can show a match, from the oldest to all that this project does. Each
 * is a real configuration of this code, or a small honest implementation of what others do.
 *
 *     echo            newest snapshot                              the own key shows after a round trip
 *     interpolation   two snapshots, two ticks late                … and later still
 *     own-body        own body predicted, others interpolated      two different times in one picture
 *     assumed         all predicted from rounded snapshots         commands as the game assumes them
 *     exact           all predicted, bit by bit as the server      … a hash instead of a snapshot
 *     guesses         … and rivals' commands guessed from habits
 *     early           … and surprises announced between two ticks
 *     delayed         … and all of it one tick later
 */

/** How a snapshot viewer draws what it gets. */
export type SnapshotMode = "echo" | "interpolation" | "own-body" | "assumed";

export interface SnapshotTechnique {
  readonly kind: "snapshots";
  readonly mode: SnapshotMode;
}

export interface SessionTechnique {
  readonly kind: "session";
  readonly guesses: boolean;
  readonly early: boolean;
  readonly inputDelay: 0 | 1;
}

export interface Technique {
  readonly title: string;
  /** One sentence for visitors. */
  readonly about: string;
  readonly how: SnapshotTechnique | SessionTechnique;
}

export const TECHNIQUES = {
  echo: {
    title: "Echo from the server",
    about: "Draws the newest snapshot as it comes. Your key shows after a round trip.",
    how: { kind: "snapshots", mode: "echo" },
  },
  interpolation: {
    title: "Interpolated snapshots",
    about: "Draws smoothly between two snapshots, and so everybody, you too, in the past.",
    how: { kind: "snapshots", mode: "interpolation" },
  },
  "own-body": {
    title: "Only your body predicted",
    about: "You are in the present and the others in the past. Most engines do this.",
    how: { kind: "snapshots", mode: "own-body" },
  },
  assumed: {
    title: "All predicted, roughly",
    about: "Predicts everybody from rounded snapshots, and assumes that keys stay as they are.",
    how: { kind: "snapshots", mode: "assumed" },
  },
  exact: {
    title: "Exact physics",
    about: "The same bits as the server, so a hash replaces the snapshot. Rolls back when wrong.",
    how: { kind: "session", guesses: false, early: false, inputDelay: 0 },
  },
  guesses: {
    title: "Exact + guesses",
    about: "And guesses each rival's next keys from that player's habits.",
    how: { kind: "session", guesses: true, early: false, inputDelay: 0 },
  },
  early: {
    title: "Exact + guesses + early news",
    about: "And the server announces surprises between two ticks. This is what our games do.",
    how: { kind: "session", guesses: true, early: true, inputDelay: 0 },
  },
  delayed: {
    title: "… + one tick of input delay",
    about: "And your own keys wait for one tick, so one tick less has to be guessed.",
    how: { kind: "session", guesses: true, early: true, inputDelay: 1 },
  },
} as const satisfies Record<string, Technique>;

export type TechniqueName = keyof typeof TECHNIQUES;

export const TECHNIQUE_NAMES = Object.keys(TECHNIQUES) as readonly TechniqueName[];
