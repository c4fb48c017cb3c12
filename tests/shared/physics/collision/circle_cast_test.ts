/** Circle casts, checked against distances alone, which involve no faces and corners. */
import { assert, assertAlmostEquals, assertEquals, assertGreater } from "@std/assert";
import { Random } from "../../../../shared/random.ts";
import { type SweptShape, sweptShapeOf } from "../../../../shared/physics/collision/swept_shape.ts";
import { fixtureDef, type PlanckTransform } from "../../../../shared/physics/planck/planck.ts";
import { CircleCast } from "../../../../shared/physics/collision/circle_cast.ts";
import type { Shape } from "../../../../shared/physics/core/types.ts";
import { rowOf } from "../scenes/body_row.ts";

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
const UPRIGHT: PlanckTransform = { p: { x: 0, y: 0 }, q: { c: 1, s: 0 } };

interface Ray {
  readonly x: number;
  readonly y: number;
  readonly dx: number;
  readonly dy: number;
}

function sweptShape(shape: Shape): SweptShape {
  return sweptShapeOf(fixtureDef({ shape }, 1).shape);
}

function randomWithin(random: Random, size: number): number {
  return size * (random.bits() / 2 ** 31 - 1);
}

function randomRay(random: Random, { start, motion }: { start: number; motion: number }): Ray {
  return {
    x: randomWithin(random, start),
    y: randomWithin(random, start),
    dx: randomWithin(random, motion),
    dy: randomWithin(random, motion),
  };
}

function castOf({ x, y, dx, dy }: Ray, radius: number): CircleCast {
  return Object.assign(new CircleCast(), { x, y, dx, dy, radius });
}

/** @returns the distance of a point from the hull, negative inside, metres */
function distance({ x: xs, y: ys }: SweptShape, px: number, py: number): number {
  let outside = Infinity, inside = -Infinity;
  for (let i = 0; i < xs.length; i++) {
    const j = (i + 1) % xs.length, ex = xs[j]! - xs[i]!, ey = ys[j]! - ys[i]!, length = Math.hypot(ex, ey);
    const share = length === 0 ? 0 : Math.max(0, Math.min(1, ((px - xs[i]!) * ex + (py - ys[i]!) * ey) / length ** 2));
    outside = Math.min(outside, Math.hypot(px - xs[i]! - share * ex, py - ys[i]! - share * ey));
    if (xs.length > 2) inside = Math.max(inside, (ey * (px - xs[i]!) - ex * (py - ys[i]!)) / length);
  }
  return xs.length > 2 && inside < 0 ? inside : outside;
}

/** @returns the gap between shape and circle at fraction `t` of its motion, metres */
function gapAt(
  shape: SweptShape,
  { p, q }: PlanckTransform,
  { ray, radius, t }: { ray: Ray; radius: number; t: number },
) {
  const x = ray.x + t * ray.dx - p.x, y = ray.y + t * ray.dy - p.y;
  return distance(shape, q.c * x + q.s * y, q.c * y - q.s * x) - shape.radius - radius;
}

/** @returns the first fraction with an overlap, by small steps and bisection; undefined if there is none */
function firstByBruteForce(gap: (t: number) => number, steps: number): number | undefined {
  for (let i = 1; i <= steps; i++) {
    if (gap(i / steps) > 0) continue;
    let before = (i - 1) / steps, after = i / steps;
    for (let halving = 0; halving < 50; halving++) {
      const middle = (before + after) / 2;
      if (gap(middle) > 0) before = middle;
      else after = middle;
    }
    return after;
  }
  return undefined;
}

Deno.test("CircleCast: hits where fine steps hit, for any shape, pose and circle (SPEC 9.6)", () => {
  const random = new Random(4), STEPS = 500;
  const tally = { hits: 0, misses: 0, grazes: 0, corners: 0 };
  for (let i = 0; i < 6000; i++) {
    const shape = sweptShape(SHAPES[i % SHAPES.length]!),
      angle = randomWithin(random, 3),
      radius = [0, 0.15, 0.6][i % 3]!;
    const pose = {
      p: { x: randomWithin(random, 2), y: randomWithin(random, 2) },
      q: { c: Math.cos(angle), s: Math.sin(angle) },
    };
    const ray = randomRay(random, { start: 4, motion: 6 });
    const gap = (t: number) => gapAt(shape, pose, { ray, radius, t });
    if (gap(0) <= 0) continue;
    const cast = castOf(ray, radius),
      isHit = cast.intersect(shape, rowOf(pose)),
      expected = firstByBruteForce(gap, STEPS);
    if (!isHit) {
      assertEquals(expected, undefined, `${i}: fine steps meet it at ${expected}`);
      tally.misses++;
      continue;
    }
    if (expected === undefined) tally.grazes++; // between two steps
    else assertAlmostEquals(cast.fraction, expected, 1e-9, `${i}`);
    assertAlmostEquals(gap(cast.fraction), 0, 1e-9, `${i}: where it meets it touches`);
    // Along the normal the gap grows fastest.
    const away = { ...ray, x: ray.x + cast.nx * 1e-3, y: ray.y + cast.ny * 1e-3 };
    assertAlmostEquals(gapAt(shape, pose, { ray: away, radius, t: cast.fraction }), 1e-3, 1e-6, `${i}: its normal`);
    assert(cast.nx * ray.dx + cast.ny * ray.dy < 0, `${i}: it leaves what it meets`);
    tally.hits++;
    if (shape.nx.length > 1 && !isAlongFace(shape, pose, cast)) tally.corners++;
  }
  assertGreater(tally.hits, 500);
  assertGreater(tally.misses, 500);
  assertGreater(tally.corners, 100);
  assert(tally.grazes < 20, `${tally.grazes} grazes`);
});

function isAlongFace({ nx, ny }: SweptShape, { q }: PlanckTransform, cast: CircleCast): boolean {
  const x = q.c * cast.nx + q.s * cast.ny, y = q.c * cast.ny - q.s * cast.nx;
  return nx.some((each, i) => Math.abs(each - x) + Math.abs(ny[i]! - y) < 1e-9);
}

Deno.test("CircleCast: a circle that begins inside hits at once if it moves deeper, and not on its way out", () => {
  const random = new Random(5), tally = { deeper: 0, out: 0 };
  for (let i = 0; i < 4000; i++) {
    const shape = sweptShape(SHAPES[i % SHAPES.length]!), radius = 0.3;
    const ray = randomRay(random, { start: 1, motion: 3 }),
      gap = (t: number) => gapAt(shape, UPRIGHT, { ray, radius, t });
    if (gap(0) > 0 || Math.abs(gap(1e-6) - gap(0)) < 1e-8) continue;
    const cast = castOf(ray, radius), isHit = cast.intersect(shape, rowOf(UPRIGHT));
    assertEquals(isHit, gap(1e-6) < gap(0), `${i}`);
    if (isHit) assertEquals(cast.fraction, 0);
    tally[isHit ? "deeper" : "out"]++;
  }
  assertGreater(tally.deeper, 200);
  assertGreater(tally.out, 200);
});

Deno.test("CircleCast: 1 nm decides between hit and miss, at the ends of faces and at round shapes", () => {
  for (
    const [shape, top] of [[{ box: [0.5, 0.3] }, 0.31], [{ circle: 0.5 }, 0.5], [
      { edge: [-1, 0, 1, 0] },
      0.01,
    ]] as const
  ) {
    for (const radius of [0, 0.2]) {
      const passes = (y: number) =>
        !castOf({ x: -5, y, dx: 10, dy: 0 }, radius).intersect(sweptShape(shape), rowOf(UPRIGHT));
      assertEquals([passes(top + radius + 1e-9), passes(top + radius - 1e-9)], [true, false], JSON.stringify(shape));
    }
  }
});

Deno.test("CircleCast: an edge is hit from both sides, and its ends are round", () => {
  const edge = sweptShape({ edge: [-1, 0, 1, 0] });
  for (const side of [1, -1]) {
    const cast = castOf({ x: 0.3, y: side * 2, dx: 0, dy: side * -4 }, 0.19);
    assert(cast.intersect(edge, rowOf(UPRIGHT)));
    assertAlmostEquals(cast.fraction, 0.45, 1e-12);
    assertEquals([Math.abs(cast.nx), cast.ny], [0, side]);
  }
  const end = castOf({ x: 3, y: 0, dx: -4, dy: 0 }, 0.19);
  assert(end.intersect(edge, rowOf(UPRIGHT)));
  assertAlmostEquals(end.fraction, 0.45, 1e-12);
  assertAlmostEquals(end.nx, 1, 1e-12);
});

Deno.test("CircleCast: a motion that slides along a face does not hit", () => {
  const slide = castOf({ x: 0, y: 0.31 - 1e-9, dx: 1, dy: -1e-8 }, 0);
  assert(!slide.intersect(sweptShape({ box: [0.5, 0.3] }), rowOf(UPRIGHT)));
  assert(
    castOf({ x: 0, y: 0.31 - 1e-9, dx: 1, dy: -1e-4 }, 0).intersect(sweptShape({ box: [0.5, 0.3] }), rowOf(UPRIGHT)),
  );
});
