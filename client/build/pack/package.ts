/**
 * Makes the package `wyvern` from this tree: a folder as npm unpacks it, then its archive.
 *
 *     dist/     a bundle for each library and program, with source maps
 *     types/    a declaration for each module that the libraries name
 *     src/      the sources, which source maps name, and from which a game's page is built
 */
import * as esbuild from "esbuild";
import { bundleInto } from "../programs.ts";
import { type ApiText, apiTextsOf } from "./api_text.ts";
import { checkDeclarations, declarationsOf, folderUrl } from "./declarations.ts";
import {
  fileNameOf,
  LIBRARIES,
  type Library,
  NODE_LIBRARIES,
  nodeFileNameOf,
  OPTIONAL_PARTS,
  PACKAGE_PROGRAMS,
} from "../libraries.ts";
import { manifestOf } from "./manifest.ts";
import { type ImportSize, importSizes, type MeasuredImport } from "./sizes.ts";
import { copySources, filesIn } from "./sources.ts";
import { type PackedFile, tarballOf } from "./tarball.ts";

const ROOT = new URL("../../../", import.meta.url);
/** Texts of this tree, by their paths in the package. Links between them hold there, too. */
const TEXTS: Readonly<Record<string, string>> = {
  "LICENSE": "LICENSE",
  "PLANCK.md": "PLANCK.md",
  "README.md": "shared/package/README.md",
  "docs/archetypes_and_fields.md": "docs/archetypes_and_fields.md",
  "docs/physics.md": "docs/physics.md",
  "docs/rates.md": "docs/rates.md",
  "docs/stage.md": "docs/stage.md",
};
/** How the package's README names this tree's root in a link. It lies at the package's root. */
const FROM_ROOT = "](../../";
/** What others need not have: built files, this tree's own games, and this tool. */
const LEFT_OUT =
  /^shared\/package\/README\.md$|^(client|shared)\/games\/\w+\/|^client\/build\/(pack\/|(elsewhere|same_bits|static_folder)\.ts$)|^client\/same_bits\/libraries\/|^(client\/bots|server)\/main\.ts$|^server\/(trial\/main|dev\/new_game|replay)\.ts$|^server\/create\/(?!templates\.ts$)/;
const REGISTRY = "shared/games/registry.ts";
const ENCODER = new TextEncoder();

/** A package that was made. */
export interface Package {
  readonly name: string;
  readonly version: string;
  /** In the order of their paths. */
  readonly files: readonly PackedFile[];
  /** Its `.tgz`. */
  readonly tarball: Uint8Array<ArrayBuffer>;
  /** What each library exports. */
  readonly api: Readonly<Record<Library, ApiText>>;
  /** What pages load that import parts of it. */
  readonly sizes: Readonly<Record<MeasuredImport, ImportSize>>;
  /** Values that a bundle exports and the types do not, and what a compiler says of the types. */
  readonly missingTypes: readonly string[];
}

/**
 * Makes the package.
 * @throws Error with the message of the bundler or of the compiler if one of them fails
 */
export async function makePackage(): Promise<Package> {
  const stagePath = await Deno.makeTempDir({ prefix: "wyvern-pack-" });
  try {
    const stage = folderUrl(stagePath);
    const sources = await copySources(stage, {
      isPacked: (path) => !LEFT_OUT.test(path),
      changed: (file) =>
        file.path === REGISTRY ? { ...file, bytes: withoutGames(file.bytes) } : file,
    });
    // So that the bundler and the compiler find packages
    await Deno.symlink(new URL("node_modules", ROOT), new URL("node_modules", stage));

    const libraries = Object.keys(LIBRARIES) as Library[];
    const modules = Object.fromEntries(
      libraries.map((library) => [LIBRARIES[library], fileNameOf(library)]),
    );
    const nodeModules = Object.fromEntries(
      Object.entries(NODE_LIBRARIES).map(([library, path]) => [path, nodeFileNameOf(library)]),
    );
    await bundleInto(new URL("dist/", stage), {
      ...modules,
      ...nodeModules,
      ...OPTIONAL_PARTS,
      ...PACKAGE_PROGRAMS,
    }, {
      root: new URL("src/", stage),
      // Programs of the package begin elsewhere than those of this project.
      define: { "import.meta.main": "false" },
    });
    const declarations = await declarationsOf(Object.keys(modules), {
      sources: new URL("src/", stage),
      stage,
    });

    const api = apiTextsOf(declarations);
    const bundles = await filesIn(new URL("dist/", stage), "dist/");
    const manifest = await manifestOf();
    const manifestBytes = ENCODER.encode(`${JSON.stringify(manifest, null, 2)}\n`);
    const texts = await Promise.all(
      Object.entries(TEXTS).map(async ([path, source]) => {
        const text = await Deno.readTextFile(new URL(source, ROOT));
        return { path, bytes: ENCODER.encode(text.replaceAll(FROM_ROOT, "](")) };
      }),
    );
    const files = [
      ...sources,
      ...bundles,
      ...declarations.map(({ path, text }) => ({
        path: `types/${path}`,
        bytes: ENCODER.encode(text),
      })),
      ...texts,
      { path: "package.json", bytes: manifestBytes },
    ].sort((a, b) => a.path < b.path ? -1 : 1);

    await Deno.writeFile(new URL("package.json", stage), manifestBytes);
    return {
      name: manifest.name,
      version: manifest.version,
      files,
      tarball: await tarballOf(files),
      api,
      sizes: await importSizes(stage),
      missingTypes: [
        ...untypedExports(bundles, api),
        ...await checkDeclarations(declarations, { stage }),
      ],
    };
  } finally {
    await esbuild.stop();
    await Deno.remove(stagePath, { recursive: true });
  }
}

/** The registry's text without this tree's games, which are not in the package. */
function withoutGames(registry: Uint8Array): Uint8Array<ArrayBuffer> {
  const text = new TextDecoder().decode(registry);
  return ENCODER.encode(text.replace(/^ +\w+: \(\) => import\([^)]*\),\n/gm, ""));
}

/** The values that a library's bundle exports, and its declarations do not. */
function untypedExports(
  bundles: readonly PackedFile[],
  api: Readonly<Record<Library, ApiText>>,
): string[] {
  return Object.entries(api).flatMap(([library, { symbols }]) => {
    const name = `dist/${fileNameOf(library)}.js`;
    const bundle = bundles.find(({ path }) => path === name)!;
    const [, list = ""] = /^export \{([^}]*)\};$/m.exec(new TextDecoder().decode(bundle.bytes)) ??
      [];
    const values = list.split(",").map((value) => value.trim().split(" as ").at(-1)!);
    return values.filter((value) => value !== "" && !symbols.includes(value))
      .map((value) => `${name} exports ${value}`);
  });
}
