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
import { fileNameOf, LIBRARIES, type Library, PACKAGE_PROGRAMS } from "../libraries.ts";
import { manifestOf } from "./manifest.ts";
import { type PackedFile, tarballOf } from "./tarball.ts";

const ROOT = new URL("../../../", import.meta.url);
/** The folders of the product. */
const SOURCES = ["shared", "client", "server"];
/** What others need not have: built files, this tree's own games, and this tool. */
const LEFT_OUT =
  /^(client|server)\/dist\/|^(client|shared)\/games\/\w+\/|^client\/build\/(pack\/|elsewhere\.ts$)|^(client\/bots|server)\/main\.ts$|^server\/(trial\/main|dev\/new_game|replay)\.ts$/;
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
    const sources = await copySources(stage);
    // So that the bundler and the compiler find packages
    await Deno.symlink(new URL("node_modules", ROOT), new URL("node_modules", stage));

    const libraries = Object.keys(LIBRARIES) as Library[];
    const modules = Object.fromEntries(
      libraries.map((library) => [LIBRARIES[library], fileNameOf(library)]),
    );
    await bundleInto(new URL("dist/", stage), { ...modules, ...PACKAGE_PROGRAMS }, {
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
    const files = [
      ...sources,
      ...bundles,
      ...declarations.map(({ path, text }) => ({
        path: `types/${path}`,
        bytes: ENCODER.encode(text),
      })),
      { path: "package.json", bytes: ENCODER.encode(`${JSON.stringify(manifest, null, 2)}\n`) },
      { path: "LICENSE", bytes: await Deno.readFile(new URL("LICENSE", ROOT)) },
      {
        path: "README.md",
        bytes: await Deno.readFile(new URL("shared/package/README.md", ROOT)),
      },
    ].sort((a, b) => a.path < b.path ? -1 : 1);

    return {
      name: manifest.name,
      version: manifest.version,
      files,
      tarball: await tarballOf(files),
      api,
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

/** Copies the product below `src/`. @returns the copied files */
async function copySources(stage: URL): Promise<PackedFile[]> {
  const files = await Promise.all(
    SOURCES.map((name) => filesIn(new URL(`${name}/`, ROOT), `${name}/`, LEFT_OUT)),
  );
  const copied = files.flat().map(({ path, bytes }) => ({
    path: `src/${path}`,
    bytes: path === REGISTRY ? withoutGames(bytes) : bytes,
  }));
  const folders = new Set(copied.map(({ path }) => path.slice(0, path.lastIndexOf("/"))));
  for (const folder of folders) await Deno.mkdir(new URL(folder, stage), { recursive: true });
  await Promise.all(copied.map(({ path, bytes }) => Deno.writeFile(new URL(path, stage), bytes)));
  return copied;
}

/** The registry's text without this tree's games, which are not in the package. */
function withoutGames(registry: Uint8Array): Uint8Array<ArrayBuffer> {
  const text = new TextDecoder().decode(registry);
  return ENCODER.encode(text.replace(/^ +\w+: \(\) => import\([^)]*\),\n/gm, ""));
}

/** Reads a folder with all folders in it. @param before stands before each path */
async function filesIn(folder: URL, before: string, leftOut?: RegExp): Promise<PackedFile[]> {
  const files: PackedFile[] = [];
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    const path = `${before}${name}`;
    if (leftOut?.test(isDirectory ? `${path}/` : path)) continue;
    if (isDirectory) files.push(...await filesIn(new URL(`${name}/`, folder), `${path}/`, leftOut));
    else files.push({ path, bytes: await Deno.readFile(new URL(name, folder)) });
  }
  return files;
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
