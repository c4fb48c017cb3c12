/**
 * The hull of a polygon, compared bit by bit with planck's `PolygonShape`: corners, normals,
 * centroid, and what has no hull.
 */
import { assert, assertEquals, assertThrows } from "@std/assert";
import { assertSameBits, planck, within } from "./planck_reference.ts";
import { cos, sin } from "../../../../shared/physics/core/math.ts";
import { convexCorners } from "../../../../shared/physics/core/polygon_corners.ts";
import { CORNERS_MAX } from "../../../../shared/physics/core/shape_rows.ts";
import { LINEAR_SLOP } from "../../../../shared/physics/core/tuning.ts";
import { StageError } from "../../../../shared/physics/core/types.ts";
import { type Hull, hullOf, type Pair } from "../../../../shared/physics/geometry/hull.ts";
import { Random } from "../../../../shared/random.ts";

type Corners = readonly Pair[];

/** Polygons of each sort. */
const COUNT = 3000;
/** Metres: planck welds corners that are nearer. */
const WELD_DISTANCE = LINEAR_SLOP / 2;

/** Thrown where planck would go around for ever: rounding has led it past its first corner. */
class Endless extends Error {}

/** Differences that planck takes for one polygon; 324 are enough for 12 corners. */
const DIFFERENCES_MAX = 1000;

/** Runs `action`, and throws `Endless` if planck takes more than `DIFFERENCES_MAX` in it. */
function bounded<T>(action: () => T): T {
  const { sub } = planck.Vec2;
  let left = DIFFERENCES_MAX;
  planck.Vec2.sub = (v, w) => {
    if (left-- === 0) throw new Endless();
    return sub(v, w);
  };
  try {
    return action();
  } finally {
    planck.Vec2.sub = sub;
  }
}

/**
 * @returns planck's hull; undefined if planck takes its box of 2 m instead of the corners, or never
 *   ends
 */
function planckHull(corners: Corners): Hull | undefined {
  let polygon: planck.Polygon;
  try {
    polygon = bounded(() => new planck.Polygon(corners.map(([x, y]) => ({ x, y }))));
  } catch (error) {
    if (error instanceof Endless) return undefined;
    throw error;
  }
  const pairs = (vectors: readonly planck.Vec2[]) => vectors.map(({ x, y }): Pair => [x, y]);
  const hull = pairs(polygon.m_vertices);
  const isTheirs = hull.every(([x, y]) => corners.some((own) => own[0] === x && own[1] === y));
  if (!isTheirs) return undefined;
  const { x, y } = polygon.m_centroid;
  return { corners: hull, normals: pairs(polygon.m_normals), centroid: [x, y] };
}

function numbersOf({ corners, normals, centroid }: Hull): readonly number[] {
  return [...corners.flat(), ...normals.flat(), ...centroid];
}

/** @returns whether the corners have a hull; fails if it is not planck's */
function haveSameHull(corners: Corners, what: string): boolean {
  const expected = planckHull(corners);
  if (expected === undefined) {
    assertThrows(() => hullOf(corners), RangeError, "no convex hull");
    return false;
  }
  assertSameBits(numbersOf(hullOf(corners)), numbersOf(expected), what);
  return true;
}

/** Corners on an ellipse, counter-clockwise. */
function onEllipse(random: Random, count: number, width: number, height: number): Pair[] {
  const turn = random.fraction() * 7;
  return Array.from({ length: count }, (_, i) => {
    const angle = turn + (i + 0.5 * random.fraction()) * 2 * Math.PI / count;
    return [width * cos(angle), height * sin(angle)];
  });
}

const countOf = (random: Random) => 3 + random.below(CORNERS_MAX - 2);

/** Puts corners beside the middle of some sides, so far out that all stay convex, or so far in. */
function withMiddles(random: Random, corners: Corners, heightMax: number): Pair[] {
  return corners.flatMap(([x, y], i) => {
    const [nextX, nextY] = corners[(i + 1) % corners.length]!;
    if (random.chance(0.5)) return [[x, y] as const];
    const length = Math.sqrt((nextX - x) ** 2 + (nextY - y) ** 2);
    const share = 0.2 + 0.6 * random.fraction();
    const height = random.chance(0.3) ? 0 : within(random, heightMax) * 10 ** -random.below(14);
    const out = height / length;
    return [
      [x, y] as const,
      [
        x + share * (nextX - x) + out * (nextY - y),
        y + share * (nextY - y) - out * (nextX - x),
      ] as const,
    ];
  });
}

/** A distance at which corners are welded or just not, and often the one between both. */
function nearWeld(random: Random): number {
  if (random.chance(0.2)) return WELD_DISTANCE;
  return WELD_DISTANCE * (1 + within(random, 1) * 10 ** -random.below(16));
}

/** The sorts of polygons, each of which a test draws many of. */
const SORTS: Readonly<Record<string, (random: Random) => Pair[]>> = {
  "on an ellipse": (random) =>
    onEllipse(random, countOf(random), 0.05 + random.fraction(), 0.05 + random.fraction()),
  "nearly straight": (random) =>
    withMiddles(random, onEllipse(random, 3 + random.below(4), 1, 0.3), 0.003),
  "with straight sides of round numbers": (random) => {
    const [w, h] = [1 + random.below(8), 1 + random.below(8)];
    return withMiddles(random, [[0, 0], [w, 0], [w, h], [0, h]], 0);
  },
  "with near corners": (random) =>
    onEllipse(random, 3 + random.below(3), 1, 1).flatMap(([x, y]) => {
      const angle = random.fraction() * 7;
      const distance = nearWeld(random);
      const near: Pair = [x + distance * cos(angle), y + distance * sin(angle)];
      return random.chance(0.5) ? [[x, y] as const] : [[x, y] as const, near];
    }),
  // Opposite corners are near, and no two neighbours
  "rhombs as thin as a weld": (random) => {
    const length = 0.01 + random.fraction();
    const half = nearWeld(random) / 2;
    return [[-length, 0], [0, -half], [length, 0], [0, half]];
  },
  "slivers": (random) => onEllipse(random, countOf(random), 50, 10 ** -random.below(5)),
  "with a corner twice": (random) => {
    const corners = onEllipse(random, 3 + random.below(6), 1, 1);
    const copy = corners[random.below(corners.length)]!;
    corners.splice(random.below(corners.length + 1), 0, copy);
    return corners;
  },
  "tiny, to all on one place": (random) =>
    onEllipse(random, countOf(random), 0.02 * random.fraction(), 0.02 * random.fraction()),
  "huge": (random) => {
    const size = 10 ** (1 + random.below(30));
    return onEllipse(random, countOf(random), size * random.fraction(), size);
  },
  "far out": (random) => {
    const [x, y] = [within(random, 1e5), within(random, 1e5)];
    return onEllipse(random, countOf(random), 1, 0.1).map(([u, v]) => [u + x, v + y]);
  },
  "on a grid, in any order": (random) =>
    Array.from({ length: countOf(random) }, () => [random.below(7) - 3, random.below(7) - 3]),
  "on a line": (random) => {
    const [dx, dy] = [random.below(5), random.below(5)];
    return Array.from({ length: countOf(random) }, (_, i) => [(i + 1) * dx / 8, (i + 1) * dy / 8]);
  },
};

/** The same corners, often in the other order, from another one on, or with −0 for 0. */
function shuffled(random: Random, corners: Pair[]): Pair[] {
  if (random.chance(0.5)) corners.reverse();
  const from = random.below(corners.length);
  const turned = [...corners.slice(from), ...corners.slice(0, from)].slice(0, CORNERS_MAX);
  const zero = random.chance(0.2) ? -0 : 0;
  return turned.map(([x, y]) => [x === 0 ? zero : x, y === 0 ? zero : y]);
}

/**
 * Of the polygons of a sort: how many have a hull, and how many a declaration may have. planck
 * never ends for eleven of those that are nearly straight; what a declaration may have always ends.
 */
const COUNTS: Readonly<Record<string, readonly [hulls: number, declared: number]>> = {
  "on an ellipse": [COUNT, COUNT],
  "nearly straight": [2989, 2834],
  "with straight sides of round numbers": [COUNT, COUNT],
  "with near corners": [COUNT, 226],
  "rhombs as thin as a weld": [COUNT, 2988],
  "slivers": [COUNT, 2430],
  "with a corner twice": [COUNT, 0],
  "tiny, to all on one place": [2925, 2019],
  "huge": [COUNT, COUNT],
  "far out": [COUNT, COUNT],
  "on a grid, in any order": [2974, 375],
  "on a line": [0, 0],
};

for (const [sort, cornersOf] of Object.entries(SORTS)) {
  Deno.test(`hullOf: polygons ${sort} have planck's corners, normals and centroid, bit by bit (SPEC 9.34)`, () => {
    const random = new Random(1);
    let hulls = 0;
    let declared = 0;
    for (let i = 0; i < COUNT; i++) {
      const corners = shuffled(random, cornersOf(random));
      const what = JSON.stringify(corners);
      if (haveSameHull(corners, what)) hulls++;

      const checked = declaredCorners(corners);
      if (checked === undefined) continue;
      declared++;
      assert(haveSameHull(checked, what), `a polygon that may be declared has no hull: ${what}`);
    }
    assertEquals([hulls, declared], COUNTS[sort]);
  });
}

/** @returns the corners that a stage makes a hull of; undefined if it refuses the polygon */
function declaredCorners(corners: Corners): Corners | undefined {
  try {
    return convexCorners(corners, "rock");
  } catch (error) {
    assert(error instanceof StageError);
    return undefined;
  }
}
