/**
 * Queries of the world: what a ray or a moving shape hits first, what overlaps a place, what is
 * nearest to a point. They count the bodies and the ground at their present poses, and leave
 * projectiles out.
 *
 * A query changes nothing and depends on the state alone, so rules may ask at any time between
 * two world steps. Skins do not count: a circle has its radius, and all other shapes are the hulls
 * that their author declared.
 */
import type { BroadPhase } from "../collision/broad_phase.ts";
import { Aabb } from "../collision/sweep_and_prune.ts";
import { Body, BodyInt, NONE } from "../core/body_rows.ts";
import { Fixture, FixtureFlag, FixtureInt } from "../core/fixture_rows.ts";
import { checkOptions, type OptionsOf } from "../core/declaration_checks.ts";
import { checkAngle, checkPosition, checkWithin } from "../core/limits.ts";
import { cos, sin } from "../core/math.ts";
import { Corner, ShapeType, ShapeValue, skinOf } from "../core/shape_rows.ts";
import { StageError, type StageFeature } from "../core/types.ts";
import type { World } from "../dynamics/world.ts";
import { BoxCast, boxCast, castBox } from "../geometry/box_cast.ts";
import { castCircle, CircleCast, circleCast } from "../geometry/circle_cast.ts";
import { Closest, closestPoint, findClosestPoint } from "../geometry/closest_point.ts";
import { castConvex, overlapsConvex, setConvex } from "../geometry/convex_cast.ts";
import { computeDistance, Nearest, nearest, resetSimplex } from "../geometry/distance.ts";
import { writeShape } from "../geometry/shapes.ts";
import { convexCorners } from "../core/polygon_corners.ts";
import { type Entity, recordOf } from "./entity.ts";
import { requireFixtures } from "./entity_checks.ts";
import type { EntityTable } from "./entity_table.ts";
import { explode } from "./explosion.ts";
import type { StageState } from "./internals.ts";

/** Metres: limit of radii, half sides and distances. */
const SIZE_MAX = 1e5;

/** A point on the stage, metres, at most 101,024. */
interface Place {
  readonly x: number;
  readonly y: number;
}

/**
 * The shape of a query, around its place. Metres: sizes are > 0 … 1e5, coordinates at most 1e5. A
 * `radius` rounds a shape, as in a declaration. A polygon is convex and has 3 to 12 corners, in
 * either order. The angle turns it about its place: radians, at most 1,024, default 0. It needs no
 * feature but `queries`.
 */
export type QueryShape =
  | { readonly circle: number }
  | {
    readonly box: readonly [halfWidth: number, halfHeight: number];
    readonly radius?: number;
    readonly angle?: number;
  }
  | {
    readonly polygon: readonly (readonly [x: number, y: number])[];
    readonly radius?: number;
    readonly angle?: number;
  }
  | {
    readonly capsule: readonly [x1: number, y1: number, x2: number, y2: number];
    readonly radius: number;
    readonly angle?: number;
  };

/** The fixtures that count. By default all but sensors. */
export interface QueryFilter {
  /** 16 bits: only fixtures with one of these categories. Default all. */
  readonly mask?: number;
  /**
   * 16 bits: only fixtures whose own mask has one of these groups. Default: their masks do not
   * count.
   */
  readonly category?: number;
  /** Whether sensors count, too. */
  readonly sensors?: boolean;
  /** An entity that does not count, such as the one that asks. */
  readonly except?: Entity;
  /**
   * Decides last. It must be a pure function of the state, and may make queries itself. It is
   * called in the order of the fixtures' keys.
   */
  readonly where?: (entity: Entity, fixture: number) => boolean;
}

const FILTER_OPTIONS: OptionsOf<QueryFilter> = {
  mask: 1,
  category: 1,
  sensors: 1,
  except: 1,
  where: 1,
};
const CIRCLE_OPTIONS = { circle: 1 } as const;
const BOX_OPTIONS = { box: 1, radius: 1, angle: 1 } as const;
const POLYGON_OPTIONS = { polygon: 1, radius: 1, angle: 1 } as const;
const CAPSULE_OPTIONS = { capsule: 1, radius: 1, angle: 1 } as const;

/** A fixture in an answer. */
export interface QueryResult {
  /** It may be the ground. */
  readonly entity: Entity;
  /** Index in the list of fixtures that the archetype, or the ground, declares. */
  readonly fixture: number;
  /** Index of a chain's segment, each of which is an answer of its own. 0 for every other shape. */
  readonly segment: number;
}

/** What a cast hits. */
export interface CastHit extends QueryResult {
  /** The share of the way before the hit, 0 … 1. */
  readonly fraction: number;
  /** Where the centre of the moving shape is then, or the end of the ray; metres. */
  readonly x: number;
  readonly y: number;
  /** Unit normal from the fixture to what hits it. */
  readonly nx: number;
  readonly ny: number;
}

/** The point of a fixture that is nearest to another point. */
export interface ClosestPoint extends QueryResult {
  /** Metres. */
  readonly x: number;
  readonly y: number;
  /** Metres; 0 if the other point is inside. */
  readonly distance: number;
}

/** How far two entities are from each other. */
export interface Distance {
  /** Metres; 0 if they overlap. */
  readonly distance: number;
  /**
   * The nearest points of the first and of the second one, metres. Of two that overlap, a point
   * somewhere between them.
   */
  readonly ax: number;
  readonly ay: number;
  readonly bx: number;
  readonly by: number;
  /** Indices in the lists of fixtures that they declare. */
  readonly fixtureA: number;
  readonly fixtureB: number;
}

/**
 * A test of one fixture: the offsets of its shape and of its body's row.
 * @returns the answer, or undefined
 */
type FixtureTest<Answer> = (shape: number, body: number, owner: QueryResult) => Answer | undefined;

/**
 * The queries of one stage. Every method throws a `StageError` for a number out of bounds, and
 * inside `advance`.
 */
export class Queries {
  readonly #world: World;
  readonly #entities: EntityTable;
  readonly #broadPhase: BroadPhase;
  readonly #beforeQuery: () => void;
  readonly #aabb = new Aabb();
  readonly #candidates: number[] = [];
  /**
   * A box of a query as the target of a circle: one shape, and one body of which only the
   * transform is used.
   */
  readonly #boxShape = new Float64Array(ShapeValue.STRIDE);
  readonly #boxBody = new Float64Array(Body.STRIDE);

  /** @param beforeQuery throws in a phase of the stage that allows no query */
  constructor(state: StageState, beforeQuery: () => void) {
    this.#world = state.world;
    this.#entities = state.entities;
    this.#broadPhase = state.contacts.broadPhase;
    this.#beforeQuery = beforeQuery;
  }

  /**
   * The first fixture that the segment meets. Of several at one place, that of the smallest entity
   * id, then index. A ray that begins inside a shape hits it at its start if it leads deeper, and
   * otherwise not at all.
   */
  rayCast(from: Place, to: Place, filter: QueryFilter = {}): CastHit | undefined {
    return first(this.rayCastAll(from, to, filter));
  }

  /**
   * All fixtures that the segment meets, each once, ascending by (fraction, entity id, fixture).
   */
  rayCastAll(from: Place, to: Place, filter: QueryFilter = {}): CastHit[] {
    this.#begin(from, to, 0, 0);
    return this.#collect(
      filter,
      (shape, body, owner) => this.#castCircle(from, to, 0, shape, body, owner),
    )
      .sort(byFraction);
  }

  /**
   * The first fixture that the shape meets on its straight way. It does not turn. As `rayCast`
   * otherwise.
   */
  castShape(
    shape: QueryShape,
    from: Place,
    to: Place,
    filter: QueryFilter = {},
  ): CastHit | undefined {
    return first(this.castShapeAll(shape, from, to, filter));
  }

  /**
   * All fixtures that the shape meets on its way, each once, ascending by (fraction, entity id,
   * fixture).
   */
  castShapeAll(shape: QueryShape, from: Place, to: Place, filter: QueryFilter = {}): CastHit[] {
    checkQueryShape(shape);
    if ("circle" in shape) {
      const radius = checkSize(shape.circle, "the radius of a query");
      this.#begin(from, to, radius, radius);
      return this.#collect(
        filter,
        (target, body, owner) => this.#castCircle(from, to, radius, target, body, owner),
      )
        .sort(byFraction);
    }
    if (!isPlainBox(shape)) {
      this.#beginConvex(shape, from, to);
      return this.#collect(
        filter,
        (target, body, owner) => this.#castConvex(from, to, target, body, owner),
      )
        .sort(byFraction);
    }
    this.#beginBox(shape.box, shape.angle ?? 0, from, to);
    return this.#collect(
      filter,
      (target, body, owner) =>
        this.#isRounded(target)
          ? this.#castConvex(from, to, target, body, owner)
          : this.#castBox(from, target, body, owner),
    )
      .sort(byFraction);
  }

  /** All fixtures that overlap the shape at a place, ascending by (entity id, fixture). */
  overlap(shape: QueryShape, at: Place, filter: QueryFilter = {}): QueryResult[] {
    checkQueryShape(shape);
    if ("circle" in shape) {
      return this.#near(at, checkSize(shape.circle, "the radius of a query"), filter);
    }
    if (!isPlainBox(shape)) {
      this.#beginConvex(shape, at, at);
      return this.#collect(
        filter,
        (target, body, owner) => this.#overlapsConvex(at, target, body) ? owner : undefined,
      );
    }
    this.#beginBox(shape.box, shape.angle ?? 0, at, at);
    return this.#collect(filter, (target, body, owner) => {
      const overlaps = this.#isRounded(target)
        ? this.#overlapsConvex(at, target, body)
        : this.#overlapsBox(target, body);
      return overlaps ? owner : undefined;
    });
  }

  /** All fixtures that a point is in, ascending by (entity id, fixture). */
  at(place: Place, filter: QueryFilter = {}): QueryResult[] {
    return this.#near(place, 0, filter);
  }

  /**
   * The nearest fixture within a distance; of several, that of the smallest entity id, then index.
   * @param distanceMax metres, > 0 … 1e5
   */
  closest(to: Place, distanceMax: number, filter: QueryFilter = {}): ClosestPoint | undefined {
    checkSize(distanceMax, "the distance of a query");
    this.#begin(to, to, distanceMax, distanceMax);
    const found = this.#collect(filter, (shape, body, owner): ClosestPoint | undefined => {
      const distance = this.#distanceTo(to, shape, body);
      if (distance > distanceMax) return undefined;
      return { ...owner, x: closestPoint[Closest.X]!, y: closestPoint[Closest.Y]!, distance };
    });
    return first(found.sort((a, b) => a.distance - b.distance || byFixture(a, b)));
  }

  /**
   * The distance of two bodies, one of which may be the ground, at their nearest fixtures. Of several
   * pairs that are equally near, the first one by the indices of both. Sensors do not count.
   * @returns undefined if one of the two has no fixture that counts
   * @throws StageError also for a projectile
   */
  distance(a: Entity, b: Entity): Distance | undefined {
    this.#beforeQuery();
    const rowA = this.#rowOf(a);
    const rowB = this.#rowOf(b);
    const { fixtures: { ints }, shapes, bodies: { values } } = this.#world;
    let best: Distance | undefined;
    for (const fixtureA of this.#solidOf(rowA)) {
      for (const fixtureB of this.#solidOf(rowB)) {
        const shapeA = ints[fixtureA * FixtureInt.STRIDE + FixtureInt.SHAPE]!;
        const shapeB = ints[fixtureB * FixtureInt.STRIDE + FixtureInt.SHAPE]!;
        resetSimplex();
        computeDistance(shapes, shapeA, values, rowA * Body.STRIDE, shapeB, rowB * Body.STRIDE);
        const between = nearest[Nearest.DISTANCE]!;
        const roundA = shapes[shapeA + ShapeValue.RADIUS]! - skinOf(shapes, shapeA);
        const roundB = shapes[shapeB + ShapeValue.RADIUS]! - skinOf(shapes, shapeB);
        const distance = Math.max(0, between - roundA - roundB);
        if (best !== undefined && distance >= best.distance) continue;

        // From the hulls to the surfaces
        const dx = between > 0 ? (nearest[Nearest.BX]! - nearest[Nearest.AX]!) / between : 0;
        const dy = between > 0 ? (nearest[Nearest.BY]! - nearest[Nearest.AY]!) / between : 0;
        const outA = Math.min(roundA, between);
        const outB = Math.min(roundB, between - outA);
        best = {
          distance,
          ax: nearest[Nearest.AX]! + outA * dx,
          ay: nearest[Nearest.AY]! + outA * dy,
          bx: nearest[Nearest.BX]! - outB * dx,
          by: nearest[Nearest.BY]! - outB * dy,
          fixtureA: ints[fixtureA * FixtureInt.STRIDE + FixtureInt.DECLARED_INDEX]!,
          fixtureB: ints[fixtureB * FixtureInt.STRIDE + FixtureInt.DECLARED_INDEX]!,
        };
      }
    }
    return best;
  }

  /** @throws StageError for what has no body on this stage */
  #rowOf(entity: Entity): number {
    return requireFixtures(this.#entities, entity).row;
  }

  /** The rows of a body's fixtures without sensors, in the order of the declaration. */
  #solidOf(body: number): readonly number[] {
    const { bodies, fixtures: { ints } } = this.#world;
    const rows: number[] = [];
    for (
      let row = bodies.ints[body * BodyInt.STRIDE + BodyInt.FIRST_FIXTURE]!;
      row !== NONE;
      row = ints[row * FixtureInt.STRIDE + FixtureInt.NEXT]!
    ) {
      const flags = ints[row * FixtureInt.STRIDE + FixtureInt.FLAGS]!;
      if ((flags & FixtureFlag.SENSOR) === 0) rows.push(row);
    }
    return rows;
  }

  #near(to: Place, radius: number, filter: QueryFilter): QueryResult[] {
    this.#begin(to, to, radius, radius);
    return this.#collect(
      filter,
      (shape, body, owner) => this.#distanceTo(to, shape, body) <= radius ? owner : undefined,
    );
  }

  /**
   * Checks the way of a query, and sets its AABB.
   * @param extentX of the shape around its centre, metres
   */
  #begin(from: Place, to: Place, extentX: number, extentY: number): void {
    this.#beforeQuery();
    checkPosition("the start of a query", from.x, from.y);
    checkPosition("the end of a query", to.x, to.y);
    this.#aabb.left = Math.min(from.x, to.x) - extentX;
    this.#aabb.right = Math.max(from.x, to.x) + extentX;
    this.#aabb.bottom = Math.min(from.y, to.y) - extentY;
    this.#aabb.top = Math.max(from.y, to.y) + extentY;
  }

  #beginBox(
    [halfWidth, halfHeight]: readonly [number, number],
    angle: number,
    from: Place,
    to: Place,
  ): void {
    checkSize(halfWidth, "the half width of a query");
    checkSize(halfHeight, "the half height of a query");
    checkAngle("a query", angle);

    const c = cos(angle);
    const s = sin(angle);
    const along = Math.abs(c);
    const across = Math.abs(s);

    // Its AABB
    this.#begin(
      from,
      to,
      along * halfWidth + across * halfHeight,
      across * halfWidth + along * halfHeight,
    );

    // The box itself, at the start
    boxCast[BoxCast.CENTER_X] = this.#boxBody[Body.ORIGIN_X] = from.x;
    boxCast[BoxCast.CENTER_Y] = this.#boxBody[Body.ORIGIN_Y] = from.y;
    boxCast[BoxCast.COS] = this.#boxBody[Body.COS] = c;
    boxCast[BoxCast.SIN] = this.#boxBody[Body.SIN] = s;
    boxCast[BoxCast.HALF_WIDTH] = halfWidth;
    boxCast[BoxCast.HALF_HEIGHT] = halfHeight;
    boxCast[BoxCast.DX] = to.x - from.x;
    boxCast[BoxCast.DY] = to.y - from.y;

    // For rounded shapes that it may meet
    if (this.#world.rounded !== undefined) {
      setConvex(cornersOf({ box: [halfWidth, halfHeight] }), c, s, 0);
    }
    writeShape(this.#boxShape, 0, { box: [halfWidth, halfHeight] });
    this.#boxShape[ShapeValue.RADIUS] = 0;
  }

  /** Sets the hull of `convex_cast.ts` to any shape but a circle, and begins. */
  #beginConvex(shape: Exclude<QueryShape, { circle: number }>, from: Place, to: Place): void {
    const { radius = 0, angle = 0 } = shape;
    checkAngle("a query", angle);
    if (radius !== 0 || "capsule" in shape) checkSize(radius, "the radius of a query");
    const reach = radius + setConvex(cornersOf(shape), cos(angle), sin(angle), radius);
    this.#begin(from, to, reach, reach);
  }

  /** Tests the fixtures whose AABBs overlap that of the query, ascending by their keys. */
  #collect<Answer extends QueryResult>(filter: QueryFilter, test: FixtureTest<Answer>): Answer[] {
    checkOptions(filter, FILTER_OPTIONS, "the filter of a query");

    // Candidates by their AABBs, in the order of their keys
    const { fixtures: { values, ints } } = this.#world;
    const candidates = this.#candidates;
    const answers: Answer[] = [];
    const count = this.#broadPhase.query(this.#aabb);
    const keyOf = (row: number) => values[row * Fixture.STRIDE + Fixture.KEY]!;

    candidates.length = 0;
    for (let i = 0; i < count; i++) {
      if (mayCount(ints, this.#broadPhase.queryResults[i]!, filter)) {
        candidates.push(this.#broadPhase.queryResults[i]!);
      }
    }
    candidates.sort((a, b) => keyOf(a) - keyOf(b));

    // Those that the test confirms
    for (const row of candidates) {
      const body = ints[row * FixtureInt.STRIDE + FixtureInt.BODY]!;
      const { entity } = recordOf(this.#world, body);
      if (entity === filter.except) continue;
      const fixture = ints[row * FixtureInt.STRIDE + FixtureInt.DECLARED_INDEX]!;
      const segment = ints[row * FixtureInt.STRIDE + FixtureInt.SEGMENT]!;
      const owner = { entity, fixture, segment };
      const answer = test(
        ints[row * FixtureInt.STRIDE + FixtureInt.SHAPE]!,
        body * Body.STRIDE,
        owner,
      );
      if (answer !== undefined) answers.push(answer);
    }

    // Only now, because it may make a query of its own, which uses the same scratch memory.
    const { where } = filter;
    return where === undefined
      ? answers
      : answers.filter(({ entity, fixture }) => where(entity, fixture));
  }

  #distanceTo({ x, y }: Place, shape: number, body: number): number {
    closestPoint[Closest.FROM_X] = x;
    closestPoint[Closest.FROM_Y] = y;
    findClosestPoint(this.#world.shapes, shape, this.#world.bodies.values, body);
    return closestPoint[Closest.DISTANCE]!;
  }

  #castCircle(
    from: Place,
    to: Place,
    radius: number,
    shape: number,
    body: number,
    owner: QueryResult,
  ): CastHit | undefined {
    const { shapes, bodies, segments } = this.#world;
    circleCast[CircleCast.X] = from.x;
    circleCast[CircleCast.Y] = from.y;
    circleCast[CircleCast.DX] = to.x - from.x;
    circleCast[CircleCast.DY] = to.y - from.y;

    // The cast adds the shape's radius, of which a skin does not count.
    circleCast[CircleCast.RADIUS] = radius - skinOf(shapes, shape);

    if (!castCircle(shapes, shape, bodies.values, body)) return undefined;
    if (segments?.isGhostHit(shapes, shape, bodies.values, body)) return undefined;
    return hitOf(owner, from, to);
  }

  #isRounded(shape: number): boolean {
    return this.#world.shapes[shape + ShapeValue.TYPE] === ShapeType.ROUNDED;
  }

  #castConvex(
    from: Place,
    to: Place,
    shape: number,
    body: number,
    owner: QueryResult,
  ): CastHit | undefined {
    const { shapes, bodies } = this.#world;
    circleCast[CircleCast.X] = from.x;
    circleCast[CircleCast.Y] = from.y;
    circleCast[CircleCast.DX] = to.x - from.x;
    circleCast[CircleCast.DY] = to.y - from.y;
    return castConvex(shapes, shape, bodies.values, body) ? hitOf(owner, from, to) : undefined;
  }

  #overlapsConvex({ x, y }: Place, shape: number, body: number): boolean {
    const { shapes, bodies } = this.#world;
    return overlapsConvex(shapes, shape, bodies.values, body, x, y);
  }

  #castBox(from: Place, shape: number, body: number, owner: QueryResult): CastHit | undefined {
    const { shapes, bodies } = this.#world;
    const dx = boxCast[BoxCast.DX]!;
    const dy = boxCast[BoxCast.DY]!;
    const isCircle = shapes[shape + ShapeValue.TYPE] === ShapeType.CIRCLE;
    if (!(isCircle ? this.#castAtBox(shape, body) : castBox(shapes, shape, bodies.values, body))) {
      return undefined;
    }
    const fraction = isCircle ? circleCast[CircleCast.FRACTION]! : boxCast[BoxCast.FRACTION]!;
    const nx = isCircle ? -circleCast[CircleCast.NORMAL_X]! : boxCast[BoxCast.NORMAL_X]!;
    const ny = isCircle ? -circleCast[CircleCast.NORMAL_Y]! : boxCast[BoxCast.NORMAL_Y]!;
    return { ...owner, fraction, x: from.x + fraction * dx, y: from.y + fraction * dy, nx, ny };
  }

  /** A box meets a circle as the circle, which moves the other way, meets the box. */
  #castAtBox(shape: number, body: number): boolean {
    this.#setCircle(shape, body);
    circleCast[CircleCast.DX] = -boxCast[BoxCast.DX]!;
    circleCast[CircleCast.DY] = -boxCast[BoxCast.DY]!;
    circleCast[CircleCast.RADIUS] = this.#world.shapes[shape + ShapeValue.RADIUS]!;
    return castCircle(this.#boxShape, 0, this.#boxBody, 0);
  }

  /** Sets the start of `circleCast` to the centre of a circle. */
  #setCircle(shape: number, body: number): void {
    const { shapes, bodies: { values } } = this.#world;
    const c = values[body + Body.COS]!;
    const s = values[body + Body.SIN]!;
    const x = shapes[shape + ShapeValue.CORNERS + Corner.X]!;
    const y = shapes[shape + ShapeValue.CORNERS + Corner.Y]!;
    circleCast[CircleCast.X] = c * x - s * y + values[body + Body.ORIGIN_X]!;
    circleCast[CircleCast.Y] = s * x + c * y + values[body + Body.ORIGIN_Y]!;
  }

  #overlapsBox(shape: number, body: number): boolean {
    const { shapes, bodies } = this.#world;
    if (shapes[shape + ShapeValue.TYPE] !== ShapeType.CIRCLE) {
      castBox(shapes, shape, bodies.values, body);
      return boxCast[BoxCast.SEPARATION]! <= 0;
    }
    this.#setCircle(shape, body);
    closestPoint[Closest.FROM_X] = circleCast[CircleCast.X]!;
    closestPoint[Closest.FROM_Y] = circleCast[CircleCast.Y]!;
    findClosestPoint(this.#boxShape, 0, this.#boxBody, 0);
    return closestPoint[Closest.DISTANCE]! <= shapes[shape + ShapeValue.RADIUS]!;
  }
}

/** Whether the filter's numbers let a fixture count. */
function mayCount(
  ints: Int32Array,
  row: number,
  { mask, category, sensors = false }: QueryFilter,
): boolean {
  const at = row * FixtureInt.STRIDE;
  if (!sensors && (ints[at + FixtureInt.FLAGS]! & FixtureFlag.SENSOR) !== 0) return false;
  if (mask !== undefined && (ints[at + FixtureInt.CATEGORY]! & mask) === 0) return false;
  return category === undefined || (ints[at + FixtureInt.MASK]! & category) !== 0;
}

/** @throws StageError for an option that the shape of a query does not have */
function checkQueryShape(shape: QueryShape): void {
  const options = "circle" in shape
    ? CIRCLE_OPTIONS
    : "polygon" in shape
    ? POLYGON_OPTIONS
    : "capsule" in shape
    ? CAPSULE_OPTIONS
    : BOX_OPTIONS;
  checkOptions(shape, options, "the shape of a query");
}

function isPlainBox(
  shape: Exclude<QueryShape, { circle: number }>,
): shape is Extract<QueryShape, { box: unknown }> {
  return "box" in shape && shape.radius === undefined;
}

/**
 * @returns the corners of a shape's hull around its place, in either order, metres
 * @throws StageError for a size or a coordinate out of bounds, and a polygon that is not convex
 */
function cornersOf(
  shape: Exclude<QueryShape, { circle: number }>,
): readonly (readonly [x: number, y: number])[] {
  if ("polygon" in shape) {
    for (const [x, y] of shape.polygon) {
      checkWithin(x, SIZE_MAX, "a query", "a corner's x");
      checkWithin(y, SIZE_MAX, "a query", "a corner's y");
    }
    return convexCorners(shape.polygon, "a query");
  }
  if ("capsule" in shape) {
    const [x1, y1, x2, y2] = shape.capsule;
    for (const value of shape.capsule) checkWithin(value, SIZE_MAX, "a query", "an end");
    if (x1 === x2 && y1 === y2) {
      throw new StageError("the capsule of a query has no length: use a circle");
    }
    return [[x1, y1], [x2, y2]];
  }
  const [halfWidth, halfHeight] = shape.box;
  checkSize(halfWidth, "the half width of a query");
  checkSize(halfHeight, "the half height of a query");
  return [
    [-halfWidth, -halfHeight],
    [halfWidth, -halfHeight],
    [halfWidth, halfHeight],
    [-halfWidth, halfHeight],
  ];
}

/** The hit of `circleCast` on a way. */
function hitOf(owner: QueryResult, from: Place, to: Place): CastHit {
  const fraction = circleCast[CircleCast.FRACTION]!;
  return {
    ...owner,
    fraction,
    x: from.x + fraction * (to.x - from.x),
    y: from.y + fraction * (to.y - from.y),
    nx: circleCast[CircleCast.NORMAL_X]!,
    ny: circleCast[CircleCast.NORMAL_Y]!,
  };
}

/** @returns the size @throws StageError unless it is > 0 … 1e5 */
function checkSize(size: number, what: string): number {
  if (!(size > 0)) throw new StageError(`${what} is ${size}; more than 0 is needed`);
  checkWithin(size, SIZE_MAX, "a query", what);
  return size;
}

function first<Answer>(answers: readonly Answer[]): Answer | undefined {
  return answers[0];
}

function byFraction(a: CastHit, b: CastHit): number {
  return a.fraction - b.fraction || byFixture(a, b);
}

function byFixture(a: QueryResult, b: QueryResult): number {
  return a.entity.id - b.entity.id || a.fixture - b.fixture;
}

/** The queries as a part of a stage, and what needs the same geometry. */
export interface QueriesFeature extends StageFeature<"queries"> {
  create(state: StageState, beforeQuery: () => void): Queries;
  readonly explode: typeof explode;
}

/** The feature `queries`: stages that list it in their declaration answer queries. */
export const queries: QueriesFeature = {
  feature: "queries",
  create: (state, beforeQuery) => new Queries(state, beforeQuery),
  explode,
};
