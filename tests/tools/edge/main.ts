/**
 * Ruins connections of pages in Chromium at each of their stages, shown and hidden: each page has
 * to be back in its seat within 10 s, because the network passes new connections.
 *
 *     deno task chaos edge [--only] [--pages] [--json]
 */
import * as z from "zod";
import { type FlagValues, present, wholeNumber } from "../../../shared/flags.ts";
import { runTool } from "../../support/tool.ts";
import { allRuins, faultsOf, runRuins } from "./ruins.ts";

export const FLAGS = {
  only: {
    schema: z.string().optional(),
    about: "runs those whose line has this text, such as 'hidden, tick' [all 64]",
    allowed: "a text",
  },
  pages: {
    schema: wholeNumber(16, 1).default(4),
    about: "pages at the same time [4]",
    allowed: "a whole number 1 to 16",
  },
  json: { schema: present(), about: "one JSON object as the last line", allowed: "", switch: true },
} as const;

/** @returns 0 if every page was back in time, else 1 */
async function edge({ only = "", pages, json }: FlagValues<typeof FLAGS>): Promise<number> {
  const ruins = allRuins().filter(({ stage, damage, isHidden }) =>
    `${isHidden ? "hidden" : "shown"}, ${stage}: ${damage}`.includes(only)
  );
  const outcomes = await runRuins(ruins, { pages, log: (line) => console.error(line) });
  const faults = faultsOf(outcomes);
  const missing = ruins.length - outcomes.length;
  for (const fault of faults) console.error(`Wrong: ${fault}`);
  if (missing > 0) {
    console.error(`Wrong: ${missing} were not run, because a page did not come back before`);
  }
  const backSecondsMax = Math.max(...outcomes.map(({ backSeconds }) => backSeconds));

  if (json) {
    console.log(
      JSON.stringify({ runs: outcomes.length, faults, missing, backSecondsMax, outcomes }),
    );
  } else {console.log(
      `${outcomes.length} runs, ${faults.length} wrong, at most ${
        backSecondsMax.toFixed(1)
      } s away`,
    );}

  return faults.length + missing === 0 ? 0 : 1;
}

if (import.meta.main) Deno.exit(await runTool("chaos edge", { flags: FLAGS, run: edge }));
