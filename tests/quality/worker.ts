/**
 * Measures one engine. It is a worker of its own, because a stage replaces a function of planck's, and stock planck
 * must keep it.
 */
import { heightsOf, measureBounces } from "./measures/bounces.ts";
import { measureClosedBox } from "./measures/closed_box.ts";
import { measureJoints } from "./measures/joints.ts";
import { measureMoving } from "./measures/moving.ts";
import { measureStanding } from "./measures/standing.ts";
import type { Engine, EngineName } from "./scene.ts";

/** Each imports its engine lazily, so that no worker has two. */
const ENGINES: Readonly<Record<EngineName, () => Promise<Engine>>> = {
  stage: async () => (await import("./engines/stage_engine.ts")).stageEngine,
  planck: async () => (await import("./engines/planck_engine.ts")).planckEngine,
  box2dWasm: async () => (await import("./engines/box2d_engine.ts")).box2dEngine,
  rapier: async () => (await import("./engines/rapier_engine.ts")).rapierEngine,
};

/** How much is measured. */
export interface Extent {
  /** Drop heights, at least 2. */
  readonly heights: number;
  /** Seconds of the scenes that run for long. */
  readonly seconds: number;
}

export interface Request extends Extent {
  readonly engine: EngineName;
}

/** Measures everything. @returns the figures of one engine */
export function measureQuality(engine: Engine, { heights, seconds }: Extent) {
  return {
    ...measureBounces(engine, heightsOf(heights)),
    ...measureClosedBox(engine, seconds),
    ...measureJoints(engine, seconds / 2),
    ...measureStanding(engine, seconds),
    ...measureMoving(engine, seconds / 2),
  };
}

export type Quality = ReturnType<typeof measureQuality>;

self.addEventListener("message", async ({ data }: MessageEvent<Request>) => {
  (self as unknown as Worker).postMessage(measureQuality(await ENGINES[data.engine](), data));
});
