/**
 * From an author's handle to the stage's record. Each function throws a `StageError` that names the
 * entity if the stage does not have it. Each also refuses the sorts of entities that do not support
 * the call.
 */
import { isUpright } from "./compiled_archetypes.ts";
import { BodyRecord, type Entity, type EntityRecord } from "./entity.ts";
import type { EntityTable } from "./entity_table.ts";
import { checkAngle } from "../core/limits.ts";
import { StageError } from "../core/types.ts";

/** Accepts every entity, also the ground. @throws StageError */
export function requireRecord(entities: EntityTable, entity: Entity): EntityRecord {
  const record = entities.get(entity.id);
  if (record?.entity === entity) return record;
  throw new StageError(`entity ${entity.id} ${entity.archetype.name} is not on this stage`);
}

/** Refuses the ground. @throws StageError */
export function requireNonGround(entities: EntityTable, entity: Entity): EntityRecord {
  const record = requireRecord(entities, entity);
  if (record.id === 0) throw new StageError("the ground cannot be moved or asked");
  return record;
}

/** Refuses projectiles alone. @throws StageError */
export function requireFixtures(entities: EntityTable, entity: Entity): BodyRecord {
  const record = requireRecord(entities, entity);
  if (record instanceof BodyRecord) return record;
  throw new StageError(`${record} is a projectile: it has no fixtures`);
}

/** Refuses the ground and projectiles. @throws StageError */
export function requireBody(entities: EntityTable, entity: Entity): BodyRecord {
  const record = requireNonGround(entities, entity);
  if (record instanceof BodyRecord) return record;
  throw new StageError(
    `${record} is a projectile: it does not turn, touches nothing and takes no force`,
  );
}

/** Refuses the ground, entities on a path, and static bodies. @throws StageError */
export function requireVelocity(entities: EntityTable, entity: Entity): EntityRecord {
  const record = requireMovable(entities, entity);
  if (record instanceof BodyRecord && record.isStatic) {
    throw new StageError(`${record} is static: it has no velocity; teleport() moves it`);
  }
  return record;
}

/** Refuses the ground and entities on a path. @throws StageError */
export function requireMovable(entities: EntityTable, entity: Entity): EntityRecord {
  return refusePath(requireNonGround(entities, entity));
}

/**
 * Refuses the ground, projectiles, entities on a path, static and upright bodies.
 * @throws StageError
 */
export function requireSpin(entities: EntityTable, entity: Entity): BodyRecord {
  requireVelocity(entities, entity);
  return refuseUpright(requireBody(entities, entity));
}

/** Refuses a projectile, an upright body, and an angle out of bounds. @throws StageError */
export function requireTurning(record: EntityRecord, angle: number): void {
  if (!(record instanceof BodyRecord)) {
    throw new StageError(`${record} is a projectile: it does not turn`);
  }
  checkAngle(refuseUpright(record), angle);
}

function refuseUpright(record: BodyRecord): BodyRecord {
  if (!isUpright(record.compiled)) return record;
  throw new StageError(
    `${record} is upright: it does not turn; with fixedRotation: true the rules may turn it`,
  );
}

/** Refuses all but dynamic bodies. @throws StageError */
export function requireDynamic(entities: EntityTable, entity: Entity): BodyRecord {
  const record = refusePath(requireBody(entities, entity));
  if (record.isDynamic) return record;
  throw new StageError(`${record} has infinite mass: it takes no force and no impulse`);
}

function refusePath<A extends EntityRecord>(record: A): A {
  if (record.compiled.path !== undefined) {
    throw new StageError(`${record} is on a path: only its tick and fields move it`);
  }
  return record;
}
