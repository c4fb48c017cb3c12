/**
 * An explosion, after Box2D's b2World_Explode. Each fixture of a dynamic body gets
 *
 *     impulse = impulse per metre · width of the side that faces the point · share
 *     share   = 1 up to `radius`, from there down to 0 at `radius` + `falloff`
 *
 * at its point that is nearest to the explosion.
 */
import { Aabb } from "../collision/sweep_and_prune.ts";
import { Body, BodyInt, MotionType } from "../core/body_rows.ts";
import { checkOptions, type OptionsOf } from "../core/declaration_checks.ts";
import { Fixture, FixtureFlag, FixtureInt } from "../core/fixture_rows.ts";
import { checkPosition, checkSpin, checkVelocity, checkWithin } from "../core/limits.ts";
import { Corner, ShapeValue, skinOf } from "../core/shape_rows.ts";
import { StageError } from "../core/types.ts";
import { Closest, closestPoint, findClosestPoint } from "../geometry/closest_point.ts";
import type { BodyRecord, Entity } from "./entity.ts";
import { recordOf } from "./entity.ts";
import type { StageState } from "./internals.ts";

/** Metres: of `radius` and `falloff`. */
const REACH_MAX = 1e4;
/** Newton seconds per metre: as the impulses of `forces.ts`. */
const IMPULSE_MAX = 1e7;
/** Metres: a shorter way to the middle of a shape has no direction. */
const DIRECTION_MIN = 1e-9;

/** An explosion's strength. */
export interface Blast {
  /** Metres, ≥ 0, at most 1e4: as far as this, all get the whole impulse. */
  readonly radius: number;
  /** Metres, ≥ 0, at most 1e4: beyond the radius the impulse falls to 0 over this way. Default 0. */
  readonly falloff?: number;
  /**
   * N·s for each metre of the side that faces the explosion, at most 1e7. Below 0 it pulls.
   */
  readonly impulse: number;
  /** 16 bits: only fixtures with one of these categories. Default all. */
  readonly mask?: number;
  /** An entity that is not pushed, such as the one that explodes. */
  readonly except?: Entity;
}

const BLAST_OPTIONS: OptionsOf<Blast> = {
  radius: 1,
  falloff: 1,
  impulse: 1,
  mask: 1,
  except: 1,
};

/** What an explosion changes of one body. */
interface Push {
  readonly record: BodyRecord;
  vx: number;
  vy: number;
  spin: number;
}

/**
 * As `Stage.explode` has it.
 * @throws StageError for a value out of bounds; the message names it
 */
export function explode(
  state: StageState,
  x: number,
  y: number,
  blast: Blast,
): readonly Entity[] {
  const { radius, falloff = 0, impulse } = blast;
  checkOptions(blast, BLAST_OPTIONS, "an explosion");
  checkPosition("an explosion", x, y);
  checkReach(radius, "radius");
  checkReach(falloff, "falloff");
  checkWithin(impulse, IMPULSE_MAX, "an explosion", "impulse");

  // The new motions, of which none may be out of bounds
  const pushes = pushesOf(state, x, y, blast);
  for (const { record, vx, vy, spin } of pushes) {
    checkVelocity(record, vx, vy);
    checkSpin(record, spin);
  }

  state.phase.beginEdit();
  for (const { record: { values, offset, row }, vx, vy, spin } of pushes) {
    state.world.wake(row);
    values[offset + Body.VX] = vx;
    values[offset + Body.VY] = vy;
    values[offset + Body.SPIN] = spin;
  }
  return pushes.map(({ record }) => record.entity);
}

function checkReach(value: number, quantity: string): void {
  checkWithin(value, REACH_MAX, "an explosion", quantity);
  if (value < 0) {
    throw new StageError(`an explosion: ${quantity} is ${value}; 0 to ${REACH_MAX} are allowed`);
  }
}

/** @returns the bodies that it reaches, ascending by id */
function pushesOf(state: StageState, x: number, y: number, blast: Blast): readonly Push[] {
  const { world, world: { bodies, shapes, fixtures: { ints } } } = state;
  const { radius, falloff = 0, impulse } = blast;
  const pushes = new Map<number, Push>();

  for (const fixture of fixturesAround(state, x, y, blast)) {
    const body = ints[fixture * FixtureInt.STRIDE + FixtureInt.BODY]!;
    const shape = ints[fixture * FixtureInt.STRIDE + FixtureInt.SHAPE]!;
    const record = recordOf(world, body) as BodyRecord;
    if (record.entity === blast.except) continue;

    // How far it is, and in which direction it is pushed
    closestPoint[Closest.FROM_X] = x;
    closestPoint[Closest.FROM_Y] = y;
    findClosestPoint(shapes, shape, bodies.values, body * Body.STRIDE);
    const distance = closestPoint[Closest.DISTANCE]!;
    if (distance > radius + falloff) continue;
    if (distance === 0) aimAtMiddle(shapes, shape, bodies.values, body * Body.STRIDE);
    const px = closestPoint[Closest.X]!;
    const py = closestPoint[Closest.Y]!;
    const dx = px - x;
    const dy = py - y;
    const length = Math.sqrt(dx * dx + dy * dy);
    const nx = length > DIRECTION_MIN ? dx / length : 1;
    const ny = length > DIRECTION_MIN ? dy / length : 0;

    const share = distance <= radius ? 1 : (radius + falloff - distance) / falloff;
    const width = widthOf(shapes, shape, bodies.values, body * Body.STRIDE, nx, ny);
    const strength = impulse * width * share;
    if (strength === 0) continue;

    // The motion that it gets
    const { values, offset } = record;
    let push = pushes.get(record.id);
    if (push === undefined) {
      push = {
        record,
        vx: values[offset + Body.VX]!,
        vy: values[offset + Body.VY]!,
        spin: values[offset + Body.SPIN]!,
      };
      pushes.set(record.id, push);
    }
    const armX = px - values[offset + Body.CENTER_X]!;
    const armY = py - values[offset + Body.CENTER_Y]!;
    push.vx += strength * nx * values[offset + Body.INVERSE_MASS]!;
    push.vy += strength * ny * values[offset + Body.INVERSE_MASS]!;
    push.spin += strength * (armX * ny - armY * nx) * values[offset + Body.INVERSE_INERTIA]!;
  }
  return [...pushes.values()];
}

/** The fixtures that count and may be near enough, ascending by their keys. */
function fixturesAround(
  { world: { bodies, fixtures: { values, ints } }, contacts: { broadPhase } }: StageState,
  x: number,
  y: number,
  { radius, falloff = 0, mask = 0xffff }: Blast,
): readonly number[] {
  const box = new Aabb();
  const reach = radius + falloff;
  box.left = x - reach;
  box.right = x + reach;
  box.bottom = y - reach;
  box.top = y + reach;
  const count = broadPhase.query(box);
  const keyOf = (row: number) => values[row * Fixture.STRIDE + Fixture.KEY]!;
  return Array.from(broadPhase.queryResults.subarray(0, count))
    .filter((row) => {
      const at = row * FixtureInt.STRIDE;
      const body = ints[at + FixtureInt.BODY]!;
      return (ints[at + FixtureInt.FLAGS]! & FixtureFlag.SENSOR) === 0 &&
        (ints[at + FixtureInt.CATEGORY]! & mask) !== 0 &&
        bodies.ints[body * BodyInt.STRIDE + BodyInt.TYPE] === MotionType.DYNAMIC;
    })
    .sort((a, b) => keyOf(a) - keyOf(b));
}

/** Sets the point of `closestPoint` to the middle of a shape. */
function aimAtMiddle(shapes: Float64Array, shape: number, values: Float64Array, b: number): void {
  const localX = shapes[shape + ShapeValue.CENTROID_X]!;
  const localY = shapes[shape + ShapeValue.CENTROID_Y]!;
  const c = values[b + Body.COS]!;
  const s = values[b + Body.SIN]!;
  closestPoint[Closest.X] = c * localX - s * localY + values[b + Body.ORIGIN_X]!;
  closestPoint[Closest.Y] = s * localX + c * localY + values[b + Body.ORIGIN_Y]!;
}

/** @returns how wide a shape is across a direction, without its skin, metres */
function widthOf(
  shapes: Float64Array,
  shape: number,
  values: Float64Array,
  b: number,
  nx: number,
  ny: number,
): number {
  // The direction across, in the body's frame
  const c = values[b + Body.COS]!;
  const s = values[b + Body.SIN]!;
  const x = s * nx - c * ny;
  const y = c * nx + s * ny;
  let least = Infinity;
  let most = -Infinity;
  for (let i = 0; i < shapes[shape + ShapeValue.CORNER_COUNT]!; i++) {
    const at = shape + ShapeValue.CORNERS + i * Corner.STRIDE;
    const far = shapes[at + Corner.X]! * x + shapes[at + Corner.Y]! * y;
    least = Math.min(least, far);
    most = Math.max(most, far);
  }
  const rounding = shapes[shape + ShapeValue.RADIUS]! - skinOf(shapes, shape);
  return most - least + 2 * rounding;
}
