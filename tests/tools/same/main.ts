/**
 * Compares this checkout with another one, "as before": a change that should change no behaviour
 * changes none of these.
 *
 *     golden   the pinned golden hashes, and the hashes of each game's ticks from one seed
 *     vectors  the wire vectors, case by case: the files, and what the code would write
 *     lab      the rows of `lab --matrix` from one seed
 *     keys     the keys of the `--json` object of every command that has one
 *
 *     deno task prove same --with DIR [--only] [--minutes] [--seed] [--live] [--json]
 *
 * The other folder is a whole checkout, such as a git worktree with a copy of node_modules. A link
 * is not enough: some commands may read only below their own folder. A command that was renamed
 * since runs there by its former name.
 */
import * as z from "zod";
import {
  type FlagValues,
  present,
  someOf,
  UsageError,
  wholeNumber,
} from "../../../shared/flags.ts";
import { runTool } from "../../support/tool.ts";
import { Checkout } from "./checkout.ts";
import type { Difference } from "./differences.ts";
import { type Pair, type PartName, type PartResult, PARTS } from "./parts.ts";

const PART_NAMES = Object.keys(PARTS) as PartName[];
/** As many differences of one part are printed for people; `--json` has all of them. */
const SHOWN = 20;

const FLAGS = {
  with: {
    schema: z.string().min(1),
    about: "the other checkout, which has its packages",
    allowed: "a folder",
  },
  only: {
    schema: someOf(PART_NAMES).default(PART_NAMES),
    about: "only these parts [all]",
    allowed: `some of ${PART_NAMES}`,
  },
  minutes: {
    schema: wholeNumber(600, 1).default(1),
    about: "simulated minutes of each row of the lab [1]",
    allowed: "a whole number 1 to 600",
  },
  seed: {
    schema: wholeNumber(0xffff_0000).default(1),
    about: "of the golden ticks and of the lab [1]",
    allowed: "a whole number 0 to 4294901760",
  },
  live: {
    schema: present(),
    about: "keys also of commands that start servers or pages",
    allowed: "",
    switch: true,
  },
  json: { schema: present(), about: "one JSON object as the last line", allowed: "", switch: true },
} as const;

/** The object that `--json` prints. */
export interface SameReport {
  readonly same: boolean;
  /** What was compared in each part, and how much of it differs. */
  readonly parts: readonly {
    readonly part: PartName;
    readonly compared: number;
    readonly differing: number;
    /** Commands that were left out, or ran in neither checkout. */
    readonly leftOut: readonly string[];
  }[];
  readonly differences: readonly (Difference & { readonly part: PartName })[];
}

function print(part: PartName, { compared, differences, leftOut }: PartResult): void {
  console.log(`${part.padEnd(8)} ${compared} compared, ${differences.length} differ`);
  for (const { where, here, there } of differences.slice(0, SHOWN)) {
    console.log(`  ${where}: ${here} here, ${there} there`);
  }
  if (differences.length > SHOWN) console.log(`  and ${differences.length - SHOWN} more`);
  if (leftOut.length > 0) console.log(`  left out: ${leftOut.join(", ")}`);
}

/** @returns the exit code: 1 if anything differs */
async function compare(flags: FlagValues<typeof FLAGS>): Promise<number> {
  const there = await Checkout.at(flags.with);
  if (there === undefined) throw new UsageError(`--with: ${flags.with} is no checkout`);
  const pair: Pair = { here: await Checkout.own(), there };

  const parts: SameReport["parts"][number][] = [];
  const differences: SameReport["differences"][number][] = [];
  for (const part of flags.only as readonly PartName[]) {
    console.error(part);
    const result = await PARTS[part](pair, flags);
    if (!flags.json) print(part, result);
    differences.push(...result.differences.map((each) => ({ part, ...each })));
    parts.push({
      part,
      compared: result.compared,
      differing: result.differences.length,
      leftOut: result.leftOut,
    });
  }

  const report: SameReport = { same: differences.length === 0, parts, differences };
  if (flags.json) console.log(JSON.stringify(report));
  return report.same ? 0 : 1;
}

if (import.meta.main) Deno.exit(await runTool("prove same", { flags: FLAGS, run: compare }));
