/**
 * Hunts: plays matches from seeds, with faults, in virtual time, and checks rules all the time. A
 * seed that breaks a rule is shrunk to the fewest faults, as JSON that a test can hold.
 *
 *     deno task hunt [--seeds] [--seconds] [--minutes] [--from] [--game] [--order] [--cluster] [--pages] [--jobs] [--json]
 */
import * as z from "zod";
import { type FlagValues, present, UsageError, wholeNumber } from "../../../shared/flags.ts";
import { Progress } from "../../support/progress.ts";
import { runTool } from "../../support/tool.ts";
import { hunt } from "./hunt.ts";

/** Enough for 20 hours of the counter game, and 2 of dragons. */
const SEEDS = 340;
const SEEDS_MAX = 1_000_000;
const JOBS_MAX = 64;

export const FLAGS = {
  seeds: {
    schema: wholeNumber(SEEDS_MAX, 1).optional(),
    about: `how many seeds are played [${SEEDS}, or as many as the time allows]`,
    allowed: `a whole number 1 to ${SEEDS_MAX}`,
  },
  seconds: {
    schema: wholeNumber(1_000_000, 1).optional(),
    about: "no seed begins after so many seconds of real time [no limit]",
    allowed: "a whole number 1 to 1000000",
  },
  minutes: {
    schema: wholeNumber(10_000, 1).optional(),
    about: "the same in minutes [no limit]",
    allowed: "a whole number 1 to 10000",
  },
  from: {
    schema: wholeNumber(0xffff_0000).default(1),
    about: "the first seed [1]",
    allowed: "a whole number 0 to 4294901760",
  },
  game: {
    schema: z.enum(["counter", "dragons"]).optional(),
    about: "plays one game with every seed [dragons with every ninth, and otherwise counter]",
    allowed: "counter or dragons",
  },
  order: {
    schema: present(),
    about: "the server only orders commands, and a referee in virtual time is late now and then",
    allowed: "",
    switch: true,
  },
  cluster: {
    schema: present(),
    about: "three nodes share each match over a model of the log's servers, and faults hit nodes",
    allowed: "",
    switch: true,
  },
  pages: {
    schema: present(),
    about: "each match is hosted by one of its pages, and faults hit pages and the lines between",
    allowed: "",
    switch: true,
  },
  jobs: {
    schema: wholeNumber(JOBS_MAX, 1).default(Math.min(JOBS_MAX, navigator.hardwareConcurrency)),
    about: "seeds at the same time [one per core]",
    allowed: `a whole number 1 to ${JOBS_MAX}`,
  },
  json: { schema: present(), about: "one JSON object as the last line", allowed: "", switch: true },
} as const;

/** @returns 0 if no rule was broken, otherwise 1 */
async function run(flags: FlagValues<typeof FLAGS>): Promise<number> {
  const { seeds, seconds, minutes, from, game, jobs, json } = flags;
  const hosts = (["order", "cluster", "pages"] as const).filter((name) => flags[name]);
  if (hosts.length > 1) throw new UsageError(`--${hosts.join(" and --")} exclude each other`);
  const [host = "server"] = hosts;
  const secondsMax = Math.min(seconds ?? Infinity, (minutes ?? Infinity) * 60);
  const count = seeds ?? (secondsMax === Infinity ? SEEDS : SEEDS_MAX);
  const total = seeds ?? (secondsMax === Infinity ? SEEDS : Math.round(secondsMax));
  const progress = new Progress(
    total,
    seeds === undefined && secondsMax < Infinity ? "seconds" : "seeds",
  );
  const beganMs = performance.now();
  let played = 0;
  const report = await hunt(
    { seeds: count, secondsMax, from, game, host, jobs },
    ({ seed, broken }) => {
      played++;
      progress.show(total === count ? played : (performance.now() - beganMs) / 1000);
      if (broken === undefined) return;
      const { invariant, detail, atMs } = broken.breach;
      console.error(
        `Seed ${seed} after ${atMs} ms: ${invariant}: ${detail}\n  ${
          JSON.stringify(broken.schedule)
        }`,
      );
    },
  );
  progress.end();
  if (json) console.log(JSON.stringify(report));
  else for (const [key, value] of Object.entries(report)) console.log(key.padEnd(13), value);
  return report.broken.length === 0 ? 0 : 1;
}

if (import.meta.main) Deno.exit(await runTool("hunt", { flags: FLAGS, run }));
