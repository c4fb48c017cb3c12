/** What stands in the page's global scope when a test looks into it. */
import type { Scene } from "../../client/scene.ts";
import type { Session } from "../../client/session.ts";
import type { DragonCommand } from "../../shared/dragons/command.ts";
import type { DragonSimulation } from "../../shared/dragons/simulation.ts";

declare global {
  /** What the page shows in its console: the session of the match that it plays. */
  var wyvern: Session<DragonCommand, DragonSimulation> | undefined;
  /** What its newest picture shows. */
  var wyvernScene: Scene | undefined;
  /** How loud the page is, where a test has asked for it. */
  var loudness: AudioParam | undefined;
  /** The gamepad that a test holds. */
  var pad: { axes: number[]; buttons: { pressed: boolean }[] };
  /** `duel.ts` inside the page. */
  var wishToKill: (prey: number) => { dir: -1 | 0 | 1; flap: boolean };
  /** How often the canvas was the same again, and how many pictures each key took to change it. */
  var canvasWatch: { stillPictures: number; picturesToChange: number[] } | undefined;
  /** What `feel_test.ts` counts: pictures from key to flap, and how paths went. */
  var picturesToFlap: number[] | undefined;
  var paths:
    | {
      pictures: number;
      judged: number;
      ownStepMax: number;
      ownStepWorst: object[];
      ownSnaps: number;
      reversals: Record<number, number>;
      flaps: number;
    }
    | undefined;
  /** What `ticksUntilMoved` found out. */
  var ticksUntilMoved: number | undefined;
}
