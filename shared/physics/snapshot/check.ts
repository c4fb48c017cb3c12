/**
 * The check of hostile words. It finds every error that needs no world. Words that are equal to
 * those of a valid state are not checked again.
 */
import { MotionType } from "../core/body_rows.ts";
import { type FieldLayout, firstInvalidField } from "../core/fields.ts";
import { FixtureFlag, FixtureInt } from "../core/fixture_rows.ts";
import {
  ANGLE_MAX,
  FLOAT_MAX,
  JOINTS_MAX,
  PARTS_MAX,
  POSITION_MAX,
  SPEED_MAX,
  SPIN_MAX,
} from "../core/limits.ts";
import { proxyKey } from "../core/proxy_key.ts";
import { SPEED_TOLERANCE } from "../core/tuning.ts";
import type { StageLimits } from "../core/types.ts";
import {
  type CompiledArchetype,
  type CompiledBody,
  type CompiledProjectile,
  isSleepless,
  isStatic,
  isUpright,
} from "../stage/compiled_archetypes.ts";
import type { CompiledJoint } from "../joints/compiled_joints.ts";
import type { JointWords } from "./joint_words.ts";
import {
  areSameWords,
  BodyWord,
  ContactWord,
  contactWords,
  type EndedTouchWords,
  entitiesAt,
  EntityWord,
  entityWords,
  gravityAt,
  type GravityWords,
  Header,
  MANIFOLD_WORDS,
  motionWords,
  NEXT_ID_MAX,
  partsOf,
  POINT_FEATURES,
  POINT_WORDS,
  ProjectileWord,
  type PropertyWords,
  unpackContactFlags,
} from "./layout.ts";
import type { SavedState } from "./saved_state.ts";
import { refuseIf, type Snapshot } from "../../snapshot.ts";

/** The bounds of x, y, angle, vx, vy, spin; and of a projectile's x, y, vx, vy. */
const BODY_MOTION_MAX = [POSITION_MAX, POSITION_MAX, ANGLE_MAX, SPEED_MAX, SPEED_MAX, SPIN_MAX];
const PROJECTILE_MOTION_MAX = [POSITION_MAX, POSITION_MAX, SPEED_MAX, SPEED_MAX];

/** Initial capacity in contacts; it doubles when it is used up. */
const CONTACTS_MIN = 64;

/** The declarations that give a snapshot its meaning. */
export interface SnapshotSchema {
  readonly archetypes: readonly CompiledArchetype[];
  readonly compiledJoints: readonly CompiledJoint[];
  /** Undefined if the declaration does not list the feature. */
  readonly jointWords: JointWords | undefined;
  readonly propertyWords: PropertyWords | undefined;
  readonly endedTouchWords: EndedTouchWords | undefined;
  /** Undefined if the gravity is constant. */
  readonly gravityWords: GravityWords | undefined;
  readonly limits: Required<StageLimits>;
  /** m/s and rad/s: the greatest at the end of a tick, but for rounding. */
  readonly speedMax: number;
  readonly spinMax: number;
  /** The layout of the stage's own fields. */
  readonly layout: FieldLayout;
}

/** Checks snapshots for one stage. The results are those of the last check. */
export class SnapshotCheck {
  /**
   * By index of an entity: its first word, and 1 if all its words are those of the saved state at
   * the same place.
   */
  readonly entityAt: Int32Array<ArrayBuffer>;
  readonly isSame: Uint8Array<ArrayBuffer>;
  /**
   * By index of a contact: its first word, and the place of the equal contact in the saved state,
   * -1 if none is equal.
   */
  contactAt = new Int32Array(CONTACTS_MIN);
  /** Places count from the first contact on. */
  sameAt = new Int32Array(CONTACTS_MIN);
  /** Index of the first word of the joints, of the contacts, and of the ended touches. */
  jointsAt = 0;
  contactsAt = 0;
  endedAt = 0;
  /** Whether the saved state has the same entities. */
  hasSameEntities = false;
  readonly #schema: SnapshotSchema;
  #entityCount = 0;
  #words = new Uint32Array(0);

  constructor(schema: SnapshotSchema) {
    this.#schema = schema;
    this.entityAt = new Int32Array(schema.limits.entities);
    this.isSame = new Uint8Array(schema.limits.entities);
  }

  /**
   * Finds a wrong length, unknown archetypes, unsorted or impossible ids, and values out of bounds.
   * It also finds joints and contacts of entities that are not there, ends of touches that go on,
   * and more of anything than the stage may have.
   * @param saved the state to compare with; undefined if there is none
   * @throws SnapshotError
   */
  run(from: Snapshot, saved: SavedState | undefined): void {
    const { jointWords, endedTouchWords, gravityWords, layout: fields, limits } = this.#schema;
    const { words, length } = from;

    // The header, and the fields of the stage
    refuseIf(
      length > words.length || length < entitiesAt(this.#schema),
      "is too short",
    );

    const nextId = words[Header.NEXT_ID]!;
    const jointCount = words[Header.JOINT_COUNT]!;
    this.#words = words;
    this.#entityCount = words[Header.ENTITY_COUNT]!;
    const tooMany = this.#entityCount > limits.entities ||
      words[Header.CONTACT_COUNT]! > limits.contacts ||
      jointCount > (jointWords === undefined ? 0 : JOINTS_MAX);
    refuseIf(nextId === 0 || nextId > NEXT_ID_MAX || tooMany, "has an impossible header");

    refuseIf(
      firstInvalidField(fields, from, Header.WORDS) >= 0,
      "has a field of the stage that does not fit",
    );
    refuseIf(
      gravityWords?.isValid(from, gravityAt(this.#schema)) === false,
      "has a gravity out of range",
    );

    // Entities
    this.jointsAt = this.contactsAt = this.#checkEntities(from, nextId, saved?.words);

    // Joints
    if (jointWords !== undefined) {
      const sameAs = this.hasSameEntities ? saved?.words : undefined;
      this.contactsAt = jointWords.check(
        this.#jointCheck(nextId),
        jointCount,
        from,
        this.jointsAt,
        sameAs,
      );
    }

    // Contacts
    this.endedAt = this.#checkContacts(from, this.hasSameEntities ? saved : undefined);

    // Touches that have ended; none of them goes on
    if (this.endedAt === length) return;
    refuseIf(endedTouchWords === undefined, "is too long");
    endedTouchWords!.check(from, this.endedAt, {
      archetypes: this.#schema.archetypes,
      limits,
      nextId,
    });
    refuseIf(this.#endsWhatTouches(from), "ends a touch that goes on");
  }

  #jointCheck(nextId: number) {
    const archetypeOf = (id: number) => this.#archetypeOf(id);
    return { compiledJoints: this.#schema.compiledJoints, nextId, archetypeOf };
  }

  /** @returns the index of the word after the entities */
  #checkEntities(from: Snapshot, nextId: number, saved: Snapshot | undefined): number {
    const { archetypes } = this.#schema;
    const { words, length } = from;
    const savedCount = saved === undefined ? 0 : saved.words[Header.ENTITY_COUNT]!;
    let cursor = entitiesAt(this.#schema);
    let before = 0;
    let isInStep = saved !== undefined;
    let partCount = partsOf(archetypes[0]!);

    for (let i = 0; i < this.#entityCount; i++) {
      refuseIf(cursor + 2 > length, "ends within an entity");
      const id = words[cursor + EntityWord.ID]!;
      const compiled = archetypes[words[cursor + EntityWord.ARCHETYPE]!];

      refuseIf(id <= before || id >= nextId, "has ids out of order");
      refuseIf(compiled === undefined || compiled.index === 0, "has an unknown archetype");
      const end = cursor + entityWords(compiled!);
      refuseIf(end > length, "ends within an entity");
      partCount += partsOf(compiled!);

      // Equal entities up to here have equal places. The first other one ends that.
      isInStep &&= i < savedCount && areSameWords(saved!, from, cursor, 2);

      this.entityAt[i] = cursor;
      this.isSame[i] = isInStep && areSameWords(saved!, from, cursor, end - cursor) ? 1 : 0;
      if (this.isSame[i] === 0) checkEntity(this.#schema, compiled!, from, cursor);
      cursor = end;
      before = id;
    }

    refuseIf(partCount > PARTS_MAX, "has too many fixtures");
    this.hasSameEntities = isInStep && this.#entityCount === savedCount;
    return cursor;
  }

  /** The archetype of an entity in the snapshot, of the ground for id 0, or undefined. */
  #archetypeOf(id: number): CompiledArchetype | undefined {
    const words = this.#words;
    const { archetypes } = this.#schema;
    if (id === 0) return archetypes[0];
    let low = 0;
    let high = this.#entityCount;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (words[this.entityAt[middle]! + EntityWord.ID]! < id) low = middle + 1;
      else high = middle;
    }
    if (low === this.#entityCount || words[this.entityAt[low]! + EntityWord.ID] !== id) {
      return undefined;
    }
    return archetypes[words[this.entityAt[low]! + EntityWord.ARCHETYPE]!];
  }

  /** @returns the index of the word after the contacts */
  #checkContacts(from: Snapshot, saved: SavedState | undefined): number {
    const { words, length } = from;
    const count = words[Header.CONTACT_COUNT]!;
    const savedEnd = saved?.endedAt ?? 0;
    const savedWords = saved?.words.words ?? words;
    let cursor = this.contactsAt;
    let before = -1;
    let savedCursor = saved?.contactsAt ?? 0;

    for (let i = 0; i < count; i++) {
      refuseIf(cursor + ContactWord.COUNT > length, "ends within a contact");
      const end = cursor + contactWords(words[cursor + ContactWord.FLAGS]!);
      refuseIf(end > length, "ends within a contact");
      refuseIf(before >= 0 && !isBefore(words, before, words, cursor), "has contacts out of order");

      // The equal contact of the saved state, if there is one
      while (savedCursor < savedEnd && isBefore(savedWords, savedCursor, words, cursor)) {
        savedCursor += contactWords(savedWords[savedCursor + ContactWord.FLAGS]!);
      }
      const isSame = savedCursor + end - cursor <= savedEnd &&
        areEqual(savedWords, savedCursor, words, cursor, end);

      if (!isSame) this.#checkContact(from, cursor);

      if (i === this.contactAt.length) this.#growContacts();
      this.contactAt[i] = cursor;
      this.sameAt[i] = isSame ? savedCursor - saved!.contactsAt : -1;
      before = cursor;
      cursor = end;
    }

    return cursor;
  }

  /**
   * Whether two fixtures touch and have an ended touch, too. A contact touches from physics on, and
   * ends after it.
   */
  #endsWhatTouches({ words, length }: Snapshot): boolean {
    const count = words[Header.CONTACT_COUNT]!;
    let i = 0;
    for (let ended = this.endedAt; ended < length; ended += ContactWord.COUNT) {
      while (i < count && isBefore(words, this.contactAt[i]!, words, ended)) i++;
      if (i < count && !isBefore(words, ended, words, this.contactAt[i]!)) return true;
    }
    return false;
  }

  #checkContact(from: Snapshot, cursor: number): void {
    const { words } = from;
    const a = words[cursor + ContactWord.ENTITY_A]!;
    const b = words[cursor + ContactWord.ENTITY_B]!;
    const { fixtureA, fixtureB, points, type, oneWayIgnored } = unpackContactFlags(
      words[cursor + ContactWord.FLAGS]!,
    );

    // Between two entities that there are
    const archetypeA = this.#archetypeOf(a);
    const archetypeB = this.#archetypeOf(b);
    refuseIf(
      archetypeA === undefined || archetypeB === undefined || a >= b,
      "has a contact of nobody",
    );

    // Between fixtures that they have
    const fixturesA = archetypeA!.body?.fixtures ?? [];
    const fixturesB = archetypeB!.body?.fixtures ?? [];
    const none = fixtureA >= fixturesA.length || fixtureB >= fixturesB.length;
    refuseIf(
      none || points > 2 || type > 2 || (points === 0 && type !== 0),
      "has an impossible contact",
    );

    // One-way fixtures
    const flags = fixturesA[fixtureA]!.ints[FixtureInt.FLAGS]! |
      fixturesB[fixtureB]!.ints[FixtureInt.FLAGS]!;
    refuseIf(
      oneWayIgnored && ((flags & FixtureFlag.ONE_WAY) === 0 || points === 0),
      "has somebody passing what is not one-way",
    );

    checkManifold(from, cursor + ContactWord.COUNT, points);
  }

  #growContacts(): void {
    const contactAt = new Int32Array(2 * this.contactAt.length);
    const sameAt = new Int32Array(2 * this.sameAt.length);
    contactAt.set(this.contactAt);
    sameAt.set(this.sameAt);
    this.contactAt = contactAt;
    this.sameAt = sameAt;
  }
}

/** The keys of the two fixtures of a contact, or of an ended touch. */
function lowKey(words: Uint32Array, contact: number): number {
  return proxyKey(
    words[contact + ContactWord.ENTITY_A]!,
    words[contact + ContactWord.FLAGS]! & 0xff,
  );
}

function highKey(words: Uint32Array, contact: number): number {
  return proxyKey(
    words[contact + ContactWord.ENTITY_B]!,
    words[contact + ContactWord.FLAGS]! >>> 8 & 0xff,
  );
}

/** Whether one contact comes before another in the order of their keys. */
function isBefore(
  words: Uint32Array,
  contact: number,
  otherWords: Uint32Array,
  other: number,
): boolean {
  const low = lowKey(words, contact);
  const otherLow = lowKey(otherWords, other);
  return low < otherLow || low === otherLow && highKey(words, contact) < highKey(otherWords, other);
}

/** Whether the words from `at` on are those from `begin` to `end` of others. */
function areEqual(
  words: Uint32Array,
  at: number,
  others: Uint32Array,
  begin: number,
  end: number,
): boolean {
  for (let i = begin; i < end; i++) if (words[at++] !== others[i]) return false;
  return true;
}

function checkEntity(
  schema: SnapshotSchema,
  compiled: CompiledArchetype,
  from: Snapshot,
  cursor: number,
): void {
  if (compiled.projectile === undefined) {
    const isValid =
      schema.propertyWords?.isValid(compiled.mutable, from, cursor + BodyWord.COUNT) ?? true;
    refuseIf(!isValid, "has a property out of range");
    checkBody(schema, compiled, from, cursor);
  }
  if (compiled.projectile !== undefined) checkProjectile(compiled, from, cursor);
  const fields = cursor + motionWords(compiled);
  refuseIf(firstInvalidField(compiled.layout, from, fields) >= 0, "has a field that does not fit");
}

function checkBody(
  { speedMax, spinMax }: SnapshotSchema,
  compiled: CompiledBody,
  from: Snapshot,
  cursor: number,
): void {
  const { words, floats } = from;
  const wrong = words[cursor + BodyWord.AWAKE]! > 1 ||
    words[cursor + BodyWord.TELEPORTS]! > 255;
  refuseIf(wrong, "has impossible flags");
  checkMotion(from, cursor + BodyWord.MOTION, BODY_MOTION_MAX);
  const sleepS = floats[cursor + BodyWord.SLEEP_S]!;
  refuseIf(!(sleepS >= 0 && sleepS < Infinity), "has an impossible sleep time");
  refuseIf(
    isSleepless(compiled) && words[cursor + BodyWord.AWAKE] !== 1,
    "has a body asleep that never sleeps",
  );

  // No faster than a tick leaves it
  const { floats: values } = from;
  const v = cursor + BodyWord.MOTION + 3;
  const speedSquared = values[v]! * values[v]! + values[v + 1]! * values[v + 1]!;
  const most = speedMax / SPEED_TOLERANCE;
  const isTooFast = speedSquared > most * most ||
    Math.abs(values[v + 2]!) > spinMax / SPEED_TOLERANCE;
  refuseIf(isTooFast, "has a body that is faster than a tick leaves it");

  // Bodies that do not turn, or move
  const turns = values[v - 1] !== 0 || values[v + 2] !== 0;
  refuseIf(turns && isUpright(compiled), "has an upright body that turns");
  const isStaticNow = compiled.typeAt < 0
    ? isStatic(compiled)
    : words[cursor + BodyWord.COUNT + compiled.typeAt] === MotionType.STATIC;
  if (!isStaticNow) return;

  const moves = values[v] !== 0 || values[v + 1] !== 0 || values[v + 2] !== 0;
  refuseIf(
    moves || sleepS !== 0 || words[cursor + BodyWord.AWAKE] !== 1,
    "has a static body that moves or sleeps",
  );
}

/** The stage removes expired projectiles before it saves. */
function checkProjectile({ projectile }: CompiledProjectile, from: Snapshot, cursor: number): void {
  const { words } = from;
  const age = words[cursor + ProjectileWord.AGE]!;
  refuseIf(age >= projectile.lifeTicks, "has a projectile that has outlived its time");
  const tooMany = words[cursor + ProjectileWord.BOUNCES]! > projectile.bouncesMax;
  refuseIf(tooMany, "has a projectile with too many bounces");
  refuseIf(words[cursor + ProjectileWord.TELEPORTS]! > 255, "has impossible flags");
  checkMotion(from, cursor + ProjectileWord.MOTION, PROJECTILE_MOTION_MAX);
}

function checkMotion({ floats }: Snapshot, cursor: number, bounds: readonly number[]): void {
  for (let i = 0; i < bounds.length; i++) {
    refuseIf(!(Math.abs(floats[cursor + i]!) <= bounds[i]!), "has a motion out of bounds");
  }
}

/**
 * Normal, then a point of the reference face: a unit vector but for rounding, and a place on a
 * body.
 */
const MANIFOLD_MAX = [1.001, 1.001, POSITION_MAX, POSITION_MAX];
/** Position, then impulses. */
const POINT_MAX = [POSITION_MAX, POSITION_MAX, FLOAT_MAX, FLOAT_MAX];

function checkManifold({ words, floats }: Snapshot, cursor: number, points: number): void {
  if (points === 0) return;
  for (let i = 0; i < MANIFOLD_WORDS; i++) {
    refuseIf(!(Math.abs(floats[cursor + i]!) <= MANIFOLD_MAX[i]!), "has an impossible manifold");
  }
  for (
    let point = cursor + MANIFOLD_WORDS;
    points > 0;
    points--, point += POINT_WORDS
  ) {
    for (let i = 0; i < POINT_FEATURES; i++) {
      refuseIf(!(Math.abs(floats[point + i]!) <= POINT_MAX[i]!), "has an impossible point");
    }
    const features = words[point + POINT_FEATURES]!;
    refuseIf((features >>> 16 & 0xff) > 2 || features >>> 24 > 2, "has impossible features");
  }
}
