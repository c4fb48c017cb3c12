/** What npm reads about the package. It follows from `deno.json`, the import map and the entries. */
import { declarationPath } from "./declarations.ts";
import {
  fileNameOf,
  LIBRARIES,
  type Library,
  NODE_LIBRARIES,
  nodeFileNameOf,
  PACKAGE_PROGRAMS,
} from "../libraries.ts";

const ROOT = new URL("../../../", import.meta.url);

/** Node's oldest line that is still mended. */
export const NODE = ">=20";

/** What the server, the bots, a page's overlay and its invitation import. No other library does. */
const DEPENDENCIES = [
  "zod",
  "ws",
  "unhomoglyph",
  "@opentelemetry/api",
  "@nats-io/nats-core",
  "@nats-io/transport-node",
  "deno-std",
  "uplot",
  "@jridgewell/trace-mapping", // of pages in development
  "qr",
];

/** The exact version of a package in the import map. */
function versionOf(imports: Readonly<Record<string, string>>, name: string): string {
  const targets = Object.values(imports).map((target) => target.replace(/^npm:\/?/, ""));
  const target = targets.find((target) => target.startsWith(`${name}@`));
  return target!.slice(name.length + 1).split("/")[0]!;
}

/** Exact versions: of this project as `wyvern`, and of packages by their names. */
export async function readVersions(): Promise<
  { readonly wyvern: string; readonly esbuild: string; readonly [name: string]: string }
> {
  const { version } = JSON.parse(await Deno.readTextFile(new URL("deno.json", ROOT))) as {
    version: string;
  };
  const { imports } = JSON.parse(
    await Deno.readTextFile(new URL("import_map.json", ROOT)),
  ) as { imports: Readonly<Record<string, string>> };
  const names = [...DEPENDENCIES, "esbuild"] as const;
  const versions = Object.fromEntries(names.map((name) => [name, versionOf(imports, name)]));
  return { ...versions, wyvern: version, esbuild: versions["esbuild"]! };
}

/** @returns the package's description for npm, as JSON */
export async function manifestOf() {
  const versions = await readVersions();
  return {
    name: "wyvern",
    version: versions.wyvern,
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
    dependencies: Object.fromEntries(DEPENDENCIES.map((name) => [name, versions[name]!])),
    // Only what builds pages needs it, so a server that has its pages goes without.
    peerDependencies: { esbuild: versions.esbuild },
    peerDependenciesMeta: { esbuild: { optional: true } },
    exports: {
      ...Object.fromEntries(
        Object.entries(LIBRARIES).map(([library, path]) => [library, {
          types: `./types/${declarationPath(path)}`,
          ...(NODE_LIBRARIES[library as Library] !== undefined && {
            node: `./dist/${nodeFileNameOf(library)}.js`,
          }),
          default: `./dist/${fileNameOf(library)}.js`,
        }]),
      ),
      "./package.json": "./package.json",
    },
  };
}
