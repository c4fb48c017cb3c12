/** What a stage's author says about pairs of entities, as contacts and projectiles ask for it. */
import type { EntityRecord } from "./entity.ts";
import { type CompiledArchetype, compileRestitutions } from "./compiled_archetypes.ts";
import type { StageDef } from "../core/types.ts";

/** Asked in the middle of a step: allocates nothing. */
export interface PairRules {
  /** -1 where the fixtures' own counts. */
  restitution(a: EntityRecord, b: EntityRecord): number;
  /** Neither is the ground. Undefined where all push each other. */
  readonly pushes: ((a: EntityRecord, b: EntityRecord) => boolean) | undefined;
  /** Whether `who` may stand on one-way fixtures of `on`. */
  lands(who: EntityRecord, on: EntityRecord): boolean;
}

/** @throws StageError where a restitution makes no sense */
export function pairRules(def: StageDef, archetypes: readonly CompiledArchetype[]): PairRules {
  const table = compileRestitutions(def, archetypes), { pushes, lands } = def;
  return {
    restitution: (a, b) => table[a.compiled.index * archetypes.length + b.compiled.index]!,
    pushes: pushes === undefined ? undefined : (a, b) => pushes(a.entity, b.entity),
    lands: lands === undefined ? () => true : (who, on) => lands(who.entity, on.entity),
  };
}
