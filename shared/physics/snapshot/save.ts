/**
 * Saves a stage's state as words. The words of what sleeps are copied from the state that the stage
 * last saved or loaded (`saved_state.ts`). `load.ts` has the other direction.
 */
import { Body } from "../core/body_rows.ts";
import {
  Contact,
  ContactFlag,
  ContactInt,
  ContactPoint,
  type ContactTable,
  NOT_SAVED,
} from "../core/contact_rows.ts";
import { saveFields } from "../core/fields.ts";
import { fixtureOfKey, idOfKey } from "../core/proxy_key.ts";
import { type BodyRecord, type EntityRecord, ProjectileRecord } from "../stage/entity.ts";
import type { StageState } from "../stage/internals.ts";
import {
  BodyWord,
  CONTACT_WORDS_MAX,
  ContactWord,
  entitiesAt,
  EntityWord,
  entityWords,
  gravityAt,
  Header,
  manifoldWords,
  motionWords,
  ONE_WAY_IGNORED,
  packContactFlags,
  POINT_FEATURES,
  POINT_WORDS,
  ProjectileWord,
} from "./layout.ts";
import type { SavedState } from "./saved_state.ts";
import type { Snapshot } from "../../snapshot.ts";

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
  words[Header.TICK] = state.tick;
  words[Header.NEXT_ID] = state.nextId;
  words[Header.ENTITY_COUNT] = entities.records.length;
  words[Header.JOINT_COUNT] = joints?.all.length ?? 0;
  saveFields(state.fields, state.layout, "stage", into, Header.WORDS);
  state.gravityWords?.save(state.world, into, gravityAt(state));

  // Entities, joints, contacts, and touches that have ended
  saved.jointsAt = hasEntities
    ? saveChangedEntities(state, into)
    : saveAllEntities(state, into, entitiesAt(state));
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
  into.words[Header.CONTACT_COUNT] = contactCount;
  state.world.endUnsaved();
  saved.keep(into, entities, joints);
}

/** The number of words without the contacts. */
function wordsNeeded(state: StageState): number {
  let words = entitiesAt(state);
  for (const record of state.joints?.all ?? []) words += state.jointWords!.countOf(record.compiled);
  for (const record of state.entities.records) words += entityWords(record.compiled);
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
    into.words[cursor + EntityWord.ID] = record.id;
    into.words[cursor + EntityWord.ARCHETYPE] = record.compiled.index;
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
  return saveFields(fields, compiled.layout, record, into, savedAt + motionWords(compiled));
}

function saveBody({ world, propertyWords }: StageState, record: BodyRecord, into: Snapshot): void {
  const { words, floats } = into;
  const { values, offset, savedAt } = record;
  words[savedAt + BodyWord.AWAKE] = record.awake ? 1 : 0;
  words[savedAt + BodyWord.TELEPORTS] = record.teleports;
  const motion = savedAt + BodyWord.MOTION;
  floats[motion] = values[offset + Body.CENTER_X]!;
  floats[motion + 1] = values[offset + Body.CENTER_Y]!;
  floats[motion + 2] = values[offset + Body.ANGLE]!;
  floats[motion + 3] = values[offset + Body.VX]!;
  floats[motion + 4] = values[offset + Body.VY]!;
  floats[motion + 5] = values[offset + Body.SPIN]!;
  floats[savedAt + BodyWord.SLEEP_S] = values[offset + Body.SLEEP_S]!;
  if (record.compiled.mutable.length > 0) {
    propertyWords!.save(world, record, into, savedAt + BodyWord.COUNT);
  }
}

function saveProjectile(projectile: ProjectileRecord, { words, floats }: Snapshot): void {
  const { savedAt } = projectile;
  words[savedAt + ProjectileWord.AGE] = projectile.ageTicks;
  words[savedAt + ProjectileWord.BOUNCES] = projectile.bounces;
  words[savedAt + ProjectileWord.TELEPORTS] = projectile.teleports;
  const motion = savedAt + ProjectileWord.MOTION;
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
    return base.words.words[Header.CONTACT_COUNT]!;
  }

  // The present run, as places in the saved state.
  let touching = 0;
  let runAt = 0;
  let runEnd = 0;

  for (let i = 0; i < count; i++) {
    const contact = order[i]!;
    const k = contact * ContactInt.STRIDE;
    const flags = ints[k + ContactInt.FLAGS]!;
    const at = ints[k + ContactInt.SAVED_AT]!;
    ints[k + ContactInt.FLAGS] = flags & ~ContactFlag.UNSAVED;
    ints[k + ContactInt.SAVED_AT] = NOT_SAVED;
    if ((flags & ContactFlag.TOUCHING) === 0) continue;

    touching++;
    const isSame = base !== undefined && at !== NOT_SAVED &&
      (flags & (ContactFlag.ACTIVE | ContactFlag.UNSAVED)) === 0;
    if (!isSame || at !== runEnd) {
      if (runEnd > runAt) copyWords(base!.words, from + runAt, into, runEnd - runAt);
      runAt = runEnd = at;
    }
    ints[k + ContactInt.SAVED_AT] = into.length - saved.contactsAt + runEnd - runAt;
    if (isSame) runEnd += ContactWord.COUNT + manifoldWords(ints[k + ContactInt.POINT_COUNT]!);
    else saveContact(contacts, contact, into);
  }

  if (runEnd > runAt) copyWords(base!.words, from + runAt, into, runEnd - runAt);
  return touching;
}

/** Appends a contact. */
function saveContact({ values, ints }: ContactTable, contact: number, into: Snapshot): void {
  into.reserve(into.length + CONTACT_WORDS_MAX);
  const { words, floats } = into;
  const k = contact * ContactInt.STRIDE;
  const v = contact * Contact.STRIDE;
  const points = ints[k + ContactInt.POINT_COUNT]!;
  const lowKey = values[v + Contact.LOW_KEY]!;
  const highKey = values[v + Contact.HIGH_KEY]!;

  let cursor = into.length;
  words[cursor + ContactWord.ENTITY_A] = idOfKey(lowKey);
  words[cursor + ContactWord.ENTITY_B] = idOfKey(highKey);

  // Flags
  const type = points > 0 ? ints[k + ContactInt.MANIFOLD_TYPE]! : 0;
  const flags = packContactFlags(fixtureOfKey(lowKey), fixtureOfKey(highKey), points, type);
  words[cursor + ContactWord.FLAGS] = (ints[k + ContactInt.FLAGS]! & ContactFlag.PASSING) !== 0
    ? flags | ONE_WAY_IGNORED
    : flags;
  cursor += ContactWord.COUNT;

  // The manifold
  if (points > 0) {
    for (let i = 0; i < Contact.POINTS; i++) floats[cursor++] = values[v + i]!;
  }
  for (
    let point = 0, from = v + Contact.POINTS;
    point < points;
    point++, cursor += POINT_WORDS
  ) {
    for (let i = 0; i < ContactPoint.STRIDE; i++) floats[cursor + i] = values[from++]!;
    words[cursor + POINT_FEATURES] = ints[k + ContactInt.FEATURES + point]!;
  }

  into.length = cursor;
}
