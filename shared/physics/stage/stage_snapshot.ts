/**
 * Saves a stage's state as words and loads it. After a load, any stage of the same declaration behaves exactly as the
 * stage that was saved, whatever it has mispredicted before:
 *
 *     load(save(stage)); advance()   =   advance()      bit for bit
 */
import * as bodyLayout from "../core/body_rows.ts";
import * as contactLayout from "../core/contact_rows.ts";
import type { ContactTable } from "../core/contact_rows.ts";
import { fixtureOfKey, idOfKey, proxyKey } from "../core/proxy_key.ts";
import { isExactlyAt } from "../collision/aabb.ts";
import { type BodyRecord, type EntityRecord, ProjectileRecord } from "./entity.ts";
import { loadFields, saveFields } from "../core/fields.ts";
import type { World } from "../dynamics/world.ts";
import type { StageState } from "./internals.ts";
import * as layout from "./snapshot_layout.ts";
import { type Snapshot, SnapshotError } from "../../snapshot.ts";

const { CENTER_X, CENTER_Y, ANGLE, VX, VY, SPIN, SLEEP_S, FORCE_X, FORCE_Y, TORQUE } = bodyLayout;
const { BODY_STRIDE, BODY_INTS, BODY_FLAGS, AWAKE } = bodyLayout;
const { CONTACT_VALUES, CONTACT_INTS, CONTACT_FLAGS, POINT_COUNT, MANIFOLD_TYPE, FEATURES } = contactLayout;
const { MANIFOLD_POINTS, MANIFOLD_POINT_STRIDE, LOW_KEY, HIGH_KEY, TOUCHING, SOLID, PASSING, OF_SENSOR } =
  contactLayout;

/** @throws StageError for a field whose value its type cannot hold */
export function saveStage(state: StageState, into: Snapshot): void {
  const { entities: { records }, joints, jointWords, world: { contacts } } = state;
  into.length = 0;
  into.reserve(wordsNeeded(state));
  const { words } = into;
  words[layout.TICK] = state.tick;
  words[layout.NEXT_ID] = state.nextId;
  words[layout.ENTITY_COUNT] = records.length;
  words[layout.JOINT_COUNT] = joints?.all.length ?? 0;
  let cursor = saveFields(state.fields, state.layout, "stage", into, layout.HEADER_WORDS);
  for (let i = 0; i < records.length; i++) cursor = saveEntity(records[i]!, into, cursor);
  if (joints !== undefined) cursor = jointWords!.save(joints, into, cursor);
  into.length = cursor;
  let contactCount = 0;
  for (let i = 0; i < contacts.count; i++) {
    const contact = contacts.order[i]!;
    if ((contacts.ints[contact * CONTACT_INTS + CONTACT_FLAGS]! & TOUCHING) === 0) continue;
    contactCount++;
    into.reserve(into.length + layout.CONTACT_WORDS_MAX);
    into.length = saveContact(contacts, contact, into);
  }
  into.words[layout.CONTACT_COUNT] = contactCount;
}

/** The number of words without the contacts. */
function wordsNeeded(state: StageState): number {
  let words = layout.HEADER_WORDS + state.layout.names.length;
  for (const record of state.joints?.all ?? []) words += state.jointWords!.countOf(record.compiled);
  for (const record of state.entities.records) words += layout.entityWords(record.compiled);
  return words;
}

function saveEntity(record: EntityRecord, into: Snapshot, cursor: number): number {
  into.words[cursor + layout.ENTITY_ID] = record.id;
  into.words[cursor + layout.ENTITY_ARCHETYPE] = record.compiled.index;
  if (record instanceof ProjectileRecord) saveProjectile(record, into, cursor);
  else saveBody(record as BodyRecord, into, cursor);
  return saveFields(record.fields, record.compiled.layout, record, into, cursor + layout.motionWords(record.compiled));
}

function saveBody(record: BodyRecord, { words, floats }: Snapshot, cursor: number): void {
  const { values, offset } = record;
  words[cursor + layout.BODY_AWAKE] = record.awake ? 1 : 0;
  words[cursor + layout.BODY_TELEPORTS] = record.teleports;
  const motion = cursor + layout.BODY_MOTION;
  floats[motion] = values[offset + CENTER_X]!;
  floats[motion + 1] = values[offset + CENTER_Y]!;
  floats[motion + 2] = values[offset + ANGLE]!;
  floats[motion + 3] = values[offset + VX]!;
  floats[motion + 4] = values[offset + VY]!;
  floats[motion + 5] = values[offset + SPIN]!;
  floats[cursor + layout.BODY_SLEEP_S] = values[offset + SLEEP_S]!;
}

function saveProjectile(projectile: ProjectileRecord, { words, floats }: Snapshot, cursor: number): void {
  words[cursor + layout.PROJECTILE_AGE] = projectile.ageTicks;
  words[cursor + layout.PROJECTILE_BOUNCES] = projectile.bounces;
  words[cursor + layout.PROJECTILE_TELEPORTS] = projectile.teleports;
  const motion = cursor + layout.PROJECTILE_MOTION;
  floats[motion] = projectile.x;
  floats[motion + 1] = projectile.y;
  floats[motion + 2] = projectile.vx;
  floats[motion + 3] = projectile.vy;
}

/** @returns the cursor after the contact, which begins at the end of the snapshot */
function saveContact({ values, ints }: ContactTable, contact: number, into: Snapshot): number {
  const { words, floats } = into,
    k = contact * CONTACT_INTS,
    v = contact * CONTACT_VALUES,
    points = ints[k + POINT_COUNT]!;
  const lowKey = values[v + LOW_KEY]!, highKey = values[v + HIGH_KEY]!;
  let cursor = into.length;
  words[cursor + layout.CONTACT_ENTITY_A] = idOfKey(lowKey);
  words[cursor + layout.CONTACT_ENTITY_B] = idOfKey(highKey);
  const type = points > 0 ? ints[k + MANIFOLD_TYPE]! : 0;
  const flags = layout.packContactFlags(fixtureOfKey(lowKey), fixtureOfKey(highKey), points, type);
  words[cursor + layout.CONTACT_FLAGS] = (ints[k + CONTACT_FLAGS]! & PASSING) !== 0
    ? flags | layout.ONE_WAY_IGNORED
    : flags;
  cursor += layout.CONTACT_WORDS;
  if (points === 0) return cursor;
  for (let i = 0; i < MANIFOLD_POINTS; i++) floats[cursor++] = values[v + i]!;
  for (let point = 0, from = v + MANIFOLD_POINTS; point < points; point++, cursor += layout.POINT_WORDS) {
    for (let i = 0; i < MANIFOLD_POINT_STRIDE; i++) floats[cursor + i] = values[from++]!;
    words[cursor + layout.POINT_FEATURES] = ints[k + FEATURES + point]!;
  }
  return cursor;
}

/**
 * @param beforeLoad called after the check of the words and before the first change
 * @throws SnapshotError for words that are no state of this stage. Most errors are found before the first change. A
 * contact of two bodies whose AABBs do not overlap is found late; then only another load is allowed
 */
export function loadStage(state: StageState, from: Snapshot, beforeLoad: () => void): void {
  layout.checkSnapshot(state, from);
  beforeLoad();
  const { words } = from, { entities, entities: { records }, joints, jointWords, contacts, world } = state;
  state.tick = words[layout.TICK]!;
  state.nextId = words[layout.NEXT_ID]!;
  const entitiesStart = loadFields(state.fields, state.layout, from, layout.HEADER_WORDS);
  restoreEntities(state, from, entitiesStart);
  let cursor = entitiesStart;
  for (let i = 0; i < records.length; i++) cursor = loadEntity(state, records[i]!, from, cursor);
  if (joints !== undefined) {
    const recordOf = (id: number) => entities.get(id) as BodyRecord;
    cursor = jointWords!.load(joints, words[layout.JOINT_COUNT]!, from, cursor, recordOf);
  }
  clearTouching(world.contacts);
  contacts.syncAllPairs();
  loadContacts(world.contacts, from, cursor);
  // Last, because joints and contacts that appear or vanish wake bodies.
  for (let i = 0, sleepCursor = entitiesStart; i < records.length; i++) {
    sleepCursor = loadSleep(world, records[i]!, from, sleepCursor);
  }
  world.resetActive(entities.bodies.map(({ row }) => row));
}

function restoreEntities({ entities, archetypes }: StageState, from: Snapshot, cursor: number): void {
  const { words } = from, cursors: number[] = [];
  const archetypeAt = (cursor: number) => archetypes[words[cursor + layout.ENTITY_ARCHETYPE]!]!;
  for (let i = 0; i < words[layout.ENTITY_COUNT]!; i++) {
    cursors.push(cursor);
    cursor += layout.entityWords(archetypeAt(cursor));
  }
  entities.restore(cursors.length, (i) => words[cursors[i]! + layout.ENTITY_ID]!, (i) => archetypeAt(cursors[i]!));
}

function loadEntity(state: StageState, record: EntityRecord, from: Snapshot, cursor: number): number {
  if (record instanceof ProjectileRecord) loadProjectile(record, from, cursor);
  else loadBody(state, record as BodyRecord, from, cursor);
  return loadFields(record.fields, record.compiled.layout, from, cursor + layout.motionWords(record.compiled));
}

function loadBody({ entities, world }: StageState, record: BodyRecord, from: Snapshot, cursor: number): void {
  const { words, floats } = from, { values, offset } = record, motion = cursor + layout.BODY_MOTION;
  record.teleports = words[cursor + layout.BODY_TELEPORTS]!;
  const x = floats[motion]!, y = floats[motion + 1]!, angle = floats[motion + 2]!;
  if (!isExactlyAt(world.bodies, record.row, x, y, angle)) entities.setCenterPose(record, x, y, angle);
  values[offset + VX] = floats[motion + 3]!;
  values[offset + VY] = floats[motion + 4]!;
  values[offset + SPIN] = floats[motion + 5]!;
  values[offset + FORCE_X] = values[offset + FORCE_Y] = values[offset + TORQUE] = 0;
}

function loadProjectile(projectile: ProjectileRecord, { words, floats }: Snapshot, cursor: number): void {
  const motion = cursor + layout.PROJECTILE_MOTION;
  projectile.ageTicks = words[cursor + layout.PROJECTILE_AGE]!;
  projectile.bounces = words[cursor + layout.PROJECTILE_BOUNCES]!;
  projectile.teleports = words[cursor + layout.PROJECTILE_TELEPORTS]!;
  projectile.x = floats[motion]!;
  projectile.y = floats[motion + 1]!;
  projectile.vx = floats[motion + 2]!;
  projectile.vy = floats[motion + 3]!;
  projectile.expired = false; // it may be true on the mispredicted timeline
}

function loadSleep(world: World, record: EntityRecord, { words, floats }: Snapshot, cursor: number): number {
  if (!(record instanceof ProjectileRecord)) {
    const { row } = record as BodyRecord, { values, ints } = world.bodies, at = row * BODY_INTS + BODY_FLAGS;
    ints[at] = words[cursor + layout.BODY_AWAKE] === 1 ? ints[at]! | AWAKE : ints[at]! & ~AWAKE;
    values[row * BODY_STRIDE + SLEEP_S] = floats[cursor + layout.BODY_SLEEP_S]!;
  }
  return cursor + layout.entityWords(record.compiled);
}

function clearTouching({ order, count, ints }: ContactTable): void {
  for (let i = 0; i < count; i++) {
    const k = order[i]! * CONTACT_INTS;
    ints[k + CONTACT_FLAGS] = ints[k + CONTACT_FLAGS]! & ~(TOUCHING | PASSING) | SOLID;
    ints[k + POINT_COUNT] = 0;
  }
}

/** Saved and live contacts both ascend by their keys, so one pass over both suffices. */
function loadContacts(contacts: ContactTable, from: Snapshot, cursor: number): void {
  const { words } = from, { order, count, values, ints } = contacts;
  let live = 0;
  for (let i = 0; i < words[layout.CONTACT_COUNT]!; i++) {
    const { fixtureA, fixtureB, points } = layout.unpackContactFlags(words[cursor + layout.CONTACT_FLAGS]!);
    const low = proxyKey(words[cursor + layout.CONTACT_ENTITY_A]!, fixtureA);
    const high = proxyKey(words[cursor + layout.CONTACT_ENTITY_B]!, fixtureB);
    for (; live < count; live++) {
      const v = order[live]! * CONTACT_VALUES, liveLow = values[v + LOW_KEY]!;
      if (liveLow > low || liveLow === low && values[v + HIGH_KEY]! >= high) break;
    }
    const contact = live < count ? order[live++]! : -1;
    if (values[contact * CONTACT_VALUES + LOW_KEY] !== low || values[contact * CONTACT_VALUES + HIGH_KEY] !== high) {
      throw new SnapshotError("a snapshot that has a contact of two that are apart, or contacts out of order");
    }
    if (((ints[contact * CONTACT_INTS + CONTACT_FLAGS]! & OF_SENSOR) !== 0) !== (points === 0)) {
      throw new SnapshotError("a snapshot that has a sensor's contact with points");
    }
    loadContact(contacts, contact, from, cursor);
    cursor += layout.contactWords(words[cursor + layout.CONTACT_FLAGS]!);
  }
}

function loadContact({ values, ints }: ContactTable, contact: number, from: Snapshot, cursor: number): void {
  const { words, floats } = from, k = contact * CONTACT_INTS, v = contact * CONTACT_VALUES;
  const { points, type, oneWayIgnored } = layout.unpackContactFlags(words[cursor + layout.CONTACT_FLAGS]!);
  ints[k + CONTACT_FLAGS]! |= TOUCHING;
  if (oneWayIgnored) ints[k + CONTACT_FLAGS] = ints[k + CONTACT_FLAGS]! & ~SOLID | PASSING;
  ints[k + POINT_COUNT] = points;
  if (points === 0) return;
  cursor += layout.CONTACT_WORDS;
  ints[k + MANIFOLD_TYPE] = type;
  for (let i = 0; i < MANIFOLD_POINTS; i++) values[v + i] = floats[cursor++]!;
  for (let point = 0, to = v + MANIFOLD_POINTS; point < points; point++, cursor += layout.POINT_WORDS) {
    for (let i = 0; i < MANIFOLD_POINT_STRIDE; i++) values[to++] = floats[cursor + i]!;
    ints[k + FEATURES + point] = words[cursor + layout.POINT_FEATURES]!;
  }
}
