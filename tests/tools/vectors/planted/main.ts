/**
 * Proves the vectors: it plants one mistake after another in copies of the sources, and the vectors
 * must notice each.
 *
 *     deno task vectors planted [--jobs] [--json]
 */
import { type FlagValues, present, wholeNumber } from "../../../../shared/flags.ts";
import { Progress } from "../../../support/progress.ts";
import { runPlants } from "./planted_copy.ts";
import { PLANTS } from "./plants.ts";
import { runTool } from "../../../support/tool.ts";

const JOBS_MAX = 64;

const FLAGS = {
  jobs: {
    schema: wholeNumber(JOBS_MAX, 1).default(Math.min(JOBS_MAX, navigator.hardwareConcurrency)),
    about: "copies at the same time [one per core]",
    allowed: `a whole number 1 to ${JOBS_MAX}`,
  },
  json: { schema: present(), about: "one JSON object as the last line", allowed: "", switch: true },
} as const;

/** @returns the exit code: 0 if every plant was caught, 1 if one survived */
async function runAll({ jobs, json }: FlagValues<typeof FLAGS>): Promise<number> {
  const progress = new Progress(PLANTS.length, "plants");
  const beganMs = performance.now();
  let done = 0;
  progress.show(done);
  const results = await runPlants(PLANTS, { jobs, onResult: () => progress.show(++done) });
  progress.end();
  const survivors = results.filter(({ caughtBy }) => caughtBy === undefined).map(({ plant }) =>
    plant
  );
  for (const { file, text, replacement } of survivors) {
    console.error(`Survived in ${file}:\n  ${text}\n  became\n  ${replacement}`);
  }
  const caught = results.length - survivors.length;
  const seconds = Number(((performance.now() - beganMs) / 1000).toFixed(1));
  if (json) console.log(JSON.stringify({ planted: results.length, caught, survivors, seconds }));
  else console.log(`${results.length} planted, ${caught} caught, ${seconds} s`);
  return survivors.length === 0 ? 0 : 1;
}

if (import.meta.main) Deno.exit(await runTool("vectors planted", { flags: FLAGS, run: runAll }));
