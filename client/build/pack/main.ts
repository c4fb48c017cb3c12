/**
 * `deno task pack`: makes the package `wyvern` and writes its archive, `wyvern-VERSION.tgz`.
 *
 *     deno task pack [--into FOLDER] [--api] [--json]
 */
import * as z from "zod";
import { EXIT_UNUSABLE, parseFlags, present, usage, UsageError } from "../../../shared/flags.ts";
import { fileNameOf } from "../libraries.ts";
import { makePackage, type Package } from "./package.ts";

const FLAGS = {
  into: {
    schema: z.string().min(1).default("."),
    about: "the folder for the archive [this one]",
    allowed: "a path",
  },
  api: {
    schema: present(),
    about: "write down what each library exports, in tests/api",
    allowed: "",
    switch: true,
  },
  json: { schema: present(), about: "one JSON object as the last line", allowed: "", switch: true },
} as const;

/** The object that `--json` prints. */
interface Report {
  readonly tarball: string;
  readonly bytes: number;
  readonly files: number;
  readonly typesMissing: number;
  readonly publicSymbols: number;
}

/** @returns the exit code: 1 if types are missing, 2 for unusable flags */
async function main(args: string[]): Promise<number> {
  try {
    const flags = parseFlags(args, FLAGS);
    if (flags === "help") {
      console.log(usage("deno task pack", FLAGS));
      return 0;
    }

    const made = await makePackage();
    const { name, version, files, tarball, missingTypes, api } = made;
    const path = `${flags.into.replace(/\/$/, "")}/${name}-${version}.tgz`;
    await Deno.mkdir(flags.into, { recursive: true });
    await Deno.writeFile(path, tarball);
    if (flags.api) await writeApi(made);

    for (const missing of missingTypes) console.error(`pack: ${missing}`);
    const report: Report = {
      tarball: await Deno.realPath(path),
      bytes: tarball.length,
      files: files.length,
      typesMissing: missingTypes.length,
      publicSymbols: Object.values(api).reduce((sum, { symbols }) => sum + symbols.length, 0),
    };
    if (flags.json) console.log(JSON.stringify(report));
    else for (const [key, value] of Object.entries(report)) console.log(key.padEnd(14), value);
    return missingTypes.length > 0 ? 1 : 0;
  } catch (error) {
    console.error(`pack: ${error instanceof Error ? error.message : error}`);
    return error instanceof UsageError ? EXIT_UNUSABLE : 1;
  }
}

async function writeApi({ api }: Package): Promise<void> {
  await Deno.mkdir("tests/api", { recursive: true });
  for (const [library, { text }] of Object.entries(api)) {
    await Deno.writeTextFile(`tests/api/${fileNameOf(library)}.txt`, text);
  }
}

if (import.meta.main) Deno.exit(await main(Deno.args));
