/**
 * The boxes that the broad-phase compares. A body that moves slowly is boxed where it is; the broad-phase's margin and the next
 * step's look cover the way there. A fast one is boxed along its way, from the step's begin to its end, so that nothing which it
 * passes is missed.
 *
 *     slow:   distance + turn * reach   <=   pace * inner radius of its thinnest shape
 */
import type { FlatBroadPhase } from "./broad_phase.ts";
import { AXIS_X, AXIS_Y, boxOf, HALF_SIDES, X, Y } from "./collide_boxes.ts";
import { cosSinInto } from "./math.ts";
import type {
  Bounds,
  PlanckBody,
  PlanckFixture,
  PlanckPolygon,
  PlanckShape,
  PlanckTransform,
  Vector,
} from "./planck.ts";

/**
 * In parts of its inner radius, how far a circle goes in a step that counts as slow. Half: its centre cannot get through a
 * surface unseen, and from the centre times of impact are measured.
 */
const CIRCLE_PACE = 0.5;
/**
 * The same for what has corners. Little: times of impact are measured between outlines, and between two that overlap there is
 * none. What sank into a thin wall slowly would pass it at the next blow.
 */
const CORNERED_PACE = 0.1;

const bounds: Bounds = { lowerBound: { x: 0.5, y: 0.5 }, upperBound: { x: 0.5, y: 0.5 } };
const before: PlanckTransform = { p: { x: 0.5, y: 0.5 }, q: { s: 0.5, c: 0.5 } };
/** An angle, then its cosine and sine. */
const turning = new Float64Array(3);

/** Sets what is ours on a new body, once its fixtures are there: among it how far it reaches and how fast is fast for it. */
export function prepareBody(body: PlanckBody, broadPhase: FlatBroadPhase): void {
  let reach = 0, pace = Infinity;
  for (let fixture = body.m_fixtureList; fixture !== null; fixture = fixture.m_next) {
    reach = Math.max(reach, reachOf(fixture.m_shape, body.m_sweep.localCenter));
    pace = Math.min(pace, paceOf(fixture.m_shape));
  }
  body.reach = reach;
  body.pace = pace;
  body.isFast = false;
  body.isBoxed = true;
  body.islandAt = 0;
  body.touch = undefined;
  // for planck, which calls it on what a time of impact has moved
  body.synchronizeFixtures = () => boxWay(body, broadPhase);
}

/** Whether the body is exactly there, its boxes too, and has been nowhere else. */
export function restsAt(body: PlanckBody, x: number, y: number, angle: number): boolean {
  const { m_sweep: { c, a, c0, a0, alpha0 }, isBoxed } = body;
  return isBoxed && Object.is(c.x, x) && Object.is(c.y, y) && Object.is(a, angle) && c0.x === x && c0.y === y &&
    a0 === angle && alpha0 === 0;
}

/** From the centre of mass to the shape's farthest point. */
function reachOf(shape: PlanckShape, center: Vector): number {
  if (shape.m_type === "circle") return distance(shape.m_p, center) + shape.m_radius;
  if (shape.m_type === "edge") return Math.max(distance(shape.m_vertex1, center), distance(shape.m_vertex2, center));
  let farthest = 0;
  for (const vertex of shape.m_vertices) farthest = Math.max(farthest, distance(vertex, center));
  return farthest;
}

function paceOf(shape: PlanckShape): number {
  return (shape.m_type === "circle" ? CIRCLE_PACE : CORNERED_PACE) * innerRadius(shape);
}

/** Of the circle about the shape's middle that it holds whole; an edge has nothing but its skin. */
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

/** Whether it went farther in this step than a slow body does: a function of where it was and is. */
export function wentFast(body: PlanckBody): boolean {
  const { c, c0 } = body.m_sweep, dx = c.x - c0.x, dy = c.y - c0.y, left = body.pace - turnOf(body);
  return !(left >= 0 && dx * dx + dy * dy <= left * left);
}

/** How far its farthest point went in this step by turning alone, metres. */
export function turnOf({ m_sweep: { a, a0 }, reach }: PlanckBody): number {
  return Math.abs(a - a0) * reach;
}

/** Boxes a body where it is. */
export function boxBody(body: PlanckBody, broadPhase: FlatBroadPhase): void {
  body.isBoxed = true;
  for (let fixture = body.m_fixtureList; fixture !== null; fixture = fixture.m_next) {
    resetBounds();
    extendBounds(fixture, body.m_xf);
    broadPhase.moveProxy(fixture.m_proxies[0].proxyId, bounds);
  }
}

/** Boxes a body along its way from `c0` to where it is. */
export function boxWay(body: PlanckBody, broadPhase: FlatBroadPhase): void {
  body.isBoxed = false;
  const { m_sweep: { c0, a0, localCenter: { x, y } } } = body, { p, q } = before;
  turning[0] = a0;
  cosSinInto(turning, 0, 1);
  q.c = turning[1]!;
  q.s = turning[2]!;
  p.x = c0.x - (q.c * x - q.s * y);
  p.y = c0.y - (q.s * x + q.c * y);
  for (let fixture = body.m_fixtureList; fixture !== null; fixture = fixture.m_next) {
    resetBounds();
    extendBounds(fixture, before);
    extendBounds(fixture, body.m_xf);
    broadPhase.moveProxy(fixture.m_proxies[0].proxyId, bounds);
  }
}

/** Brings the body's transform to where its sweep is. */
export function transformToSweep({ m_sweep: { c, a, localCenter: { x, y } }, m_xf: { p, q } }: PlanckBody): void {
  turning[0] = a;
  cosSinInto(turning, 0, 1);
  q.c = turning[1]!;
  q.s = turning[2]!;
  p.x = c.x - (q.c * x - q.s * y);
  p.y = c.y - (q.s * x + q.c * y);
}

function resetBounds(): void {
  bounds.lowerBound.x = bounds.lowerBound.y = Infinity;
  bounds.upperBound.x = bounds.upperBound.y = -Infinity;
}

function extendBounds({ m_shape: shape }: PlanckFixture, transform: PlanckTransform): void {
  if (shape.m_type === "circle") return extendBy(shape.m_p, transform, shape);
  if (shape.m_type === "edge") {
    extendBy(shape.m_vertex1, transform, shape);
    return extendBy(shape.m_vertex2, transform, shape);
  }
  if (boxOf(shape).length > 0) return extendByBox(shape, transform);
  const { m_vertices: vertices, m_count: count } = shape;
  for (let i = 0; i < count; i++) extendBy(vertices[i]!, transform, shape);
}

function extendBy(local: Vector, { p, q }: PlanckTransform, { m_radius: radius }: PlanckShape): void {
  const x = q.c * local.x - q.s * local.y + p.x, y = q.s * local.x + q.c * local.y + p.y;
  const { lowerBound: lower, upperBound: upper } = bounds;
  lower.x = Math.min(lower.x, x - radius);
  lower.y = Math.min(lower.y, y - radius);
  upper.x = Math.max(upper.x, x + radius);
  upper.y = Math.max(upper.y, y + radius);
}

/** By a box: as far as its half sides reach, turned into the world's axes. */
function extendByBox({ box, m_radius: radius }: PlanckPolygon, { p, q }: PlanckTransform): void {
  const localX = box![X]!, localY = box![Y]!, axisX = box![AXIS_X]!, axisY = box![AXIS_Y]!;
  const x = q.c * localX - q.s * localY + p.x, y = q.s * localX + q.c * localY + p.y;
  const ux = Math.abs(q.c * axisX - q.s * axisY), uy = Math.abs(q.s * axisX + q.c * axisY);
  const first = box![HALF_SIDES]!, second = box![HALF_SIDES + 1]!;
  const reachX = first * ux + second * uy + radius, reachY = first * uy + second * ux + radius;
  const { lowerBound: lower, upperBound: upper } = bounds;
  lower.x = Math.min(lower.x, x - reachX);
  lower.y = Math.min(lower.y, y - reachY);
  upper.x = Math.max(upper.x, x + reachX);
  upper.y = Math.max(upper.y, y + reachY);
}
