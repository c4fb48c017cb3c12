/** Plays one scene in real time: runs its ticks when they are due, and goes back through them. */
import type { Joint } from "../../../../shared/physics/stage/stage.ts";
import { GRAB } from "../grab.ts";
import { type Rollback, SceneRun } from "../scene_run.ts";
import { NO_INPUT, type Scene, type SceneInput } from "../scene.ts";
import { easeShown, type Shown, showRun } from "./shown.ts";

/** A page that was hidden or slow runs at most so many ticks at once, and loses the others. */
const TICKS_AT_ONCE_MAX = 4;
/** Ticks over which the time of a tick is averaged. */
const TIMED_TICKS = 20;

/** A rollback with its time. */
export interface TimedRollback extends Rollback {
  readonly ms: number;
}

export class Player {
  readonly scene: Scene;
  isPaused = false;
  isRewinding = false;
  showsContacts = false;
  /** The error that a tick threw. The scene stands still until it is restarted. */
  error: unknown;
  #run: SceneRun;
  #before: Shown;
  #after: Shown;
  #owedS = 0;
  #tickMs: number[] = [];
  readonly #input: () => SceneInput;

  /** @param input called once per tick */
  constructor(scene: Scene, input: () => SceneInput) {
    this.scene = scene;
    this.#input = input;
    this.#run = new SceneRun(scene);
    this.#before = this.#after = showRun(this.#run, false);
  }

  get run(): SceneRun {
    return this.#run;
  }

  /** The joint between the pointer and the body that it holds. */
  get held(): Joint | undefined {
    return this.#run.stage.joints.all(GRAB)[0];
  }

  /** ms of a tick, the mean of the last ones. */
  get tickMs(): number {
    return this.#tickMs.reduce((sum, ms) => sum + ms, 0) / Math.max(1, this.#tickMs.length);
  }

  /** Runs the ticks that are due. @param seconds since the last call */
  pass(seconds: number): void {
    if (this.isRewinding) this.#owedS += seconds;
    else if (!this.isPaused && this.error === undefined) this.#owedS += seconds;
    const tickS = 1 / this.scene.stage.tickHz;
    for (let ticks = 0; this.#owedS >= tickS; ticks++) {
      this.#owedS = ticks < TICKS_AT_ONCE_MAX ? this.#owedS - tickS : 0;
      if (this.isRewinding) this.#goBack();
      else if (this.error === undefined) this.#tick(this.#input());
    }
  }

  /**
   * The frame between the last two ticks, and how much of the time between them has passed, 0 … 1.
   */
  frame(): { readonly shown: Shown; readonly fraction: number } {
    const fraction = Math.min(1, this.#owedS * this.scene.stage.tickHz);
    return { shown: easeShown(this.#before, this.#after, fraction), fraction };
  }

  /** Runs one tick, and shows its end. */
  step(): void {
    if (this.error === undefined) this.#tick(this.#input());
    this.#showPresent();
  }

  /** Runs ticks with the keys of the scene's proof, and shows the last one. */
  runProof(ticks: number): void {
    const { proof } = this.scene;
    for (let i = 0; i < ticks; i++) {
      this.#tick({ ...NO_INPUT, keys: proof.keys?.(this.#run.ticks + 1) ?? 0 });
    }
  }

  restart(): void {
    this.#run = new SceneRun(this.scene);
    this.error = undefined;
    this.#tickMs = [];
    this.#owedS = 0;
    this.#showPresent();
  }

  /** Loads the state of `ticks` ticks ago, and resimulates to the present. */
  rollBack(ticks: number): TimedRollback {
    const beganMs = performance.now();
    const rollback = this.#run.rollBack(ticks);
    const ms = performance.now() - beganMs;
    this.#after = showRun(this.#run, this.showsContacts);
    return { ...rollback, ms };
  }

  #tick(input: SceneInput): void {
    const beganMs = performance.now();
    try {
      this.#run.tick(input);
    } catch (error) {
      this.error = error;
      return;
    }
    this.#tickMs.push(performance.now() - beganMs);
    if (this.#tickMs.length > TIMED_TICKS) this.#tickMs.shift();
    this.#before = this.#after;
    this.#after = showRun(this.#run, this.showsContacts);
  }

  #goBack(): void {
    this.#run.goBack(1);
    this.error = undefined;
    this.#before = this.#after;
    this.#after = showRun(this.#run, this.showsContacts);
  }

  #showPresent(): void {
    this.#before = this.#after = showRun(this.#run, this.showsContacts);
  }
}

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
