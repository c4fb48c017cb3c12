/** Distances and nearest points, compared bit by bit with planck's. */
import { assert, assertEquals } from "@std/assert";
import {
  assertSameBits,
  BODY_A,
  BODY_B,
  distanceByPlanck,
  pairOf,
  planck,
  randomPair,
  randomShape,
  setTransform,
  SHAPE_A,
  SHAPE_B,
  type ShapeType,
  within,
} from "./planck_reference.ts";
import {
  computeDistance,
  nearest,
  overlaps,
  resetSimplex,
} from "../../../../shared/physics/geometry/distance.ts";
import { SimplexInt, simplexInts } from "../../../../shared/physics/geometry/simplex.ts";
import { Random } from "../../../../shared/random.ts";

const TYPES: readonly ShapeType[] = ["circle", "edge", "box", "polygon"];

function numbersOf({ pointA, pointB, distance }: planck.DistanceOutput): readonly number[] {
  return [pointA.x, pointA.y, pointB.x, pointB.y, distance];
}

/** The simplex as planck's cache has it: the count, then the indices. */
function ourCache(): readonly number[] {
  return [
    simplexInts[SimplexInt.COUNT]!,
    ...simplexInts.subarray(0, 2 * simplexInts[SimplexInt.COUNT]!),
  ];
}

function cacheOf({ count, indexA, indexB }: planck.SimplexCache): readonly number[] {
  return [count, ...Array.from({ length: count }, (_, i) => [indexA[i]!, indexB[i]!]).flat()];
}

Deno.test("computeDistance: has planck's nearest points, distance and simplex for every pair of shapes", () => {
  const random = new Random(1);
  const counts = [0, 0, 0, 0];

  for (const typeA of TYPES) {
    for (const typeB of TYPES) {
      for (let turn = 0; turn < 3000; turn++) {
        const pair = randomPair(random, typeA, typeB, turn);
        const cache = new planck.SimplexCache();
        const what = `${typeA} and ${typeB}, pair ${turn}`;
        const expected = distanceByPlanck(pair, cache);
        resetSimplex();
        computeDistance(pair.shapes, SHAPE_A, pair.bodies, BODY_A, SHAPE_B, BODY_B);
        assertSameBits([...nearest], numbersOf(expected), what);
        assertEquals(ourCache(), cacheOf(cache), what);
        counts[cache.count]!++;
      }
    }
  }

  assert(counts.slice(1).every((count) => count > 2500), `points, segments, triangles: ${counts}`);
});

Deno.test("computeDistance: begins with the last simplex as planck does with its cache, unless it is stale", () => {
  const random = new Random(2);
  for (let i = 0; i < 8_000; i++) {
    const [typeA, typeB] = [TYPES[1 + random.below(3)]!, TYPES[1 + random.below(3)]!];
    const a = randomShape(random, typeA);
    const b = randomShape(random, typeB);
    const cache = new planck.SimplexCache();
    const poseA = { x: within(random, 1), y: within(random, 1), angle: within(random, 4) };
    let poseB = { x: within(random, 3), y: within(random, 3), angle: within(random, 4) };
    const { shapes, bodies } = pairOf(a, poseA, b, poseB);
    const speed = random.fraction();
    resetSimplex();
    for (let step = 0; step < 5; step++) {
      setTransform(bodies, BODY_B, poseB);
      const expected = distanceByPlanck(pairOf(a, poseA, b, poseB), cache);
      computeDistance(shapes, SHAPE_A, bodies, BODY_A, SHAPE_B, BODY_B);
      assertSameBits([...nearest], numbersOf(expected), `pair ${i}, step ${step}`);
      assertEquals(ourCache(), cacheOf(cache), `pair ${i}, step ${step}`);
      const { x, y, angle } = poseB;
      poseB = {
        x: x + within(random, speed),
        y: y + within(random, speed),
        angle: angle + within(random, 3 * speed),
      };
    }
  }
});

Deno.test("overlaps: is planck's testOverlap", () => {
  const random = new Random(3);
  const seen = { yes: 0, no: 0 };
  for (const typeA of TYPES) {
    for (const typeB of TYPES) {
      for (let turn = 0; turn < 3000; turn++) {
        const { shapes, bodies, a, b, from, to } = randomPair(random, typeA, typeB, turn);
        const expected = planck.testOverlap(a, 0, b, 0, from, to);
        const ours = overlaps(shapes, SHAPE_A, bodies, BODY_A, SHAPE_B, BODY_B);
        assertEquals(ours, expected, `${typeA} and ${typeB}, pair ${turn}`);
        seen[expected ? "yes" : "no"]++;
      }
    }
  }
  assert(seen.yes > 10_000 && seen.no > 10_000, JSON.stringify(seen));
});
