/**
 * planck's own geometry, loaded with the stage's sine, cosine and arc tangent: what ours must equal
 * bit by bit.
 */
import { planck } from "../planck/portable_planck.ts";
import { assertEquals } from "@std/assert";
import { Body } from "../../../../shared/physics/core/body_rows.ts";
import { cos, sin } from "../../../../shared/physics/core/math.ts";
import { Corner, ShapeValue } from "../../../../shared/physics/core/shape_rows.ts";
import type { Chain, Shape } from "../../../../shared/physics/core/types.ts";
import { writeShape } from "../../../../shared/physics/geometry/shapes.ts";
import type { Random } from "../../../../shared/random.ts";

export { planck };

/** A position and an angle, metres and radians. */
export interface Pose {
  readonly x: number;
  readonly y: number;
  readonly angle: number;
}

/** Two shapes and two poses, in the form of rows and in planck's. */
export interface Pair {
  /** The row of A, then that of B. */
  readonly shapes: Float64Array;
  /** The transform of A in a body's row, then that of B. */
  readonly bodies: Float64Array;
  readonly a: planck.Shape;
  readonly b: planck.Shape;
  readonly from: planck.Transform;
  readonly to: planck.Transform;
}

export const SHAPE_A = 0;
export const SHAPE_B = ShapeValue.STRIDE;
export const BODY_A = 0;
export const BODY_B = Body.STRIDE;

export type ShapeType = "circle" | "edge" | "box" | "polygon";

/** @returns the author's shape as planck's */
export function planckShape(shape: Shape): planck.Shape {
  if ("circle" in shape) {
    return new planck.Circle({ x: shape.x ?? 0, y: shape.y ?? 0 }, shape.circle);
  }
  if ("box" in shape) {
    return new planck.Box(
      shape.box[0],
      shape.box[1],
      { x: shape.x ?? 0, y: shape.y ?? 0 },
      shape.angle ?? 0,
    );
  }
  if ("polygon" in shape) return new planck.Polygon(shape.polygon.map(([x, y]) => ({ x, y })));
  if ("capsule" in shape) throw new Error("planck has no capsules");
  const [x1, y1, x2, y2] = shape.edge;
  return new planck.Edge({ x: x1, y: y1 }, { x: x2, y: y2 });
}

/** @returns a chain as planck's */
export function planckChain(
  { chain, loop = false, ghosts: [before, after] = [null, null] }: Chain,
): planck.Chain {
  const shape = new planck.Chain(chain.map(([x, y]) => ({ x, y })), loop);
  if (before !== null) shape.setPrevVertex(new planck.Vec2(before[0], before[1]));
  if (after !== null) shape.setNextVertex(new planck.Vec2(after[0], after[1]));
  return shape;
}

/** @returns the shape as planck's; instead of a chain, its segments as planck collides them */
export function planckParts(shape: Shape | Chain): planck.Shape[] {
  if (!("chain" in shape)) return [planckShape(shape)];
  const whole = planckChain(shape);
  return Array.from({ length: whole.getChildCount() }, (_, i) => {
    const edge = new planck.Edge();
    whole.getChildEdge(edge, i);
    return edge;
  });
}

/** @returns the shapes' rows, one after the other */
export function rowsOf(...shapes: readonly Shape[]): Float64Array {
  const rows = new Float64Array(shapes.length * ShapeValue.STRIDE);
  shapes.forEach((shape, i) => writeShape(rows, i * ShapeValue.STRIDE, shape));
  return rows;
}

/** Writes a pose as a body's transform. The centre of mass is not set. */
export function setTransform(bodies: Float64Array, at: number, { x, y, angle }: Pose): void {
  bodies[at + Body.COS] = cos(angle);
  bodies[at + Body.SIN] = sin(angle);
  bodies[at + Body.ORIGIN_X] = x;
  bodies[at + Body.ORIGIN_Y] = y;
}

export function pairOf(a: Shape, poseA: Pose, b: Shape, poseB: Pose): Pair {
  const bodies = new Float64Array(2 * Body.STRIDE);
  setTransform(bodies, BODY_A, poseA);
  setTransform(bodies, BODY_B, poseB);
  const from = new planck.Transform(planck.Vec2(poseA.x, poseA.y), poseA.angle);
  const to = new planck.Transform(planck.Vec2(poseB.x, poseB.y), poseB.angle);
  return { shapes: rowsOf(a, b), bodies, a: planckShape(a), b: planckShape(b), from, to };
}

/** @returns a number in −size … size */
export function within(random: Random, size: number): number {
  return size * (2 * random.fraction() - 1);
}

/**
 * @returns a shape of some decimetres to metres, every eighth edge of micrometres; half of all
 *   sizes are round
 */
export function randomShape(random: Random, type: ShapeType): Shape {
  const isRound = random.chance(0.5);
  const place = () => isRound ? 0 : within(random, 0.5);
  const size = () => isRound ? (1 + random.below(8)) / 8 : 0.05 + random.fraction();
  if (type === "circle") return { circle: size(), x: place(), y: place() };

  if (type === "box") {
    return {
      box: [size(), size()],
      x: place(),
      y: place(),
      angle: isRound ? 0 : random.fraction() * 7,
    };
  }

  if (type === "polygon") return { polygon: randomCorners(random) };
  const length = random.below(8) === 0 ? 1e-6 : 2;
  const x = place();
  const y = place();
  if (isRound) return { edge: [x, y, x + length * (random.chance(0.5) ? 1 : -1), y] };
  return { edge: [x, y, x + within(random, length), y + within(random, length)] };
}

/**
 * A convex polygon on a flat or round ellipse, in either order; every fourth one is a rectangle,
 * and one a wedge.
 */
function randomCorners(random: Random): readonly (readonly [number, number])[] {
  const w = 0.1 + random.fraction(), h = 0.1 + random.fraction();
  const sort = random.below(4);
  if (sort === 0) return [[0, 0], [w, 0], [w, h], [0, h]];
  if (sort === 1) return [[0, 0], [w, -0.2 * w * h], [w, 0.2 * w * h]];
  const count = 3 + random.below(10);
  const turn = random.fraction() * 7;
  const sign = random.chance(0.5) ? 1 : -1;
  return Array.from({ length: count }, (_, i) => {
    const angle = turn + sign * (i + 0.4 * random.fraction()) * 2 * Math.PI / count;
    return [w * Math.cos(angle), h * Math.sin(angle)] as const;
  });
}

/** The sorts of pairs that tests draw in turn. */
const SORTS = [
  "any",
  "one place",
  "on a grid",
  "touching",
  "corners",
  "far out",
  "almost parallel",
] as const;
/** Metres: a pair of the sort "touching" has the gap of its skins, or so much more or less. */
const GAPS = [0, 1e-12, -1e-12, 1e-4, -1e-4] as const;

/**
 * @returns two random shapes at poses of one sort in turn: apart, deep, touching and degenerate
 *   ones
 */
export function randomPair(random: Random, typeA: ShapeType, typeB: ShapeType, turn: number): Pair {
  const sort = SORTS[turn % SORTS.length]!;
  const a = randomShape(random, typeA);
  const b = randomShape(random, typeB);
  const reach = sort === "far out" ? 5000 : 1;
  const angle = random.fraction() * 7;
  const poseA = { x: within(random, reach), y: within(random, reach), angle };
  const near = (angle: number) => ({
    x: poseA.x + within(random, 2),
    y: poseA.y + within(random, 2),
    angle,
  });
  const anyPose = near(random.fraction() * 20 - 10);
  if (sort === "one place") return pairOf(a, poseA, b, poseA);

  if (sort === "on a grid") {
    const cell = () => (random.below(33) - 16) / 8;
    const turned = () => random.below(4) * Math.PI / 2;
    return pairOf(a, { x: cell(), y: cell(), angle: turned() }, b, {
      x: cell(),
      y: cell(),
      angle: turned(),
    });
  }

  if (sort === "almost parallel") {
    return pairOf(a, poseA, b, near(angle + within(random, 1) * 10 ** -random.below(12)));
  }
  if (sort === "corners") return cornerToCorner(random, a, poseA, b, anyPose);
  if (sort === "touching") return touching(random, a, poseA, b, anyPose);
  return pairOf(a, poseA, b, anyPose);
}

/**
 * Moves B along the line of the nearest points until the skins touch. Overlapping hulls stay where
 * they are.
 */
function touching(random: Random, a: Shape, poseA: Pose, b: Shape, poseB: Pose): Pair {
  const pair = pairOf(a, poseA, b, poseB);
  const output = distanceByPlanck(pair, new planck.SimplexCache());
  if (output.distance === 0) return pair;
  const gap = pair.a.getRadius() + pair.b.getRadius() + GAPS[random.below(GAPS.length)]!;
  const share = 1 - gap / output.distance;
  const { pointA, pointB } = output;
  const moved = {
    x: poseB.x + share * (pointA.x - pointB.x),
    y: poseB.y + share * (pointA.y - pointB.y),
  };
  return pairOf(a, poseA, b, { ...moved, angle: poseB.angle });
}

/**
 * Moves B until one of its corners is at most 10 cm, and often only micrometres, from one of A's.
 */
function cornerToCorner(random: Random, a: Shape, poseA: Pose, b: Shape, poseB: Pose): Pair {
  const rows = rowsOf(a, b);
  const gap = 0.1 * 10 ** -Math.max(0, random.below(20) - 8);
  const fromA = randomCorner(random, rows, SHAPE_A, poseA);
  const fromB = randomCorner(random, rows, SHAPE_B, poseB);
  const x = poseB.x + fromA.x - fromB.x + within(random, gap);
  const y = poseB.y + fromA.y - fromB.y + within(random, gap);
  return pairOf(a, poseA, b, { x, y, angle: poseB.angle });
}

/** @returns a corner of the shape in the world */
function randomCorner(
  random: Random,
  rows: Float64Array,
  at: number,
  { x, y, angle }: Pose,
): { x: number; y: number } {
  const corner = at + ShapeValue.CORNERS +
    random.below(rows[at + ShapeValue.CORNER_COUNT]!) * Corner.STRIDE;
  const c = cos(angle);
  const s = sin(angle);
  const localX = rows[corner + Corner.X]!, localY = rows[corner + Corner.Y]!;
  return { x: c * localX - s * localY + x, y: s * localX + c * localY + y };
}

/** @returns planck's distance of both hulls without skins. @param cache in and out */
export function distanceByPlanck(
  { a, b, from, to }: Pair,
  cache: planck.SimplexCache,
): planck.DistanceOutput {
  const input = new planck.DistanceInput();
  const output = new planck.DistanceOutput();
  input.proxyA.set(a, 0);
  input.proxyB.set(b, 0);
  input.transformA.setTransform(from);
  input.transformB.setTransform(to);
  planck.Distance(output, cache, input);
  return output;
}

/** Asserts that two lists of numbers have the same bits; 0 and −0 differ. */
export function assertSameBits(
  ours: readonly number[],
  theirs: readonly number[],
  message: string,
): void {
  if (ours.length === theirs.length && ours.every((each, i) => Object.is(each, theirs[i]))) return;
  assertEquals(ours, theirs, message);
  throw new Error(
    `${message}: signs of zeros differ: ${ours.map((each) => Object.is(each, -0) ? "-0" : each)}`,
  );
}
