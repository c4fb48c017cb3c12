/**
 * Kills a real server again and again while eight bots play, and restarts it: no tick that a client
 * has seen may be lost or changed, and every player must return to their seat. With `--workers` it
 * kills the match process that runs their room, which the server restarts; a player at another
 * process must not notice anything.
 *
 *     deno task chaos crash [--kills] [--workers] [--authority] [--seed] [--untimed] [--json]
 */
import * as z from "zod";
import { type FlagValues, present, wholeNumber } from "../../../shared/flags.ts";
import { runTool } from "../../support/tool.ts";
import { delaysOf, lossesOf, runKills } from "./kills.ts";

export const FLAGS = {
  kills: {
    schema: wholeNumber(10_000, 1).default(20),
    about: "how often the server is killed, at most 30 times in a row [20]",
    allowed: "a whole number 1 to 10000",
  },
  workers: {
    schema: wholeNumber(16, 1).default(1),
    about:
      "match processes, of which one is killed, at most 30 times in a row; 1 is a server of one process [1]",
    allowed: "a whole number 1 to 16",
  },
  seed: {
    schema: wholeNumber(0xffff_ffff).default(1),
    about: "when it is killed, and what the bots do, by chance [1]",
    allowed: "a whole number 0 to 4294967295",
  },
  authority: {
    schema: z.enum(["full", "order"]).default("full"),
    about: "whether the server computes the match, or only orders its commands [full]",
    allowed: "full or order",
  },
  untimed: {
    schema: present(),
    about: "show times and do not judge them: for a machine with other work",
    allowed: "",
    switch: true,
  },
  json: { schema: present(), about: "one JSON object as the last line", allowed: "", switch: true },
} as const;

/** @returns 0 if nothing was lost or changed, and all were back in time; otherwise 1 */
async function crash(
  { kills, workers, authority, seed, untimed, json }: FlagValues<typeof FLAGS>,
): Promise<number> {
  const log = (line: string) => console.error(line);
  const report = await runKills({ kills, workers, authority, seed, log });
  const faults = [...lossesOf(report), ...untimed ? [] : delaysOf(report)];
  for (const fault of faults) console.error(`Wrong: ${fault}`);
  if (json) console.log(JSON.stringify(report));
  else for (const [key, value] of Object.entries(report)) console.log(key.padEnd(16), value);
  return faults.length === 0 ? 0 : 1;
}

if (import.meta.main) Deno.exit(await runTool("chaos crash", { flags: FLAGS, run: crash }));
