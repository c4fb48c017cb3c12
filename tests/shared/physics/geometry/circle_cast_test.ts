/** Circle casts, checked against distances alone, which involve no faces and corners. */
import { assert, assertAlmostEquals, assertEquals, assertGreater } from "@std/assert";
import { type Pose, rowsOf, setTransform, within } from "./planck_reference.ts";
import { Body } from "../../../../shared/physics/core/body_rows.ts";
import { Corner, ShapeValue } from "../../../../shared/physics/core/shape_rows.ts";
import type { Shape } from "../../../../shared/physics/core/types.ts";
import {
  castCircle,
  CircleCast,
  circleCast,
} from "../../../../shared/physics/geometry/circle_cast.ts";
import { Random } from "../../../../shared/random.ts";

const SHAPES: readonly Shape[] = [
  { circle: 0.5 },
  { circle: 0.2, x: 0.6, y: -0.3 },
  { box: [0.5, 0.3] },
  { box: [1.5, 0.005] },
  { box: [0.4, 0.2], x: 0.3, y: 0.1, angle: 0.7 },
  { polygon: [[-1, -0.2], [1, -0.2], [0.9, 0]] },
  { polygon: [[0, 0.8], [-0.7, 0.2], [-0.5, -0.6], [0.4, -0.7], [0.8, 0.1]] },
  { edge: [-0.7, 0.1, 0.8, -0.4] },
];
const UPRIGHT: Pose = { x: 0, y: 0, angle: 0 };

interface Ray {
  readonly x: number;
  readonly y: number;
  readonly dx: number;
  readonly dy: number;
}

/** A shape in a pose, and a circle's ray. */
interface Cast {
  readonly shape: Float64Array;
  readonly pose: Pose;
  readonly ray: Ray;
  readonly radius: number;
}

function randomRay(random: Random, start: number, motion: number): Ray {
  return {
    x: within(random, start),
    y: within(random, start),
    dx: within(random, motion),
    dy: within(random, motion),
  };
}

/** Whether the circle hits; the other results are in `circleCast`. */
function isHit({ shape, pose, ray, radius }: Cast): boolean {
  const bodies = new Float64Array(2 * Body.STRIDE);
  const shapes = new Float64Array(2 * shape.length);
  setTransform(bodies, Body.STRIDE, pose);
  shapes.set(shape, shape.length);
  circleCast[CircleCast.X] = ray.x;
  circleCast[CircleCast.Y] = ray.y;
  circleCast[CircleCast.DX] = ray.dx;
  circleCast[CircleCast.DY] = ray.dy;
  circleCast[CircleCast.RADIUS] = radius;
  return castCircle(shapes, shape.length, bodies, Body.STRIDE);
}

/** @returns the distance of a point from the hull, negative inside, metres */
function distance(shape: Float64Array, px: number, py: number): number {
  const count = shape[ShapeValue.CORNER_COUNT]!;
  let outside = Infinity;
  let inside = -Infinity;
  for (let i = 0; i < count; i++) {
    const [x, y] = shape.subarray(ShapeValue.CORNERS + i * Corner.STRIDE);
    const to = ShapeValue.CORNERS + (i + 1) % count * Corner.STRIDE;
    const ex = shape[to]! - x!;
    const ey = shape[to + 1]! - y!;
    const length = Math.hypot(ex, ey);
    const share = length === 0
      ? 0
      : Math.max(0, Math.min(1, ((px - x!) * ex + (py - y!) * ey) / length ** 2));
    outside = Math.min(outside, Math.hypot(px - x! - share * ex, py - y! - share * ey));
    if (count > 2) inside = Math.max(inside, (ey * (px - x!) - ex * (py - y!)) / length);
  }
  return count > 2 && inside < 0 ? inside : outside;
}

/** @returns the gap between shape and circle at fraction `t` of its motion, metres */
function gapAt({ shape, pose, ray, radius }: Cast, t: number): number {
  const x = ray.x + t * ray.dx - pose.x, y = ray.y + t * ray.dy - pose.y;
  const c = Math.cos(pose.angle), s = Math.sin(pose.angle);
  return distance(shape, c * x + s * y, c * y - s * x) - shape[ShapeValue.RADIUS]! - radius;
}

/**
 * @returns the first fraction with an overlap, by small steps and bisection; undefined if there is
 *   none
 */
function firstByBruteForce(gap: (t: number) => number, steps: number): number | undefined {
  for (let i = 1; i <= steps; i++) {
    if (gap(i / steps) > 0) continue;
    let before = (i - 1) / steps;
    let after = i / steps;
    for (let halving = 0; halving < 50; halving++) {
      const middle = (before + after) / 2;
      if (gap(middle) > 0) before = middle;
      else after = middle;
    }
    return after;
  }
  return undefined;
}

function isAlongFace(shape: Float64Array, { angle }: Pose): boolean {
  const c = Math.cos(angle);
  const s = Math.sin(angle);
  const nx = circleCast[CircleCast.NORMAL_X]!;
  const ny = circleCast[CircleCast.NORMAL_Y]!;
  const x = c * nx + s * ny, y = c * ny - s * nx;
  return Array.from(
    { length: shape[ShapeValue.CORNER_COUNT]! },
    (_, i) => ShapeValue.CORNERS + i * Corner.STRIDE,
  ).some((
    at,
  ) =>
    Math.abs(shape[at + Corner.NORMAL_X]! - x) + Math.abs(shape[at + Corner.NORMAL_Y]! - y) < 1e-9
  );
}

/** Asserts that the circle touches where it hits, and that the normal leads away from the shape. */
function checkHit(cast: Cast, what: string): void {
  const t = circleCast[CircleCast.FRACTION]!;
  const nx = circleCast[CircleCast.NORMAL_X]!;
  const ny = circleCast[CircleCast.NORMAL_Y]!;
  assertAlmostEquals(gapAt(cast, t), 0, 1e-9, `${what}: where it hits it touches`);
  // Along the normal the gap grows fastest.
  const away = {
    ...cast,
    ray: { ...cast.ray, x: cast.ray.x + nx * 1e-3, y: cast.ray.y + ny * 1e-3 },
  };
  assertAlmostEquals(gapAt(away, t), 1e-3, 1e-6, `${what}: its normal`);
  assert(nx * cast.ray.dx + ny * cast.ray.dy < 0, `${what}: it leaves what it hits`);
  assertEquals(circleCast[CircleCast.DEPTH], 0, `${what}: it began outside`);
}

Deno.test("castCircle: hits where fine steps hit, for any shape, pose and circle (SPEC 9.6)", () => {
  const random = new Random(4);
  const tally = { hits: 0, misses: 0, grazes: 0, corners: 0 };

  for (let i = 0; i < 6000; i++) {
    const shape = rowsOf(SHAPES[i % SHAPES.length]!);
    const radius = [0, 0.15, 0.6][i % 3]!;
    const pose = { x: within(random, 2), y: within(random, 2), angle: within(random, 3) };
    const cast = { shape, pose, radius, ray: randomRay(random, 4, 6) };
    if (gapAt(cast, 0) <= 0) continue;
    const expected = firstByBruteForce((t) => gapAt(cast, t), 500);
    if (!isHit(cast)) {
      assertEquals(expected, undefined, `${i}: fine steps meet it at ${expected}`);
      tally.misses++;
      continue;
    }
    if (expected === undefined) tally.grazes++; // between two steps
    else assertAlmostEquals(circleCast[CircleCast.FRACTION]!, expected, 1e-9, `${i}`);
    checkHit(cast, `${i}`);
    tally.hits++;
    if (shape[ShapeValue.CORNER_COUNT]! > 1 && !isAlongFace(shape, pose)) tally.corners++;
  }

  assertGreater(tally.hits, 500);
  assertGreater(tally.misses, 500);
  assertGreater(tally.corners, 100);
  assert(tally.grazes < 20, `${tally.grazes} grazes`);
});

Deno.test("castCircle: a circle that begins inside hits at once if it moves deeper, and not on its way out", () => {
  const random = new Random(5);
  const tally = { deeper: 0, out: 0 };

  for (let i = 0; i < 4000; i++) {
    const shape = rowsOf(SHAPES[i % SHAPES.length]!);
    const cast = { shape, pose: UPRIGHT, ray: randomRay(random, 1, 3), radius: 0.3 };
    const gap = gapAt(cast, 0);
    const after = gapAt(cast, 1e-6);
    if (gap > 0 || Math.abs(after - gap) < 1e-8) continue;
    assertEquals(isHit(cast), after < gap, `${i}`);
    if (after < gap) {
      assertEquals(circleCast[CircleCast.FRACTION], 0);
      // Between two corners of a hull the depth is measured from a face.
      assertGreater(circleCast[CircleCast.DEPTH]!, -gap - 1e-9);
    }
    tally[after < gap ? "deeper" : "out"]++;
  }

  assertGreater(tally.deeper, 200);
  assertGreater(tally.out, 200);
});

Deno.test("castCircle: 1 nm decides between hit and miss, at the ends of faces and at round shapes", () => {
  const tops = [[{ box: [0.5, 0.3] }, 0.31], [{ circle: 0.5 }, 0.5], [
    { edge: [-1, 0, 1, 0] },
    0.01,
  ]] as const;
  for (const [shape, top] of tops) {
    for (const radius of [0, 0.2]) {
      const passes = (y: number) =>
        !isHit({ shape: rowsOf(shape), pose: UPRIGHT, ray: { x: -5, y, dx: 10, dy: 0 }, radius });
      assertEquals(
        [passes(top + radius + 1e-9), passes(top + radius - 1e-9)],
        [true, false],
        JSON.stringify(shape),
      );
    }
  }
});

Deno.test("castCircle: an edge is hit from both sides, and its ends are round", () => {
  const shape = rowsOf({ edge: [-1, 0, 1, 0] });
  const radius = 0.19;
  for (const side of [1, -1]) {
    assert(
      isHit({ shape, pose: UPRIGHT, radius, ray: { x: 0.3, y: side * 2, dx: 0, dy: side * -4 } }),
    );
    assertAlmostEquals(circleCast[CircleCast.FRACTION]!, 0.45, 1e-12);
    assertEquals([Math.abs(circleCast[CircleCast.NORMAL_X]!), circleCast[CircleCast.NORMAL_Y]], [
      0,
      side,
    ]);
  }
  assert(isHit({ shape, pose: UPRIGHT, radius, ray: { x: 3, y: 0, dx: -4, dy: 0 } }));
  assertAlmostEquals(circleCast[CircleCast.FRACTION]!, 0.45, 1e-12);
  assertAlmostEquals(circleCast[CircleCast.NORMAL_X]!, 1, 1e-12);
});

Deno.test("castCircle: a motion that slides along a face does not hit", () => {
  const slide = { shape: rowsOf({ box: [0.5, 0.3] }), pose: UPRIGHT, radius: 0 };
  assert(!isHit({ ...slide, ray: { x: 0, y: 0.31 - 1e-9, dx: 1, dy: -1e-8 } }));
  assert(isHit({ ...slide, ray: { x: 0, y: 0.31 - 1e-9, dx: 1, dy: -1e-4 } }));
});
