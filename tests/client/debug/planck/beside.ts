/** Steps a stage with planck beside it. */
import { PlanckWorld } from "../../../../client/debug/planck/planck_world.ts";
import type { PlanckBody } from "../../../../client/debug/planck/planck_messages.ts";
import { type Archetype, archetype, type StageDef } from "../../../../shared/physics/core/types.ts";
import { Stage } from "../../../../shared/physics/stage/stage.ts";

export const CRATE = archetype({
  name: "crate",
  fields: {},
  body: { fixtures: [{ shape: { box: [0.6, 0.4] } }] },
});

/** A floor whose top is at 0, 20 Hz with two world steps. */
export function floorWith(
  archetypes: readonly Archetype[],
  others: Partial<StageDef> = {},
): Stage {
  return new Stage({
    gravity: 10,
    tickHz: 20,
    substeps: 2,
    ground: [{ shape: { box: [40, 0.5], y: -0.5 } }],
    archetypes,
    fields: {},
    ...others,
  });
}

/** The rules of a test. */
interface Rules {
  readonly before?: (stage: Stage, tick: number) => void;
  readonly after?: (stage: Stage, tick: number) => void;
}

/**
 * Ends the tick of the spawns, and steps.
 * @returns the dynamic bodies after the last tick, ascending by id
 */
export function stepBeside(
  stage: Stage,
  ticks: number,
  { before, after }: Rules = {},
): readonly PlanckBody[] {
  stage.endTick();
  const world = new PlanckWorld(stage);
  let bodies: readonly PlanckBody[] = [];
  for (let tick = 1; tick <= ticks; tick++) {
    before?.(stage, tick);
    world.beforeAdvance();
    stage.advance();
    world.afterAdvance();
    bodies = world.bodies();
    after?.(stage, tick);
    stage.endTick();
  }
  return bodies;
}

/** The largest distance between planck's bodies and the stage's, metres. */
export function farthestOf(bodies: readonly PlanckBody[]): number {
  return Math.max(0, ...bodies.map(({ metres }) => metres));
}
