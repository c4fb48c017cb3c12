/**
 * Measures whether cheating pays. The exit code is 1 if a cheat wins more often than chance
 * explains.
 *
 *     deno task lab cheats [--duels --seed --json]
 */
import { type FlagValues, present, wholeNumber } from "../../../../shared/flags.ts";
import { CHEATS } from "../links/cheating_link.ts";
import { chanceMargin, type CheatResult, isProfitable, runCheats } from "./cheats.ts";
import { runTool } from "../../../support/tool.ts";

const FLAGS = {
  duels: {
    schema: wholeNumber(100_000, 1).default(800),
    about: "of five seconds against each cheat [800]",
    allowed: "a whole number 1 to 100000",
  },
  seed: {
    schema: wholeNumber(0xffff_0000).default(1),
    about: "what happens by chance [1]",
    allowed: "a whole number 0 to 4294901760",
  },
  json: { schema: present(), about: "one JSON object as the last line", allowed: "", switch: true },
} as const;

function textOf(result: CheatResult): string {
  const { name, duels, pairs, decided, winShare } = result;
  const margin = chanceMargin(result);
  return `${name.padEnd(30)} ${duels} duels in ${pairs} pairs, ${decided} decided, won ${
    (winShare * 100).toFixed(1)
  } % (chance: up to ${((0.5 + margin) * 100).toFixed(1)} %)`;
}

/** @returns the exit code: 1 if a cheat pays */
function measureCheats({ seed, duels, json }: FlagValues<typeof FLAGS>): number {
  const cheats = CHEATS.flatMap((cheat) => {
    const results = runCheats(seed, duels, [cheat]);
    if (!json) { for (const result of results) console.log(textOf(result)); }
    return results;
  });
  if (json) console.log(JSON.stringify({ cheats }));
  return cheats.some(isProfitable) ? 1 : 0;
}

if (import.meta.main) Deno.exit(await runTool("lab cheats", { flags: FLAGS, run: measureCheats }));
