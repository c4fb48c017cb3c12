/**
 * Writes the vectors of WIRE 13 into this folder, and prints what each file has.
 *
 *     deno task vectors [--json]
 */
import { EXIT_UNUSABLE, parseFlags, present, usage, UsageError } from "../../shared/flags.ts";
import { formatFile, urlOf } from "./files.ts";
import { generateFiles } from "./generate/cases.ts";

const FLAGS = {
  json: { schema: present(), about: "one JSON object as the last line", allowed: "", switch: true },
} as const;

function writeFiles({ json }: { json: boolean }): void {
  const files = generateFiles().map(({ name, about, cases }) => {
    const bytes = new TextEncoder().encode(formatFile(about, cases));
    Deno.writeFileSync(urlOf(name), bytes);
    return { file: `${name}.json`, cases: cases.length, bytes: bytes.length };
  });
  if (json) console.log(JSON.stringify({ files }));
  else for (const { file, cases, bytes } of files) console.log(`${file.padEnd(22)} ${cases} cases, ${bytes} bytes`);
}

/** @returns the exit code; 2 for invalid flags */
function main(args: string[]): number {
  try {
    const flags = parseFlags(args, FLAGS);
    if (flags === "help") console.log(usage("deno task vectors", FLAGS));
    else writeFiles(flags);
    return 0;
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    console.error(`vectors: ${error.message}`);
    return EXIT_UNUSABLE;
  }
}

if (import.meta.main) Deno.exit(main(Deno.args));
