/**
 * The layout of a stage's state in a snapshot. All words have 32 bits:
 *
 *     header | the stage's fields | gravity, if it may change
 *            | entities, ascending by id | joints, ascending by id
 *            | touching contacts, ascending by keys | touches that have ended, ascending by keys
 *
 *     entity  = motion | fields                the motion of a body has more words than that of a projectile, and the
 *                                              properties that may change
 *     contact = entities and flags | manifold  a sensor's contact has no manifold
 *
 * A contact that does not touch is a function of the poses and is left out. `joint_words.ts` has
 * the joints, and `events/ended_touches.ts` the touches that have ended since the tick's physics.
 * Only a stage with the feature `touches` has them. `check.ts` checks hostile words.
 */
import type { FieldLayout } from "../core/fields.ts";
import type { World } from "../dynamics/world.ts";
import type { CompiledArchetype, MutableWord } from "../stage/compiled_archetypes.ts";
import type { ChangedStage } from "../stage/body_changes.ts";
import type { BodyRecord } from "../stage/entity.ts";
import { StageError, type StageLimits } from "../core/types.ts";
import type { Snapshot } from "../../snapshot.ts";

/** Ids count up and fit a word. At a hundred spawns a second they last 16 months. */
const ID_MAX = 0xffff_fffe;
/**
 * The largest next id that a load accepts. It leaves 2^24 ids, two days of a hundred spawns a
 * second. Otherwise a state from outside could end a match with its next spawn.
 */
export const NEXT_ID_MAX = ID_MAX - 0x100_0000;

/** Offsets in the header. */
export enum Header {
  TICK = 0,
  NEXT_ID = 1,
  ENTITY_COUNT = 2,
  JOINT_COUNT = 3,
  CONTACT_COUNT = 4,
  WORDS = 5,
}

/** Offsets in every entity. */
export enum EntityWord {
  ID = 0,
  ARCHETYPE = 1,
}

/** Offsets in an entity with a body. */
export enum BodyWord {
  AWAKE = 2,
  TELEPORTS = 3,

  /** x, y, angle, vx, vy, spin. */
  MOTION = 4,

  SLEEP_S = 10,

  /** The words of properties that may change follow, if the archetype declares some. */
  COUNT = 11,
}

/** Offsets in a projectile. */
export enum ProjectileWord {
  AGE = 2,
  BOUNCES = 3,
  TELEPORTS = 4,

  /** x, y, vx, vy. */
  MOTION = 5,

  COUNT = 9,
}

/** Offsets in a contact. The manifold follows, but only its points in use. */
export enum ContactWord {
  ENTITY_A = 0,
  ENTITY_B = 1,
  FLAGS = 2,
  COUNT = 3,
}

/**
 * A manifold: normal and reference point, 4 words, then its points: position and impulses, 4 words,
 * and the features. The floats are those of `contact_rows.ts` in the same order.
 */
export const MANIFOLD_WORDS = 4;
export const POINT_WORDS = 5;
export const POINT_FEATURES = 4;
export const CONTACT_WORDS_MAX = ContactWord.COUNT + manifoldWords(2);

/**
 * The bit of a contact's flags for a one-way fixture that the other body passes until they part.
 */
export const ONE_WAY_IGNORED = 1 << 20;

/** Checks the id of the next entity or joint. @throws StageError if all ids are used */
export function checkId(owner: { toString(): string }, id: number): void {
  if (id > ID_MAX) throw new StageError(`${owner}: every id has been used`);
}

/** The number of words of a manifold with so many points, 0 … 2. */
export function manifoldWords(points: number): number {
  return points === 0 ? 0 : MANIFOLD_WORDS + points * POINT_WORDS;
}

/**
 * flags = fixture A | fixture B << 8 | points << 16 | manifold type << 18. `ONE_WAY_IGNORED` is not
 * set.
 */
export function packContactFlags(
  fixtureA: number,
  fixtureB: number,
  points: number,
  type: number,
): number {
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

/**
 * The name of a property's word: "gravityScale", and "mask[0]" for a property of the first fixture.
 */
export function propertyName({ property, fixture }: MutableWord): string {
  return fixture < 0 ? property : `${property}[${fixture}]`;
}

/**
 * The words of properties that may change (`stage/properties.ts`). `at` is the index of the first
 * one.
 */
export interface PropertyWords {
  save(world: World, body: BodyRecord, into: Snapshot, at: number): void;
  /**
   * The words are valid. All that touches a body with a changed property wakes.
   * @param options.isLoading whether the pose and the motion of a snapshot follow
   * @returns whether a property has changed
   */
  load(
    stage: ChangedStage,
    body: BodyRecord,
    from: Snapshot,
    at: number,
    options: { readonly isLoading: boolean },
  ): boolean;
  /** Whether each word is in the range of its property. */
  isValid(mutable: readonly MutableWord[], from: Snapshot, at: number): boolean;
}

/** The words of a gravity that may change (`stage/gravity.ts`). `at` is the index of the first one. */
export interface GravityWords {
  /** One a word. */
  readonly names: readonly string[];
  /** Rounds the declared gravity, once. */
  begin(world: World): void;
  save(world: World, into: Snapshot, at: number): void;
  /** @returns whether it has changed; the words are valid */
  load(world: World, from: Snapshot, at: number): boolean;
  /** Whether the words are in range. */
  isValid(from: Snapshot, at: number): boolean;
}

/** What decides how many words stand before the entities. */
interface StageWords {
  readonly layout: FieldLayout;
  readonly gravityWords: GravityWords | undefined;
}

/** Index of the first word of the gravity, if it has words. */
export function gravityAt({ layout }: Pick<StageWords, "layout">): number {
  return Header.WORDS + layout.names.length;
}

/** Index of the first word of the entities. */
export function entitiesAt(stage: StageWords): number {
  return gravityAt(stage) + (stage.gravityWords?.names.length ?? 0);
}

/** Fixtures and segments of chains of one entity. A projectile has none. */
export function partsOf({ body }: CompiledArchetype): number {
  return body === undefined ? 0 : body.fixtures.length;
}

/** The number of words of one entity before its fields. */
export function motionWords(compiled: CompiledArchetype): number {
  return compiled.projectile === undefined
    ? BodyWord.COUNT + compiled.mutable.length
    : ProjectileWord.COUNT;
}

/** What decides whether an ended touch is possible. */
export interface EndedTouchCheck {
  readonly archetypes: readonly CompiledArchetype[];
  readonly limits: Required<StageLimits>;
  /** The next id: all ids are smaller. */
  readonly nextId: number;
}

/**
 * The words of ended touches (`events/ended_touches.ts`), which are the last ones. `at` is the
 * index of the first.
 */
export interface EndedTouchWords {
  /** @throws SnapshotError */
  check(from: Snapshot, at: number, against: EndedTouchCheck): void;
  labelsOf(from: Snapshot, at: number): string[];
}

/** The number of words of one entity with its fields. */
export function entityWords(compiled: CompiledArchetype): number {
  return motionWords(compiled) + compiled.layout.names.length;
}

/** The number of words of one contact with its manifold. */
export function contactWords(flags: number): number {
  return ContactWord.COUNT + manifoldWords(unpackContactFlags(flags).points);
}

/**
 * Whether the words of both snapshots from `cursor` on are equal, `count` of them. Both must be so
 * long.
 */
export function areSameWords(a: Snapshot, b: Snapshot, cursor: number, count: number): boolean {
  const own = a.words;
  const others = b.words;
  for (let i = cursor, end = cursor + count; i < end; i++) if (own[i] !== others[i]) return false;
  return true;
}
