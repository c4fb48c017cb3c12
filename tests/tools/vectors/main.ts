/**
 * Writes the vectors of WIRE 13 into `tests/vectors`, and prints what each file has.
 *
 *     deno task vectors [--json]
 */
import { present } from "../../../shared/flags.ts";
import { formatFile, urlOf } from "./files.ts";
import { generateFiles } from "./generate/cases.ts";
import { runTool } from "../../support/tool.ts";

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
  else {for (const { file, cases, bytes } of files) {
      console.log(`${file.padEnd(22)} ${cases} cases, ${bytes} bytes`);
    }}
}

if (import.meta.main) Deno.exit(await runTool("vectors", { flags: FLAGS, run: writeFiles }));
