/** Writes a built page into a folder for a static host, which may keep files of its own there. */
import { UsageError } from "../../shared/flags.ts";
import { HASHED } from "./kept_files.ts";

/** A built file. */
interface StaticFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/**
 * Writes the files, and removes hashed ones of the build before.
 * @param out the folder, which is made
 */
export async function writeStaticFolder(
  out: string,
  files: readonly StaticFile[],
): Promise<void> {
  await Deno.mkdir(out, { recursive: true });
  const kept = new Set(files.map(({ name }) => name));
  for await (const { name, isFile } of Deno.readDir(out)) {
    if (isFile && HASHED.test(name) && !kept.has(name)) await Deno.remove(`${out}/${name}`);
  }
  for (const { name, bytes } of files) await Deno.writeFile(`${out}/${name}`, bytes);
}

/**
 * Call it before a build, so that a mistake costs no time.
 * @param mark in the page of every such build; a folder without it is somebody else's
 * @throws UsageError for a folder with files that no such build wrote
 */
export async function checkStaticFolder(path: string, mark: string): Promise<void> {
  try {
    const names = Array.from(Deno.readDirSync(path), ({ name }) => name);
    const page = names.includes("index.html") ? await Deno.readTextFile(`${path}/index.html`) : "";
    if (names.length === 0 || page.includes(mark)) return;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return;
    throw new UsageError(`--out ${path} cannot be read: ${(error as Error).message}`);
  }
  throw new UsageError(`--out ${path} holds files that no such build wrote; name another folder`);
}
