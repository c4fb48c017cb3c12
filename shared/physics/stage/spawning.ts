/** What a spawn is given, checked and completed before anything is on the stage: a refused one leaves no trace. */
import { canonicalizeFields, createFields, type FieldValues } from "../core/fields.ts";
import type { CompiledArchetype } from "./compiled_archetypes.ts";
import { pathStart } from "./kinematic_paths.ts";
import { checkAngle, checkPosition, checkSpin, checkVelocity } from "../core/limits.ts";
import { checkId, ENTITIES_MAX } from "./snapshot_layout.ts";
import { type FieldSpec, type Spawn, StageError } from "../core/types.ts";

/** An entity that may be put on the stage. */
export interface PreparedSpawn {
  /** All of them, in range. */
  readonly fields: FieldValues;
  readonly start: Spawn<FieldSpec>;
}

/** What the stage says of one who is to come. */
export interface SpawnContext {
  /** That it will have. */
  readonly id: number;
  /** Whose end the stage shows: a path says where it begins. */
  readonly tick: number;
  /** How many entities are there already. */
  readonly entityCount: number;
}

/** @throws StageError naming the entity and what it cannot be given; when the stage is full */
export function prepareSpawn(
  compiled: CompiledArchetype,
  spawn: Partial<Spawn<FieldSpec>>,
  { id, tick, entityCount }: SpawnContext,
): PreparedSpawn {
  const fields = createFields(compiled.layout);
  const owner = { compiled, fields, toString: () => `entity ${id} ${compiled.archetype.name}` };
  checkId(owner, id);
  if (entityCount >= ENTITIES_MAX) throw new StageError(`${owner}: ${ENTITIES_MAX} entities are on the stage`);
  for (const name in spawn.fields) {
    if (!compiled.layout.names.includes(name)) throw new StageError(`${owner} has no field ${name}`);
  }
  canonicalizeFields(Object.assign(fields, spawn.fields), compiled.layout, owner);
  const start = compiled.path === undefined ? spawn as Spawn<FieldSpec> : pathStart(owner, tick, spawn);
  const { x, y, angle = 0, vx = 0, vy = 0, spin = 0 } = start;
  checkPosition(owner, x, y);
  checkAngle(owner, angle);
  checkVelocity(owner, vx, vy);
  checkSpin(owner, spin);
  if (compiled.projectile !== undefined && (angle !== 0 || spin !== 0)) {
    throw new StageError(`${owner}: a projectile does not turn`);
  }
  return { fields, start };
}
