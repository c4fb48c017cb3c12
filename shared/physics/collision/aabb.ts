/**
 * The AABBs that the broad-phase compares. A slow body's AABB encloses its present pose: the broad-phase's margin and
 * the search of the next step cover its motion. A fast body's AABB encloses its poses at both ends of the step.
 *
 *     slow:   distance + rotation · extent ≤ fraction · inner radius of its thinnest shape
 */
import type { BroadPhase } from "./broad_phase.ts";
import * as bodyLayout from "../core/body_rows.ts";
import type { BodyRow } from "../core/body_rows.ts";
import { updateTransform } from "../core/body_transform.ts";
import { AXIS_X, AXIS_Y, boxOf, HALF_SIDES, X, Y } from "./collide_boxes.ts";
import {
  type Bounds,
  LINEAR_SLOP,
  type PlanckBody,
  type PlanckPolygon,
  type PlanckShape,
  type Vector,
} from "../planck/planck.ts";

const { CENTER_X, CENTER_Y, ANGLE, COS, SIN, ORIGIN_X, ORIGIN_Y, LOCAL_CENTER_X, LOCAL_CENTER_Y } = bodyLayout;
const { CENTER_X0, CENTER_Y0, ANGLE0, ALPHA0, MAX_EXTENT, MAX_SLOW_MOTION } = bodyLayout;

/**
 * Longest slow motion of a circle, as a fraction of its radius. At half a radius the centre cannot pass a surface
 * unseen, and the time of impact is measured from the centre.
 */
const CIRCLE_SLOW_FRACTION = 0.5;
/**
 * The same for polygons and edges, as a fraction of the inner radius. Their times of impact are measured between
 * outlines, and overlapping outlines have none. A body that has sunk into a thin wall would tunnel at a push.
 */
const CORNERED_SLOW_FRACTION = 0.1;

/**
 * Metres: half of the depth at which a time of impact stops two bodies, 3 · b2_linearSlop. Two bodies that move less do
 * not get that deep within a step.
 */
const IMPACT_MOTION_MIN = 1.5 * LINEAR_SLOP;

const bounds: Bounds = { lowerBound: { x: 0.5, y: 0.5 }, upperBound: { x: 0.5, y: 0.5 } };
/** Scratch: a body's transform at the start of the step. */
const stepStart: BodyRow = { values: new Float64Array(bodyLayout.BODY_STRIDE), offset: 0 };

/** Sets the stage's own properties of a new body that has all its fixtures, among them extent and slow motion. */
export function prepareBody(body: PlanckBody, broadPhase: BroadPhase): void {
  let maxExtent = 0, maxSlowMotion = Infinity;
  for (let fixture = body.m_fixtureList; fixture !== null; fixture = fixture.m_next) {
    maxExtent = Math.max(maxExtent, extentOf(fixture.m_shape, body.m_sweep.localCenter));
    maxSlowMotion = Math.min(maxSlowMotion, maxSlowMotionOf(fixture.m_shape));
  }
  const { values, offset } = body;
  values[offset + MAX_EXTENT] = maxExtent;
  values[offset + MAX_SLOW_MOTION] = maxSlowMotion;
  body.isFast = body.hasMoved = false;
  body.aabbIsCurrent = true;
  body.newestContactEvent = undefined;
  const onlyFixture = body.m_fixtureList?.m_next === null ? body.m_fixtureList : undefined;
  body.onlyShape = onlyFixture?.m_shape;
  body.onlyProxy = onlyFixture?.m_proxies[0].proxyId ?? -1;
  // planck calls it for a body that a time of impact has moved.
  body.synchronizeFixtures = () => updateSweptAabb(body, broadPhase);
}

/** Whether pose, pose at the start of the step, and AABBs are exactly those of this centre and angle. */
export function isExactlyAt(
  { values, offset, aabbIsCurrent }: PlanckBody,
  x: number,
  y: number,
  angle: number,
): boolean {
  return aabbIsCurrent && Object.is(values[offset + CENTER_X], x) && Object.is(values[offset + CENTER_Y], y) &&
    Object.is(values[offset + ANGLE], angle) && values[offset + CENTER_X0] === x && values[offset + CENTER_Y0] === y &&
    values[offset + ANGLE0] === angle && values[offset + ALPHA0] === 0;
}

/** @returns the distance of the shape's farthest point from the centre of mass, metres */
function extentOf(shape: PlanckShape, center: Vector): number {
  if (shape.m_type === "circle") return distance(shape.m_p, center) + shape.m_radius;
  if (shape.m_type === "edge") return Math.max(distance(shape.m_vertex1, center), distance(shape.m_vertex2, center));
  let farthest = 0;
  for (const vertex of shape.m_vertices) farthest = Math.max(farthest, distance(vertex, center));
  return farthest;
}

function maxSlowMotionOf(shape: PlanckShape): number {
  return (shape.m_type === "circle" ? CIRCLE_SLOW_FRACTION : CORNERED_SLOW_FRACTION) * innerRadius(shape);
}

/** @returns the radius of the largest circle around the centroid inside the shape, metres; an edge's skin radius */
function innerRadius(shape: PlanckShape): number {
  if (shape.m_type !== "polygon") return shape.m_radius;
  let nearest = Infinity;
  for (let i = 0; i < shape.m_count; i++) {
    const { x, y } = shape.m_normals[i]!, vertex = shape.m_vertices[i]!, middle = shape.m_centroid;
    nearest = Math.min(nearest, x * (vertex.x - middle.x) + y * (vertex.y - middle.y));
  }
  return nearest;
}

function distance(a: Vector, b: Vector): number {
  const dx = a.x - b.x, dy = a.y - b.y;
  return Math.sqrt(dx * dx + dy * dy);
}

/** Sets how far the body moved in this step: a function of its two poses. */
export function classifyMotion(body: PlanckBody): void {
  const { values, offset } = body;
  const dx = values[offset + CENTER_X]! - values[offset + CENTER_X0]!;
  const dy = values[offset + CENTER_Y]! - values[offset + CENTER_Y0]!;
  const turned = rotationTravel(body), remaining = values[offset + MAX_SLOW_MOTION]! - turned;
  const squared = dx * dx + dy * dy;
  body.isFast = !(remaining >= 0 && squared <= remaining * remaining);
  body.hasMoved = body.isFast || squared + turned * turned > IMPACT_MOTION_MIN * IMPACT_MOTION_MIN;
}

/** @returns |rotation| · extent: the farthest point's travel in this step by rotation alone, metres */
export function rotationTravel({ values, offset }: PlanckBody): number {
  return Math.abs(values[offset + ANGLE]! - values[offset + ANGLE0]!) * values[offset + MAX_EXTENT]!;
}

/** Sets the AABBs of a slow body: at its present pose. */
export function updateAabb(body: PlanckBody, broadPhase: BroadPhase): void {
  body.aabbIsCurrent = true;
  updateFixtureAabbs(body, body, broadPhase);
}

/** Sets the AABBs of a fast body: around its poses at the start of the step and now. */
export function updateSweptAabb(body: PlanckBody, broadPhase: BroadPhase): void {
  body.aabbIsCurrent = false;
  const { values, offset } = body, { values: earlier } = stepStart;
  earlier[CENTER_X] = values[offset + CENTER_X0]!;
  earlier[CENTER_Y] = values[offset + CENTER_Y0]!;
  earlier[ANGLE] = values[offset + ANGLE0]!;
  earlier[LOCAL_CENTER_X] = values[offset + LOCAL_CENTER_X]!;
  earlier[LOCAL_CENTER_Y] = values[offset + LOCAL_CENTER_Y]!;
  updateTransform(stepStart);
  updateFixtureAabbs(body, stepStart, broadPhase);
}

/** @param from the body itself, or its transform at the start of the step */
function updateFixtureAabbs(body: PlanckBody, from: BodyRow, broadPhase: BroadPhase): void {
  if (body.onlyShape !== undefined) {
    setBounds(body.onlyShape, body, from);
    return broadPhase.moveProxy(body.onlyProxy, bounds);
  }
  for (let fixture = body.m_fixtureList; fixture !== null; fixture = fixture.m_next) {
    setBounds(fixture.m_shape, body, from);
    broadPhase.moveProxy(fixture.m_proxies[0].proxyId, bounds);
  }
}

/** Sets `bounds` around the shape at both transforms. */
function setBounds(shape: PlanckShape, body: BodyRow, from: BodyRow): void {
  resetBounds();
  extendBounds(shape, body);
  if (from !== body) extendBounds(shape, from);
}

function resetBounds(): void {
  bounds.lowerBound.x = bounds.lowerBound.y = Infinity;
  bounds.upperBound.x = bounds.upperBound.y = -Infinity;
}

function extendBounds(shape: PlanckShape, body: BodyRow): void {
  if (shape.m_type === "circle") return extendBy(shape.m_p, body, shape);
  if (shape.m_type === "edge") {
    extendBy(shape.m_vertex1, body, shape);
    return extendBy(shape.m_vertex2, body, shape);
  }
  if (boxOf(shape).length > 0) return extendByBox(shape, body);
  const { m_vertices: vertices, m_count: count } = shape;
  for (let i = 0; i < count; i++) extendBy(vertices[i]!, body, shape);
}

function extendBy(local: Vector, { values, offset }: BodyRow, { m_radius: radius }: PlanckShape): void {
  const c = values[offset + COS]!, s = values[offset + SIN]!;
  const x = c * local.x - s * local.y + values[offset + ORIGIN_X]!;
  const y = s * local.x + c * local.y + values[offset + ORIGIN_Y]!;
  const { lowerBound: lower, upperBound: upper } = bounds;
  lower.x = Math.min(lower.x, x - radius);
  lower.y = Math.min(lower.y, y - radius);
  upper.x = Math.max(upper.x, x + radius);
  upper.y = Math.max(upper.y, y + radius);
}

/** Extends `bounds` by a box: extent along a world axis = sum of half side · |component of the side's direction|. */
function extendByBox({ box, m_radius: radius }: PlanckPolygon, { values, offset }: BodyRow): void {
  const localX = box![X]!, localY = box![Y]!, axisX = box![AXIS_X]!, axisY = box![AXIS_Y]!;
  const c = values[offset + COS]!, s = values[offset + SIN]!;
  const x = c * localX - s * localY + values[offset + ORIGIN_X]!,
    y = s * localX + c * localY + values[offset + ORIGIN_Y]!;
  const ux = Math.abs(c * axisX - s * axisY), uy = Math.abs(s * axisX + c * axisY);
  const first = box![HALF_SIDES]!, second = box![HALF_SIDES + 1]!;
  const extentX = first * ux + second * uy + radius, extentY = first * uy + second * ux + radius;
  const { lowerBound: lower, upperBound: upper } = bounds;
  lower.x = Math.min(lower.x, x - extentX);
  lower.y = Math.min(lower.y, y - extentY);
  upper.x = Math.max(upper.x, x + extentX);
  upper.y = Math.max(upper.y, y + extentY);
}
