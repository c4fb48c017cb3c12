/**
 * The manifolds of a chain's segments, compared bit by bit with those of planck's chain. A polygon
 * beside a neighbour that bends away is left to it, or has the normal of its own face.
 */
import { assert, assertEquals } from "@std/assert";
import { collideSegment } from "../../../../shared/physics/chains/collide_segment.ts";
import { segmentRows } from "../../../../shared/physics/chains/segments.ts";
import { Body } from "../../../../shared/physics/core/body_rows.ts";
import { ContactInt, ManifoldType } from "../../../../shared/physics/core/contact_rows.ts";
import { Corner, ShapeValue } from "../../../../shared/physics/core/shape_rows.ts";
import type { Chain, ChainPoint } from "../../../../shared/physics/core/types.ts";
import { collide } from "../../../../shared/physics/geometry/collide.ts";
import { collision } from "../../../../shared/physics/geometry/collision.ts";
import { Random } from "../../../../shared/random.ts";
import { numbersOf, ourNumbers } from "../geometry/manifold_numbers.ts";
import * as reference from "../geometry/planck_reference.ts";
import {
  assertSameBits,
  planck,
  type Pose,
  randomShape,
  type ShapeType,
  within,
} from "../geometry/planck_reference.ts";

const TRIES = 12_000;

/**
 * Gentle hills, a straight line, any corners, or right angles; with both ghosts, one, none, or as a
 * loop.
 */
function randomChain(random: Random): Chain {
  const sort = random.below(4);
  const count = 3 + random.below(4);
  const stepOf = (): ChainPoint => {
    if (sort === 0) return [0.3 + random.fraction(), within(random, 0.1)];
    if (sort === 1) return [0.5, 0];
    if (sort === 2) return [within(random, 1), within(random, 1)];
    return random.chance(0.5)
      ? [random.chance(0.5) ? 0.5 : -0.5, 0]
      : [0, random.chance(0.5) ? 0.5 : -0.5];
  };

  // On a grid, shapes are exactly at the bounds of regions.
  const points: ChainPoint[] = [
    sort % 2 === 1 ? [-1, 0.5] : [within(random, 1), within(random, 1)],
  ];
  while (points.length < count + 2) {
    const [x, y] = points.at(-1)!;
    const [dx, dy] = stepOf();
    points.push([x + dx, y + dy]);
  }

  const inner = points.slice(1, -1);
  if (random.below(4) === 0) return { chain: inner, loop: true };
  return {
    chain: inner,
    ghosts: [random.chance(0.5) ? points[0]! : null, random.chance(0.5) ? points.at(-1)! : null],
  };
}

/** @returns a chain that is not refused */
function acceptedChain(random: Random): Chain {
  for (;;) {
    const chain = randomChain(random);
    try {
      segmentRows(chain, "a chain");
      return chain;
    } catch { /* two of its points are in one place */ }
  }
}

/** Compares all segments of many chains with one shape each. */
function compare(
  type: ShapeType,
  byPlanck: typeof planck.CollideEdgeCircle | typeof planck.CollideEdgePolygon,
) {
  const random = new Random(type.length);
  const bodies = new Float64Array(2 * Body.STRIDE);
  const edge = new planck.Edge();
  const seen = { points: [0, 0, 0], differsFromEdge: 0, same: 0, leftToNeighbour: 0 };

  for (let turn = 0; turn < TRIES; turn++) {
    const chain = acceptedChain(random);
    const whole = reference.planckChain(chain);
    const segments = segmentRows(chain, "a chain");
    const shape = randomShape(random, type);
    const poseA: Pose = { x: 0, y: 0, angle: turn % 2 === 0 ? 0 : within(random, 7) };
    const cell = () => random.below(17) / 4 - 2;
    const isOnGrid = turn % 4 === 0;
    const poseB = isOnGrid
      ? { x: cell(), y: cell(), angle: 0 }
      : { x: within(random, 1.2), y: within(random, 1.2), angle: within(random, 7) };
    const rows = new Float64Array(segments.length + ShapeValue.STRIDE);
    rows.set(segments);
    rows.set(reference.rowsOf(shape), segments.length);
    reference.setTransform(bodies, 0, poseA);
    reference.setTransform(bodies, Body.STRIDE, poseB);
    const from = new planck.Transform(planck.Vec2(0, 0), poseA.angle);
    const to = new planck.Transform(planck.Vec2(poseB.x, poseB.y), poseB.angle);
    const b = reference.planckShape(shape);
    for (let child = 0; child < whole.getChildCount(); child++) {
      const theirs = new planck.Manifold();
      const a = child * ShapeValue.STRIDE;
      whole.getChildEdge(edge, child);
      byPlanck(theirs, edge, from, b as never, to);
      collide(rows, a, bodies, 0, segments.length, Body.STRIDE);
      const asEdge = ourNumbers();
      if (rows[a + ShapeValue.NEIGHBOURS] !== 0) {
        collideSegment(rows, a, bodies, 0, segments.length, Body.STRIDE);
      }
      const ours = ourNumbers();
      const what = `${type}, chain ${turn}, segment ${child}`;
      if (ours.join() === numbersOf(theirs).join()) seen.same++;
      else if (type === "circle" || rows[a + ShapeValue.NEIGHBOURS] === 0) {
        assertSameBits(ours, numbersOf(theirs), what);
      } else if (collision.ints[ContactInt.POINT_COUNT] === 0) seen.leftToNeighbour++;
      else assertEquals(collision.ints[ContactInt.MANIFOLD_TYPE], ManifoldType.FACE_B, what);
      seen.points[theirs.pointCount]!++;
      if (asEdge.join() !== ourNumbers().join()) seen.differsFromEdge++;
    }
  }

  return seen;
}

Deno.test("collide: a chain's segment and a circle have the manifold of planck's chain (SPEC 9.45)", () => {
  const { points, differsFromEdge } = compare("circle", planck.CollideEdgeCircle);
  assert(
    points[0]! > 4000 && points[1]! > 4000 && differsFromEdge > 1000,
    `${points}, other than edges: ${differsFromEdge}`,
  );
});

Deno.test("collide: a chain's segment and a polygon have the manifold of planck's chain, but beside a neighbour (SPEC 9.45)", () => {
  for (const type of ["polygon", "box"] as const) {
    const { points, differsFromEdge, same, leftToNeighbour } = compare(
      type,
      planck.CollideEdgePolygon,
    );
    const isRich = points.every((count) => count > 800) && differsFromEdge > 1000 &&
      leftToNeighbour > 100;
    assert(
      isRich,
      `${points}, other than edges: ${differsFromEdge}, left to a neighbour: ${leftToNeighbour}`,
    );
    const all = points.reduce((sum, count) => sum + count);
    assert(same > 0.95 * all, `${same} of ${all} are planck's`);
  }
});

Deno.test("chain: a neighbour's normal is on the side of the segment's own face 0", () => {
  const rows = segmentRows({ chain: [[0, 0], [0, 1], [0, 2]] }, "a chain");
  assert(
    rows[ShapeValue.CORNERS + Corner.NORMAL_X] === 1 &&
      rows[ShapeValue.STRIDE + ShapeValue.CORNERS + Corner.NORMAL_X] === 1,
  );
});
