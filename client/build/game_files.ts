/**
 * Lets a view import images, sounds and fonts. The bundle gets each as a file of its own with a hash
 * in its name, and the page loads it before play (`game_kit/files/load_file.ts`).
 * JSON needs none of this: it is a part of the script.
 *
 * The bounds are the build's, because a page that downloads more than these is the author's mistake,
 * and here it can be named.
 */
import { basename, dirname, relative } from "node:path";
import { fileURLToPath } from "node:url";
import type { BuildOptions, Plugin } from "esbuild";
import type { FileKind } from "../game_kit/files/game_files.ts";

/** A phone's network brings 8 MB in some 10 s. */
const FILE_BYTES_MAX = 8_000_000;
const ALL_BYTES_MAX = 32_000_000;
const FILES_MAX = 128;

/** What a page does with a file, by its ending. */
const KINDS: Readonly<Record<string, FileKind>> = {
  png: "image",
  webp: "image",
  svg: "image",
  ogg: "sound",
  mp3: "sound",
  wav: "sound",
  woff2: "font",
};

/** Files that are compressed already, so copies of them would only be larger. */
const PACKED = /\.(png|webp|jpg|ogg|mp3|woff2)$/;

/** The name becomes part of an address. */
const NAME = /^[\w.-]+$/;

const FILTER = new RegExp(`\\.(${Object.keys(KINDS).join("|")})$`);
const NAMESPACE = "game file";
const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const LOADER = fileURLToPath(new URL("../game_kit/files/load_file.ts", import.meta.url));

/** Whether compressing the file again is useless. @param name with its ending */
export function isPacked(name: string): boolean {
  return PACKED.test(name);
}

/** Settings of a bundle whose scripts may import files. */
export const FILE_SETTINGS = {
  assetNames: "[name]-[hash]",
  loader: Object.fromEntries(Object.keys(KINDS).map((ending) => [`.${ending}`, "file" as const])),
} satisfies BuildOptions;

/**
 * Turns an imported file into a module that has the page load it. Use a new one for each bundle.
 * @throws Error in the build for a file beyond the bounds, and names it
 */
export function gameFiles(): Plugin {
  const sizes = new Map<string, number>();
  return {
    name: "files of a game",
    setup(build) {
      build.onResolve({ filter: FILTER }, async ({ path, kind, namespace, resolveDir }) => {
        if (kind !== "import-statement" || namespace === NAMESPACE) return undefined;
        const found = await build.resolve(path, { kind, resolveDir, namespace: NAMESPACE });
        return found.errors.length > 0 ? found : { path: found.path, namespace: NAMESPACE };
      });

      build.onLoad({ filter: FILTER, namespace: NAMESPACE }, async ({ path }) => {
        const { size } = await Deno.stat(path);
        const name = relative(ROOT, path).replaceAll("\\", "/");
        sizes.set(path, size);
        checkFile(name, size);
        checkAll(name, sizes);

        const kind = KINDS[path.slice(path.lastIndexOf(".") + 1)];
        const file = JSON.stringify({ kind, name, bytes: size });
        const contents = `import url from ${JSON.stringify(`./${basename(path)}`)};
import { loadFile } from ${JSON.stringify(LOADER)};
export default loadFile(url, ${file});
`;
        return { contents, resolveDir: dirname(path), loader: "js" };
      });
    },
  };
}

function checkFile(name: string, bytes: number): void {
  if (!NAME.test(basename(name))) {
    throw new Error(`${name}: a file's name has letters, digits, "_", "-" and "." alone`);
  }
  if (bytes === 0) throw new Error(`${name} is empty`);
  if (bytes <= FILE_BYTES_MAX) return;
  throw new Error(`${name} has ${megabytes(bytes)}; a file may have ${megabytes(FILE_BYTES_MAX)}`);
}

function checkAll(name: string, sizes: ReadonlyMap<string, number>): void {
  const bytes = sizes.values().reduce((sum, size) => sum + size, 0);
  if (bytes > ALL_BYTES_MAX) {
    throw new Error(
      `with ${name} the game's files have ${megabytes(bytes)}; together they may have ${
        megabytes(ALL_BYTES_MAX)
      }`,
    );
  }
  if (sizes.size > FILES_MAX) {
    throw new Error(`${name} is one file more than the ${FILES_MAX} that a game may import`);
  }
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}
