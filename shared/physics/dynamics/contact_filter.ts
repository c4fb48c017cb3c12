import { Fixture, FixtureInt, type FixtureTable } from "../core/fixture_rows.ts";

/**
 * The rules about pairs of bodies, as the contacts consult them in the middle of a world step. A
 * stage compiles one from its author's declaration (`stage/pair_rules.ts`), so this room imports
 * nothing of the stage.
 *
 * Every method is a pure function of the state, so that a resimulation decides alike, and allocates
 * nothing.
 *
 * @typeParam Side one side of a pair: the row of a body for contacts, the stage's record of an
 *   entity for projectiles
 */
export interface ContactFilter<Side = number> {
  /** Whether `shouldCollide` and `landsOn` always return true, so that callers may skip them. */
  readonly isAlwaysSolid: boolean;
  /** Friction of the pair, ≥ 0; -1 if the fixtures' own frictions count. Symmetric. */
  friction(a: Side, b: Side): number;
  /** Restitution of the pair, 0 to 1; -1 if the fixtures' own restitutions count. Symmetric. */
  restitution(a: Side, b: Side): number;
  /** Whether two sides that touch push each other. Symmetric. */
  shouldCollide(a: Side, b: Side): boolean;
  /** Whether `side` may stand on the one-way fixtures of `platform`. */
  landsOn(side: Side, platform: Side): boolean;
}

/** Whether the groups of both fixtures allow a contact. */
export function mayCollide({ ints }: FixtureTable, a: number, b: number): boolean {
  const i = a * FixtureInt.STRIDE, k = b * FixtureInt.STRIDE;
  return (ints[i + FixtureInt.MASK]! & ints[k + FixtureInt.CATEGORY]!) !== 0 &&
    (ints[k + FixtureInt.MASK]! & ints[i + FixtureInt.CATEGORY]!) !== 0;
}

/**
 * @returns the friction of two fixtures: the declared one of the pair, if not negative, or the
 *   geometric mean
 */
export function frictionOf(
  { values }: FixtureTable,
  a: number,
  b: number,
  declared: number,
): number {
  if (declared >= 0) return declared;
  return Math.sqrt(
    values[a * Fixture.STRIDE + Fixture.FRICTION]! *
      values[b * Fixture.STRIDE + Fixture.FRICTION]!,
  );
}

/**
 * @returns the restitution of two fixtures: the declared one of the pair, if not negative, or the
 *   larger one
 */
export function restitutionOf(
  { values }: FixtureTable,
  a: number,
  b: number,
  declared: number,
): number {
  if (declared >= 0) return declared;
  return Math.max(
    values[a * Fixture.STRIDE + Fixture.RESTITUTION]!,
    values[b * Fixture.STRIDE + Fixture.RESTITUTION]!,
  );
}
