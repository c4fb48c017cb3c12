/**
 * Checks and completes the arguments of a spawn before the stage changes, so that a refused spawn
 * leaves no trace.
 */
import { canonicalizeFields, createFields, type FieldValues } from "../core/fields.ts";
import { type CompiledArchetype, isStatic, isUpright } from "./compiled_archetypes.ts";
import type { EntityRecord } from "./entity.ts";
import type { PathsFeature } from "./kinematic_paths.ts";
import { checkOptions, SPAWN_OPTIONS } from "../core/declaration_checks.ts";
import {
  checkAngle,
  checkPosition,
  checkSpeed,
  checkSpin,
  checkVelocity,
  PARTS_MAX,
  type SpeedLimits,
  SURPLUS_MAX,
} from "../core/limits.ts";
import { checkId } from "../snapshot/layout.ts";
import { type FieldSpec, type Spawn, StageError } from "../core/types.ts";

/** The start of an entity that the stage accepts. */
export interface PreparedSpawn {
  /** All fields, in range. */
  readonly fields: FieldValues;
  readonly start: Spawn<FieldSpec>;
}

/** The stage's side of a spawn. */
export interface SpawnContext {
  /** The id of the new entity. */
  readonly id: number;
  /** A path gives its pose at the end of this tick. */
  readonly tick: number;
  /** The number of entities before the spawn, and of their parts with those of the ground. */
  readonly entityCount: number;
  readonly partCount: number;
  /** Entities at the end of a tick. */
  readonly entitiesMax: number;
  readonly paths: PathsFeature | undefined;
  /** Bounds of a body's motion; undefined if the stage slows bodies down. */
  readonly speedLimits: SpeedLimits | undefined;
}

/**
 * @throws StageError for a field or a motion that the archetype does not allow. So does the spawn
 * that is a thousand too many in one tick: a loop without an end
 */
export function prepareSpawn(
  compiled: CompiledArchetype,
  spawn: Partial<Spawn<FieldSpec>>,
  { id, tick, entityCount, partCount, entitiesMax, paths, speedLimits }: SpawnContext,
): PreparedSpawn {
  const fields = createFields(compiled.layout);
  const owner = { compiled, fields, toString: () => `entity ${id} ${compiled.archetype.name}` };
  checkId(owner, id);

  // Room for it
  const isTooMuch = entityCount >= entitiesMax + SURPLUS_MAX || partCount >= 2 * PARTS_MAX;
  if (isTooMuch) {
    throw new StageError(
      `${owner}: ${entityCount} entities with ${partCount} fixtures are on the stage`,
    );
  }

  // Its fields
  for (const name in spawn.fields) {
    if (!compiled.layout.names.includes(name)) {
      throw new StageError(`${owner} has no field ${name}`);
    }
  }
  checkOptions(spawn, SPAWN_OPTIONS, owner);
  canonicalizeFields(Object.assign(fields, spawn.fields), compiled.layout, owner);

  // Its motion
  const start = compiled.path === undefined
    ? spawn as Spawn<FieldSpec>
    : paths!.startOf(owner, tick, spawn);
  const { x, y, angle = 0, vx = 0, vy = 0, spin = 0 } = start;
  checkPosition(owner, x, y);
  checkAngle(owner, angle);
  checkVelocity(owner, vx, vy);
  checkSpin(owner, spin);

  // What its archetype does not allow
  if (speedLimits !== undefined && compiled.body !== undefined) {
    checkSpeed(owner, speedLimits, start);
  }
  if (compiled.projectile !== undefined && (angle !== 0 || spin !== 0)) {
    throw new StageError(`${owner}: a projectile does not turn`);
  }
  if (isUpright(compiled) && (angle !== 0 || spin !== 0)) {
    throw new StageError(`${owner} is upright: it has no angle and no spin`);
  }
  if (isStatic(compiled) && (vx !== 0 || vy !== 0 || spin !== 0)) {
    throw new StageError(`${owner} is static: it has no velocity and no spin`);
  }

  return { fields, start };
}

/** The motion of an entity, as far as one of this archetype can have it. */
export function motionFor(compiled: CompiledArchetype, record: EntityRecord): Spawn<FieldSpec> {
  const { x, y, angle, vx, vy, spin } = record;
  if (compiled.projectile !== undefined) return { x, y, vx, vy };
  if (isUpright(compiled)) return { x, y, vx, vy };
  return isStatic(compiled) ? { x, y, angle } : { x, y, angle, vx, vy, spin };
}

/** The values of the fields that both archetypes declare. */
export function sharedFields(
  { layout: { names } }: CompiledArchetype,
  { fields }: EntityRecord,
): FieldValues {
  return Object.fromEntries(
    names.filter((name) => name in fields).map((name) => [name, fields[name]!]),
  );
}
