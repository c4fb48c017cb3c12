/** Queries with convex shapes and about rounded ones, against a search by brute force. */
import { assert, assertAlmostEquals, assertEquals, assertGreater, assertThrows } from "@std/assert";
import { Body } from "../../../../shared/physics/core/body_rows.ts";
import { cos, sin } from "../../../../shared/physics/core/math.ts";
import { ShapeValue, skinOf } from "../../../../shared/physics/core/shape_rows.ts";
import { archetype, type StageDef, StageError } from "../../../../shared/physics/core/types.ts";
import type { Entity } from "../../../../shared/physics/stage/entity.ts";
import type { QueryShape } from "../../../../shared/physics/stage/queries.ts";
import { Stage } from "../../../../shared/physics/stage/stage.ts";
import { Random } from "../../../../shared/random.ts";
import { FEATURES } from "../scenes/features.ts";
import {
  cornersOf,
  hullDistance,
  PLAIN_SHAPES,
  type Point,
  ROUND_SHAPES,
  rowOf,
} from "./round_pairs.ts";

const SHAPES = [...ROUND_SHAPES, ...PLAIN_SHAPES];
const KINDS = SHAPES.map((shape, i) =>
  archetype({ name: `kind ${i}`, body: { fixtures: [{ shape }] }, fields: {} })
);
const SHOT = archetype({ name: "shot", projectile: { radius: 0.5, lifeTicks: 100 }, fields: {} });
const FIELD: StageDef = {
  gravity: 0,
  tickHz: 20,
  substeps: 2,
  features: FEATURES,
  ground: [],
  archetypes: [...KINDS, SHOT],
  fields: {},
};

function between(random: Random, low: number, high: number): number {
  return low + (high - low) * random.below(1e6) / 1e6;
}

function scatter(seed: number) {
  const stage = new Stage(FIELD);
  const random = new Random(seed);
  const entities = Array.from({ length: 36 }, (_, i) =>
    stage.spawn(KINDS[i % KINDS.length]!, {
      x: between(random, -6, 6),
      y: between(random, -6, 6),
      angle: i % 3 === 0 ? random.below(4) * Math.PI / 2 : between(random, -4, 4),
    }));
  stage.endTick();
  return { stage, entities, random };
}

/** A hull in the world, and how far its shape reaches beyond it, metres. */
interface Round {
  readonly hull: readonly Point[];
  readonly radius: number;
}

function roundOf({ archetype, x, y, angle }: Entity): Round {
  const row = rowOf(SHAPES[Number(archetype.name.slice(5))]!);
  const body = new Float64Array(Body.STRIDE);
  body[Body.COS] = cos(angle);
  body[Body.SIN] = sin(angle);
  body[Body.ORIGIN_X] = x;
  body[Body.ORIGIN_Y] = y;
  return { hull: cornersOf(row, body, 0), radius: row[ShapeValue.RADIUS]! - skinOf(row, 0) };
}

function queryAt(shape: QueryShape, x: number, y: number): Round {
  if ("circle" in shape) return { hull: [[x, y]], radius: shape.circle };
  const { angle = 0, radius = 0 } = shape;
  let corners: readonly Point[];
  if ("box" in shape) {
    const [w, h] = shape.box;
    corners = [[-w, -h], [w, -h], [w, h], [-w, h]];
  } else if ("capsule" in shape) {
    const [x1, y1, x2, y2] = shape.capsule;
    corners = [[x1, y1], [x2, y2]];
  } else corners = shape.polygon;
  const c = cos(angle);
  const s = sin(angle);
  return { hull: corners.map(([u, v]) => [c * u - s * v + x, s * u + c * v + y]), radius };
}

/** @returns how far two shapes are from each other, negative for an overlap of their rims, metres */
function gapOf(a: Round, b: Round): number {
  return hullDistance(a.hull, b.hull) - a.radius - b.radius;
}

const CASTS: readonly QueryShape[] = [
  { circle: 0.4 },
  { box: [0.5, 0.2], angle: 0.7 },
  { box: [0.3, 0.3] },
  { box: [0.3, 0.2], radius: 0.1, angle: 0.2 },
  { polygon: [[0.5, 0], [-0.3, 0.5], [-0.3, -0.2]] },
  { polygon: [[0.5, 0], [-0.3, 0.5], [-0.3, -0.2]], radius: 0.2, angle: 1 },
  { polygon: [[0.5, 0], [0.2, -0.6], [-0.3, -0.2], [-0.3, 0.5]] },
  { capsule: [-0.4, 0, 0.5, 0], radius: 0.15 },
  { capsule: [0, 0.4, 0, -0.4], radius: 0.2, angle: 0.5 },
];

Deno.test("queries: any convex shape overlaps what is within both radii of it (SPEC 9.38)", () => {
  let found = 0;
  for (let seed = 1; seed <= 12; seed++) {
    const { stage, entities, random } = scatter(seed);
    for (const shape of CASTS) {
      for (let i = 0; i < 12; i++) {
        const at = { x: between(random, -6, 6), y: between(random, -6, 6) };
        const query = queryAt(shape, at.x, at.y);
        const actual = new Set(stage.queries.overlap(shape, at).map(({ entity }) => entity));
        for (const entity of entities) {
          const gap = gapOf(query, roundOf(entity));
          if (Math.abs(gap) < 1e-9) continue;
          assertEquals(actual.has(entity), gap < 0, `${JSON.stringify(shape)}: ${gap}`);
        }
        found += actual.size;
      }
    }
  }
  assertGreater(found, 500);
});

Deno.test("queries: any convex shape that is cast meets what it overlaps first on its way (SPEC 9.38)", () => {
  const seen = { hits: 0, misses: 0 };
  for (let seed = 1; seed <= 6; seed++) {
    const { stage, entities, random } = scatter(seed);
    for (const shape of CASTS) {
      for (let i = 0; i < 5; i++) {
        const from = { x: between(random, -9, 9), y: between(random, -9, 9) };
        const to = { x: between(random, -9, 9), y: between(random, -9, 9) };
        const hits = new Map(
          stage.queries.castShapeAll(shape, from, to).map((hit) => [hit.entity, hit]),
        );
        for (const entity of entities) {
          const round = roundOf(entity);
          const gapAt = (t: number) => {
            const x = from.x + t * (to.x - from.x);
            return gapOf(queryAt(shape, x, from.y + t * (to.y - from.y)), round);
          };
          const what = `seed ${seed}, ${JSON.stringify(shape)}, entity ${entity.id}`;
          if (gapAt(0) < 1e-6) continue;
          const hit = hits.get(entity);
          const end = hit?.fraction ?? 1;
          for (let t = 0; t <= 1; t += 1 / 64) assert(gapAt(t * end) > -1e-6, what);
          if (hit === undefined) {
            seen.misses++;
            continue;
          }
          seen.hits++;
          assertAlmostEquals(gapAt(end), 0, 1e-6, what);

          // It would go on into the target, against the normal.
          const dx = to.x - from.x;
          const dy = to.y - from.y;
          assertAlmostEquals(hit.nx * hit.nx + hit.ny * hit.ny, 1, 1e-9);
          assert(hit.nx * dx + hit.ny * dy < 0, what);
        }
      }
    }
  }
  assertGreater(seen.hits, 500);
  assertGreater(seen.misses, 3000);
});

Deno.test("queries: rays, points and the closest place see a rounded shape as far as its radius (SPEC 9.38, 9.87)", () => {
  const seen = { rays: 0, inside: 0 };
  for (let seed = 1; seed <= 8; seed++) {
    const { stage, entities, random } = scatter(seed);
    for (let i = 0; i < 40; i++) {
      const from = { x: between(random, -9, 9), y: between(random, -9, 9) };
      const to = { x: between(random, -9, 9), y: between(random, -9, 9) };
      const pointAt = (t: number): Round => ({
        hull: [[from.x + t * (to.x - from.x), from.y + t * (to.y - from.y)]],
        radius: 0,
      });
      for (const { entity, fraction } of stage.queries.rayCastAll(from, to)) {
        const round = roundOf(entity);
        if (gapOf(pointAt(0), round) < 1e-6) continue;
        assertAlmostEquals(gapOf(pointAt(fraction), round), 0, 1e-6);
        seen.rays++;
      }

      const gaps = entities.map((entity) => Math.max(0, gapOf(pointAt(0), roundOf(entity))));
      const least = Math.min(...gaps);
      const closest = stage.queries.closest(from, 20)!;
      assertAlmostEquals(closest.distance, least, 1e-9);
      assertAlmostEquals(
        Math.hypot(closest.x - from.x, closest.y - from.y),
        closest.distance,
        1e-9,
      );
      const inside = stage.queries.at(from).map(({ entity }) => entity);
      assertEquals(inside, entities.filter((_, i) => gaps[i] === 0));
      seen.inside += inside.length;
    }
  }
  assertGreater(seen.rays, 400);
  assertGreater(seen.inside, 15);
});

Deno.test("queries: the distance of two bodies is that of their surfaces, between two of their points (SPEC 9.88)", () => {
  const seen = { apart: 0, overlapping: 0 };
  for (let seed = 1; seed <= 6; seed++) {
    const { stage, entities } = scatter(seed);
    for (const a of entities) {
      for (const b of entities) {
        if (a === b) continue;
        const found = stage.queries.distance(a, b)!;
        const expected = Math.max(0, gapOf(roundOf(a), roundOf(b)));
        assertAlmostEquals(found.distance, expected, 1e-9);
        assertEquals([found.fixtureA, found.fixtureB], [0, 0]);
        if (expected === 0) {
          seen.overlapping++;
          continue;
        }
        seen.apart++;
        const { ax, ay, bx, by } = found;
        assertAlmostEquals(Math.hypot(bx - ax, by - ay), expected, 1e-9);
        assertAlmostEquals(gapOf({ hull: [[ax, ay]], radius: 0 }, roundOf(a)), 0, 1e-9);
        assertAlmostEquals(gapOf({ hull: [[bx, by]], radius: 0 }, roundOf(b)), 0, 1e-9);
      }
    }
  }
  assertGreater(seen.apart, 6000);
  assertGreater(seen.overlapping, 80);
});

Deno.test("queries: a shape or a body that no query can have is refused in words (SPEC 9.38, 9.88)", () => {
  const { stage, entities } = scatter(1);
  const at = { x: 0, y: 0 };
  const refusals: readonly [QueryShape, string][] = [
    [{ polygon: [[0, 0], [1, 0]] }, "a query's polygon has 2 corners"],
    [{ polygon: [[0, 0], [1, 0], [0.2, 0.2], [0, 1]] }, "a query's polygon is not convex"],
    [{ polygon: [[0, 0], [1, 0], [NaN, 1]] }, "a corner's x is NaN"],
    [{ capsule: [0, 0, 0, 0], radius: 1 }, "the capsule of a query has no length"],
    [{ capsule: [0, 0, 0, 1] } as unknown as QueryShape, "the radius of a query is 0"],
    [{ box: [1, 1], radius: -1 }, "the radius of a query is -1"],
    [{ box: [1, 1], radius: 1, angle: NaN }, "angle is NaN"],
    [{ circle: 1, radius: 1 } as QueryShape, `has no "radius"`],
  ];
  for (const [shape, message] of refusals) {
    assertThrows(() => stage.queries.overlap(shape, at), StageError, message);
    assertThrows(() => stage.queries.castShape(shape, at, { x: 1, y: 1 }), StageError, message);
  }
  const shot = stage.spawn(SHOT, at);
  assertThrows(
    () => stage.queries.distance(shot, entities[0]!),
    StageError,
    "is a projectile: it has no fixtures",
  );
  assertEquals(stage.queries.distance(stage.ground, entities[0]!), undefined);
});
