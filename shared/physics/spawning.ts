/** What a spawn is given, checked and completed before anything is on the stage: a refused one leaves no trace. */
import { createFields, type FieldValues, settleFields } from "./fields.ts";
import type { Kind } from "./kinds.ts";
import { beginOfPath } from "./paths.ts";
import { checkAngle, checkPosition, checkSpin, checkVelocity } from "./limits.ts";
import { type FieldSpec, type Spawn, StageError } from "./types.ts";

/** An entity that may be put on the stage. */
export interface Newcomer {
  /** All of them, in range. */
  readonly fields: FieldValues;
  readonly start: Spawn<FieldSpec>;
}

/**
 * @param who the id that it will have, and the tick whose end the stage shows: a path says where it begins
 * @throws StageError naming the entity and what it cannot be given
 */
export function prepareSpawn(
  kind: Kind,
  at: Partial<Spawn<FieldSpec>>,
  { id, tick }: { id: number; tick: number },
): Newcomer {
  const fields = createFields(kind.layout);
  const who = { kind, fields, toString: () => `entity ${id} ${kind.archetype.name}` };
  for (const name in at.fields) {
    if (!kind.layout.names.includes(name)) throw new StageError(`${who} has no field ${name}`);
  }
  settleFields(Object.assign(fields, at.fields), kind.layout, who);
  const start = kind.path === undefined ? at as Spawn<FieldSpec> : beginOfPath(who, tick, at);
  const { x, y, angle = 0, vx = 0, vy = 0, spin = 0 } = start;
  checkPosition(who, x, y);
  checkAngle(who, angle);
  checkVelocity(who, vx, vy);
  checkSpin(who, spin);
  if (kind.cast !== undefined && (angle !== 0 || spin !== 0)) throw new StageError(`${who}: a cast does not turn`);
  return { fields, start };
}
