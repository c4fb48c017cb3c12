/** The global variable that the page offers to tests and to the console. */
import type { Player, TimedRollback } from "./player.ts";

/** What tests and the console find at `testbed`. */
export interface TestbedPage {
  readonly player: Player;
  /** The last one; undefined before the first. */
  readonly rollback: TimedRollback | undefined;
  /** The number of frames drawn. */
  readonly frames: number;
  /** A place of the stage, metres, in CSS pixels of the window. */
  toWindow(x: number, y: number): { x: number; y: number };
}

declare global {
  var testbed: TestbedPage | undefined;
}
