/**
 * The key to what is inside a stage. This folder's own files share it; nobody else may import it (`tests/tidy/walls_test.ts`), so what a game
 * sees of a stage is what its class says.
 */

/** Where a stage keeps its state and planck's caches of it: a `StageState`. */
export const INTERNALS = Symbol("internals");
