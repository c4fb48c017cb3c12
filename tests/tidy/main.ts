/**
 * Measures how tidy the repository is: words, sentences, folders, functions, references and import circles.
 *
 *     deno task tidy [--list] [--json]
 */
import { EXIT_UNUSABLE, parseFlags, present, usage, UsageError } from "../../shared/flags.ts";
import { type Figures, measure, type Report } from "./measures.ts";
import { readRepository } from "./sources.ts";

const FLAGS = {
  list: { schema: present(), about: "every place that is counted, as path:line: text", allowed: "", switch: true },
  json: { schema: present(), about: "one JSON object as the last line", allowed: "", switch: true },
} as const;

function printPlaces({ places }: Report): void {
  for (const [name, found] of Object.entries(places)) {
    console.log(`${name}: ${found.length}`);
    for (const { path, line, text } of found) console.log(`${path}:${line}: ${text}`);
  }
}

function printFigures({ flatFiles, ...figures }: Figures): void {
  for (const [name, value] of Object.entries(figures)) console.log(name.padEnd(28), value);
  console.log("flatFiles");
  for (const [folder, count] of Object.entries(flatFiles)) console.log(`  ${folder.padEnd(26)}`, count);
}

/** @returns the process's exit code: 0, or 2 for unusable flags */
async function main(args: string[]): Promise<number> {
  try {
    const flags = parseFlags(args, FLAGS);
    if (flags === "help") {
      console.log(usage("deno task tidy", FLAGS));
      return 0;
    }
    const report = measure(await readRepository());
    if (flags.list) printPlaces(report);
    if (flags.json) console.log(JSON.stringify(report.figures));
    else printFigures(report.figures);
    return 0;
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    console.error(`tidy: ${error.message}`);
    return EXIT_UNUSABLE;
  }
}

if (import.meta.main) Deno.exit(await main(Deno.args));
