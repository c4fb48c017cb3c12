/** The page's global variables that tests read or set. */
import type { Arena } from "../../../shared/games/dragons/arena.ts";
import type { DragonCommand, DragonSimulation } from "../../../shared/games/dragons/declaration.ts";
import type { KitFrame } from "../../../client/game_kit/kit_frame.ts";
import type { Session } from "../../../client/session/session.ts";

/** The counts of `paths.ts` on how dragons are drawn. */
export interface Paths {
  pictures: number;
  /** Frames in time, whose steps can be judged. */
  judged: number;
  /** The farthest that one frame moved the own dragon beyond its speed, metres. */
  ownStepMax: number;
  /** The frames before and after that step, for diagnosis. */
  ownStepWorst: object[];
  /** Frames that moved the own dragon beyond its speed by more than a small correction does. */
  fastOwnSteps: number;
  /** How often a teleport of the own dragon was mispredicted. */
  ownSnaps: number;
  /** By seat: how often a path turned back for a single frame. */
  reversals: Record<number, number>;
  flaps: number;
}

/** The place of a dragon. */
export interface DragonPlace {
  readonly x: number;
  readonly y: number;
  readonly teleports: number;
}

/**
 * The own dragon in one frame: where it was drawn, between which two ticks, and where it was
 * predicted at the first one.
 */
export interface Drawn {
  readonly x: number;
  readonly y: number;
  readonly tick: number;
  readonly fraction: number;
  readonly head: DragonPlace;
}

declare global {
  /** The session of the present match, which the page offers to its console. */
  var wyvern: Session<DragonCommand, DragonSimulation> | undefined;
  /** The notices that `notices.ts` has noted. */
  var notedNotices: string[] | undefined;
  /** The scene of the newest frame. */
  var wyvernScene: KitFrame | undefined;
  /** The page's volume, if a test has requested it. */
  var loudness: AudioParam | undefined;
  /** Wake locks that the page holds, if a test counts them. */
  var wakeLocks: number;
  /** The strength of each shake of the gamepad that a test controls. */
  var shakes: number[];
  /** The gamepad that a test controls. */
  var pad: { axes: number[]; buttons: { pressed: boolean }[] };
  /** The function of `duel.ts`, inside the page. */
  var decideInput: (sight: { prey: number; arena: Arena }) => { dir: -1 | 0 | 1; flap: boolean };
  /**
   * The consecutive frames with an equal canvas, and the frames that each key took to change it.
   */
  var canvasWatch: { stillPictures: number; picturesToChange: number[] } | undefined;
  /** The counts of `feel_test.ts`: frames from key to flap, and how paths went. */
  var framesToFlap: number[] | undefined;
  /**
   * By press, in ticks from the press: the last head that did not act on it, and the first one that
   * did.
   */
  var ticksToStep: { readonly beyond: number; readonly upTo: number }[] | undefined;
  var paths: Paths | undefined;
  /**
   * Values of `stream_test.ts`: whether this page's engine rounds differently, a dragon's places by
   * tick, and its drawn places.
   */
  var fault: boolean;
  var places: Map<number, DragonPlace> | undefined;
  var drawn: Drawn[] | undefined;
  /** The result of `ticksUntilMoved`. */
  var ticksUntilMoved: number | undefined;
}
