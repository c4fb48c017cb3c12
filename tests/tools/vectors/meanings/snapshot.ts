/** A stage's snapshot as WIRE 13 has it. */
import type { GameSchema } from "../../../../shared/netcode/game_schema.ts";
import {
  MANIFOLD_WORDS,
  ONE_WAY_IGNORED,
  packContactFlags,
  POINT_FEATURES,
  unpackContactFlags,
} from "../../../../shared/physics/snapshot/layout.ts";
import type { Snapshot } from "../../../../shared/snapshot.ts";

interface EntityBase {
  readonly id: number;
  readonly kind: number;
  /** The count of teleports. */
  readonly jumps: number;
  /** Metres, radians, m/s and rad/s. */
  readonly motion: readonly number[];
  /** Unsigned words. */
  readonly fields: readonly number[];
}

/** The motion is x, y, angle, vx, vy, spin. */
interface BodyEntity extends EntityBase {
  readonly awake: 0 | 1;
  /** Seconds. */
  readonly rest: number;
}

/** The motion is x, y, vx, vy. */
interface ProjectileEntity extends EntityBase {
  /** Ticks. */
  readonly age: number;
  readonly bounces: number;
}

interface ContactMeaning {
  readonly entities: readonly [number, number];
  readonly fixtures: readonly [number, number];
  readonly type: number;
  /** 1 for a one-way fixture that is passed. */
  readonly passed: 0 | 1;
  readonly normal: readonly number[];
  readonly reference: readonly number[];
  /** x, y, normal impulse, tangent impulse, and the word of features. */
  readonly points: readonly (readonly number[])[];
}

export interface SnapshotMeaning {
  readonly tick: number;
  readonly nextId: number;
  /** The fields of the match. */
  readonly fields: readonly number[];
  readonly entities: readonly (BodyEntity | ProjectileEntity)[];
  readonly contacts: readonly ContactMeaning[];
}

const BODY_FLOATS = 6;
const PROJECTILE_FLOATS = 4;

/** Reads words one after another. */
class WordReader {
  readonly #from: Snapshot;
  cursor = 0;

  constructor(from: Snapshot) {
    this.#from = from;
  }

  word(): number {
    return this.#from.words[this.cursor++]!;
  }

  words(count: number): number[] {
    return Array.from({ length: count }, () => this.word());
  }

  floats(count: number): number[] {
    return Array.from({ length: count }, () => this.#from.floats[this.cursor++]!);
  }
}

/** @throws RangeError for words that are left, or for joints, which no game of the vectors has */
export function meaningOfSnapshot(snapshot: Snapshot, { kinds }: GameSchema): SnapshotMeaning {
  const reader = new WordReader(snapshot);
  const [tick, nextId, entityCount, jointCount, contactCount] = reader.words(5);
  if (jointCount !== 0) throw new RangeError(`${jointCount} joints`);
  const fields = reader.words(kinds![0]!.fields.length);
  const entities = Array.from({ length: entityCount! }, () => readEntity(reader, kinds!));
  const contacts = Array.from({ length: contactCount! }, () => readContact(reader));
  if (reader.cursor !== snapshot.length) {
    throw new RangeError(`${snapshot.length - reader.cursor} words are left`);
  }
  return { tick: tick!, nextId: nextId!, fields, entities, contacts };
}

function readEntity(
  reader: WordReader,
  kinds: NonNullable<GameSchema["kinds"]>,
): BodyEntity | ProjectileEntity {
  const [id, kind] = reader.words(2) as [number, number];
  const { projectile, fields } = kinds[kind]!;
  if (projectile) {
    const [age, bounces, jumps] = reader.words(3) as [number, number, number];
    const motion = reader.floats(PROJECTILE_FLOATS);
    return { id, kind, age, bounces, jumps, motion, fields: reader.words(fields.length) };
  }
  const [awake, jumps] = reader.words(2) as [0 | 1, number];
  const motion = reader.floats(BODY_FLOATS);
  const [rest] = reader.floats(1);
  return { id, kind, awake, jumps, motion, rest: rest!, fields: reader.words(fields.length) };
}

function readContact(reader: WordReader): ContactMeaning {
  const [a, b, flags] = reader.words(3) as [number, number, number];
  const { fixtureA, fixtureB, points, type, oneWayIgnored } = unpackContactFlags(flags);
  const head = points === 0 ? [] : reader.floats(MANIFOLD_WORDS);
  return {
    entities: [a, b],
    fixtures: [fixtureA, fixtureB],
    type,
    passed: oneWayIgnored ? 1 : 0,
    normal: head.slice(0, 2),
    reference: head.slice(2),
    points: Array.from(
      { length: points },
      () => [...reader.floats(POINT_FEATURES), ...reader.words(1)],
    ),
  };
}

/** Writes a snapshot's content into `into`. */
export function writeSnapshot(
  { tick, nextId, fields, entities, contacts }: SnapshotMeaning,
  into: Snapshot,
): void {
  into.length = 0;
  const words = (...values: readonly number[]) => {
    into.reserve(into.length + values.length);
    for (const value of values) into.words[into.length++] = value;
  };
  const floats = (...values: readonly number[]) => {
    into.reserve(into.length + values.length);
    for (const value of values) into.floats[into.length++] = value;
  };
  words(tick, nextId, entities.length, 0, contacts.length, ...fields);

  for (const entity of entities) {
    words(entity.id, entity.kind);
    if ("age" in entity) words(entity.age, entity.bounces, entity.jumps);
    else words(entity.awake, entity.jumps);
    floats(...entity.motion);
    if ("rest" in entity) floats(entity.rest);
    words(...entity.fields);
  }

  for (const { entities: [a, b], fixtures, type, passed, normal, reference, points } of contacts) {
    const flags = packContactFlags(...fixtures, points.length, type);
    words(a, b, passed === 1 ? flags | ONE_WAY_IGNORED : flags);
    floats(...normal, ...reference);
    for (const point of points) {
      floats(...point.slice(0, POINT_FEATURES));
      words(point.at(-1)!);
    }
  }
}
