/**
 * Saves a stage's state as words. The words of what sleeps are copied from the state that the stage
 * last saved or loaded (`saved_state.ts`). `load.ts` has the other direction.
 */
import * as bodyLayout from "../core/body_rows.ts";
import * as contactLayout from "../core/contact_rows.ts";
import type { ContactTable } from "../core/contact_rows.ts";
import { saveFields } from "../core/fields.ts";
import { fixtureOfKey, idOfKey } from "../core/proxy_key.ts";
import { type BodyRecord, type EntityRecord, ProjectileRecord } from "../stage/entity.ts";
import type { StageState } from "../stage/internals.ts";
import * as layout from "./layout.ts";
import type { SavedState } from "./saved_state.ts";
import type { Snapshot } from "../../snapshot.ts";

const { CENTER_X, CENTER_Y, ANGLE, VX, VY, SPIN, SLEEP_S } = bodyLayout;
const {
  CONTACT_VALUES,
  CONTACT_INTS,
  CONTACT_FLAGS,
  POINT_COUNT,
  MANIFOLD_TYPE,
  FEATURES,
  SAVED_AT,
} = contactLayout;
const { MANIFOLD_POINTS, MANIFOLD_POINT_STRIDE, LOW_KEY, HIGH_KEY, TOUCHING, PASSING, ACTIVE } =
  contactLayout;
const { UNSAVED, NOT_SAVED } = contactLayout;

/** @throws StageError for a field whose value its type cannot hold */
export function saveStage(state: StageState, into: Snapshot): void {
  const { entities, joints, jointWords, saved } = state;
  const base = saved.isKnown ? saved : undefined;
  saved.forget();
  into.length = 0;

  // The stage; words that cannot have changed are copied
  const hasEntities = base !== undefined && saved.hasEntitiesOf(entities);
  if (hasEntities) copyWords(saved.words, 0, into, saved.contactsAt);
  else into.reserve(wordsNeeded(state));
  const { words } = into;
  words[layout.TICK] = state.tick;
  words[layout.NEXT_ID] = state.nextId;
  words[layout.ENTITY_COUNT] = entities.records.length;
  words[layout.JOINT_COUNT] = joints?.all.length ?? 0;
  const start = saveFields(state.fields, state.layout, "stage", into, layout.HEADER_WORDS);

  // Entities, joints, contacts, and touches that have ended
  saved.jointsAt = hasEntities
    ? saveChangedEntities(state, into)
    : saveAllEntities(state, into, start);
  into.length = saved.jointsAt;

  if (joints !== undefined) {
    const areThere = hasEntities && saved.hasJointsOf(joints);
    if (!areThere) into.reserve(wordsNeeded(state));
    into.length = jointWords!.save(joints, into, into.length, areThere);
  }

  const contactCount = saveContacts(state, base, into);
  saved.endedAt = into.length;
  state.logs.saveEnded(into);

  // Only now, for more contacts may have replaced the buffer.
  into.words[layout.CONTACT_COUNT] = contactCount;
  state.world.endUnsaved();
  saved.keep(into, entities, joints);
}

/** The number of words without the contacts. */
function wordsNeeded(state: StageState): number {
  let words = layout.HEADER_WORDS + state.layout.names.length;
  for (const record of state.joints?.all ?? []) words += state.jointWords!.countOf(record.compiled);
  for (const record of state.entities.records) words += layout.entityWords(record.compiled);
  return words;
}

/** Appends words of another snapshot. */
function copyWords(from: Snapshot, begin: number, into: Snapshot, count: number): void {
  into.reserve(into.length + count);
  into.words.set(from.words.subarray(begin, begin + count), into.length);
  into.length += count;
}

/** @returns the cursor after the entities */
function saveAllEntities(state: StageState, into: Snapshot, cursor: number): number {
  const { entities: { records } } = state;
  for (let i = 0; i < records.length; i++) {
    const record = records[i]!;
    record.savedAt = cursor;
    into.words[cursor + layout.ENTITY_ID] = record.id;
    into.words[cursor + layout.ENTITY_ARCHETYPE] = record.compiled.index;
    if (record instanceof ProjectileRecord) saveProjectile(record, into);
    else saveBody(state, record as BodyRecord, into);
    cursor = saveEntityFields(record, into);
  }
  return cursor;
}

/** Rewrites the entities that may have changed. @returns the cursor after the entities */
function saveChangedEntities(state: StageState, into: Snapshot): number {
  const { entities, world, saved } = state;
  const { unsaved, owners } = world;
  const { projectiles, recordsWithFields } = entities;
  for (let i = 0; i < unsaved.length; i++) {
    const record = owners[unsaved[i]!] as BodyRecord;
    if (record.id !== 0) saveBody(state, record, into);
  }
  for (let i = 0; i < projectiles.length; i++) saveProjectile(projectiles[i]!, into);
  for (let i = 0; i < recordsWithFields.length; i++) saveEntityFields(recordsWithFields[i]!, into);
  return saved.jointsAt;
}

/** @returns the cursor after the entity */
function saveEntityFields(record: EntityRecord, into: Snapshot): number {
  const { compiled, fields, savedAt } = record;
  return saveFields(fields, compiled.layout, record, into, savedAt + layout.motionWords(compiled));
}

function saveBody({ world, propertyWords }: StageState, record: BodyRecord, into: Snapshot): void {
  const { words, floats } = into;
  const { values, offset, savedAt } = record;
  words[savedAt + layout.BODY_AWAKE] = record.awake ? 1 : 0;
  words[savedAt + layout.BODY_TELEPORTS] = record.teleports;
  const motion = savedAt + layout.BODY_MOTION;
  floats[motion] = values[offset + CENTER_X]!;
  floats[motion + 1] = values[offset + CENTER_Y]!;
  floats[motion + 2] = values[offset + ANGLE]!;
  floats[motion + 3] = values[offset + VX]!;
  floats[motion + 4] = values[offset + VY]!;
  floats[motion + 5] = values[offset + SPIN]!;
  floats[savedAt + layout.BODY_SLEEP_S] = values[offset + SLEEP_S]!;
  if (record.compiled.mutable.length > 0) {
    propertyWords!.save(world, record, into, savedAt + layout.BODY_WORDS);
  }
}

function saveProjectile(projectile: ProjectileRecord, { words, floats }: Snapshot): void {
  const { savedAt } = projectile;
  words[savedAt + layout.PROJECTILE_AGE] = projectile.ageTicks;
  words[savedAt + layout.PROJECTILE_BOUNCES] = projectile.bounces;
  words[savedAt + layout.PROJECTILE_TELEPORTS] = projectile.teleports;
  const motion = savedAt + layout.PROJECTILE_MOTION;
  floats[motion] = projectile.x;
  floats[motion + 1] = projectile.y;
  floats[motion + 2] = projectile.vx;
  floats[motion + 3] = projectile.vy;
}

/**
 * Appends all touching contacts. Runs of contacts that cannot have changed are copied at once.
 * @param base the saved state; undefined if it is not known
 * @returns the number of contacts
 */
function saveContacts(
  { world, saved }: StageState,
  base: SavedState | undefined,
  into: Snapshot,
): number {
  const { contacts, contacts: { order, count, ints } } = world;
  const from = saved.contactsAt;
  saved.contactsAt = into.length;

  if (base !== undefined && !world.hasUnsavedContacts) {
    copyWords(base.words, from, into, saved.endedAt - from);
    return base.words.words[layout.CONTACT_COUNT]!;
  }

  // The present run, as places in the saved state.
  let touching = 0;
  let runAt = 0;
  let runEnd = 0;

  for (let i = 0; i < count; i++) {
    const contact = order[i]!;
    const k = contact * CONTACT_INTS;
    const flags = ints[k + CONTACT_FLAGS]!;
    const at = ints[k + SAVED_AT]!;
    ints[k + CONTACT_FLAGS] = flags & ~UNSAVED;
    ints[k + SAVED_AT] = NOT_SAVED;
    if ((flags & TOUCHING) === 0) continue;

    touching++;
    const isSame = base !== undefined && at !== NOT_SAVED && (flags & (ACTIVE | UNSAVED)) === 0;
    if (!isSame || at !== runEnd) {
      if (runEnd > runAt) copyWords(base!.words, from + runAt, into, runEnd - runAt);
      runAt = runEnd = at;
    }
    ints[k + SAVED_AT] = into.length - saved.contactsAt + runEnd - runAt;
    if (isSame) runEnd += layout.CONTACT_WORDS + layout.manifoldWords(ints[k + POINT_COUNT]!);
    else saveContact(contacts, contact, into);
  }

  if (runEnd > runAt) copyWords(base!.words, from + runAt, into, runEnd - runAt);
  return touching;
}

/** Appends a contact. */
function saveContact({ values, ints }: ContactTable, contact: number, into: Snapshot): void {
  into.reserve(into.length + layout.CONTACT_WORDS_MAX);
  const { words, floats } = into;
  const k = contact * CONTACT_INTS;
  const v = contact * CONTACT_VALUES;
  const points = ints[k + POINT_COUNT]!;
  const lowKey = values[v + LOW_KEY]!;
  const highKey = values[v + HIGH_KEY]!;

  let cursor = into.length;
  words[cursor + layout.CONTACT_ENTITY_A] = idOfKey(lowKey);
  words[cursor + layout.CONTACT_ENTITY_B] = idOfKey(highKey);

  // Flags
  const type = points > 0 ? ints[k + MANIFOLD_TYPE]! : 0;
  const flags = layout.packContactFlags(fixtureOfKey(lowKey), fixtureOfKey(highKey), points, type);
  words[cursor + layout.CONTACT_FLAGS] = (ints[k + CONTACT_FLAGS]! & PASSING) !== 0
    ? flags | layout.ONE_WAY_IGNORED
    : flags;
  cursor += layout.CONTACT_WORDS;

  // The manifold
  if (points > 0) {
    for (let i = 0; i < MANIFOLD_POINTS; i++) floats[cursor++] = values[v + i]!;
  }
  for (
    let point = 0, from = v + MANIFOLD_POINTS;
    point < points;
    point++, cursor += layout.POINT_WORDS
  ) {
    for (let i = 0; i < MANIFOLD_POINT_STRIDE; i++) floats[cursor + i] = values[from++]!;
    words[cursor + layout.POINT_FEATURES] = ints[k + FEATURES + point]!;
  }

  into.length = cursor;
}
