/**
 * The stage's side of the body stream. `fillBodies` turns a stage into a list of bodies.
 * `adoptBodies` makes a stage as equal to a list as it can.
 *
 * The fields of a body are its properties that may change, then its declared fields. Those of the
 * stage are its gravity, if that may change, and its declared fields. A list has no
 * contacts, no ended touches, no impulses of joints and no ages of projectiles. After `adoptBodies`
 * the contacts of pairs that still touch remain, and so do the impulses and ages of joints and
 * entities that remain. Those of new ones start from nothing.
 */
import {
  type Body,
  type BodyList,
  type BodySchemas,
  type Drift,
  GRAVITY_UNITS_PER_MPS2,
} from "../../body_list.ts";
import { Snapshot, SnapshotError } from "../../snapshot.ts";
import { BodyRecord, type Entity, type EntityRecord } from "./entity.ts";
import {
  type FieldLayout,
  type FieldValues,
  firstInvalidField,
  loadFields,
  saveFields,
} from "../core/fields.ts";
import { INTERNALS, type StageState } from "./internals.ts";
import { featureOf } from "./features.ts";
import type { JointsFeature } from "../joints/joints_of.ts";
import type { PropertiesFeature } from "./properties.ts";
import { compileStage, isUpright } from "./compiled_archetypes.ts";
import { checkPosition, checkSpin, checkVelocity, PARTS_MAX } from "../core/limits.ts";
import { NEXT_ID_MAX, partsOf, propertyName } from "../snapshot/layout.ts";
import type { Stage } from "./stage.ts";
import { type Archetype, type FieldSpec, type StageDef, StageError } from "../core/types.ts";

/**
 * By name of an archetype or joint, and by field name: how a field changes by itself each tick.
 * "stage" names the stage's own fields.
 */
export type Clocks = Readonly<Record<string, Readonly<Record<string, Drift>>>>;

/**
 * The declaration for the body stream that follows from a stage's declaration. Index 0 is the stage
 * itself. The archetypes follow in their order, then the joints.
 * @throws StageError for a declaration that is wrong
 */
export function bodySchemasOf(def: StageDef, clocks: Clocks = {}): BodySchemas {
  const { fields, gravity, substeps } = def;
  const joints = featureOf<JointsFeature>(def, "joints");
  const gravityWords = featureOf<PropertiesFeature>(def, "properties")?.gravity.wordsOf(def);

  const fieldsOf = (owner: string, spec: FieldSpec) =>
    Object.entries(spec).map(([name, type]) => ({ name, type, drift: clocks[owner]?.[name] ?? 0 }));
  const downwards = typeof gravity === "number" ? gravity : -gravity.y;
  const unitsOf = (scale = 1) => Math.round(downwards * scale * GRAVITY_UNITS_PER_MPS2);

  return {
    substeps,
    schemas: [
      {
        name: "match",
        isProjectile: false,
        moves: false,
        turns: false,
        gravityUnits: 0,
        fields: [
          ...(gravityWords?.names ?? []).map((name) => ({
            name,
            type: "f32" as const,
            drift: 0 as const,
          })),
          ...fieldsOf("stage", fields),
        ],
      },
      ...compileStage(def).archetypes.slice(1).map(({ archetype, mutable = [] }) => ({
        name: archetype.name,
        isProjectile: archetype.projectile !== undefined,
        moves: true,
        turns: archetype.projectile === undefined && !isUpright({ archetype }),
        gravityUnits: falls(archetype)
          ? unitsOf((archetype.projectile ?? archetype.body).gravityScale)
          : 0,
        fields: [
          ...mutable.map((word) => ({
            name: propertyName(word),
            type: word.type,
            drift: 0 as const,
          })),
          ...fieldsOf(archetype.name, archetype.fields),
        ],
      })),
      ...(joints?.compile(def) ?? []).map((joint) =>
        joints!.stream.schemaOf(joint, (field) => clocks[joint.definition.name]?.[field] ?? 0)
      ),
    ],
  };
}

function falls({ body }: Archetype): boolean {
  return body === undefined || body.path === undefined && (body.type ?? "dynamic") === "dynamic";
}

const CHANGING = { isLoading: false };

/** The words of one body. Written and read while they are copied to a list, or from one. */
const scratch = new Snapshot();

/**
 * Fills a list with the stage as entity 0 and with all of its entities and joints.
 * @param seatOf the seat whose commands move an entity; -1 for none
 */
export function fillBodies(stage: Stage, seatOf: (entity: Entity) => number, out: BodyList): void {
  const internals = stage[INTERNALS];
  const { fields, layout, entities: { records }, tick, nextId } = internals;
  const fillJointsBelow = internals.jointStream?.fill(internals, out);
  out.reset(tick);
  out.nextId = nextId;
  const stageWords = out.add(0, 0).fieldBits;
  saveGravity(internals, stageWords);
  saveWords(fields, layout, stageWords);
  for (const record of records) {
    fillJointsBelow?.(record.id);
    const { entity, compiled } = record;
    const body = out.add(entity.id, compiled.index);
    const { x, y, angle, vx, vy, spin, teleports } = entity;
    Object.assign(body, { seat: seatOf(entity), x, y, angle, vx, vy, spin, teleports });
    if (record instanceof BodyRecord) saveProperties(internals, record, body.fieldBits);
    saveWords(record.fields, compiled.layout, body.fieldBits);
  }
  fillJointsBelow?.(Infinity);
}

/**
 * Makes the stage equal to a list.
 * @throws SnapshotError for a list that no stage of this declaration can produce
 */
export function adoptBodies(stage: Stage, from: BodyList): void {
  const internals = stage[INTERNALS];
  const { archetypes, entities, fields, layout } = internals;
  const joints = internals.jointStream?.adopt(internals, from);

  // The list: the stage, then entities and joints, ascending
  const bodies: Body[] = [];
  const stageBody = from.find(0);
  if (stageBody === undefined) throw new SnapshotError("a list without a stage");
  for (let i = 1; i < from.count; i++) {
    const body = from.at(i);
    const { schemaIndex } = body;
    if (body.entity <= from.at(i - 1).entity) {
      throw new SnapshotError("a list of bodies out of order");
    }
    if (schemaIndex > 0 && schemaIndex < archetypes.length) bodies.push(body);
    else if (!joints?.take(body)) throw new SnapshotError(`a body of kind ${schemaIndex}`);
  }

  // How much it wants
  const nextId = Math.max(from.nextId, from.at(from.count - 1).entity + 1);
  const partCount = bodies.reduce(
    (sum, { schemaIndex }) => sum + partsOf(archetypes[schemaIndex]!),
    partsOf(archetypes[0]!),
  );
  const tooMany = bodies.length > internals.limits.entities || partCount > PARTS_MAX ||
    nextId > NEXT_ID_MAX;
  if (tooMany) throw new SnapshotError("a list of too many bodies");
  joints?.check(nextId);

  // From here on the stage changes
  const hasGravityChanged = loadGravity(internals, stageBody.fieldBits);
  const gravityLength = internals.gravityWords?.names.length ?? 0;
  loadWords(stageBody.fieldBits, gravityLength, { fields, layout });
  joints?.removeOthers();

  // The set of entities
  for (const record of entities.records.slice()) {
    if (from.find(record.id)?.schemaIndex !== record.compiled.index) stage.despawn(record.entity);
  }
  const old = new Set(entities.records);
  entities.restore(
    bodies.length,
    (i) => bodies[i]!.entity,
    (i) => archetypes[bodies[i]!.schemaIndex]!,
  );
  entities.resetGround();
  internals.nextId = nextId;

  // Their fields and motions
  try {
    entities.records.forEach((record, i) => {
      const body = bodies[i]!;
      const { layout, mutable = [] } = record.compiled;
      loadWords(body.fieldBits, mutable.length, { fields: record.fields, layout });
      record.teleports = body.teleports;
      const isChanged = record instanceof BodyRecord &&
        loadProperties(internals, record, body.fieldBits);
      if (!body.keepsMotion || !old.has(record)) move(stage, record, body);

      // A change wakes the body, however still it is.
      if (isChanged) internals.contacts.refresh(record.row);
    });

    joints?.load();
    if (hasGravityChanged) {
      for (const { row } of entities.bodies) internals.world.wake(row);
    }
    internals.tick = from.tick - 1 >>> 0;
    stage.endTick();

    // What the list has parted has ended for the server. Its fields count it already, or will.
    internals.logs.clearEnded();
  } catch (error) {
    if (!(error instanceof StageError)) throw error;
    throw new SnapshotError(error.message);
  }
}

function move(stage: Stage, record: EntityRecord, body: Body): void {
  const { x, y, vx, vy, spin } = body;
  checkPosition(record, x, y);
  checkVelocity(record, vx, vy);
  checkSpin(record, spin);
  const isStill = record instanceof BodyRecord && record.isStatic;
  if (isStill && (vx !== 0 || vy !== 0 || spin !== 0)) {
    throw new StageError(`${record} is static, and its body in a list moves`);
  }
  stage[INTERNALS].entities.setMotion(record, body);
  if (!(record instanceof BodyRecord)) return;
  const { world } = stage[INTERNALS];
  // The end of the tick checks the contacts of what is awake or has just fallen asleep, so one that
  // slept wakes first.
  world.wake(record.row);
  if (vx === 0 && vy === 0 && spin === 0) world.putToSleep(record.row);
}

function saveProperties(
  { propertyWords, world }: StageState,
  record: BodyRecord,
  into: number[],
): void {
  const { length } = record.compiled.mutable;
  if (length === 0) return;
  scratch.reserve(length);
  propertyWords!.save(world, record, scratch, 0);
  for (let i = 0; i < length; i++) into.push(scratch.words[i]!);
}

/**
 * @returns whether a property has changed
 * @throws SnapshotError for a property out of range
 */
function loadProperties(state: StageState, record: BodyRecord, words: readonly number[]): boolean {
  const { propertyWords, logs } = state;
  const { mutable } = record.compiled;
  if (mutable.length === 0) return false;
  scratch.reserve(mutable.length);
  for (let i = 0; i < mutable.length; i++) scratch.words[i] = words[i] ?? 0;
  if (!propertyWords!.isValid(mutable, scratch, 0)) {
    throw new SnapshotError("a body with a property out of range");
  }
  logs.complete();
  return propertyWords!.load(state, record, scratch, 0, CHANGING);
}

function saveGravity({ gravityWords, world }: StageState, into: number[]): void {
  if (gravityWords === undefined) return;
  const { length } = gravityWords.names;
  scratch.reserve(length);
  gravityWords.save(world, scratch, 0);
  for (let i = 0; i < length; i++) into.push(scratch.words[i]!);
}

/**
 * @returns whether the gravity has changed
 * @throws SnapshotError for one out of range
 */
function loadGravity({ gravityWords, world }: StageState, words: readonly number[]): boolean {
  if (gravityWords === undefined) return false;
  const { length } = gravityWords.names;
  scratch.reserve(length);
  for (let i = 0; i < length; i++) scratch.words[i] = words[i] ?? 0;
  if (!gravityWords.isValid(scratch, 0)) throw new SnapshotError("a gravity out of range");
  return gravityWords.load(world, scratch, 0);
}

function saveWords(fields: FieldValues, layout: FieldLayout, into: number[]): void {
  scratch.reserve(layout.names.length);
  saveFields(fields, layout, "a body", scratch, 0);
  for (let i = 0; i < layout.names.length; i++) into.push(scratch.words[i]!);
}

/**
 * @param from index of the first word
 * @throws SnapshotError for a word that its field cannot hold
 */
function loadWords(
  words: readonly number[],
  from: number,
  { fields, layout }: { fields: FieldValues; layout: FieldLayout },
): void {
  scratch.reserve(layout.names.length);
  for (let i = 0; i < layout.names.length; i++) scratch.words[i] = words[from + i] ?? 0;
  if (firstInvalidField(layout, scratch, 0) >= 0) {
    throw new SnapshotError("a body with a field that does not fit");
  }
  loadFields(fields, layout, scratch, 0);
}
