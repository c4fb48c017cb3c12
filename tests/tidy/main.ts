/**
 * Measures how tidy the repository is: words, sentences, folders, functions, references and import
 * circles.
 *
 *     deno task chore tidy [--list] [--json]
 */
import { type FlagValues, present } from "../../shared/flags.ts";
import { type Figures, measure, type Report } from "./measures.ts";
import { readRepository } from "./sources.ts";
import { runTool } from "../support/tool.ts";

const FLAGS = {
  list: {
    schema: present(),
    about: "every place that is counted, as path:line: text",
    allowed: "",
    switch: true,
  },
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
  for (const [folder, count] of Object.entries(flatFiles)) {
    console.log(`  ${folder.padEnd(26)}`, count);
  }
}

async function print({ list, json }: FlagValues<typeof FLAGS>): Promise<void> {
  const report = measure(await readRepository());
  if (list) printPlaces(report);
  if (json) console.log(JSON.stringify(report.figures));
  else printFigures(report.figures);
}

if (import.meta.main) Deno.exit(await runTool("chore tidy", { flags: FLAGS, run: print }));
