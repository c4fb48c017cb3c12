import { assert, assertLessOrEqual } from "@std/assert";
import { HuntedCopy } from "./planted_copy.ts";
import { PLANTS } from "./plants.ts";

/** Faults that a found schedule may still have after it was shrunk. */
const FAULTS_MAX = 3;

/**
 * Plants each named mistake in a copy of the project and asserts that a hunt there finds it, in a
 * schedule shrunk to `FAULTS_MAX` faults.
 *
 * @param secondsMax how long the search for a mistake may take
 * @param names of `PLANTS`
 */
export async function assertFound(secondsMax: number, names: readonly string[]): Promise<void> {
  const copy = await HuntedCopy.create(secondsMax);
  try {
    for (const name of names) {
      const { found } = await copy.run(PLANTS.find((plant) => plant.name === name)!);
      assert(found !== null, name);
      assertLessOrEqual(found.faults, FAULTS_MAX, name);
    }
  } finally {
    await copy.remove();
  }
}
