/**
 * What follows from the fixtures of a body that are switched on: its mass, and how far it reaches.
 */
import { Body, MotionType } from "../core/body_rows.ts";
import { extentOf, maxSlowMotionOf } from "../collision/aabb.ts";
import type { RoundedGeometry } from "../geometry/collide.ts";
import { type MassiveFixture, massOf } from "../geometry/mass.ts";

/** The fixtures of a body, and what else decides its mass. */
export interface MassSource {
  /** A `MotionType`: only a dynamic body has mass. */
  readonly type: number;
  readonly fixedRotation: boolean;
  /** Those that are switched on, in the order of their declaration. */
  readonly fixtures: readonly MassiveFixture[];
  /** The rows of all shapes. */
  readonly shapes: Float64Array;
  /** Needed if one of them is rounded. */
  readonly rounded: RoundedGeometry | undefined;
}

/** The mass of a body that no force moves, about its origin. */
const IMMOVABLE = { inverseMass: 0, inverseInertia: 0, centerX: 0, centerY: 0 };

/**
 * Sets mass, centre of mass and reach in a body's row. Its transform must follow.
 * @param b offset of the row in `values`
 */
export function setMass(
  values: Float64Array,
  b: number,
  { type, fixedRotation, fixtures, shapes, rounded }: MassSource,
): void {
  const { inverseMass, inverseInertia, centerX, centerY } = type === MotionType.DYNAMIC
    ? massOf(shapes, fixtures, fixedRotation, rounded?.addMass)
    : IMMOVABLE;
  values[b + Body.INVERSE_MASS] = inverseMass;
  values[b + Body.INVERSE_INERTIA] = inverseInertia;
  values[b + Body.LOCAL_CENTER_X] = centerX;
  values[b + Body.LOCAL_CENTER_Y] = centerY;

  // How far its shapes reach, and how fast it may move without a search for impacts
  let extent = 0;
  let slowMotion = Infinity;
  for (const { shape } of fixtures) {
    extent = Math.max(extent, extentOf(shapes, shape, centerX, centerY));
    slowMotion = Math.min(slowMotion, maxSlowMotionOf(shapes, shape));
  }
  values[b + Body.MAX_EXTENT] = extent;
  values[b + Body.MAX_SLOW_MOTION] = slowMotion;
}
