/**
 * Kills the page that hosts a room, again and again, while three others play in it in Chromium, over
 * a line with a round trip of 80 ± 10 ms and 2 % of loss. Another page comes in after each kill.
 *
 *     deno task chaos pages [--kills] [--untimed] [--json]
 */
import { type FlagValues, wholeNumber } from "../../../shared/flags.ts";
import { runTool } from "../../support/tool.ts";
import { FLAGS as CRASH_FLAGS } from "../crash/main.ts";
import { faultsOf, killHosts, summaryOf } from "./host_kills.ts";

const { untimed, json } = CRASH_FLAGS;

export const FLAGS = {
  kills: {
    schema: wholeNumber(200, 1).default(20),
    about: "how many hosts are killed [20]",
    allowed: "a whole number 1 to 200",
  },
  untimed,
  json,
} as const;

/** @returns 0 if the room was always back in time with all seats, else 1 */
async function pages({ kills, untimed, json }: FlagValues<typeof FLAGS>): Promise<number> {
  const survived = await killHosts({ kills, log: (line) => console.error(line) });
  const summary = summaryOf(survived);
  const faults = faultsOf(summary, { kills, isTimed: !untimed });
  for (const fault of faults) console.error(`Wrong: ${fault}`);
  if (json) console.log(JSON.stringify({ ...summary, faults }));
  else {
    console.log(
      `${summary.kills} hosts killed, ${faults.length} faults, back after ${summary.backMsP95} ms (p95)`,
    );
  }
  return faults.length === 0 ? 0 : 1;
}

if (import.meta.main) Deno.exit(await runTool("chaos pages", { flags: FLAGS, run: pages }));
