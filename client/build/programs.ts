/**
 * Bundles the programs that need no browser into `server/dist`: the server with its threads, and
 * the bots. esbuild writes enum members as numbers, and V8 reads one module's constants faster than
 * imported ones (DESIGN 12.7). `deno task dev` and the tests run the sources.
 *
 * Packages stay outside the bundle. Source maps lie beside it, so that errors name source lines.
 */
import { basename, relative } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import * as esbuild from "esbuild";
import { GAMES } from "../../shared/games/registry.ts";
import { withFingerprints } from "./fingerprint.ts";
import { LIBRARY_FILES } from "./libraries.ts";
import { styleTexts } from "./style_texts.ts";
import { HASHED, KeptFiles, writeIfChanged } from "./kept_files.ts";

const ROOT = new URL("../../", import.meta.url);
const BUILT = new URL("server/dist/", ROOT);

/** Bundle names, by the path of the module that a program or thread begins with. */
export type Programs = Readonly<Record<string, string>>;

const PROGRAMS: Programs = {
  "server/main.ts": "main",
  "server/trial/main.ts": "trial",
  "server/supervision/watchdog_thread.ts": "watchdog_thread",
  "client/bots/main.ts": "bots",
};

/**
 * Builds the server and the bots. The previous build's parts stay, because a running server may
 * still load them.
 * @throws Error with esbuild's message if the sources do not bundle
 */
export async function buildPrograms(): Promise<void> {
  const names = await bundleInto(BUILT, PROGRAMS);
  const kept = await KeptFiles.of(names, BUILT);
  await kept.removeOthers();
}

/**
 * Bundles a test's program in the same way.
 * @param module its source, file://…
 * @param folder an empty one
 * @returns the bundle's module, file://…
 * @throws Error with esbuild's message if the source does not bundle
 */
export async function bundleProgram(module: string, folder: URL): Promise<string> {
  try {
    await bundleInto(folder, { [module.slice(ROOT.href.length)]: "program" });
  } finally {
    await esbuild.stop(); // because esbuild's helper process would keep this one alive
  }
  return new URL("program.js", folder).href;
}

/** What a bundle may differ in. */
export interface BundlePlace {
  /** The folder that the programs' paths begin at; by default this project. */
  readonly root?: URL;
  /** Texts in place of expressions. */
  readonly define?: Readonly<Record<string, string>>;
}

/** @returns the names of the written files */
export async function bundleInto(
  folder: URL,
  programs: Programs,
  { root = ROOT, define = {} }: BundlePlace = {},
): Promise<string[]> {
  // A package hosts other games than this project.
  const names = root === ROOT ? Object.keys(GAMES) : [];
  const games = names.map((name) => new URL(`shared/games/${name}/game.ts`, ROOT));
  const { outputFiles } = await esbuild.build({
    bundle: true,
    write: false,
    alias: LIBRARY_FILES,
    format: "esm",
    platform: "neutral",
    target: "es2022",
    splitting: true,
    packages: "external",
    minifySyntax: true,
    sourcemap: "linked",
    sourcesContent: false,
    legalComments: "none",
    logLevel: "silent", // the thrown error carries the messages
    entryPoints: Object.entries(programs).map(([path, out]) => ({
      in: fileURLToPath(new URL(path, root)),
      out,
    })),
    outdir: fileURLToPath(folder),
    define,
    plugins: [
      await withFingerprints(games),
      placesOfSources(folder, { programs, root }),
      styleTexts,
    ],
  });

  // The programs come last, because they name their parts
  const isPart = (file: esbuild.OutputFile) => HASHED.test(basename(file.path));
  const parts = outputFiles.filter(isPart);
  const others = outputFiles.filter((file) => !isPart(file));
  await Deno.mkdir(folder, { recursive: true });
  for (const { path, contents } of [...parts, ...others]) {
    await writeIfChanged(pathToFileURL(path), contents);
  }
  return outputFiles.map(({ path }) => basename(path));
}

/** A module's place, but no text about it. */
const PLACE_EXPRESSION = /(?<!["`])import\.meta\.url(?!["`])/g;
/** Stands for the bundle's place until all others are replaced. */
const OWN_PLACE = "BUNDLE_PLACE";

/**
 * Keeps `import.meta.url`, by which a module finds other files, at the module's source although it
 * runs in a bundle. Only a thread begins with its bundle instead.
 */
function placesOfSources(
  folder: URL,
  { programs, root }: { programs: Programs; root: URL },
): esbuild.Plugin {
  return {
    name: "places of sources",
    setup(build) {
      build.onLoad({ filter: /\.ts$/ }, async ({ path }) => {
        const text = await Deno.readTextFile(path);
        if (!text.includes("import.meta.url")) return undefined;

        // Replace threads first. Every `import.meta.url` that is left becomes the source's place.
        const source = JSON.stringify(relative(fileURLToPath(folder), path).replaceAll("\\", "/"));
        const withThreads = text.replace(
          /new URL\("([^"]+)", import\.meta\.url\)/g,
          (whole, target: string) => {
            const module = new URL(target, pathToFileURL(path)).href.slice(root.href.length);
            const program = programs[module];
            return program === undefined ? whole : `new URL("./${program}.js", ${OWN_PLACE})`;
          },
        );
        const contents = withThreads
          .replace(PLACE_EXPRESSION, `new URL(${source}, ${OWN_PLACE}).href`)
          .replaceAll(OWN_PLACE, "import.meta.url");
        return { contents, loader: "ts" };
      });
    },
  };
}
