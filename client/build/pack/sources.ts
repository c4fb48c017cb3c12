/** The sources of packages: copies of this tree's files, in a folder where bundles are made. */
import type { PackedFile } from "./tarball.ts";

const ROOT = new URL("../../../", import.meta.url);
/** The folders of the product. */
const FOLDERS = ["shared", "client", "server"];

/** Which sources a package has. */
export interface PackedSources {
  /** @param path from the project's folder */
  isPacked(path: string): boolean;
  /** Changes a file's bytes; by default not. */
  changed?(file: PackedFile): PackedFile;
}

/**
 * Copies sources below `src/`.
 * @param stage an empty folder
 * @returns the copied files
 */
export async function copySources(
  stage: URL,
  { isPacked, changed = (file) => file }: PackedSources,
): Promise<PackedFile[]> {
  const found = await Promise.all(
    FOLDERS.map((name) => filesIn(new URL(`${name}/`, ROOT), `${name}/`, isPacked)),
  );
  const files = found.flat().map((file) => {
    const { path, bytes } = changed(file);
    return { path: `src/${path}`, bytes };
  });
  const folders = new Set(files.map(({ path }) => path.slice(0, path.lastIndexOf("/"))));
  for (const folder of folders) await Deno.mkdir(new URL(folder, stage), { recursive: true });
  await Promise.all(files.map(({ path, bytes }) => Deno.writeFile(new URL(path, stage), bytes)));
  return files;
}

/** Folders whose files no package has. */
const BUILT = /(^|\/)dist\/$/;

/**
 * Reads a folder with all folders in it.
 * @param before stands before each path
 * @param isPacked which files; by default all
 */
export async function filesIn(
  folder: URL,
  before: string,
  isPacked: (path: string) => boolean = () => true,
): Promise<PackedFile[]> {
  const files: PackedFile[] = [];
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    const path = `${before}${name}`;
    if (isDirectory && !BUILT.test(`${path}/`)) {
      files.push(...await filesIn(new URL(`${name}/`, folder), `${path}/`, isPacked));
    } else if (!isDirectory && isPacked(path)) {
      files.push({ path, bytes: await Deno.readFile(new URL(name, folder)) });
    }
  }
  return files;
}
