/**
 * Mutations of joints that `mutations.ts` cannot make by setting whole words to 0, because a stage refuses such
 * snapshots at once. Here each part of the flags, and each number that may not be 0, changes into another valid one.
 * The sync test must detect each.
 */
import { assert } from "@std/assert";
import { kindOfLabel } from "../scenes/difference.ts";
import { type Corruption, SyncRun } from "../scenes/sync_run.ts";

/** More than any of these mutations needed until it was detected. */
const MUTANT_TICKS = 300;

/** Changes every word of one kind. @param change receives the index of the word */
function changed(kind: string, change: (words: Uint32Array, floats: Float32Array, at: number) => void): Corruption {
  return ({ words, floats }, names) =>
    names().forEach((name, at) => {
      if (kindOfLabel(name) === kind) change(words, floats, at);
    });
}

const MUTATIONS: Readonly<Record<string, Corruption>> = {
  "which side of its limits it is on": changed("joint flags", (words, _, at) => words[at]! &= ~3),
  "that its limits are on": changed("joint flags", (words, _, at) => words[at]! &= ~7),
  "that its motor is on": changed("joint flags", (words, _, at) => words[at]! &= ~8),
  "its length": changed("joint length", (_, floats, at) => floats[at] = 2),
  "its axis": changed("joint axis.x", (_, floats, at) => [floats[at], floats[at + 1]] = [1, 0]),
  "its reference angle": changed("joint referenceAngle", (_, floats, at) => floats[at] = 0),
  "the last bit of its impulse": changed("joint impulse.x", (words, _, at) => words[at]! &= ~1),
};

for (const [what, spoil] of Object.entries(MUTATIONS)) {
  Deno.test(`joints: without ${what} in the snapshots the sync test fails (SPEC 9.14)`, () => {
    assert(new SyncRun(1, spoil).run(MUTANT_TICKS) !== undefined, "not detected");
  });
}
