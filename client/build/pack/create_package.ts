/**
 * Makes the package `create-wyvern`: its program as one bundle that imports no package, and the
 * sources that the program copies into new projects, at their paths below `src/`.
 */
import * as esbuild from "esbuild";
import { bundleInto } from "../programs.ts";
import { folderUrl } from "./declarations.ts";
import { NODE, readVersions } from "./manifest.ts";
import { copySources, filesIn } from "./sources.ts";
import { type PackedFile, tarballOf } from "./tarball.ts";

const PROGRAM = "server/create/main.ts";
/** What new projects get, the program, and what the program imports. */
const PACKED =
  /^(server\/create|shared\/game_kit\/templates|client\/game_kit\/templates)\/|^shared\/(game_names|quoted|usage_error)\.ts$/;

/** The version of `@types/node`, which a new project's tests need. */
const NODE_TYPES = "26.6.6";

/** A package that was made. */
export interface CreatePackage {
  readonly name: string;
  readonly version: string;
  /** In the order of their paths. */
  readonly files: readonly PackedFile[];
  /** Its `.tgz`. */
  readonly tarball: Uint8Array<ArrayBuffer>;
}

/**
 * Makes the package.
 * @throws Error with the bundler's message if it fails
 */
export async function makeCreatePackage(): Promise<CreatePackage> {
  const stagePath = await Deno.makeTempDir({ prefix: "create-wyvern-" });
  try {
    const stage = folderUrl(stagePath);
    const sources = await copySources(stage, { isPacked: (path) => PACKED.test(path) });
    const { wyvern, esbuild: bundler } = await readVersions();
    await bundleInto(new URL("dist/", stage), { [PROGRAM]: "create" }, {
      root: new URL("src/", stage),
      define: {
        WYVERN_VERSIONS: JSON.stringify({
          wyvern,
          esbuild: bundler,
          deno: Deno.version.deno,
          nodeTypes: NODE_TYPES,
        }),
      },
    });

    const manifest = {
      name: "create-wyvern",
      version: wyvern,
      description: "Writes a project with a game on wyvern: npm create wyvern my-game",
      license: "MIT",
      type: "module",
      engines: { node: NODE },
      bin: { "create-wyvern": "./dist/create.js" },
    };
    const encoder = new TextEncoder();
    const files = [
      ...sources,
      ...await filesIn(new URL("dist/", stage), "dist/"),
      { path: "package.json", bytes: encoder.encode(`${JSON.stringify(manifest, null, 2)}\n`) },
    ].sort((a, b) => a.path < b.path ? -1 : 1);
    return { name: manifest.name, version: wyvern, files, tarball: await tarballOf(files) };
  } finally {
    await esbuild.stop();
    await Deno.remove(stagePath, { recursive: true });
  }
}
