/**
 * Sensors that see what passes them within a world step. A world step compares its bodies with
 * sensors where it begins, so a ball at 60 m/s is seen every 1.5 m. Between two such places this
 * search follows the ways of fast bodies, and reports a touch that begins and ends on them. The
 * pairs are few: of a `swept` sensor, or of a sensor and a bullet; one of the two is fast
 * (`aabb.ts`); they do not touch where the step begins, and do not overlap where it ends.
 *
 * A body bounces within a step, and must not be seen behind the wall that stopped it. So the search
 * for impacts hands over the place at which each body changes its direction. The way of a body is a
 * line of straight pieces between such places, and two bodies are compared over the pieces that
 * both have in common.
 *
 * A touch in passing changes no body: the search only reports. It runs on stages whose declaration
 * has such a pair.
 */
import { Body, BodyFlag, BodyInt } from "../core/body_rows.ts";
import { updateTransform } from "../core/body_transform.ts";
import { ContactFlag, ContactInt } from "../core/contact_rows.ts";
import { FixtureInt } from "../core/fixture_rows.ts";
import { impactTime, NO_IMPACT, timeOfImpact } from "../geometry/time_of_impact.ts";
import { overlapsSensor } from "./narrow_phase.ts";
import type { World } from "./world.ts";

/**
 * A place on a body's way: the share of the world step, then centre and angle, metres and radians.
 */
const PLACE_STRIDE = 4;

/**
 * The two bodies of a pair on a piece of their ways, as rows of `body_rows.ts`. Written by
 * `#setPiece`, read by the time of impact and by `#report`.
 */
const scratch = {
  pieces: new Float64Array(2 * Body.STRIDE),
  kept: new Float64Array(2 * Body.STRIDE),
};

/** The search of one world. */
export class SensorSweeps {
  readonly #world: World;
  /**
   * By row of a body that has changed its direction in this step: its places before that, in the
   * order of time.
   */
  readonly #places = new Map<number, number[]>();

  constructor(world: World) {
    this.#world = world;
  }

  /** Before the search for impacts: all bodies are still on their first way. */
  begin(): void {
    this.#places.clear();
  }

  /** Before the start of a body's sweep moves on: keeps the place where it was. */
  keepStart(body: number): void {
    const { values } = this.#world.bodies;
    const b = body * Body.STRIDE;
    let places = this.#places.get(body);
    if (places === undefined) this.#places.set(body, places = []);
    places.push(
      values[b + Body.ALPHA0]!,
      values[b + Body.CENTER_X0]!,
      values[b + Body.CENTER_Y0]!,
      values[b + Body.ANGLE0]!,
    );
  }

  /**
   * Reports what passed a sensor in this step. It runs after the search for impacts. Each piece of
   * a way counts as one of `World.workMax`; what comes after that many goes unseen.
   */
  find(): void {
    const world = this.#world;
    const { active, contacts: { ints } } = world;
    let workLeft = world.workMax;
    active.mergeAdded();
    for (let i = 0; i < active.rows.length; i++) {
      const contact = active.rows[i]!;
      const k = contact * ContactInt.STRIDE;
      if (
        (ints[k + ContactInt.FLAGS]! & (ContactFlag.SWEPT | ContactFlag.TOUCHING)) !==
          ContactFlag.SWEPT
      ) continue;
      if (
        !this.#isFast(ints[k + ContactInt.BODY_A]!) && !this.#isFast(ints[k + ContactInt.BODY_B]!)
      ) {
        continue;
      }
      if (workLeft <= 0) {
        world.limitsReached.add("sweeps");
        break;
      }
      workLeft -= this.#follow(contact);
    }
  }

  #isFast(body: number): boolean {
    return (this.#world.bodies.ints[body * BodyInt.STRIDE + BodyInt.FLAGS]! & BodyFlag.FAST) !==
        0 ||
      this.#places.has(body);
  }

  /**
   * Follows the ways of a pair, and reports their first touch.
   * @returns the number of pieces that it has compared
   */
  #follow(contact: number): number {
    const { contacts: { ints }, fixtures, shapes } = this.#world;
    const k = contact * ContactInt.STRIDE;
    const bodyA = ints[k + ContactInt.BODY_A]!;
    const bodyB = ints[k + ContactInt.BODY_B]!;
    const shapeA = fixtures
      .ints[ints[k + ContactInt.FIXTURE_A]! * FixtureInt.STRIDE + FixtureInt.SHAPE]!;
    const shapeB = fixtures
      .ints[ints[k + ContactInt.FIXTURE_B]! * FixtureInt.STRIDE + FixtureInt.SHAPE]!;

    // The ways of both, with the place that each has reached
    const wayA = this.#wayOf(bodyA);
    const wayB = this.#wayOf(bodyB);
    const { pieces } = scratch;
    let count = 0;
    let atA = 0;
    let atB = 0;

    // Piece by piece, in each of which neither way bends
    for (let from = 0; from < 1;) {
      const endA = wayA[atA + PLACE_STRIDE]!;
      const endB = wayB[atB + PLACE_STRIDE]!;
      const to = Math.min(endA, endB);

      if (to > from) {
        setPiece(pieces, 0, wayA, atA, { from, to });
        setPiece(pieces, Body.STRIDE, wayB, atB, { from, to });
        this.#copyCentres(bodyA, bodyB);
        count++;

        const outcome = timeOfImpact(shapes, shapeA, pieces, 0, shapeB, Body.STRIDE);
        if (outcome !== NO_IMPACT) {
          // An undecided pair is as near as the search can tell.
          const share = impactTime[0]!;
          // What overlaps at the end of the step touches where the next one begins.
          if (!overlapsSensor(this.#world, k)) this.#report(contact, share, to - from);
          return count;
        }
      }

      from = to;
      if (endA === to) atA += PLACE_STRIDE;
      if (endB === to) atB += PLACE_STRIDE;
    }

    return count;
  }

  /** The places of a body in this step, from its start, at 0, to its end, at 1. */
  #wayOf(body: number): readonly number[] {
    const { values } = this.#world.bodies;
    const b = body * Body.STRIDE;
    const before = this.#places.get(body);
    const end = [
      1,
      values[b + Body.CENTER_X]!,
      values[b + Body.CENTER_Y]!,
      values[b + Body.ANGLE]!,
    ];
    return before === undefined
      ? [
        0,
        values[b + Body.CENTER_X0]!,
        values[b + Body.CENTER_Y0]!,
        values[b + Body.ANGLE0]!,
        ...end,
      ]
      : [...before, ...end];
  }

  /** The time of impact needs the bodies' centres of mass, too. */
  #copyCentres(bodyA: number, bodyB: number): void {
    const { values } = this.#world.bodies;
    for (const [at, body] of [[0, bodyA], [Body.STRIDE, bodyB]] as const) {
      scratch.pieces[at + Body.LOCAL_CENTER_X] = values[body * Body.STRIDE + Body.LOCAL_CENTER_X]!;
      scratch.pieces[at + Body.LOCAL_CENTER_Y] = values[body * Body.STRIDE + Body.LOCAL_CENTER_Y]!;
    }
  }

  /**
   * Reports a touch while both bodies are where they touched, and as fast as they were there.
   * @param share of the piece, 0 … 1
   * @param length of the piece, as a share of the world step
   */
  #report(contact: number, share: number, length: number): void {
    const { contacts: { ints }, bodies: { values }, listener, stepS } = this.#world;
    const { pieces, kept } = scratch;

    for (let side = 0; side < 2; side++) {
      const b = ints[contact * ContactInt.STRIDE + ContactInt.BODY_A + side]! * Body.STRIDE;
      const from = side * Body.STRIDE;
      kept.set(values.subarray(b, b + Body.STRIDE), from);
      for (const [now, start, speed] of MOTIONS) {
        const way = pieces[from + now]! - pieces[from + start]!;
        values[b + now] = pieces[from + start]! + share * way;
        values[b + speed] = way / (length * stepS);
      }
      updateTransform(values, b);
    }

    listener.onSweep(contact);
    for (let side = 0; side < 2; side++) {
      const b = ints[contact * ContactInt.STRIDE + ContactInt.BODY_A + side]! * Body.STRIDE;
      const from = side * Body.STRIDE;
      values.set(kept.subarray(from, from + Body.STRIDE), b);
    }
  }
}

/** Of each coordinate: where it ends, where it begins, and its speed. */
const MOTIONS = [
  [Body.CENTER_X, Body.CENTER_X0, Body.VX],
  [Body.CENTER_Y, Body.CENTER_Y0, Body.VY],
  [
    Body.ANGLE,
    Body.ANGLE0,
    Body.SPIN,
  ],
] as const;

/**
 * Sets a row to a body's motion from one time to another.
 * @param at index of the place before both in its way
 */
function setPiece(
  rows: Float64Array,
  row: number,
  way: readonly number[],
  at: number,
  { from, to }: { readonly from: number; readonly to: number },
): void {
  const begin = way[at]!;
  const length = way[at + PLACE_STRIDE]! - begin;
  for (let i = 0; i < MOTIONS.length; i++) {
    const [now, start] = MOTIONS[i]!;
    const first = way[at + 1 + i]!;
    const whole = way[at + PLACE_STRIDE + 1 + i]! - first;
    rows[row + start] = first + (from - begin) / length * whole;
    rows[row + now] = first + (to - begin) / length * whole;
  }
}
