/**
 * One scene that runs: its stage, the inputs of its last ticks, and the snapshots between them. It
 * goes back to any of these ticks, and forward again with the same inputs.
 */
import { hashOfSnapshot } from "../../../shared/netcode/wire/range_coder.ts";
import { type Entity, Stage } from "../../../shared/physics/stage/stage.ts";
import { Snapshot } from "../../../shared/snapshot.ts";
import type { Touch } from "../../../shared/physics/events/touches.ts";
import { grab, withGrab } from "./grab.ts";
import { NO_INPUT, type Scene, type SceneInput } from "./scene.ts";

/** Ticks that a run can go back. */
export const HISTORY_TICKS = 400;

/** Hashes before and after a rollback with resimulation; equal if the stage is exact. */
export interface Rollback {
  readonly ticks: number;
  readonly before: number;
  readonly after: number;
}

/**
 * What touched at the end of a tick's physics, copied: the stage has its list only within the tick.
 */
export type ShownTouch = Pick<Touch, "points" | "nx" | "ny" | "normalImpulse">;

export class SceneRun {
  readonly scene: Scene;
  readonly stage: Stage;
  /** By tick modulo HISTORY_TICKS: the state at the tick's end, and the input that led there. */
  readonly #snapshots: Snapshot[] = [];
  readonly #inputs: SceneInput[] = [];
  readonly #firstTick: number;
  #oldestTick: number;
  #touches: readonly ShownTouch[] = [];

  /** Starts the scene. */
  constructor(scene: Scene) {
    this.scene = scene;
    this.stage = new Stage(withGrab(scene.stage));
    scene.start(this.stage);
    this.stage.endTick();
    this.#firstTick = this.#oldestTick = this.stage.tick;
    this.#record(NO_INPUT);
  }

  /** The input of the last tick. */
  get input(): SceneInput {
    return this.#inputs[this.stage.tick % HISTORY_TICKS]!;
  }

  /** The hash of the present state, 32 bits. */
  get hash(): number {
    return hashOfSnapshot(this.#snapshots[this.stage.tick % HISTORY_TICKS]!);
  }

  /** How many ticks the run can go back now. */
  get ticksBack(): number {
    return this.stage.tick - this.#oldestTick;
  }

  /** Ticks since the start of the scene. */
  get ticks(): number {
    return this.stage.tick - this.#firstTick;
  }

  /** The entity that the view follows. */
  get followed(): Entity | undefined {
    return this.scene.follow?.(this.stage);
  }

  /** What touched in the last tick; empty after the way back. */
  get touches(): readonly ShownTouch[] {
    return this.#touches;
  }

  /** Runs one tick. */
  tick(input: SceneInput): void {
    const { stage, scene } = this;
    grab(stage, input, scene);
    scene.tick?.(stage, input);
    stage.advance();
    scene.afterStep?.(stage, input);
    this.#touches = stage.touches.filter(({ ended }) => !ended).map(
      ({ points, nx, ny, normalImpulse }) => {
        return { points: points.map(({ x, y }) => ({ x, y })), nx, ny, normalImpulse };
      },
    );
    stage.endTick();
    this.#record(input);
  }

  /**
   * Goes back, for good: the next tick takes a new input.
   * @param ticks at most `ticksBack` count
   */
  goBack(ticks: number): void {
    const back = Math.min(ticks, this.ticksBack);
    this.stage.load(this.#snapshots[(this.stage.tick - back) % HISTORY_TICKS]!);
    this.#touches = [];
  }

  /**
   * Goes back, and forward again with the recorded inputs.
   * @param ticks at most `ticksBack` count
   */
  rollBack(ticks: number): Rollback {
    const before = this.hash;
    const newest = this.stage.tick;
    this.goBack(ticks);
    const back = newest - this.stage.tick;
    while (this.stage.tick < newest) {
      this.tick(this.#inputs[(this.stage.tick + 1) % HISTORY_TICKS]!);
    }
    return { ticks: back, before, after: this.hash };
  }

  #record(input: SceneInput): void {
    const { tick } = this.stage;
    const at = tick % HISTORY_TICKS;
    this.stage.save(this.#snapshots[at] ??= new Snapshot());
    this.#inputs[at] = input;
    this.#oldestTick = Math.max(this.#oldestTick, tick - HISTORY_TICKS + 1);
  }
}
