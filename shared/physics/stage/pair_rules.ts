/** An author's rules about pairs of entities, compiled for contacts and projectiles. */
import type { ContactFilter } from "../dynamics/contact_filter.ts";
import { type EntityRecord, recordOf } from "./entity.ts";
import type { CompiledArchetype } from "./compiled_archetypes.ts";
import type { World } from "../dynamics/world.ts";
import { type StageDef, StageError } from "../core/types.ts";

/** As a fixture's friction. */
const FRICTION_MAX = 1e5;

/** The rules by the stage's records, because a projectile has no body. */
export type PairRules = ContactFilter<EntityRecord>;

/**
 * @throws StageError for a friction or a restitution out of range or between archetypes that are
 *   not declared
 */
export function compilePairRules(
  def: StageDef,
  archetypes: readonly CompiledArchetype[],
): PairRules {
  const { shouldCollide, landsOn } = def;
  const count = archetypes.length;
  const restitutions = compilePairs("restitution", 1, def.restitutions, archetypes);
  const frictions = compilePairs("friction", FRICTION_MAX, def.frictions, archetypes);
  return {
    isAlwaysSolid: shouldCollide === undefined && landsOn === undefined,
    restitution: (a, b) => restitutions[a.compiled.index * count + b.compiled.index]!,
    friction: (a, b) => frictions[a.compiled.index * count + b.compiled.index]!,
    shouldCollide: shouldCollide === undefined ? () => true : (a, b) => {
      if (a.id === 0 || b.id === 0) return true;
      return a.id < b.id ? shouldCollide(a.entity, b.entity) : shouldCollide(b.entity, a.entity);
    },
    landsOn: landsOn === undefined
      ? () => true
      : (record, platform) => landsOn(record.entity, platform.entity),
  };
}

/**
 * @param max the largest value that is allowed
 * @returns a square table by two archetype indices, row by row; -1 if the fixtures' own values
 *   count
 * @throws StageError for a value out of range or between archetypes that are not declared
 */
function compilePairs(
  what: string,
  max: number,
  declared: StageDef["restitutions"],
  archetypes: readonly CompiledArchetype[],
): Float64Array {
  const count = archetypes.length;
  const table = new Float64Array(count * count).fill(-1);
  for (const [nameA, nameB, value] of declared ?? []) {
    const a = archetypes.findIndex((compiled) => compiled.archetype.name === nameA);
    const b = archetypes.findIndex((compiled) => compiled.archetype.name === nameB);
    if (a < 0 || b < 0) {
      throw new StageError(`${what} between ${nameA} and ${nameB}: one is no archetype`);
    }
    if (!(value >= 0) || value > max) {
      throw new StageError(`${what} ${value}: 0 to ${max} are allowed`);
    }
    table[a * count + b] = table[b * count + a] = value;
  }
  return table;
}

/** The same rules by the rows of bodies, for the contacts. */
export function contactFilterOf(rules: PairRules, world: World): ContactFilter {
  const { isAlwaysSolid, friction, restitution, shouldCollide, landsOn } = rules;
  return {
    isAlwaysSolid,
    friction: (a, b) => friction(recordOf(world, a), recordOf(world, b)),
    restitution: (a, b) => restitution(recordOf(world, a), recordOf(world, b)),
    shouldCollide: (a, b) => shouldCollide(recordOf(world, a), recordOf(world, b)),
    landsOn: (body, platform) => landsOn(recordOf(world, body), recordOf(world, platform)),
  };
}
