/** What npm reads about the package. It follows from `deno.json`, the import map and the entries. */
import { declarationPath } from "./declarations.ts";
import { fileNameOf, LIBRARIES } from "./entries.ts";

const ROOT = new URL("../../../", import.meta.url);

/** Node's oldest line that is still mended. */
const NODE = ">=20";

/** @returns the package's description for npm, as JSON */
export async function manifestOf() {
  const { version } = JSON.parse(await Deno.readTextFile(new URL("deno.json", ROOT))) as {
    version: string;
  };
  return {
    name: "wyvern",
    version,
    description: "Server-authoritative rollback for fast 2D physics games: exact physics, game " +
      "kit, netcode and server",
    license: "MIT",
    type: "module",
    engines: { node: NODE },
    sideEffects: false,
    exports: {
      ...Object.fromEntries(
        Object.entries(LIBRARIES).map(([library, path]) => [library, {
          types: `./types/${declarationPath(path)}`,
          default: `./dist/${fileNameOf(library)}.js`,
        }]),
      ),
      "./package.json": "./package.json",
    },
  };
}
