/**
 * Saves a stage's state as words and loads it. After a load, any stage of the same declaration behaves exactly as the
 * stage that was saved, whatever it has mispredicted before:
 *
 *     load(save(stage)); advance()   =   advance()      bit for bit
 */
import * as bodyLayout from "../core/body_rows.ts";
import { FEATURES, MANIFOLD_POINT_STRIDE, MANIFOLD_POINTS, MANIFOLD_TYPE, POINT_COUNT } from "../core/manifold_rows.ts";
import { fixtureOfKey, idOfKey, proxyKey } from "../core/proxy_key.ts";
import { isExactlyAt } from "../collision/aabb.ts";
import { type Contacts, isSensor } from "../dynamics/contacts.ts";
import { type BodyRecord, type EntityRecord, ProjectileRecord } from "./entity.ts";
import { loadFields, saveFields } from "../core/fields.ts";
import { jointWords, loadJoints, saveJoints } from "../joints/joint_snapshot.ts";
import type { PlanckContact } from "../planck/planck.ts";
import type { EntityTable } from "./entity_table.ts";
import type { StageState } from "./internals.ts";
import * as layout from "./snapshot_layout.ts";
import { type Snapshot, SnapshotError } from "../../snapshot.ts";

const { CENTER_X, CENTER_Y, ANGLE, VX, VY, SPIN, SLEEP_S, FORCE_X, FORCE_Y, TORQUE } = bodyLayout;

/** @throws StageError for a field whose value its type cannot hold */
export function saveStage(state: StageState, into: Snapshot): void {
  const { entities: { records }, joints, contacts } = state;
  into.length = 0;
  into.reserve(wordsNeeded(state));
  const { words } = into;
  words[layout.TICK] = state.tick;
  words[layout.NEXT_ID] = state.nextId;
  words[layout.ENTITY_COUNT] = records.length;
  words[layout.JOINT_COUNT] = joints.all.length;
  let cursor = saveFields(state.fields, state.layout, "stage", into, layout.HEADER_WORDS);
  for (let i = 0; i < records.length; i++) cursor = saveEntity(records[i]!, into, cursor);
  cursor = saveJoints(joints, into, cursor);
  into.length = cursor;
  let contactCount = 0;
  for (let contact = contacts.first; contact !== null; contact = contact.m_next) {
    if (!contact.m_touchingFlag) continue;
    contactCount++;
    into.reserve(into.length + layout.CONTACT_WORDS_MAX);
    into.length = saveContact(contact, into, into.length);
  }
  into.words[layout.CONTACT_COUNT] = contactCount;
}

/** The number of words without the contacts. */
function wordsNeeded(state: StageState): number {
  let words = layout.HEADER_WORDS + state.layout.names.length;
  for (const record of state.joints.all) words += jointWords(record.compiled);
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
  const { values, offset, m_awakeFlag: awake } = record.body;
  words[cursor + layout.BODY_AWAKE] = awake ? 1 : 0;
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

function saveContact(contact: PlanckContact, into: Snapshot, cursor: number): number {
  const { words, floats } = into, { manifold, lowKey, highKey } = contact, points = manifold[POINT_COUNT]!;
  words[cursor + layout.CONTACT_ENTITY_A] = idOfKey(lowKey);
  words[cursor + layout.CONTACT_ENTITY_B] = idOfKey(highKey);
  const flags = layout.packContactFlags(
    fixtureOfKey(lowKey),
    fixtureOfKey(highKey),
    points,
    points > 0 ? manifold[MANIFOLD_TYPE]! : 0,
  );
  words[cursor + layout.CONTACT_FLAGS] = contact.oneWayIgnored ? flags | layout.ONE_WAY_IGNORED : flags;
  cursor += layout.CONTACT_WORDS;
  if (points === 0) return cursor;
  // The words follow the manifold's layout. All are floats but the features.
  const count = layout.manifoldWords(points);
  for (let i = 0; i < count; i++) floats[cursor + i] = manifold[i]!;
  for (let p = MANIFOLD_POINTS; p < count; p += MANIFOLD_POINT_STRIDE) {
    words[cursor + p + FEATURES] = manifold[p + FEATURES]!;
  }
  return cursor + count;
}

/**
 * @param beforeLoad called after the check of the words and before the first change
 * @throws SnapshotError for words that are no state of this stage. Most errors are found before the first change. A
 * contact of two bodies whose AABBs do not overlap is found late; then only another load is allowed
 */
export function loadStage(state: StageState, from: Snapshot, beforeLoad: () => void): void {
  layout.checkSnapshot(state, from);
  beforeLoad();
  const { words } = from, { entities, entities: { records }, joints, contacts } = state;
  state.tick = words[layout.TICK]!;
  state.nextId = words[layout.NEXT_ID]!;
  const entitiesStart = loadFields(state.fields, state.layout, from, layout.HEADER_WORDS);
  restoreEntities(state, from, entitiesStart);
  let cursor = entitiesStart;
  for (let i = 0; i < records.length; i++) cursor = loadEntity(entities, records[i]!, from, cursor);
  cursor = loadJoints(joints, words[layout.JOINT_COUNT]!, from, cursor, (id) => entities.get(id) as BodyRecord);
  clearTouching(contacts);
  contacts.syncPairs();
  loadContacts(contacts, from, cursor);
  // Last, because joints and contacts that appear or vanish wake bodies.
  for (let i = 0, sleepCursor = entitiesStart; i < records.length; i++) {
    sleepCursor = loadSleep(records[i]!, from, sleepCursor);
  }
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

function loadEntity(entities: EntityTable, record: EntityRecord, from: Snapshot, cursor: number): number {
  if (record instanceof ProjectileRecord) loadProjectile(record, from, cursor);
  else loadBody(entities, record as BodyRecord, from, cursor);
  return loadFields(record.fields, record.compiled.layout, from, cursor + layout.motionWords(record.compiled));
}

function loadBody(entities: EntityTable, record: BodyRecord, { words, floats }: Snapshot, cursor: number): void {
  const { values, offset } = record.body, motion = cursor + layout.BODY_MOTION;
  record.teleports = words[cursor + layout.BODY_TELEPORTS]!;
  const x = floats[motion]!, y = floats[motion + 1]!, angle = floats[motion + 2]!;
  if (!isExactlyAt(record.body, x, y, angle)) entities.setCenterPose(record, x, y, angle);
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

function loadSleep(record: EntityRecord, { words, floats }: Snapshot, cursor: number): number {
  if (!(record instanceof ProjectileRecord)) {
    const { body } = record as BodyRecord;
    body.m_awakeFlag = words[cursor + layout.BODY_AWAKE] === 1;
    body.values[body.offset + SLEEP_S] = floats[cursor + layout.BODY_SLEEP_S]!;
  }
  return cursor + layout.entityWords(record.compiled);
}

function clearTouching(contacts: Contacts): void {
  for (let contact = contacts.first; contact !== null; contact = contact.m_next) {
    contact.m_touchingFlag = false;
    contact.oneWayIgnored = false;
    contact.manifold[POINT_COUNT] = 0;
  }
}

/** Saved and live contacts both ascend by their keys, so one pass over both suffices. */
function loadContacts(contacts: Contacts, from: Snapshot, cursor: number): void {
  const { words } = from;
  let contact = contacts.first;
  for (let i = 0; i < words[layout.CONTACT_COUNT]!; i++) {
    const { fixtureA, fixtureB, points } = layout.unpackContactFlags(words[cursor + layout.CONTACT_FLAGS]!);
    const low = proxyKey(words[cursor + layout.CONTACT_ENTITY_A]!, fixtureA);
    const high = proxyKey(words[cursor + layout.CONTACT_ENTITY_B]!, fixtureB);
    while (contact !== null && (contact.lowKey < low || (contact.lowKey === low && contact.highKey < high))) {
      contact = contact.m_next;
    }
    if (contact === null || contact.lowKey !== low || contact.highKey !== high) {
      throw new SnapshotError("a snapshot that has a contact of two that are apart, or contacts out of order");
    }
    if (isSensor(contact) !== (points === 0)) {
      throw new SnapshotError("a snapshot that has a sensor's contact with points");
    }
    loadContact(contact, from, cursor);
    cursor += layout.contactWords(words[cursor + layout.CONTACT_FLAGS]!);
    contact = contact.m_next;
  }
}

function loadContact(contact: PlanckContact, { words, floats }: Snapshot, cursor: number): void {
  const { points, type, oneWayIgnored } = layout.unpackContactFlags(words[cursor + layout.CONTACT_FLAGS]!);
  const { manifold } = contact;
  contact.m_touchingFlag = true;
  contact.oneWayIgnored = oneWayIgnored;
  manifold[POINT_COUNT] = points;
  if (points === 0) return;
  cursor += layout.CONTACT_WORDS;
  manifold[MANIFOLD_TYPE] = type;
  const count = layout.manifoldWords(points);
  for (let i = 0; i < count; i++) manifold[i] = floats[cursor + i]!;
  for (let p = MANIFOLD_POINTS; p < count; p += MANIFOLD_POINT_STRIDE) {
    manifold[p + FEATURES] = words[cursor + p + FEATURES]!;
  }
}
