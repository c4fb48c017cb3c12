/**
 * Proves the hunt: it plants one mistake after another in copies of the sources. The hunt must find
 * each mistake, and shrink its schedule to few faults.
 *
 *     deno task hunt planted [--jobs] [--seconds] [--json]
 */
import { type FlagValues, present, wholeNumber } from "../../../../shared/flags.ts";
import { Progress } from "../../../support/progress.ts";
import { runInCopies } from "../../../support/project_copy.ts";
import { runTool } from "../../../support/tool.ts";
import { HuntedCopy } from "./planted_copy.ts";
import { PLANTS } from "./plants.ts";

const JOBS_MAX = 64;
/** A mistake that needs more faults than this is hard to understand. */
const FAULTS_MAX = 3;

const FLAGS = {
  jobs: {
    schema: wholeNumber(JOBS_MAX, 1).default(Math.min(JOBS_MAX, navigator.hardwareConcurrency)),
    about: "copies at the same time [one per core]",
    allowed: `a whole number 1 to ${JOBS_MAX}`,
  },
  seconds: {
    schema: wholeNumber(3_600, 1).default(120),
    about: "how long a mistake is hunted [120]",
    allowed: "a whole number 1 to 3600",
  },
  json: { schema: present(), about: "one JSON object as the last line", allowed: "", switch: true },
} as const;

/** @returns the exit code: 0 if every plant was found and shrunk, otherwise 1 */
async function runAll({ jobs, seconds, json }: FlagValues<typeof FLAGS>): Promise<number> {
  const progress = new Progress(PLANTS.length, "plants");
  let done = 0;
  const results = await runInCopies(PLANTS, {
    newCopy: () => HuntedCopy.create(seconds),
    jobs,
    onResult: () => progress.show(++done),
  });
  progress.end();
  const rows = results.map(({ plant: { name }, found }) => ({ name, ...found }));

  for (const { name, invariant, faults, foundMs } of rows) {
    console.error(
      `${name}: ${
        invariant === undefined ? "NOT FOUND" : `${invariant}, ${faults} faults, ${foundMs} ms`
      }`,
    );
  }

  const found = rows.filter(({ invariant }) => invariant !== undefined).length;
  const shrunk = rows.filter(({ faults = Infinity }) => faults <= FAULTS_MAX).length;
  if (json) console.log(JSON.stringify({ planted: PLANTS.length, found, shrunk, results: rows }));
  else {console.log(
      `${PLANTS.length} planted, ${found} found, ${shrunk} shrunk to at most ${FAULTS_MAX} faults`,
    );}
  return shrunk === PLANTS.length ? 0 : 1;
}

if (import.meta.main) Deno.exit(await runTool("hunt planted", { flags: FLAGS, run: runAll }));
