/**
 * Measures whether cheating pays. The exit code is 1 if a cheat wins more often than chance explains.
 *
 *     deno task lab:cheats [--duels --seed --json]
 */
import { EXIT_UNUSABLE, parseFlags, present, usage, UsageError, wholeNumber } from "../../../shared/flags.ts";
import { CHEATS } from "../links/cheating_link.ts";
import { chanceMargin, type CheatResult, isProfitable, runCheats } from "./cheats.ts";

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

/** @returns the process's exit code */
function main(args: string[]): number {
  try {
    const flags = parseFlags(args, FLAGS);
    if (flags === "help") {
      console.log(usage("deno task lab:cheats", FLAGS));
      return 0;
    }
    const cheats = CHEATS.flatMap((cheat) => {
      const results = runCheats(flags.seed, flags.duels, [cheat]);
      if (!flags.json) { for (const result of results) console.log(textOf(result)); }
      return results;
    });
    if (flags.json) console.log(JSON.stringify({ cheats }));
    return cheats.some(isProfitable) ? 1 : 0;
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    console.error(`lab:cheats: ${error.message}`);
    return EXIT_UNUSABLE;
  }
}

if (import.meta.main) Deno.exit(main(Deno.args));
