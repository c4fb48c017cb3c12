/**
 * The key of a fixture's proxy in the broad phase. Contacts are solved and saved in the order of their keys:
 *
 *     key = entity id * 256 + fixture index < 2^40
 *
 * Ids have 32 bits, so a key is no integer of 32 bits, but every double holds it exactly.
 */

/** Fixtures per body that a key can distinguish. */
export const FIXTURES_MAX = 256;

/** @param fixture the fixture's index in its archetype's declaration, 0 … 255 */
export function proxyKey(id: number, fixture: number): number {
  return id * FIXTURES_MAX + fixture;
}

/** The id of the entity that has the fixture. */
export function idOfKey(key: number): number {
  return Math.floor(key / FIXTURES_MAX);
}

/** The fixture's index in its archetype's declaration. */
export function fixtureOfKey(key: number): number {
  return key % FIXTURES_MAX;
}
