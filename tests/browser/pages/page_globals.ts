/** What stands in the page's global scope when a test looks into it. */
import type { RenderScene } from "../../../client/games/dragons/scene.ts";
import type { Session } from "../../../client/session/session.ts";
import type { DragonCommand } from "../../../shared/games/dragons/command.ts";
import type { DragonSimulation } from "../../../shared/games/dragons/simulation.ts";

/** What `feel_test.ts` counts of how things are drawn. */
export interface Paths {
  pictures: number;
  /** Of these, the ones that came in time, so that their steps can be judged. */
  judged: number;
  /** Farthest that the own dragon's picture went beyond what its speed explains, metres. */
  ownStepMax: number;
  /** The pictures before and after that step, for who looks into it. */
  ownStepWorst: object[];
  /** How often the own dragon's teleport turned out otherwise. */
  ownSnaps: number;
  /** By seat: how often a path turned back for a single picture. */
  reversals: Record<number, number>;
  flaps: number;
}

/** Where a dragon is. */
export interface DragonPlace {
  readonly x: number;
  readonly y: number;
  readonly teleports: number;
}

/** Where a picture drew it, so far from one tick to the next, and where it was predicted to be at the former. */
export interface Drawn {
  readonly x: number;
  readonly y: number;
  readonly tick: number;
  readonly fraction: number;
  readonly head: DragonPlace;
}

declare global {
  /** What the page shows in its console: the session of the match that it plays. */
  var wyvern: Session<DragonCommand, DragonSimulation> | undefined;
  /** What its newest picture shows. */
  var wyvernScene: RenderScene | undefined;
  /** How loud the page is, where a test has asked for it. */
  var loudness: AudioParam | undefined;
  /** The gamepad that a test holds. */
  var pad: { axes: number[]; buttons: { pressed: boolean }[] };
  /** `duel.ts` inside the page. */
  var decideInput: (prey: number) => { dir: -1 | 0 | 1; flap: boolean };
  /** How often the canvas was the same again, and how many pictures each key took to change it. */
  var canvasWatch: { stillPictures: number; picturesToChange: number[] } | undefined;
  /** What `feel_test.ts` counts: pictures from key to flap, and how paths went. */
  var framesToFlap: number[] | undefined;
  var paths: Paths | undefined;
  /** Of `stream_test.ts`: whether this page's engine rounds otherwise; where a dragon was, by tick; where pictures drew it. */
  var fault: boolean;
  var places: Map<number, DragonPlace> | undefined;
  var drawn: Drawn[] | undefined;
  /** What `ticksUntilMoved` found out. */
  var ticksUntilMoved: number | undefined;
}
