/** What npm reads about the package. It follows from `deno.json`, the import map and the entries. */
import { declarationPath } from "./declarations.ts";
import { fileNameOf, LIBRARIES, PACKAGE_PROGRAMS } from "../libraries.ts";

const ROOT = new URL("../../../", import.meta.url);

/** Node's oldest line that is still mended. */
const NODE = ">=20";

/** What the server, the bots and a page's overlay import. No library needs any of it. */
const DEPENDENCIES = [
  "zod",
  "ws",
  "unhomoglyph",
  "@opentelemetry/api",
  "@nats-io/nats-core",
  "@nats-io/transport-node",
  "deno-std",
  "uplot",
];

/** The exact version of a package in the import map. */
function versionOf(imports: Readonly<Record<string, string>>, name: string): string {
  const targets = Object.values(imports).map((target) => target.replace(/^npm:\/?/, ""));
  const target = targets.find((target) => target.startsWith(`${name}@`));
  return target!.slice(name.length + 1).split("/")[0]!;
}

/** @returns the package's description for npm, as JSON */
export async function manifestOf() {
  const { version } = JSON.parse(await Deno.readTextFile(new URL("deno.json", ROOT))) as {
    version: string;
  };
  const { imports } = JSON.parse(
    await Deno.readTextFile(new URL("import_map.json", ROOT)),
  ) as { imports: Readonly<Record<string, string>> };
  return {
    name: "wyvern",
    version,
    description: "Server-authoritative rollback for fast 2D physics games: exact physics, game " +
      "kit, netcode and server",
    license: "MIT",
    type: "module",
    engines: { node: NODE },
    // Pages are built from the sources, some of which begin something.
    sideEffects: [
      "./src/**",
      ...Object.values(PACKAGE_PROGRAMS).map((name) => `./dist/${name}.js`),
    ],
    bin: { wyvern: "./dist/command.js" },
    dependencies: Object.fromEntries(DEPENDENCIES.map((name) => [name, versionOf(imports, name)])),
    // Only what builds pages needs it, so a server that has its pages goes without.
    peerDependencies: { esbuild: versionOf(imports, "esbuild") },
    peerDependenciesMeta: { esbuild: { optional: true } },
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
