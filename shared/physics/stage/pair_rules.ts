/** An author's rules about pairs of entities, compiled for contacts and projectiles. */
import type { ContactFilter } from "../dynamics/contact_filter.ts";
import { type EntityRecord, recordOf } from "./entity.ts";
import { type CompiledArchetype, compileRestitutions } from "./compiled_archetypes.ts";
import type { World } from "../dynamics/world.ts";
import type { StageDef } from "../core/types.ts";

/** The rules by the stage's records, because a projectile has no body. */
export type PairRules = ContactFilter<EntityRecord>;

/** @throws StageError for a restitution outside 0 … 1 or between archetypes that are not declared */
export function compilePairRules(def: StageDef, archetypes: readonly CompiledArchetype[]): PairRules {
  const restitutions = compileRestitutions(def, archetypes), { shouldCollide, landsOn } = def;
  return {
    isAlwaysSolid: shouldCollide === undefined && landsOn === undefined,
    restitution: (a, b) => restitutions[a.compiled.index * archetypes.length + b.compiled.index]!,
    shouldCollide: shouldCollide === undefined ? () => true : (a, b) => {
      if (a.id === 0 || b.id === 0) return true;
      return a.id < b.id ? shouldCollide(a.entity, b.entity) : shouldCollide(b.entity, a.entity);
    },
    landsOn: landsOn === undefined ? () => true : (record, platform) => landsOn(record.entity, platform.entity),
  };
}

/** The same rules by the rows of bodies, for the contacts. */
export function contactFilterOf(rules: PairRules, world: World): ContactFilter {
  const { isAlwaysSolid, restitution, shouldCollide, landsOn } = rules;
  return {
    isAlwaysSolid,
    restitution: (a, b) => restitution(recordOf(world, a), recordOf(world, b)),
    shouldCollide: (a, b) => shouldCollide(recordOf(world, a), recordOf(world, b)),
    landsOn: (body, platform) => landsOn(recordOf(world, body), recordOf(world, platform)),
  };
}
