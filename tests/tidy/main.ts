/**
 * Judges what a program can judge, and measures the rest. It fails for broken walls, import
 * circles, dead exports, dangling references and missing docstrings, and prints each of them. All
 * else are figures: words, sentences, folders, lengths, and the air in long functions.
 *
 *     deno task chore tidy [--list] [--json]
 *     deno task chore tidy --root DIR [--list] [--json]
 *
 * With `--root` it measures the sources below any folder, this project's or another's, and judges
 * nothing. Without it the figures of code are those of the product, without tests.
 */
import * as z from "zod";
import { type FlagValues, present, UsageError } from "../../shared/flags.ts";
import { type Faults, findFaults } from "./checks.ts";
import { type FolderReport, measureFiles } from "./figures.ts";
import { measureRepository } from "./measures.ts";
import { readFolder, readRepository } from "./sources.ts";
import { runTool } from "../support/tool.ts";

const FLAGS = {
  root: {
    schema: z.string().min(1).optional(),
    about: "measure the sources below this folder, and judge nothing [this project]",
    allowed: "a folder",
  },
  list: {
    schema: present(),
    about: "every place that is counted, as path:line: text",
    allowed: "",
    switch: true,
  },
  json: { schema: present(), about: "one JSON object as the last line", allowed: "", switch: true },
} as const;

function listPlaces(
  places: FolderReport["places"] | Faults,
  print: (line: string) => void,
): void {
  for (const [name, found] of Object.entries(places)) {
    if (found.length > 0) print(`${name}: ${found.length}`);
    for (const { path, line, text } of found) print(`${path}:${line}: ${text}`);
  }
}

/** Prints figures for people: those of an object, such as one for each folder, below its name. */
function printFigures(figures: object, indent = ""): void {
  for (const [name, value] of Object.entries(figures)) {
    if (typeof value !== "object") console.log(`${indent}${name}`.padEnd(28), value);
    else {
      console.log(`${indent}${name}`);
      printFigures(value, `${indent}  `);
    }
  }
}

/** @returns the exit code: 1 if the repository has a fault */
async function judge({ list, json }: FlagValues<typeof FLAGS>): Promise<number> {
  const repository = await readRepository();
  const faults = findFaults(repository);
  const { figures, places } = await measureRepository(repository);
  const counts = Object.fromEntries(
    Object.entries(faults).map(([name, found]) => [name, found.length]),
  );
  const isTidy = Object.values(counts).every((count) => count === 0);

  if (!isTidy) listPlaces(faults, console.error);
  if (list) listPlaces(places, console.log);
  const report = { ...counts, ...figures };
  if (json) console.log(JSON.stringify(report));
  else printFigures(report);
  return isTidy ? 0 : 1;
}

/** @throws UsageError if there is no such folder, or no source in it */
async function measureFolder(
  root: string,
  { list, json }: FlagValues<typeof FLAGS>,
): Promise<void> {
  const folder = await readFolder(root).catch((error) => {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
    return { sources: [], documents: [] };
  });
  if (folder.sources.length === 0) throw new UsageError(`--root: ${root} has no sources`);
  const { figures, places } = await measureFiles(folder);
  if (list) listPlaces(places, console.log);
  if (json) console.log(JSON.stringify(figures));
  else printFigures(figures);
}

async function run(flags: FlagValues<typeof FLAGS>): Promise<number> {
  if (flags.root === undefined) return await judge(flags);
  await measureFolder(flags.root, flags);
  return 0;
}

if (import.meta.main) Deno.exit(await runTool("chore tidy", { flags: FLAGS, run }));
