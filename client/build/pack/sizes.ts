/**
 * What a page loads that imports a library of the package: the program below, bundled and minified
 * as its author would, with gzip.
 */
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { eachMapping, TraceMap } from "@jridgewell/trace-mapping";
import * as esbuild from "esbuild";
import { GZIP_LEVEL } from "../compressed_file.ts";

/** What an author imports, by the name that the report gives it. */
const IMPORTS = {
  physics: `export { archetype, Snapshot, Stage } from "wyvern/physics";`,
  physicsWithJoints:
    `export { archetype, jointDef, joints, Snapshot, Stage } from "wyvern/physics";`,
  physicsWhole: `export * from "wyvern/physics";`,
  kit: `export { axis, defineGame, press } from "wyvern";`,
  sessionWithKit:
    `export { axis, defineGame, press } from "wyvern"; export { joinMatch } from "wyvern/session";`,
  lobby: `export { mountLobby } from "wyvern/page";`,
  netcode: `export { Predictor, Timeline } from "wyvern/netcode";`,
} as const;

export type MeasuredImport = keyof typeof IMPORTS;

/** A bundle of some imports. */
export interface ImportSize {
  /** Bytes with gzip. */
  readonly gzip: number;
  /** The sources of which some code is in the bundle, relative to the package. */
  readonly modules: readonly string[];
}

/**
 * Measures what the imports cost.
 * @param folder a package as npm unpacks it
 * @throws Error with esbuild's message if a library lacks one of the names
 */
export async function importSizes(
  folder: URL,
): Promise<Readonly<Record<MeasuredImport, ImportSize>>> {
  const sizes = Object.entries(IMPORTS).map(async ([name, contents]) => {
    return [name, await sizeOf(contents, folder)] as const;
  });
  return Object.fromEntries(await Promise.all(sizes)) as Record<MeasuredImport, ImportSize>;
}

async function sizeOf(contents: string, folder: URL): Promise<ImportSize> {
  const { outputFiles } = await esbuild.build({
    stdin: { contents, resolveDir: fileURLToPath(folder) },
    // A package may import itself by its name.
    absWorkingDir: fileURLToPath(folder),
    bundle: true,
    write: false,
    format: "esm",
    platform: "browser",
    target: "es2022",
    minify: true,
    sourcemap: "external",
    sourcesContent: false,
    outfile: "bundle.js",
    logLevel: "silent", // the thrown error carries the messages
  });
  const [map, script] = outputFiles;

  // The map names a source for each piece of code that is left.
  const modules = new Set<string>();
  eachMapping(new TraceMap(map!.text), ({ source }) => {
    if (source !== null) modules.add(source.replace(/^.*?\bsrc\//, "src/"));
  });
  return {
    gzip: gzipSync(script!.contents, { level: GZIP_LEVEL }).length,
    modules: [...modules].sort(),
  };
}
