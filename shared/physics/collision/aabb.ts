/**
 * The AABBs that the broad-phase compares. A slow body's AABB encloses its present pose: the
 * broad-phase's margin and the search of the next step cover its motion. A fast body's AABB
 * encloses all its poses from the start of the step to the end.
 *
 *     slow:   distance + rotation · extent ≤ fraction · inner radius of its thinnest shape
 */
import type { BroadPhase } from "./broad_phase.ts";
import * as bodyLayout from "../core/body_rows.ts";
import type { BodyTable } from "../core/body_rows.ts";
import {
  FIXTURE_INTS,
  FIXTURE_SHAPE,
  type FixtureTable,
  NEXT_FIXTURE,
} from "../core/fixture_rows.ts";
import * as shapeLayout from "../core/shape_rows.ts";
import { updateTransform } from "../core/body_transform.ts";

const { CENTER_X, CENTER_Y, ANGLE, COS, SIN, ORIGIN_X, ORIGIN_Y, LOCAL_CENTER_X, LOCAL_CENTER_Y } =
  bodyLayout;
const { CENTER_X0, CENTER_Y0, ANGLE0, ALPHA0, MAX_EXTENT, MAX_SLOW_MOTION, BODY_STRIDE } =
  bodyLayout;
const { BODY_INTS, BODY_FLAGS, FIRST_FIXTURE, NONE, FAST, MOVED, AABB_CURRENT } = bodyLayout;
const { SHAPE_TYPE, RADIUS, CORNER_COUNT, CENTROID_X, CENTROID_Y, IS_BOX, CORNERS, CORNER_STRIDE } =
  shapeLayout;
const { BOX_X, BOX_Y, BOX_AXIS_X, BOX_AXIS_Y, BOX_HALF_SIDES, CIRCLE, POLYGON } = shapeLayout;
const { CORNER_X, CORNER_Y, FACE_NORMAL_X, FACE_NORMAL_Y } = shapeLayout;

/**
 * Longest slow motion of a circle, as a fraction of its radius. At half a radius the centre cannot
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
  stepStart: new Float64Array(BODY_STRIDE),
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
  const b = row * BODY_STRIDE;
  return (ints[row * BODY_INTS + BODY_FLAGS]! & AABB_CURRENT) !== 0 &&
    Object.is(values[b + CENTER_X], x) &&
    Object.is(values[b + CENTER_Y], y) && Object.is(values[b + ANGLE], angle) &&
    values[b + CENTER_X0] === x &&
    values[b + CENTER_Y0] === y && values[b + ANGLE0] === angle && values[b + ALPHA0] === 0;
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
    let i = 0, corner = shape + CORNERS;
    i < shapes[shape + CORNER_COUNT]!;
    i++, corner += CORNER_STRIDE
  ) {
    const dx = shapes[corner + CORNER_X]! - centerX;
    const dy = shapes[corner + CORNER_Y]! - centerY;
    farthest = Math.max(farthest, Math.sqrt(dx * dx + dy * dy));
  }
  return shapes[shape + SHAPE_TYPE] === CIRCLE ? farthest + shapes[shape + RADIUS]! : farthest;
}

/** @returns the longest motion of a slow step for a body of this shape, metres */
export function maxSlowMotionOf(shapes: Float64Array, shape: number): number {
  const fraction = shapes[shape + SHAPE_TYPE] === CIRCLE
    ? CIRCLE_SLOW_FRACTION
    : CORNERED_SLOW_FRACTION;
  return fraction * innerRadius(shapes, shape);
}

/**
 * @returns the radius of the largest circle around the centroid inside the shape, metres; an edge's
 *   skin radius
 */
function innerRadius(shapes: Float64Array, shape: number): number {
  if (shapes[shape + SHAPE_TYPE] !== POLYGON) return shapes[shape + RADIUS]!;
  let nearest = Infinity;
  for (
    let i = 0, corner = shape + CORNERS;
    i < shapes[shape + CORNER_COUNT]!;
    i++, corner += CORNER_STRIDE
  ) {
    const dx = shapes[corner + CORNER_X]! - shapes[shape + CENTROID_X]!;
    const dy = shapes[corner + CORNER_Y]! - shapes[shape + CENTROID_Y]!;
    nearest = Math.min(
      nearest,
      shapes[corner + FACE_NORMAL_X]! * dx + shapes[corner + FACE_NORMAL_Y]! * dy,
    );
  }
  return nearest;
}

/**
 * Sets how far the body moved in this step: a function of its two poses.
 * @returns whether it has `MOVED` at all
 */
export function classifyMotion({ values, ints }: BodyTable, row: number): boolean {
  const b = row * BODY_STRIDE, at = row * BODY_INTS + BODY_FLAGS;
  const dx = values[b + CENTER_X]! - values[b + CENTER_X0]!;
  const dy = values[b + CENTER_Y]! - values[b + CENTER_Y0]!;
  const turned = rotationTravel(values, b);
  const remaining = values[b + MAX_SLOW_MOTION]! - turned;
  const squared = dx * dx + dy * dy;
  const isFast = !(remaining >= 0 && squared <= remaining * remaining);
  const hasMoved = isFast || squared > 0 || turned > 0;
  ints[at] = ints[at]! & ~(FAST | MOVED) | (isFast ? FAST : 0) | (hasMoved ? MOVED : 0);
  return hasMoved;
}

/**
 * @returns |rotation| · extent: the farthest point's travel in this step by rotation alone, metres
 */
function rotationTravel(values: Float64Array, b: number): number {
  return Math.abs(values[b + ANGLE]! - values[b + ANGLE0]!) * values[b + MAX_EXTENT]!;
}

/** @returns a bound of the way of a body's points from the start of its sweep to its end, metres */
export function travelOf(values: Float64Array, b: number): number {
  const dx = values[b + CENTER_X]! - values[b + CENTER_X0]!;
  const dy = values[b + CENTER_Y]! - values[b + CENTER_Y0]!;
  return Math.abs(dx) + Math.abs(dy) + rotationTravel(values, b);
}

/** Sets the AABBs of a slow body: at its present pose. */
export function updateAabb(world: AabbWorld, row: number, broadPhase: BroadPhase): void {
  world.bodies.ints[row * BODY_INTS + BODY_FLAGS]! |= AABB_CURRENT;
  updateFixtureAabbs(world, row, broadPhase, false);
}

/**
 * Sets the AABBs of a fast body: around its poses at the start of the step and now, and in between.
 * A point's coordinate there is off the line between both ends by at most (turn² / 8) · extent.
 */
export function updateSweptAabb(world: AabbWorld, row: number, broadPhase: BroadPhase): void {
  const { stepStart, bulge } = scratch;
  const { values, ints } = world.bodies;
  const b = row * BODY_STRIDE;
  ints[row * BODY_INTS + BODY_FLAGS]! &= ~AABB_CURRENT;
  stepStart[CENTER_X] = values[b + CENTER_X0]!;
  stepStart[CENTER_Y] = values[b + CENTER_Y0]!;
  stepStart[ANGLE] = values[b + ANGLE0]!;
  stepStart[LOCAL_CENTER_X] = values[b + LOCAL_CENTER_X]!;
  stepStart[LOCAL_CENTER_Y] = values[b + LOCAL_CENTER_Y]!;
  updateTransform(stepStart, 0);
  const turn = values[b + ANGLE]! - values[b + ANGLE0]!;
  bulge[0] = turn * turn / 8 * values[b + MAX_EXTENT]!;
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
  let fixture = bodies.ints[row * BODY_INTS + FIRST_FIXTURE]!;
  for (; fixture !== NONE; fixture = fixtures.ints[fixture * FIXTURE_INTS + NEXT_FIXTURE]!) {
    const shape = fixtures.ints[fixture * FIXTURE_INTS + FIXTURE_SHAPE]!;
    bounds[LEFT] = bounds[BOTTOM] = Infinity;
    bounds[RIGHT] = bounds[TOP] = -Infinity;
    extendBounds(shapes, shape, bodies.values, row * BODY_STRIDE);
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
  if (shapes[shape + IS_BOX] === 1) return extendByBox(shapes, shape, values, b);
  const c = values[b + COS]!;
  const s = values[b + SIN]!;
  const radius = shapes[shape + RADIUS]!;
  for (
    let i = 0, corner = shape + CORNERS;
    i < shapes[shape + CORNER_COUNT]!;
    i++, corner += CORNER_STRIDE
  ) {
    const localX = shapes[corner + CORNER_X]!, localY = shapes[corner + CORNER_Y]!;
    const x = c * localX - s * localY + values[b + ORIGIN_X]!;
    const y = s * localX + c * localY + values[b + ORIGIN_Y]!;
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
  const localX = shapes[shape + BOX_X]!, localY = shapes[shape + BOX_Y]!;
  const axisX = shapes[shape + BOX_AXIS_X]!, axisY = shapes[shape + BOX_AXIS_Y]!;
  const c = values[b + COS]!;
  const s = values[b + SIN]!;
  const radius = shapes[shape + RADIUS]!;
  const x = c * localX - s * localY + values[b + ORIGIN_X]!;
  const y = s * localX + c * localY + values[b + ORIGIN_Y]!;
  const ux = Math.abs(c * axisX - s * axisY), uy = Math.abs(s * axisX + c * axisY);
  const first = shapes[shape + BOX_HALF_SIDES]!;
  const second = shapes[shape + BOX_HALF_SIDES + 1]!;
  const extentX = first * ux + second * uy + radius;
  const extentY = first * uy + second * ux + radius;
  bounds[LEFT] = Math.min(bounds[LEFT]!, x - extentX);
  bounds[BOTTOM] = Math.min(bounds[BOTTOM]!, y - extentY);
  bounds[RIGHT] = Math.max(bounds[RIGHT]!, x + extentX);
  bounds[TOP] = Math.max(bounds[TOP]!, y + extentY);
}
