/**
 * Changes of bodies that reach beyond one number: their type, whether they turn, whether they are
 * bullets, and which of their fixtures are sensors or switched on. Joints stay, and so do the
 * contacts that the body may still have.
 *
 *     mass, centre of mass, reach  :=  those of the fixtures that are switched on
 *     velocity of the centre       :=  that of the body's point there       position of the origin stays
 */
import { Body, BodyFlag, BodyInt, MotionType, NONE } from "../core/body_rows.ts";
import { allFixturesOf, FixtureFlag, FixtureInt } from "../core/fixture_rows.ts";
import type { Contacts } from "../dynamics/contacts.ts";
import type { World } from "../dynamics/world.ts";
import type { JointTable } from "../joints/joint_table.ts";
import { setMass } from "./body_mass.ts";
import type { BodyRecord } from "./entity.ts";
import type { EntityTable } from "./entity_table.ts";

/** The parts of a stage that a changed body may concern. */
export interface ChangedStage {
  readonly entities: EntityTable;
  readonly world: World;
  readonly contacts: Contacts;
  readonly joints: JointTable | undefined;
}

/** The fixtures of one word of switches. */
export const SWITCHES_PER_WORD = 16;

/** Sets or clears a flag of a body: `BodyFlag.BULLET` or `FIXED_ROTATION`. */
export function setBodyFlag({ bodies: { ints } }: World, row: number, flag: number, on: number) {
  const at = row * BodyInt.STRIDE + BodyInt.FLAGS;
  ints[at] = on === 1 ? ints[at]! | flag : ints[at]! & ~flag;
}

/** @returns 1 if the body has the flag, otherwise 0 */
export function bodyFlag({ bodies: { ints } }: World, row: number, flag: number): number {
  return (ints[row * BodyInt.STRIDE + BodyInt.FLAGS]! & flag) !== 0 ? 1 : 0;
}

/**
 * The switches of 16 declared fixtures as bits: those that have a flag.
 * @param first index of the first one in the declaration
 */
export function fixtureFlags(world: World, row: number, first: number, flag: number): number {
  const { ints } = world.fixtures;
  let bits = 0;
  for (const fixture of allFixturesOf(world.bodies, world.fixtures, row)) {
    const at = fixture * FixtureInt.STRIDE;
    const bit = ints[at + FixtureInt.DECLARED_INDEX]! - first;
    const isOf = bit >= 0 && bit < SWITCHES_PER_WORD;
    if (isOf && (ints[at + FixtureInt.FLAGS]! & flag) !== 0) bits |= 1 << bit;
  }
  return bits;
}

/** Sets a flag of 16 declared fixtures by bits. */
export function setFixtureFlags(
  world: World,
  row: number,
  first: number,
  { flag, bits }: { readonly flag: number; readonly bits: number },
): void {
  const { ints } = world.fixtures;
  for (const fixture of allFixturesOf(world.bodies, world.fixtures, row)) {
    const at = fixture * FixtureInt.STRIDE;
    const bit = ints[at + FixtureInt.DECLARED_INDEX]! - first;
    if (bit < 0 || bit >= SWITCHES_PER_WORD) continue;
    const flags = ints[at + FixtureInt.FLAGS]!;
    ints[at + FixtureInt.FLAGS] = (bits >> bit & 1) === 1 ? flags | flag : flags & ~flag;
  }
}

/**
 * Puts each fixture into the list that its flag `OFF` says, in the order of the declaration. One
 * that is switched off leaves its contacts and the broad phase. `remass` must follow.
 */
export function relistFixtures({ world, contacts }: ChangedStage, row: number): void {
  const { bodies, fixtures } = world;
  const { ints } = fixtures;
  const at = row * BodyInt.STRIDE;
  const wasOn = new Set<number>();
  for (let fixture = bodies.ints[at + BodyInt.FIRST_FIXTURE]!; fixture !== NONE;) {
    wasOn.add(fixture);
    fixture = ints[fixture * FixtureInt.STRIDE + FixtureInt.NEXT]!;
  }

  const orderOf = (fixture: number) =>
    ints[fixture * FixtureInt.STRIDE + FixtureInt.DECLARED_INDEX]! * 256 +
    ints[fixture * FixtureInt.STRIDE + FixtureInt.SEGMENT]!;
  // The last one comes first, so that each list is in the order of the declaration.
  const all = allFixturesOf(world.bodies, world.fixtures, row).sort((a, b) =>
    orderOf(b) - orderOf(a)
  );

  bodies.ints[at + BodyInt.FIRST_FIXTURE] = bodies.ints[at + BodyInt.FIRST_OFF] = NONE;
  for (const fixture of all) {
    const isOff = (ints[fixture * FixtureInt.STRIDE + FixtureInt.FLAGS]! & FixtureFlag.OFF) !== 0;
    const list = at + (isOff ? BodyInt.FIRST_OFF : BodyInt.FIRST_FIXTURE);
    ints[fixture * FixtureInt.STRIDE + FixtureInt.NEXT] = bodies.ints[list]!;
    bodies.ints[list] = fixture;
    if (isOff && wasOn.has(fixture)) {
      contacts.removeOfFixture(fixture);
      contacts.broadPhase.remove(fixture);
    } else if (!isOff && !wasOn.has(fixture)) contacts.broadPhase.add(fixture);
  }
}

/**
 * Computes the mass again, from type, flags and fixtures.
 * @param isLoading whether the pose and the motion of a snapshot follow; otherwise the origin stays
 *   where it is, and no point of the body changes its velocity
 */
export function remass(
  { world, entities }: ChangedStage,
  record: BodyRecord,
  { isLoading }: { readonly isLoading: boolean },
): void {
  const { bodies: { ints }, fixtures, shapes } = world;
  const { row, values, offset, compiled: { archetype } } = record;

  // The fixtures that are switched on
  const present: { shape: number; density: number }[] = [];
  for (let fixture = ints[row * BodyInt.STRIDE + BodyInt.FIRST_FIXTURE]!; fixture !== NONE;) {
    const at = fixture * FixtureInt.STRIDE;
    const declared = fixtures.ints[at + FixtureInt.DECLARED_INDEX]!;
    const { density = 1 } = archetype.body!.fixtures[declared]!;
    present.push({ shape: fixtures.ints[at + FixtureInt.SHAPE]!, density });
    fixture = fixtures.ints[at + FixtureInt.NEXT]!;
  }

  // Their mass, and where its centre is
  const oldX = values[offset + Body.LOCAL_CENTER_X]!;
  const oldY = values[offset + Body.LOCAL_CENTER_Y]!;
  setMass(values, offset, {
    type: ints[row * BodyInt.STRIDE + BodyInt.TYPE]!,
    fixedRotation: bodyFlag(world, row, BodyFlag.FIXED_ROTATION) === 1,
    fixtures: present,
    shapes,
    rounded: world.rounded,
  });

  // The AABBs of fixtures that were switched on are missing.
  ints[row * BodyInt.STRIDE + BodyInt.FLAGS]! &= ~BodyFlag.AABB_CURRENT;
  if (isLoading) return;

  // The new centre moves as the same point of the body did
  const c = values[offset + Body.COS]!;
  const s = values[offset + Body.SIN]!;
  const localX = values[offset + Body.LOCAL_CENTER_X]! - oldX;
  const localY = values[offset + Body.LOCAL_CENTER_Y]! - oldY;
  const dx = c * localX - s * localY;
  const dy = s * localX + c * localY;
  const spin = values[offset + Body.SPIN]!;
  values[offset + Body.VX]! -= spin * dy;
  values[offset + Body.VY]! += spin * dx;
  entities.setCenterPose(
    record,
    values[offset + Body.CENTER_X]! + dx,
    values[offset + Body.CENTER_Y]! + dy,
    values[offset + Body.ANGLE]!,
  );
}

/** What a body of its new sort cannot have: motion, spin, forces; its joints may rest, or hold. */
export function settle({ world, joints }: ChangedStage, record: BodyRecord): void {
  const { row, values, offset } = record;
  const type = world.bodies.ints[row * BodyInt.STRIDE + BodyInt.TYPE]!;
  const isStatic = type === MotionType.STATIC;
  if (isStatic) values[offset + Body.VX] = values[offset + Body.VY] = 0;
  if (isStatic || bodyFlag(world, row, BodyFlag.FIXED_ROTATION) === 1) {
    values[offset + Body.SPIN] = 0;
  }
  if (type !== MotionType.DYNAMIC) {
    values[offset + Body.FORCE_X] =
      values[offset + Body.FORCE_Y] =
      values[offset + Body.TORQUE] =
        0;
  }
  joints?.retype(record);
}
