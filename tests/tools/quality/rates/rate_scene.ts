/**
 * What a rate carries: scenes of loads, joints and heroes, each with one figure that says how far it
 * is from what its author has built. A scene runs on the stage alone, because it uses what the other
 * engines do not declare alike.
 */
import type { StageDef } from "../../../../shared/physics/core/types.ts";
import { chains } from "../../../../shared/physics/chains/feature.ts";
import { joints } from "../../../../shared/physics/joints/feature.ts";
import { Stage } from "../../../../shared/physics/stage/stage.ts";
import type { Rate } from "../../engines/scene.ts";

/** A scene with one figure. */
export interface RateScene {
  /** The row of the table. */
  readonly id: string;
  /** What it is, for an author. */
  readonly what: string;
  /** What the figure is, with its unit. */
  readonly figure: string;
  /** The figure up to which the scene holds. */
  readonly most: number;
  /** Runs the scene. @returns its figure; Infinity for what has fallen down altogether */
  measure(rate: Rate): number;
}

/** @returns a stage at this rate, with all features that the scenes use */
export function stageAt(
  rate: Rate,
  def: Pick<StageDef, "ground" | "archetypes"> & Partial<StageDef>,
): Stage {
  return new Stage({
    gravity: 10,
    features: [chains, joints],
    fields: {},
    ...def,
    ...rate,
  });
}

/**
 * Advances a stage by so many seconds.
 * @param rules run before each tick; @param look after each
 */
export function run(
  stage: Stage,
  { tickHz }: Rate,
  seconds: number,
  { rules, look }: { readonly rules?: () => void; readonly look?: (tick: number) => void } = {},
): void {
  const ticks = Math.round(seconds * tickHz);
  for (let tick = 0; tick < ticks; tick++) {
    rules?.();
    stage.advance();
    stage.endTick();
    look?.(tick);
  }
}

/** Degrees of an angle in radians. */
export const degrees = (radians: number): number => radians * 180 / Math.PI;
