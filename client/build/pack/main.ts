/**
 * `deno task pack`: makes the packages `wyvern` and `create-wyvern`, and writes their archives,
 * `wyvern-VERSION.tgz` and `create-wyvern-VERSION.tgz`.
 *
 *     deno task pack [--into FOLDER] [--api] [--json]
 */
import * as z from "zod";
import { EXIT_UNUSABLE, parseFlags, present, usage, UsageError } from "../../../shared/flags.ts";
import { fileNameOf } from "../libraries.ts";
import { makeCreatePackage } from "./create_package.ts";
import { makePackage, type Package } from "./package.ts";
import type { MeasuredImport } from "./sizes.ts";

const FLAGS = {
  into: {
    schema: z.string().min(1).default("."),
    about: "the folder for the archives [this one]",
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
  /** The archive of `create-wyvern`. */
  readonly createTarball: string;
  readonly bytes: number;
  readonly files: number;
  readonly typesMissing: number;
  readonly publicSymbols: number;
  /** Bytes with gzip of what a page loads that imports parts of it. */
  readonly gzip: Readonly<Record<MeasuredImport, number>>;
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
    const { files, tarball, missingTypes, api, sizes } = made;
    await Deno.mkdir(flags.into, { recursive: true });
    const path = await writeArchive(flags.into, made);
    const createPath = await writeArchive(flags.into, await makeCreatePackage());
    if (flags.api) await writeApi(made);

    for (const missing of missingTypes) console.error(`pack: ${missing}`);
    const report: Report = {
      tarball: path,
      createTarball: createPath,
      bytes: tarball.length,
      files: files.length,
      typesMissing: missingTypes.length,
      publicSymbols: Object.values(api).reduce((sum, { symbols }) => sum + symbols.length, 0),
      gzip: {
        physics: sizes.physics.gzip,
        physicsWithJoints: sizes.physicsWithJoints.gzip,
        physicsWhole: sizes.physicsWhole.gzip,
        kit: sizes.kit.gzip,
        sessionWithKit: sizes.sessionWithKit.gzip,
        lobby: sizes.lobby.gzip,
        netcode: sizes.netcode.gzip,
      },
    };
    if (flags.json) console.log(JSON.stringify(report));
    else for (const [key, value] of Object.entries(report)) console.log(key.padEnd(14), value);
    return missingTypes.length > 0 ? 1 : 0;
  } catch (error) {
    console.error(`pack: ${error instanceof Error ? error.message : error}`);
    return error instanceof UsageError ? EXIT_UNUSABLE : 1;
  }
}

/** @returns the archive's path */
async function writeArchive(
  into: string,
  { name, version, tarball }: Pick<Package, "name" | "version" | "tarball">,
): Promise<string> {
  const path = `${into.replace(/\/$/, "")}/${name}-${version}.tgz`;
  await Deno.writeFile(path, tarball);
  return await Deno.realPath(path);
}

async function writeApi({ api }: Package): Promise<void> {
  await Deno.mkdir("tests/api", { recursive: true });
  for (const [library, { text }] of Object.entries(api)) {
    await Deno.writeTextFile(`tests/api/${fileNameOf(library)}.txt`, text);
  }
}

if (import.meta.main) Deno.exit(await main(Deno.args));
