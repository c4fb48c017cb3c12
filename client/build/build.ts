/**
 * Bundles client/ into the few files that a browser loads: one script, one style sheet, one page, its icon and its
 * manifest. The debug overlay has a script, a worker and a style sheet of its own, which the page fetches when a player
 * opens it. The names of scripts and style sheets contain a hash of their content. So browsers may cache them for ever
 * and still load a new build at once.
 */
import { basename, isAbsolute } from "node:path";
import { fileURLToPath } from "node:url";
import * as esbuild from "esbuild";
import { dragonPage } from "../games/dragons/page_source.ts";
import { compressed, type CompressedFile } from "./compressed_file.ts";
import { fillPageTexts, manifestOf, type PageSource } from "./page_source.ts";

const SOURCE = new URL("../", import.meta.url);
const BUILT = new URL("../dist/", import.meta.url);

type BuiltFile = Pick<CompressedFile, "name" | "bytes">;

/** The settings of every bundle. */
const SETTINGS = {
  bundle: true,
  write: false,
  format: "esm",
  platform: "browser",
  target: "es2022",
  minify: true,
  legalComments: "none",
  logLevel: "silent", // the thrown error has the messages
} satisfies esbuild.BuildOptions;

/**
 * Bundles one script for a browser, for example a page that a test writes.
 * @param entry the path of a TypeScript or JavaScript file
 * @returns the script's text
 * @throws Error with esbuild's message if bundling fails
 */
export async function bundle(entry: string): Promise<string> {
  try {
    const { outputFiles } = await esbuild.build({ ...SETTINGS, entryPoints: [entry] });
    return outputFiles[0]!.text;
  } finally {
    await esbuild.stop(); // esbuild's helper process would keep this one alive
  }
}

export interface BuildOptions {
  /** Whether the page reloads itself after the next build (`live_reload.ts`). Only `deno task dev` sets it. */
  readonly reloads?: boolean;
  /** The game's page; dragons by default. */
  readonly source?: PageSource;
  /** The folder that the files go to; client/dist by default. */
  readonly into?: URL;
}

/**
 * Builds a page and removes the files of an earlier build.
 * @returns the files, the page last
 * @throws Error with esbuild's message if the sources do not bundle
 */
export async function build(
  { reloads, source = dragonPage, into = BUILT }: BuildOptions = {},
): Promise<readonly CompressedFile[]> {
  try {
    const overlay = ["debug/overlay.ts", "debug/overlay.css", source.replayWorker];
    const files = await filesOf(source, source.entry, "style.css", ...overlay);
    files.push({ name: "icon.svg", bytes: await Deno.readFile(source.icon) });
    files.push({ name: "manifest.webmanifest", bytes: encoded(JSON.stringify(manifestOf(source))) });
    let page = await pageOf(files, source);
    if (reloads) {
      const script = await reloadScript(page, source);
      files.push(script);
      page = page.replace("</head>", `  <script type="module" src="/${script.name}"></script>\n  </head>`);
    }
    files.push({ name: "index.html", bytes: encoded(page) });
    return await written(files, into);
  } finally {
    await esbuild.stop();
  }
}

/**
 * Writes each file, and its compressed copies beside it, unless it is there already: a server may be reading the
 * folder. It removes all other files of the folder.
 */
async function written(files: readonly BuiltFile[], into: URL): Promise<readonly CompressedFile[]> {
  await Deno.mkdir(into, { recursive: true });
  const compressedFiles: CompressedFile[] = [];
  // The page is the last one, so that a browser that loads it finds all files that it names.
  for (const { name, bytes } of files) {
    const file = await compressed(name, bytes, into);
    await writeIfChanged(new URL(`${name}.gz`, into), file.gzip);
    await writeIfChanged(new URL(`${name}.br`, into), file.brotli);
    await writeIfChanged(new URL(name, into), bytes);
    compressedFiles.push(file);
  }
  await removeAllBut(files, into);
  return compressedFiles;
}

async function writeIfChanged(file: URL, bytes: Uint8Array): Promise<void> {
  const before = await Deno.readFile(file).catch(() => undefined);
  const isSame = before?.length === bytes.length && before.every((byte, i) => byte === bytes[i]);
  if (!isSame) await Deno.writeFile(file, bytes);
}

async function filesOf({ plugins }: PageSource, ...entries: string[]): Promise<BuiltFile[]> {
  const { outputFiles } = await esbuild.build({
    ...SETTINGS,
    plugins: [...plugins],
    entryPoints: entries.map((entry) => isAbsolute(entry) ? entry : fileURLToPath(new URL(entry, SOURCE))),
    entryNames: "[name]-[hash]",
    outdir: fileURLToPath(BUILT),
  });
  return outputFiles.map(({ path, contents }) => ({ name: basename(path), bytes: new Uint8Array(contents) }));
}

function encoded(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
}

/** The text of index.html with the game's texts, and with built names instead of source names. */
async function pageOf(files: readonly BuiltFile[], { texts }: PageSource): Promise<string> {
  let page = fillPageTexts(await Deno.readTextFile(new URL("index.html", SOURCE)), texts);
  for (const { name } of files) {
    const written = name.replace(/-[0-9A-Z]{8}\./, ".");
    if (!page.includes(`"${written}"`)) throw new Error(`client/index.html does not name "${written}"`);
    page = page.replace(`"${written}"`, `"${name}"`);
  }
  return page;
}

/**
 * The reload script, named after a hash of the page. The page names all other files, so every change gives a new name.
 */
async function reloadScript(page: string, source: PageSource): Promise<BuiltFile> {
  const [script] = await filesOf(source, "build/live_reload.ts");
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", encoded(page)));
  return { ...script!, name: `reload-${digest.subarray(0, 4).toHex().toUpperCase()}.js` };
}

async function removeAllBut(files: readonly BuiltFile[], folder: URL): Promise<void> {
  const kept = new Set(files.flatMap(({ name }) => [name, `${name}.gz`, `${name}.br`]));
  for await (const { name, isFile } of Deno.readDir(folder)) {
    if (isFile && !kept.has(name)) await Deno.remove(new URL(name, folder));
  }
}

function sizeOf({ name, bytes, gzip, brotli }: CompressedFile): string {
  const kilobytes = (length: number) => (length / 1000).toFixed(1);
  return `${name} ${kilobytes(bytes.length)} kB (${kilobytes(gzip.length)} gzip, ${kilobytes(brotli.length)} brotli)`;
}

if (import.meta.main) {
  try {
    const files = await build({ reloads: Deno.args.includes("--dev") });
    console.log(`Built client/dist: ${files.map(sizeOf).join(", ")}`);
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    Deno.exitCode = 1;
  }
}
