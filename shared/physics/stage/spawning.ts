/** What a spawn is given, checked and completed before anything is on the stage: a refused one leaves no trace. */
import { canonicalizeFields, createFields, type FieldValues } from "../core/fields.ts";
import type { CompiledArchetype } from "./compiled_archetypes.ts";
import { beginOfPath } from "./kinematic_paths.ts";
import { checkAngle, checkPosition, checkSpin, checkVelocity } from "../core/limits.ts";
import { checkId, ENTITIES_MAX } from "./snapshot_layout.ts";
import { type FieldSpec, type Spawn, StageError } from "../core/types.ts";

/** An entity that may be put on the stage. */
export interface Newcomer {
  /** All of them, in range. */
  readonly fields: FieldValues;
  readonly start: Spawn<FieldSpec>;
}

/** What the stage says of one who is to come. */
export interface Entrance {
  /** That he will have. */
  readonly id: number;
  /** Whose end the stage shows: a path says where it begins. */
  readonly tick: number;
  /** How many entities are there already. */
  readonly entities: number;
}

/** @throws StageError naming the entity and what it cannot be given; when the stage is full */
export function prepareSpawn(
  compiled: CompiledArchetype,
  at: Partial<Spawn<FieldSpec>>,
  { id, tick, entities }: Entrance,
): Newcomer {
  const fields = createFields(compiled.layout);
  const who = { compiled, fields, toString: () => `entity ${id} ${compiled.archetype.name}` };
  checkId(who, id);
  if (entities >= ENTITIES_MAX) throw new StageError(`${who}: ${ENTITIES_MAX} entities are on the stage`);
  for (const name in at.fields) {
    if (!compiled.layout.names.includes(name)) throw new StageError(`${who} has no field ${name}`);
  }
  canonicalizeFields(Object.assign(fields, at.fields), compiled.layout, who);
  const start = compiled.path === undefined ? at as Spawn<FieldSpec> : beginOfPath(who, tick, at);
  const { x, y, angle = 0, vx = 0, vy = 0, spin = 0 } = start;
  checkPosition(who, x, y);
  checkAngle(who, angle);
  checkVelocity(who, vx, vy);
  checkSpin(who, spin);
  if (compiled.projectile !== undefined && (angle !== 0 || spin !== 0)) {
    throw new StageError(`${who}: a projectile does not turn`);
  }
  return { fields, start };
}
