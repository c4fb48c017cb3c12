/** From a handle to who is behind it, refused by name where that is not on this stage or cannot do what is asked. */
import { BodyRecord, type Entity, type EntityRecord } from "./entity.ts";
import type { EntityTable } from "./entity_table.ts";
import { StageError } from "../core/types.ts";

/** Whoever it is, the ground, too. @throws StageError where it is not on this stage, like those below */
export function requireRecord(entities: EntityTable, entity: Entity): EntityRecord {
  const record = entities.get(entity.id);
  if (record?.entity === entity) return record;
  throw new StageError(`entity ${entity.id} ${entity.archetype.name} is not on this stage`);
}

/** Whoever it is, but the ground. @throws StageError */
export function requireNonGround(entities: EntityTable, entity: Entity): EntityRecord {
  const record = requireRecord(entities, entity);
  if (record.id === 0) throw new StageError("the ground cannot be moved or asked");
  return record;
}

/** No cast. @throws StageError */
export function requireBody(entities: EntityTable, entity: Entity): BodyRecord {
  const record = requireNonGround(entities, entity);
  if (record instanceof BodyRecord) return record;
  throw new StageError(`${record} is a projectile: it does not turn, touches nothing and takes no force`);
}

/** Nobody on a path. @throws StageError */
export function requireMovable(entities: EntityTable, entity: Entity): EntityRecord {
  return refusePath(requireNonGround(entities, entity));
}

/** A body on no path. @throws StageError */
export function requireMovableBody(entities: EntityTable, entity: Entity): BodyRecord {
  return refusePath(requireBody(entities, entity));
}

function refusePath<A extends EntityRecord>(record: A): A {
  if (record.compiled.path !== undefined) {
    throw new StageError(`${record} is on a path: only its tick and fields move it`);
  }
  return record;
}
