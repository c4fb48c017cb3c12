/**
 * Queries of the world, against planck's ray casts, against each other, and against a search by
 * small steps.
 */
import { assert, assertAlmostEquals, assertEquals, assertGreater, assertThrows } from "@std/assert";
import * as planck from "planck";
import {
  archetype,
  type Shape,
  type StageDef,
  StageError,
} from "../../../../shared/physics/core/types.ts";
import type { Entity } from "../../../../shared/physics/stage/entity.ts";
import type {
  CastHit,
  QueryFilter,
  QueryResult,
  QueryShape,
} from "../../../../shared/physics/stage/queries.ts";
import { Stage } from "../../../../shared/physics/stage/stage.ts";
import { Random } from "../../../../shared/random.ts";
import { Snapshot } from "../../../../shared/snapshot.ts";
import { FEATURES } from "../scenes/features.ts";

const SHAPES: readonly Shape[] = [
  { circle: 0.7, x: 0.2, y: -0.1 },
  { box: [0.9, 0.4], x: 0.3, angle: 0.4 },
  { polygon: [[0, 0.9], [-0.8, 0.1], [-0.3, -0.7], [0.6, -0.5]] },
  { edge: [-0.8, -0.3, 0.9, 0.5] },
];
const KINDS = SHAPES.map((shape, i) =>
  archetype({ name: `kind ${i}`, body: { fixtures: [{ shape }], gravityScale: 0 }, fields: {} })
);
const TWO = archetype({
  name: "two",
  body: {
    fixtures: [{ shape: { circle: 0.3 } }, {
      shape: { box: [0.6, 0.6] },
      sensor: true,
      category: 4,
    }],
  },
  fields: {},
});
const SHOT = archetype({ name: "shot", projectile: { radius: 0.5, lifeTicks: 100 }, fields: {} });
const FIELD: StageDef = {
  gravity: 0,
  tickHz: 20,
  substeps: 2,
  features: FEATURES,
  ground: [{ shape: { box: [50, 0.5], y: -20 } }],
  archetypes: [...KINDS, TWO, SHOT],
  fields: {},
};

const TWO_PI = 2 * Math.PI;

function between(random: Random, low: number, high: number): number {
  return low + (high - low) * random.below(1e6) / 1e6;
}

/** Bodies of all shapes at random poses, some of them on top of each other. */
function scatter(seed: number): { stage: Stage; entities: Entity[]; random: Random } {
  const stage = new Stage(FIELD);
  const random = new Random(seed);
  const entities = Array.from({ length: 30 }, (_, i) =>
    stage.spawn(KINDS[i % KINDS.length]!, {
      x: between(random, -6, 6),
      y: between(random, -6, 6),
      angle: between(random, -4, 4),
    }));
  stage.endTick();
  return { stage, entities, random };
}

/** The same bodies in planck, without skins, by the numbers of the entities. */
function mirror(entities: readonly Entity[]): planck.World {
  const world = new planck.World();
  for (const { id, archetype, x, y, angle } of entities) {
    const body = world.createBody({ type: "static", position: { x, y }, angle });
    body.createFixture({
      shape: planckShape(SHAPES[Number(archetype.name.slice(5))]!),
      userData: id,
    });
  }
  return world;
}

function planckShape(shape: Shape): planck.Shape {
  if ("circle" in shape) return new planck.Circle({ x: shape.x!, y: shape.y! }, shape.circle);
  if ("box" in shape) return new planck.Box(...shape.box, { x: shape.x!, y: 0 }, shape.angle!);
  if ("edge" in shape) {
    const [x1, y1, x2, y2] = shape.edge;
    return new planck.Edge({ x: x1, y: y1 }, { x: x2, y: y2 });
  }
  if ("capsule" in shape) throw new Error("planck has no capsules");
  return new planck.Polygon(shape.polygon.map(([x, y]) => ({ x, y })));
}

Deno.test("queries: a ray hits what planck's ray hits, at the same fraction and with the same normal (SPEC 9.38)", () => {
  let hits = 0;
  for (let seed = 1; seed <= 20; seed++) {
    const { stage, entities, random } = scatter(seed);
    const world = mirror(entities);
    for (let ray = 0; ray < 100; ray++) {
      const angle = between(random, 0, TWO_PI);
      const from = { x: 12 * Math.cos(angle), y: 12 * Math.sin(angle) };
      const to = { x: between(random, -8, 8), y: between(random, -8, 8) };
      const expected = new Map<number, [fraction: number, nx: number, ny: number]>();
      world.rayCast(from, to, (fixture, _point, { x, y }, fraction) => {
        expected.set(fixture.getUserData() as number, [fraction, x, y]);
        return 1;
      });
      const actual = stage.queries.rayCastAll(from, to);
      for (const { entity, fraction, nx, ny } of actual) {
        const theirs = expected.get(entity.id);
        assert(theirs !== undefined, `seed ${seed}, ray ${ray}: planck misses entity ${entity.id}`);
        [fraction, nx, ny].forEach((value, i) => assertAlmostEquals(value, theirs[i]!, 1e-5));
      }
      assertEquals(actual.length, expected.size, `seed ${seed}, ray ${ray}`);
      assertEquals(stage.queries.rayCast(from, to), actual[0]);
      assert(actual.every(({ fraction }, i) => i === 0 || fraction >= actual[i - 1]!.fraction));
      hits += actual.length;
    }
  }

  assertGreater(hits, 3000);
});

const CASTS: readonly QueryShape[] = [{ circle: 0.4 }, { box: [0.5, 0.2], angle: 0.7 }, {
  box: [0.3, 0.3],
}];

Deno.test("queries: a cast shape begins to overlap at its hit, and overlaps nothing new before (SPEC 9.38)", () => {
  let hits = 0;
  for (let seed = 1; seed <= 30; seed++) {
    const { stage, random } = scatter(seed);
    for (const shape of CASTS) {
      const from = { x: between(random, -9, 9), y: between(random, -9, 9) };
      const to = { x: between(random, -9, 9), y: between(random, -9, 9) };
      const at = (t: number) => ({
        x: from.x + t * (to.x - from.x),
        y: from.y + t * (to.y - from.y),
      });
      const idsAt = (t: number) =>
        new Set(stage.queries.overlap(shape, at(t)).map(({ entity }) => entity.id));
      const begun = idsAt(0);
      const all = stage.queries.castShapeAll(shape, from, to);
      for (const { entity, fraction, x, y } of all) {
        assertAlmostEquals(x, at(fraction).x, 1e-9);
        assertAlmostEquals(y, at(fraction).y, 1e-9);
        if (begun.has(entity.id)) {
          assertEquals(fraction, 0);
          continue;
        }
        hits++;
        assert(
          !idsAt(fraction - 1e-6).has(entity.id),
          `seed ${seed}: entity ${entity.id} overlaps before the hit`,
        );
        assert(
          idsAt(fraction + 1e-6).has(entity.id),
          `seed ${seed}: entity ${entity.id} is not reached`,
        );
      }
      const hit = new Set(all.map(({ entity }) => entity.id));
      for (let t = 0; t <= 1; t += 1 / 256) {
        for (const id of idsAt(t)) {
          assert(hit.has(id) || begun.has(id), `seed ${seed}: entity ${id} is not hit`);
        }
      }
    }
  }

  assertGreater(hits, 200);
});

Deno.test("queries: the normal of a hit leads to the moving shape, against its motion", () => {
  const { stage, random } = scatter(3);
  const hits: (CastHit & { dx: number; dy: number })[] = [];
  for (let i = 0; i < 100; i++) {
    const from = { x: between(random, -9, 9), y: 9 };
    const to = { x: between(random, -9, 9), y: -9 };
    for (const shape of CASTS) {
      for (const hit of stage.queries.castShapeAll(shape, from, to)) {
        hits.push({ ...hit, dx: to.x - from.x, dy: to.y - from.y });
      }
    }
  }
  assertGreater(hits.length, 1000);
  for (const { nx, ny, dx, dy } of hits) {
    assertAlmostEquals(nx * nx + ny * ny, 1, 1e-9);
    assert(nx * dx + ny * dy < 0);
  }
});

Deno.test("queries: the closest point is on the circle around the place that just overlaps (SPEC 9.38)", () => {
  let outside = 0;
  for (let seed = 1; seed <= 30; seed++) {
    const { stage, random } = scatter(seed);
    for (let i = 0; i < 30; i++) {
      const place = { x: between(random, -9, 9), y: between(random, -9, 9) };
      const found = stage.queries.closest(place, 100);
      assert(found !== undefined);
      const { x, y, distance, entity } = found;
      assertAlmostEquals(Math.hypot(x - place.x, y - place.y), distance, 1e-9);
      assertEquals(
        stage.queries.closest(place, 1e-3)?.entity,
        distance <= 1e-3 ? entity : undefined,
      );
      if (distance === 0) {
        assertEquals(stage.queries.at(place)[0]?.entity, entity);
        continue;
      }
      outside++;
      assertEquals(stage.queries.at(place), []);
      assertEquals(stage.queries.overlap({ circle: distance * (1 - 1e-9) }, place), []);
      assertEquals(stage.queries.overlap({ circle: distance * (1 + 1e-9) }, place).length, 1);
    }
  }

  assertGreater(outside, 300);
});

Deno.test("queries: filters leave out sensors, categories, an entity, and what the author refuses", () => {
  const stage = new Stage(FIELD);
  const left = stage.spawn(TWO, { x: -2, y: 0 });
  const right = stage.spawn(TWO, { x: 2, y: 0 });
  stage.spawn(SHOT, { x: 0, y: 0 });
  const from = { x: -9, y: 0 };
  const to = { x: 9, y: 0 };
  const names = (filter = {}) =>
    stage.queries.rayCastAll(from, to, filter).map(({ entity, fixture }) => [entity.id, fixture]);
  assertEquals(names(), [[left.id, 0], [right.id, 0]]);
  assertEquals(names({ sensors: true }), [[left.id, 1], [left.id, 0], [right.id, 1], [
    right.id,
    0,
  ]]);
  assertEquals(names({ sensors: true, mask: 4 }), [[left.id, 1], [right.id, 1]]);
  assertEquals(names({ except: left }), [[right.id, 0]]);
  assertEquals(names({ where: (entity: Entity) => entity !== right }), [[left.id, 0]]);
  assertEquals(stage.queries.rayCast({ x: 0, y: 0 }, { x: 0, y: -30 })?.entity, stage.ground);
  assertEquals(stage.queries.rayCast({ x: 0, y: 0 }, { x: 0, y: -19 }), undefined);
});

Deno.test("queries: a cast that begins inside hits at once if it leads deeper, and otherwise not", () => {
  const stage = new Stage(FIELD);
  const two = stage.spawn(TWO, { x: 0, y: 0 });
  for (const shape of [{ circle: 0.1 }, { box: [0.1, 0.1] }] as const) {
    const deeper = stage.queries.castShape(shape, { x: 0.2, y: 0 }, { x: -9, y: 0 });
    assertEquals([deeper?.entity, deeper?.fraction], [two, 0]);
    assertEquals(stage.queries.castShape(shape, { x: 0.2, y: 0 }, { x: 9, y: 0 }), undefined);
  }
});

Deno.test("queries: they change no bit, at any time between two world steps (SPEC 9.39)", () => {
  const run = (asks: boolean) => {
    const { stage, random } = scatter(5);
    const state = new Snapshot();
    const ask = () => {
      if (!asks) return;
      stage.queries.rayCastAll({ x: -9, y: -9 }, { x: 9, y: 9 });
      stage.queries.overlap({ box: [3, 3] }, { x: 1, y: 1 });
      stage.queries.closest({ x: 20, y: 0 }, 50);
    };

    for (let tick = 0; tick < 100; tick++) {
      ask();
      for (const kind of KINDS) {
        stage.applyImpulse(stage.all(kind)[tick % 4]!, random.below(9) - 4, random.below(9) - 4);
      }
      ask();
      stage.advance();
      ask();
      stage.teleport(stage.all(KINDS[0]!)[0]!, random.below(9), 0);
      ask();
      stage.endTick();
    }

    stage.save(state);
    return state;
  };
  assert(run(true).equals(run(false)));
});

Deno.test("queries: rules that ask within advance, wrong numbers and stages without the feature are refused in words", () => {
  let inside: unknown;
  const stage: Stage = new Stage({
    ...FIELD,
    shouldCollide: () => {
      try {
        stage.queries.at({ x: 0, y: 0 });
      } catch (error) {
        inside = error;
      }
      return true;
    },
  });
  stage.spawn(TWO, { x: 0, y: 0 });
  stage.spawn(TWO, { x: 0.1, y: 0 });
  stage.advance();
  assert(inside instanceof StageError && inside.message.includes("within advance()"), `${inside}`);
  const { queries } = stage;
  const here = { x: 0, y: 0 };
  assertThrows(
    () => queries.rayCast(here, { x: NaN, y: 0 }),
    StageError,
    "the end of a query: x is NaN",
  );
  assertThrows(
    () => queries.castShape({ circle: 0 }, here, here),
    StageError,
    "the radius of a query is 0",
  );
  assertThrows(
    () => queries.overlap({ box: [1, -1] }, here),
    StageError,
    "the half height of a query is -1",
  );
  assertThrows(
    () => queries.closest(here, Infinity),
    StageError,
    "the distance of a query is Infinity",
  );
  const bare = new Stage({
    ...FIELD,
    features: FEATURES.filter(({ feature }) => feature !== "queries"),
  });
  assertThrows(() => bare.queries, StageError, "needs the feature queries");
});

Deno.test("queries: a filter may make queries itself: the answers are those of queries one after the other (SPEC 9.39)", () => {
  const { stage } = scatter(46);
  const { queries } = stage;
  const eye = { x: -9, y: 0.3 };
  const isSeen = ({ id, x, y }: Entity) => queries.rayCast(eye, { x, y })?.entity.id === id;
  const box = { box: [4, 3], angle: 0.3 } as const;
  const at = { x: 0.5, y: 0 };
  const to = { x: 7, y: 2 };
  const queriesInTurn = [
    (filter: QueryFilter) => queries.overlap(box, at, filter),
    (filter: QueryFilter) => queries.overlap({ circle: 5 }, at, filter),
    (filter: QueryFilter) => queries.castShapeAll({ box: [1, 0.5] }, { x: -8, y: 1 }, to, filter),
    (filter: QueryFilter) => queries.rayCastAll({ x: -8, y: -1 }, to, filter),
  ];
  let seen = 0;
  let hidden = 0;

  for (const ask of queriesInTurn) {
    const all = ask({});
    const expected = all.filter(({ entity }) => isSeen(entity));
    assertEquals(ask({ where: isSeen }).map(keyed), expected.map(keyed));
    seen += expected.length;
    hidden += all.length - expected.length;
  }

  assert(seen > 8 && hidden > 8, `${seen} ${hidden}`);
});

function keyed({ entity: { id }, fixture, ...numbers }: QueryResult): unknown {
  return { id, fixture, ...numbers };
}
