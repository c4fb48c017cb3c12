/**
 * The AABBs that the broad-phase compares. A slow body's AABB encloses its present pose: the
 * broad-phase's margin and the search of the next step cover its motion. A fast body's AABB
 * encloses all its poses from the start of the step to the end.
 *
 *     slow:   distance + rotation · extent ≤ fraction · inner radius of its thinnest shape
 */
import type { BroadPhase } from "./broad_phase.ts";
import { Body, BodyFlag, BodyInt, type BodyTable, NONE } from "../core/body_rows.ts";
import { FixtureInt, type FixtureTable } from "../core/fixture_rows.ts";
import { Corner, ShapeType, ShapeValue } from "../core/shape_rows.ts";
import { updateTransform } from "../core/body_transform.ts";

/**
 * Longest slow motion of a circle or a rounded shape, as a fraction of its radius. At half a radius the centre cannot
 * pass a surface unseen, and the time of impact is measured from the centre.
 */
const CIRCLE_SLOW_FRACTION = 0.5;
/**
 * The same for polygons and edges, as a fraction of the inner radius. Their times of impact are
 * measured between outlines, and overlapping outlines have none. A body that has sunk into a thin
 * wall would tunnel at a push.
 */
const CORNERED_SLOW_FRACTION = 0.1;

/** Places in `scratch.bounds`: the sides of an AABB, metres. */
const LEFT = 0;
const BOTTOM = 1;
const RIGHT = 2;
const TOP = 3;

const scratch = {
  /** Written by `updateFixtureAabbs` and `extendBounds`, read by them and by `moveProxy`. */
  bounds: new Float64Array(4),
  /**
   * A body's transform at the start of the step. Written by `updateSweptAabb`, read by
   * `extendBounds`.
   */
  stepStart: new Float64Array(Body.STRIDE),
  /**
   * How far points of the body leave the line between both ends, metres. Written by
   * `updateSweptAabb`, read by `updateFixtureAabbs`.
   */
  bulge: new Float64Array(1),
};

/** The rows that AABBs follow from. */
export interface AabbWorld {
  readonly bodies: BodyTable;
  readonly fixtures: FixtureTable;
  readonly shapes: Float64Array;
}

/**
 * Whether pose, pose at the start of the step, and AABBs are exactly those of this centre and
 * angle.
 */
export function isExactlyAt(
  { values, ints }: BodyTable,
  row: number,
  x: number,
  y: number,
  angle: number,
): boolean {
  const b = row * Body.STRIDE;
  return (ints[row * BodyInt.STRIDE + BodyInt.FLAGS]! & BodyFlag.AABB_CURRENT) !== 0 &&
    Object.is(values[b + Body.CENTER_X], x) &&
    Object.is(values[b + Body.CENTER_Y], y) && Object.is(values[b + Body.ANGLE], angle) &&
    values[b + Body.CENTER_X0] === x &&
    values[b + Body.CENTER_Y0] === y && values[b + Body.ANGLE0] === angle &&
    values[b + Body.ALPHA0] === 0;
}

/** @returns the distance of the shape's farthest point from the centre of mass, metres */
export function extentOf(
  shapes: Float64Array,
  shape: number,
  centerX: number,
  centerY: number,
): number {
  let farthest = 0;
  for (
    let i = 0, corner = shape + ShapeValue.CORNERS;
    i < shapes[shape + ShapeValue.CORNER_COUNT]!;
    i++, corner += Corner.STRIDE
  ) {
    const dx = shapes[corner + Corner.X]! - centerX;
    const dy = shapes[corner + Corner.Y]! - centerY;
    farthest = Math.max(farthest, Math.sqrt(dx * dx + dy * dy));
  }
  return shapes[shape + ShapeValue.TYPE] === ShapeType.CIRCLE
    ? farthest + shapes[shape + ShapeValue.RADIUS]!
    : farthest;
}

/** @returns the longest motion of a slow step for a body of this shape, metres */
export function maxSlowMotionOf(shapes: Float64Array, shape: number): number {
  const type = shapes[shape + ShapeValue.TYPE]!;
  const inside = CORNERED_SLOW_FRACTION * innerRadius(shapes, shape);
  if (type === ShapeType.EDGE || type === ShapeType.POLYGON) return inside;
  return Math.max(CIRCLE_SLOW_FRACTION * shapes[shape + ShapeValue.RADIUS]!, inside);
}

/**
 * @returns the radius of the largest circle around the centroid inside the hull, metres; of a
 *   circle and an edge, that of the shape or its skin
 */
function innerRadius(shapes: Float64Array, shape: number): number {
  const type = shapes[shape + ShapeValue.TYPE]!;
  if (type === ShapeType.CIRCLE || type === ShapeType.EDGE) {
    return shapes[shape + ShapeValue.RADIUS]!;
  }
  let nearest = Infinity;
  for (
    let i = 0, corner = shape + ShapeValue.CORNERS;
    i < shapes[shape + ShapeValue.CORNER_COUNT]!;
    i++, corner += Corner.STRIDE
  ) {
    const dx = shapes[corner + Corner.X]! - shapes[shape + ShapeValue.CENTROID_X]!;
    const dy = shapes[corner + Corner.Y]! - shapes[shape + ShapeValue.CENTROID_Y]!;
    nearest = Math.min(
      nearest,
      shapes[corner + Corner.NORMAL_X]! * dx + shapes[corner + Corner.NORMAL_Y]! * dy,
    );
  }
  return nearest;
}

/**
 * Sets how far the body moved in this step: a function of its two poses.
 * @returns whether it has `BodyFlag.MOVED` at all
 */
export function classifyMotion({ values, ints }: BodyTable, row: number): boolean {
  const b = row * Body.STRIDE, at = row * BodyInt.STRIDE + BodyInt.FLAGS;
  const dx = values[b + Body.CENTER_X]! - values[b + Body.CENTER_X0]!;
  const dy = values[b + Body.CENTER_Y]! - values[b + Body.CENTER_Y0]!;
  const turned = rotationTravel(values, b);
  const remaining = values[b + Body.MAX_SLOW_MOTION]! - turned;
  const squared = dx * dx + dy * dy;
  const isFast = !(remaining >= 0 && squared <= remaining * remaining);
  const hasMoved = isFast || squared > 0 || turned > 0;
  ints[at] = ints[at]! & ~(BodyFlag.FAST | BodyFlag.MOVED) | (isFast ? BodyFlag.FAST : 0) |
    (hasMoved ? BodyFlag.MOVED : 0);
  return hasMoved;
}

/**
 * @returns |rotation| · extent: the farthest point's travel in this step by rotation alone, metres
 */
function rotationTravel(values: Float64Array, b: number): number {
  return Math.abs(values[b + Body.ANGLE]! - values[b + Body.ANGLE0]!) *
    values[b + Body.MAX_EXTENT]!;
}

/** @returns a bound of the way of a body's points from the start of its sweep to its end, metres */
export function travelOf(values: Float64Array, b: number): number {
  const dx = values[b + Body.CENTER_X]! - values[b + Body.CENTER_X0]!;
  const dy = values[b + Body.CENTER_Y]! - values[b + Body.CENTER_Y0]!;
  return Math.abs(dx) + Math.abs(dy) + rotationTravel(values, b);
}

/** Sets the AABBs of a slow body: at its present pose. */
export function updateAabb(world: AabbWorld, row: number, broadPhase: BroadPhase): void {
  world.bodies.ints[row * BodyInt.STRIDE + BodyInt.FLAGS]! |= BodyFlag.AABB_CURRENT;
  updateFixtureAabbs(world, row, broadPhase, false);
}

/**
 * Sets the AABBs of a fast body: around its poses at the start of the step and now, and in between.
 * A point's coordinate there is off the line between both ends by at most (turn² / 8) · extent.
 */
export function updateSweptAabb(world: AabbWorld, row: number, broadPhase: BroadPhase): void {
  const { stepStart, bulge } = scratch;
  const { values, ints } = world.bodies;
  const b = row * Body.STRIDE;
  ints[row * BodyInt.STRIDE + BodyInt.FLAGS]! &= ~BodyFlag.AABB_CURRENT;
  stepStart[Body.CENTER_X] = values[b + Body.CENTER_X0]!;
  stepStart[Body.CENTER_Y] = values[b + Body.CENTER_Y0]!;
  stepStart[Body.ANGLE] = values[b + Body.ANGLE0]!;
  stepStart[Body.LOCAL_CENTER_X] = values[b + Body.LOCAL_CENTER_X]!;
  stepStart[Body.LOCAL_CENTER_Y] = values[b + Body.LOCAL_CENTER_Y]!;
  updateTransform(stepStart, 0);
  const turn = values[b + Body.ANGLE]! - values[b + Body.ANGLE0]!;
  bulge[0] = turn * turn / 8 * values[b + Body.MAX_EXTENT]!;
  updateFixtureAabbs(world, row, broadPhase, true);
}

function updateFixtureAabbs(
  world: AabbWorld,
  row: number,
  broadPhase: BroadPhase,
  isSwept: boolean,
): void {
  const { bounds, stepStart, bulge } = scratch;
  const { bodies, fixtures, shapes } = world;
  let fixture = bodies.ints[row * BodyInt.STRIDE + BodyInt.FIRST_FIXTURE]!;
  for (
    ;
    fixture !== NONE;
    fixture = fixtures.ints[fixture * FixtureInt.STRIDE + FixtureInt.NEXT]!
  ) {
    const shape = fixtures.ints[fixture * FixtureInt.STRIDE + FixtureInt.SHAPE]!;
    bounds[LEFT] = bounds[BOTTOM] = Infinity;
    bounds[RIGHT] = bounds[TOP] = -Infinity;
    extendBounds(shapes, shape, bodies.values, row * Body.STRIDE);
    if (isSwept) {
      extendBounds(shapes, shape, stepStart, 0);
      bounds[LEFT] -= bulge[0]!;
      bounds[BOTTOM] -= bulge[0]!;
      bounds[RIGHT] += bulge[0]!;
      bounds[TOP] += bulge[0]!;
    }
    broadPhase.moveProxy(fixture, bounds);
  }
}

/** Extends `bounds` by a shape at a body's transform. */
function extendBounds(shapes: Float64Array, shape: number, values: Float64Array, b: number): void {
  const { bounds } = scratch;
  if (shapes[shape + ShapeValue.IS_BOX] === 1) return extendByBox(shapes, shape, values, b);
  const c = values[b + Body.COS]!;
  const s = values[b + Body.SIN]!;
  const radius = shapes[shape + ShapeValue.RADIUS]!;
  for (
    let i = 0, corner = shape + ShapeValue.CORNERS;
    i < shapes[shape + ShapeValue.CORNER_COUNT]!;
    i++, corner += Corner.STRIDE
  ) {
    const localX = shapes[corner + Corner.X]!, localY = shapes[corner + Corner.Y]!;
    const x = c * localX - s * localY + values[b + Body.ORIGIN_X]!;
    const y = s * localX + c * localY + values[b + Body.ORIGIN_Y]!;
    bounds[LEFT] = Math.min(bounds[LEFT]!, x - radius);
    bounds[BOTTOM] = Math.min(bounds[BOTTOM]!, y - radius);
    bounds[RIGHT] = Math.max(bounds[RIGHT]!, x + radius);
    bounds[TOP] = Math.max(bounds[TOP]!, y + radius);
  }
}

/**
 * Extends `bounds` by a box: extent along a world axis = sum of half side · |component of the
 * side's direction|.
 */
function extendByBox(shapes: Float64Array, shape: number, values: Float64Array, b: number): void {
  const { bounds } = scratch;
  const localX = shapes[shape + ShapeValue.BOX_X]!, localY = shapes[shape + ShapeValue.BOX_Y]!;
  const axisX = shapes[shape + ShapeValue.BOX_AXIS_X]!;
  const axisY = shapes[shape + ShapeValue.BOX_AXIS_Y]!;
  const c = values[b + Body.COS]!;
  const s = values[b + Body.SIN]!;
  const radius = shapes[shape + ShapeValue.RADIUS]!;
  const x = c * localX - s * localY + values[b + Body.ORIGIN_X]!;
  const y = s * localX + c * localY + values[b + Body.ORIGIN_Y]!;
  const ux = Math.abs(c * axisX - s * axisY), uy = Math.abs(s * axisX + c * axisY);
  const first = shapes[shape + ShapeValue.BOX_HALF_SIDES]!;
  const second = shapes[shape + ShapeValue.BOX_HALF_SIDES + 1]!;
  const extentX = first * ux + second * uy + radius;
  const extentY = first * uy + second * ux + radius;
  bounds[LEFT] = Math.min(bounds[LEFT]!, x - extentX);
  bounds[BOTTOM] = Math.min(bounds[BOTTOM]!, y - extentY);
  bounds[RIGHT] = Math.max(bounds[RIGHT]!, x + extentX);
  bounds[TOP] = Math.max(bounds[TOP]!, y + extentY);
}
