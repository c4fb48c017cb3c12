/**
 * Loads a stage's state from words. After a load, any stage of the same declaration behaves exactly
 * as the stage that was saved, whatever it has mispredicted before:
 *
 *     load(save(stage)); advance()   =   advance()      bit for bit
 *
 * A load restores only what differs from the state that the stage last saved or loaded
 * (`saved_state.ts`), and what may have changed since.
 */
import { Body, BodyFlag, BodyInt } from "../core/body_rows.ts";
import {
  Contact,
  ContactFlag,
  ContactInt,
  ContactPoint,
  type ContactTable,
  NOT_SAVED,
} from "../core/contact_rows.ts";
import { loadFields } from "../core/fields.ts";
import { proxyKey } from "../core/proxy_key.ts";
import { isExactlyAt } from "../collision/aabb.ts";
import { type BodyRecord, type EntityRecord, ProjectileRecord } from "../stage/entity.ts";
import type { StageState } from "../stage/internals.ts";
import type { SnapshotCheck } from "./check.ts";
import {
  BodyWord,
  ContactWord,
  EntityWord,
  gravityAt,
  Header,
  motionWords,
  POINT_FEATURES,
  POINT_WORDS,
  ProjectileWord,
  unpackContactFlags,
} from "./layout.ts";
import { type Snapshot, SnapshotError } from "../../snapshot.ts";

/** Both layouts have a flag of this name. */
const BODY_UNSAVED = BodyFlag.UNSAVED;
const CONTACT_UNSAVED = ContactFlag.UNSAVED;
const LOADING = { isLoading: true };

/**
 * @param beforeLoad called after the check of the words and before the first change
 * @throws SnapshotError for words that are not a state of this stage. Most errors are found before
 * the first change. A contact of two bodies whose AABBs do not overlap is found late; then only
 * another load is allowed
 */
export function loadStage(state: StageState, from: Snapshot, beforeLoad: () => void): void {
  const { check, entities, joints, jointWords, contacts, world, saved } = state;
  const { words } = from;
  const isKnown = saved.isKnown;

  check.run(from, isKnown ? saved : undefined);
  beforeLoad();
  saved.forget();

  // The stage
  state.tick = words[Header.TICK]!;
  state.nextId = words[Header.NEXT_ID]!;
  loadFields(state.fields, state.layout, from, Header.WORDS);
  state.gravityWords?.load(world, from, gravityAt(state));

  // Entities
  const hasEntities = isKnown && check.hasSameEntities && saved.hasEntitiesOf(entities);
  if (!hasEntities) restoreEntities(state, from);
  entities.resetGround();
  loadEntities(state, from, hasEntities);

  // Joints
  if (joints !== undefined) {
    const recordOf = (id: number) => entities.get(id) as BodyRecord;
    const sameAs = hasEntities && saved.hasJointsOf(joints) ? saved.words : undefined;
    jointWords!.load(joints, {
      count: words[Header.JOINT_COUNT]!,
      at: check.jointsAt,
      recordOf,
      sameAs,
    }, from);
  }

  // Contacts
  keepSameContacts(world.contacts, check, isKnown ? words[Header.CONTACT_COUNT]! : 0);
  contacts.syncAllPairs();
  loadContacts(world.contacts, check, from);

  // After the changes of contacts above, which end no touch.
  state.logs.loadEnded(from, check.endedAt);

  // Last, because joints and contacts that appear or vanish wake bodies.
  loadSleep(state, from);

  if (isKnown) world.updateActive();
  else world.resetActive(entities.bodies.map(({ row }) => row));
  world.endEdits();

  // What the next save and load compare with
  world.endUnsaved();
  saved.jointsAt = check.jointsAt;
  saved.contactsAt = check.contactsAt;
  saved.endedAt = check.endedAt;
  saved.keep(from, entities, joints);
}

function restoreEntities(
  { entities, archetypes, check: { entityAt } }: StageState,
  { words }: Snapshot,
): void {
  const idAt = (i: number) => words[entityAt[i]! + EntityWord.ID]!;
  const archetypeAt = (i: number) => archetypes[words[entityAt[i]! + EntityWord.ARCHETYPE]!]!;
  entities.restore(words[Header.ENTITY_COUNT]!, idAt, archetypeAt);
}

/**
 * @param hasEntities whether the saved state has the entities that are on the stage and in the
 *   snapshot
 */
function loadEntities(state: StageState, from: Snapshot, hasEntities: boolean): void {
  const { check: { entityAt, isSame }, entities: { records }, world: { bodies } } = state;
  for (let i = 0; i < records.length; i++) {
    const record = records[i]!;
    record.savedAt = entityAt[i]!;
    if (record instanceof ProjectileRecord) loadProjectile(record, from);
    else {
      const { row } = record as BodyRecord;
      const isUnsaved = (bodies.ints[row * BodyInt.STRIDE + BodyInt.FLAGS]! & BODY_UNSAVED) !== 0;
      if (!hasEntities || isUnsaved || isSame[i] === 0) loadBody(state, record as BodyRecord, from);
    }
    const { compiled, fields, savedAt } = record;
    if (compiled.layout.names.length > 0) {
      loadFields(fields, compiled.layout, from, savedAt + motionWords(compiled));
    }
  }
}

function loadBody(state: StageState, record: BodyRecord, from: Snapshot): void {
  const { entities, world, propertyWords } = state;
  const { words, floats } = from;
  const { values, offset, savedAt } = record;
  const motion = savedAt + BodyWord.MOTION;

  world.edit(record.row);
  record.teleports = words[savedAt + BodyWord.TELEPORTS]!;

  // Properties that the rules may change; the centre of mass follows from them
  if (record.compiled.mutable.length > 0) {
    propertyWords!.load(state, record, from, savedAt + BodyWord.COUNT, LOADING);
  }

  // The motion
  const x = floats[motion]!;
  const y = floats[motion + 1]!;
  const angle = floats[motion + 2]!;
  if (!isExactlyAt(world.bodies, record.row, x, y, angle)) {
    entities.setCenterPose(record, x, y, angle);
  }

  values[offset + Body.VX] = floats[motion + 3]!;
  values[offset + Body.VY] = floats[motion + 4]!;
  values[offset + Body.SPIN] = floats[motion + 5]!;
  values[offset + Body.FORCE_X] = values[offset + Body.FORCE_Y] = values[offset + Body.TORQUE] = 0;
}

function loadProjectile(projectile: ProjectileRecord, { words, floats }: Snapshot): void {
  const { savedAt } = projectile;
  const motion = savedAt + ProjectileWord.MOTION;
  projectile.ageTicks = words[savedAt + ProjectileWord.AGE]!;
  projectile.bounces = words[savedAt + ProjectileWord.BOUNCES]!;
  projectile.teleports = words[savedAt + ProjectileWord.TELEPORTS]!;
  projectile.x = floats[motion]!;
  projectile.y = floats[motion + 1]!;
  projectile.vx = floats[motion + 2]!;
  projectile.vy = floats[motion + 3]!;
  projectile.expired = false; // it may be true on the mispredicted timeline
}

/** Restores the sleep of all bodies that were loaded or woken. */
function loadSleep(
  { world: { bodies, unsaved, owners } }: StageState,
  { words, floats }: Snapshot,
): void {
  for (let i = 0; i < unsaved.length; i++) {
    const row = unsaved[i]!;
    const { id, savedAt } = owners[row] as EntityRecord;
    const at = row * BodyInt.STRIDE + BodyInt.FLAGS;
    // No snapshot has the ground.
    if (id === 0) continue;
    bodies.ints[at] = words[savedAt + BodyWord.AWAKE] === 1
      ? bodies.ints[at]! | BodyFlag.AWAKE
      : bodies.ints[at]! & ~BodyFlag.AWAKE;
    bodies.values[row * Body.STRIDE + Body.SLEEP_S] = floats[savedAt + BodyWord.SLEEP_S]!;
  }
}

/**
 * Keeps the contacts that cannot have changed since the saved state, and that are equal in the
 * snapshot. All others count as apart. Live and saved contacts both ascend by their keys, so one
 * pass over both suffices.
 * @param count the number of contacts in the snapshot; 0 if the saved state is not known
 */
function keepSameContacts(
  { order, count: live, ints }: ContactTable,
  check: SnapshotCheck,
  count: number,
): void {
  const { contactAt, sameAt, contactsAt } = check;
  let next = 0;

  for (let i = 0; i < live; i++) {
    const k = order[i]! * ContactInt.STRIDE;
    const flags = ints[k + ContactInt.FLAGS]!;
    const at = ints[k + ContactInt.SAVED_AT]!;

    // Find it among the saved ones that are not known to have changed
    if (at !== NOT_SAVED) {
      while (next < count && sameAt[next]! < at) sameAt[next++] = NOT_SAVED;
    }
    const isFound = at !== NOT_SAVED && next < count && sameAt[next] === at;

    // Keep it
    if (isFound && (flags & (ContactFlag.ACTIVE | CONTACT_UNSAVED)) === 0) {
      ints[k + ContactInt.SAVED_AT] = contactAt[next++]! - contactsAt;
      continue;
    }

    // Or count it as apart
    if (isFound) sameAt[next++] = NOT_SAVED;
    ints[k + ContactInt.FLAGS] =
      flags & ~(ContactFlag.TOUCHING | ContactFlag.PASSING | CONTACT_UNSAVED) | ContactFlag.SOLID;
    ints[k + ContactInt.POINT_COUNT] = 0;
    ints[k + ContactInt.SAVED_AT] = NOT_SAVED;
  }

  while (next < count) sameAt[next++] = NOT_SAVED;
}

/** Loads all contacts that were not kept. */
function loadContacts(
  contacts: ContactTable,
  { contactAt, sameAt, contactsAt }: SnapshotCheck,
  from: Snapshot,
): void {
  const { order, ints } = contacts;
  const { words } = from;
  const count = words[Header.CONTACT_COUNT]!;

  for (let i = 0; i < count; i++) {
    if (sameAt[i] !== NOT_SAVED) continue;
    const cursor = contactAt[i]!;
    const flags = words[cursor + ContactWord.FLAGS]!;
    const low = proxyKey(words[cursor + ContactWord.ENTITY_A]!, flags & 0xff);
    const contact = contacts.find(
      low,
      proxyKey(words[cursor + ContactWord.ENTITY_B]!, flags >>> 8 & 0xff),
    );
    if (contact < 0) throw new SnapshotError("a snapshot that has a contact of two that are apart");
    loadContact(contacts, contact, from, cursor);
    ints[contact * ContactInt.STRIDE + ContactInt.SAVED_AT] = cursor - contactsAt;
  }

  let touching = 0;
  for (let i = 0; i < contacts.count; i++) {
    if (ints[order[i]! * ContactInt.STRIDE + ContactInt.SAVED_AT] !== NOT_SAVED) touching++;
  }

  // A contact that was kept is gone if its bodies are apart.
  if (touching !== count) {
    throw new SnapshotError("a snapshot that has a contact of two that are apart");
  }
}

/** @throws SnapshotError for a contact of a sensor with points, or another one without */
function loadContact(
  { values, ints }: ContactTable,
  contact: number,
  from: Snapshot,
  cursor: number,
): void {
  const { words, floats } = from;
  const k = contact * ContactInt.STRIDE;
  const v = contact * Contact.STRIDE;
  const { points, type, oneWayIgnored } = unpackContactFlags(
    words[cursor + ContactWord.FLAGS]!,
  );

  if (((ints[k + ContactInt.FLAGS]! & ContactFlag.OF_SENSOR) !== 0) !== (points === 0)) {
    throw new SnapshotError("a snapshot that has a sensor's contact with points");
  }

  ints[k + ContactInt.FLAGS]! |= ContactFlag.TOUCHING;
  if (oneWayIgnored) {
    ints[k + ContactInt.FLAGS] = ints[k + ContactInt.FLAGS]! & ~ContactFlag.SOLID |
      ContactFlag.PASSING;
  }
  ints[k + ContactInt.POINT_COUNT] = points;
  if (points === 0) return;

  // The manifold
  cursor += ContactWord.COUNT;
  ints[k + ContactInt.MANIFOLD_TYPE] = type;
  for (let i = 0; i < Contact.POINTS; i++) values[v + i] = floats[cursor++]!;
  for (
    let point = 0, to = v + Contact.POINTS;
    point < points;
    point++, cursor += POINT_WORDS
  ) {
    for (let i = 0; i < ContactPoint.STRIDE; i++) values[to++] = floats[cursor + i]!;
    ints[k + ContactInt.FEATURES + point] = words[cursor + POINT_FEATURES]!;
  }
}
