/**
 * The key of a fixture's proxy in the broad phase. Contacts are solved and saved in the order of
 * their keys:
 *
 *     key = entity id * 256 + fixture < 2^40
 *
 * Ids have 32 bits, so a key does not fit an integer of 32 bits, but a double holds it exactly.
 */

/** Parts per body that a key can distinguish: fixtures, and instead of a chain its segments. */
export const FIXTURES_MAX = 256;

/**
 * @param fixture the number of the part among those of its body, in the order of the declaration, 0
 *   … 255
 */
export function proxyKey(id: number, fixture: number): number {
  return id * FIXTURES_MAX + fixture;
}

/** The id of the entity that has the fixture. */
export function idOfKey(key: number): number {
  return Math.floor(key / FIXTURES_MAX);
}

/** The number of the part among those of its body. */
export function fixtureOfKey(key: number): number {
  return key % FIXTURES_MAX;
}
