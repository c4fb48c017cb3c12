/**
 * The layout of a stage's state in a snapshot, and the check of hostile words. All words have 32 bits:
 *
 *     header | the stage's fields | entities, ascending by id | joints, ascending by id
 *            | touching contacts, ascending by keys
 *
 *     entity  = motion | fields                the motion of a body has more words than that of a projectile
 *     contact = entities and flags | manifold  a sensor's contact has no manifold
 *
 * A contact that does not touch is a function of the poses and is left out. `joint_snapshot.ts` has the joints.
 */
import { type FieldLayout, firstInvalidField } from "../core/fields.ts";
import { FIXTURE_FLAGS, ONE_WAY } from "../core/fixture_rows.ts";
import type { CompiledJoint } from "../joints/compiled_joints.ts";
import type { JointWords } from "../joints/joint_snapshot.ts";
import type { CompiledArchetype, CompiledProjectile } from "./compiled_archetypes.ts";
import { ANGLE_MAX, POSITION_MAX, SPEED_MAX, SPIN_MAX } from "../core/limits.ts";
import { StageError } from "../core/types.ts";
import { refuseIf, type Snapshot } from "../../snapshot.ts";

/** A match of 32 seats has about a hundred entities. A world step and the broad phase are slow beyond this limit. */
export const ENTITIES_MAX = 1024;
/** As many, which is enough for a chain of all entities. */
export const JOINTS_MAX = 1024;
/** Ids count up and fit a word. At a hundred spawns a second they last 16 months. */
const ID_MAX = 0xffff_fffe;

/** Offsets in the header. */
export const TICK = 0, NEXT_ID = 1, ENTITY_COUNT = 2, JOINT_COUNT = 3, CONTACT_COUNT = 4;
export const HEADER_WORDS = 5;

/** Offsets in every entity. */
export const ENTITY_ID = 0, ENTITY_ARCHETYPE = 1;

/** Offsets in an entity with a body. Its motion is x, y, angle, vx, vy, spin: floats with these bounds. */
export const BODY_AWAKE = 2, BODY_TELEPORTS = 3, BODY_MOTION = 4, BODY_SLEEP_S = 10;
const BODY_WORDS = 11;
const BODY_MOTION_MAX = [POSITION_MAX, POSITION_MAX, ANGLE_MAX, SPEED_MAX, SPEED_MAX, SPIN_MAX];

/** Offsets in a projectile. Its motion is x, y, vx, vy. */
export const PROJECTILE_AGE = 2, PROJECTILE_BOUNCES = 3, PROJECTILE_TELEPORTS = 4, PROJECTILE_MOTION = 5;
const PROJECTILE_WORDS = 9;
const PROJECTILE_MOTION_MAX = [POSITION_MAX, POSITION_MAX, SPEED_MAX, SPEED_MAX];

/** Offsets in a contact. The manifold follows, but only its points in use. */
export const CONTACT_ENTITY_A = 0, CONTACT_ENTITY_B = 1, CONTACT_FLAGS = 2;
export const CONTACT_WORDS = 3;
/**
 * A manifold: normal and reference point, 4 words, then its points: position and impulses, 4 words, and the features.
 * The floats are those of `contact_rows.ts` in the same order.
 */
export const MANIFOLD_WORDS = 4, POINT_WORDS = 5, POINT_FEATURES = 4;
export const CONTACT_WORDS_MAX = CONTACT_WORDS + manifoldWords(2);

/** The bit of a contact's flags for a one-way fixture that the other body passes until they part. */
export const ONE_WAY_IGNORED = 1 << 20;

/** Checks the id of the next entity or joint. @throws StageError if all ids are used */
export function checkId(owner: { toString(): string }, id: number): void {
  if (id > ID_MAX) throw new StageError(`${owner}: every id has been used`);
}

/** The number of words of a manifold with so many points, 0 … 2. */
export function manifoldWords(points: number): number {
  return points === 0 ? 0 : MANIFOLD_WORDS + points * POINT_WORDS;
}

/** flags = fixture A | fixture B << 8 | points << 16 | manifold type << 18. `ONE_WAY_IGNORED` is not set. */
export function packContactFlags(fixtureA: number, fixtureB: number, points: number, type: number): number {
  return fixtureA | fixtureB << 8 | points << 16 | type << 18;
}

/** Splits any word. The caller checks the parts. */
export function unpackContactFlags(word: number): ContactFlags {
  return {
    fixtureA: word & 0xff,
    fixtureB: word >>> 8 & 0xff,
    points: word >>> 16 & 3,
    type: (word & ~ONE_WAY_IGNORED) >>> 18,
    oneWayIgnored: (word & ONE_WAY_IGNORED) !== 0,
  };
}

/** The parts of a contact's flags. */
interface ContactFlags {
  readonly fixtureA: number;
  readonly fixtureB: number;
  readonly points: number;
  readonly type: number;
  readonly oneWayIgnored: boolean;
}

/** The declarations that give a snapshot its meaning. */
export interface SnapshotSchema {
  readonly archetypes: readonly CompiledArchetype[];
  readonly compiledJoints: readonly CompiledJoint[];
  /** Undefined if the declaration does not list the feature. */
  readonly jointWords: JointWords | undefined;
  /** The layout of the stage's own fields. */
  readonly layout: FieldLayout;
}

/** The number of words of one entity before its fields. */
export function motionWords(compiled: CompiledArchetype): number {
  return compiled.projectile === undefined ? BODY_WORDS : PROJECTILE_WORDS;
}

/** The number of words of one entity with its fields. */
export function entityWords(compiled: CompiledArchetype): number {
  return motionWords(compiled) + compiled.layout.names.length;
}

/** The number of words of one contact with its manifold. */
export function contactWords(flags: number): number {
  return CONTACT_WORDS + manifoldWords(unpackContactFlags(flags).points);
}

/**
 * Finds every error that needs no world: a wrong length, unknown archetypes, unsorted or impossible ids, values out of
 * bounds. It also finds joints and contacts of entities that are not there.
 * @throws SnapshotError
 */
export function checkSnapshot(schema: SnapshotSchema, from: Snapshot): void {
  const { archetypes, compiledJoints, jointWords, layout } = schema, { words, length } = from;
  refuseIf(length > words.length || length < HEADER_WORDS + layout.names.length, "is too short");
  const nextId = words[NEXT_ID]!, entityCount = words[ENTITY_COUNT]!, jointCount = words[JOINT_COUNT]!;
  const tooMany = entityCount > ENTITIES_MAX || jointCount > (jointWords === undefined ? 0 : JOINTS_MAX);
  refuseIf(nextId === 0 || tooMany, "has an impossible header");
  refuseIf(firstInvalidField(layout, from, HEADER_WORDS) >= 0, "has a field of the stage that does not fit");
  const archetypeOf = new Map<number, CompiledArchetype>([[0, archetypes[0]!]]);
  let cursor = HEADER_WORDS + layout.names.length, before = 0;
  for (let i = 0; i < entityCount; i++) {
    refuseIf(cursor + 2 > length, "ends within an entity");
    const id = words[cursor + ENTITY_ID]!, compiled = archetypes[words[cursor + ENTITY_ARCHETYPE]!];
    refuseIf(id <= before || id >= nextId, "has ids out of order");
    refuseIf(compiled === undefined || compiled.index === 0, "has an unknown archetype");
    cursor = checkEntity(compiled!, from, cursor);
    archetypeOf.set(id, compiled!);
    before = id;
  }
  if (jointWords !== undefined) {
    cursor = jointWords.check({ compiledJoints, nextId, archetypeOf }, jointCount, from, cursor);
  }
  for (let i = 0; i < words[CONTACT_COUNT]!; i++) cursor = checkContact(archetypeOf, from, cursor);
  refuseIf(cursor !== length, "is too long");
}

function checkEntity(compiled: CompiledArchetype, from: Snapshot, cursor: number): number {
  const end = cursor + entityWords(compiled);
  refuseIf(end > from.length, "ends within an entity");
  if (compiled.projectile === undefined) checkBody(from, cursor);
  else checkProjectile(compiled, from, cursor);
  refuseIf(
    firstInvalidField(compiled.layout, from, cursor + motionWords(compiled)) >= 0,
    "has a field that does not fit",
  );
  return end;
}

function checkBody(from: Snapshot, cursor: number): void {
  const { words, floats } = from;
  refuseIf(words[cursor + BODY_AWAKE]! > 1 || words[cursor + BODY_TELEPORTS]! > 255, "has impossible flags");
  checkMotion(from, cursor + BODY_MOTION, BODY_MOTION_MAX);
  const sleepS = floats[cursor + BODY_SLEEP_S]!;
  refuseIf(!(sleepS >= 0 && sleepS < Infinity), "has an impossible sleep time");
}

/** The stage removes expired projectiles before it saves. */
function checkProjectile({ projectile }: CompiledProjectile, from: Snapshot, cursor: number): void {
  const { words } = from;
  refuseIf(words[cursor + PROJECTILE_AGE]! >= projectile.lifeTicks, "has a projectile that has outlived its time");
  refuseIf(words[cursor + PROJECTILE_BOUNCES]! > projectile.bouncesMax, "has a projectile with too many bounces");
  refuseIf(words[cursor + PROJECTILE_TELEPORTS]! > 255, "has impossible flags");
  checkMotion(from, cursor + PROJECTILE_MOTION, PROJECTILE_MOTION_MAX);
}

function checkMotion({ floats }: Snapshot, cursor: number, bounds: readonly number[]): void {
  for (let i = 0; i < bounds.length; i++) {
    refuseIf(!(Math.abs(floats[cursor + i]!) <= bounds[i]!), "has a motion out of bounds");
  }
}

function checkContact(archetypeOf: ReadonlyMap<number, CompiledArchetype>, from: Snapshot, cursor: number): number {
  const { words, length } = from;
  refuseIf(cursor + CONTACT_WORDS > length, "ends within a contact");
  const a = words[cursor + CONTACT_ENTITY_A]!, b = words[cursor + CONTACT_ENTITY_B]!;
  const { fixtureA, fixtureB, points, type, oneWayIgnored } = unpackContactFlags(words[cursor + CONTACT_FLAGS]!);
  const archetypeA = archetypeOf.get(a), archetypeB = archetypeOf.get(b);
  refuseIf(archetypeA === undefined || archetypeB === undefined || a >= b, "has a contact of nobody");
  const fixturesA = archetypeA!.body?.fixtures ?? [], fixturesB = archetypeB!.body?.fixtures ?? [];
  const none = fixtureA >= fixturesA.length || fixtureB >= fixturesB.length;
  refuseIf(none || points > 2 || type > 2 || (points === 0 && type !== 0), "has an impossible contact");
  const flags = fixturesA[fixtureA]!.ints[FIXTURE_FLAGS]! | fixturesB[fixtureB]!.ints[FIXTURE_FLAGS]!;
  refuseIf(oneWayIgnored && ((flags & ONE_WAY) === 0 || points === 0), "has somebody passing what is not one-way");
  const end = cursor + contactWords(words[cursor + CONTACT_FLAGS]!);
  refuseIf(end > length, "ends within a contact");
  checkManifold(from, cursor + CONTACT_WORDS, points);
  return end;
}

function checkManifold({ words, floats }: Snapshot, cursor: number, points: number): void {
  if (points === 0) return;
  for (let i = 0; i < MANIFOLD_WORDS; i++) {
    refuseIf(!Number.isFinite(floats[cursor + i]!), "has an impossible manifold");
  }
  for (let point = cursor + MANIFOLD_WORDS; points > 0; points--, point += POINT_WORDS) {
    for (let i = 0; i < POINT_FEATURES; i++) refuseIf(!Number.isFinite(floats[point + i]!), "has an impossible point");
    const features = words[point + POINT_FEATURES]!;
    refuseIf((features >>> 16 & 0xff) > 2 || features >>> 24 > 2, "has impossible features");
  }
}
