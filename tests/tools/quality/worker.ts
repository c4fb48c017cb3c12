/** Measures one engine, in a worker of its own (`engines.ts`). */
import { ENGINES } from "../engines/engines.ts";
import type { Engine, EngineName } from "../engines/scene.ts";
import { heightsOf, measureBounces } from "./measures/bounces.ts";
import { measureChains } from "./measures/chains.ts";
import { measureClosedBox } from "./measures/closed_box.ts";
import { measureJoints } from "./measures/joints.ts";
import { measureMoving } from "./measures/moving.ts";
import { measureSinking } from "./measures/sinking.ts";
import { measureStanding } from "./measures/standing.ts";

/** How much is measured. */
export interface Extent {
  /** Drop heights, at least 2. */
  readonly heights: number;
  /** Seconds of the scenes that run for long. */
  readonly seconds: number;
}

export interface Request extends Extent {
  readonly engine: EngineName;
  /** Measures nothing but how deep bodies sink. */
  readonly onlySinking?: boolean;
}

/** Measures everything. @returns the figures of one engine */
export function measureQuality(engine: Engine, { heights, seconds }: Extent) {
  return {
    ...measureBounces(engine, heightsOf(heights)),
    ...measureClosedBox(engine, seconds),
    ...measureJoints(engine, seconds / 2),
    ...measureStanding(engine, seconds),
    ...measureMoving(engine, seconds / 2),
    ...measureChains(engine, seconds),
    sinking: measureSinking(engine),
  };
}

export type Quality = ReturnType<typeof measureQuality>;

self.addEventListener("message", async ({ data }: MessageEvent<Request>) => {
  const engine = await ENGINES[data.engine]();
  const figures = data.onlySinking
    ? { sinking: measureSinking(engine) }
    : measureQuality(engine, data);
  (self as unknown as Worker).postMessage(figures);
});
