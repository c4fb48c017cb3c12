/** What a stage's author says about pairs of entities, as contacts and projectiles ask for it. */
import type { EntityRecord } from "./entity.ts";
import { type CompiledArchetype, compileRestitutions } from "./compiled_archetypes.ts";
import type { StageDef } from "../core/types.ts";

/** Asked in the middle of a step: allocates nothing. */
export interface ContactFilter {
  /** -1 where the fixtures' own counts. */
  restitution(a: EntityRecord, b: EntityRecord): number;
  /** Neither is the ground. Undefined where all push each other. */
  readonly shouldCollide: ((a: EntityRecord, b: EntityRecord) => boolean) | undefined;
  /** Whether `entity` may stand on one-way fixtures of `platform`. */
  landsOn(entity: EntityRecord, platform: EntityRecord): boolean;
}

/** @throws StageError where a restitution makes no sense */
export function compileContactFilter(def: StageDef, archetypes: readonly CompiledArchetype[]): ContactFilter {
  const table = compileRestitutions(def, archetypes), { shouldCollide, landsOn } = def;
  return {
    restitution: (a, b) => table[a.compiled.index * archetypes.length + b.compiled.index]!,
    shouldCollide: shouldCollide === undefined ? undefined : (a, b) => shouldCollide(a.entity, b.entity),
    landsOn: landsOn === undefined ? () => true : (entity, platform) => landsOn(entity.entity, platform.entity),
  };
}
