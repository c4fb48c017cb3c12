/**
 * Decides what stays in a folder of built files: this build's files, and the previous build's
 * hashed ones, because open pages and running servers may still load them.
 */

/** The hash in a name, up to the dot before its ending. */
export const HASHED = /-[0-9A-Z]{8}\./;

/** Lists the hashed files that the last builds made, the newest build first, as JSON. */
const BUILDS = "builds.part";
/** The newest build, and the one before, from which pages are open or on their way. */
const BUILDS_KEPT = 2;

export class KeptFiles {
  readonly #names: readonly string[];
  readonly #builds: readonly (readonly string[])[];
  readonly #folder: URL;

  private constructor(
    names: readonly string[],
    builds: readonly (readonly string[])[],
    folder: URL,
  ) {
    this.#names = names;
    this.#builds = builds;
    this.#folder = folder;
  }

  /**
   * @param names this build's files. A build that makes the same hashed files as the newest one
   *   counts as the same build, and drives out no other.
   */
  static async of(names: readonly string[], folder: URL): Promise<KeptFiles> {
    const hashed = names.filter((name) => HASHED.test(name)).sort();
    const builds = await earlierBuilds(folder);
    const [newest] = builds;
    const isSame = newest !== undefined && newest.join() === hashed.join();
    const kept = [hashed, ...isSame ? builds.slice(1) : builds].slice(0, BUILDS_KEPT);
    return new KeptFiles(names, kept, folder);
  }

  /**
   * Notes what stays, and removes all other files from the folder. Compressed copies stay with
   * their files.
   */
  async removeOthers(): Promise<void> {
    const list = new TextEncoder().encode(JSON.stringify(this.#builds));
    await writeIfChanged(new URL(BUILDS, this.#folder), list);

    const names = [...this.#names, ...this.#builds.flat(), BUILDS];
    const kept = new Set(names.flatMap((name) => [name, `${name}.gz`, `${name}.br`]));
    for await (const { name, isFile } of Deno.readDir(this.#folder)) {
      if (isFile && !kept.has(name)) await removeIfThere(new URL(name, this.#folder));
    }
  }
}

async function earlierBuilds(folder: URL): Promise<readonly (readonly string[])[]> {
  try {
    return JSON.parse(await Deno.readTextFile(new URL(BUILDS, folder)));
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound || error instanceof SyntaxError)) throw error;
  }
  // Earlier versions wrote no list, and kept one build's files.
  const present = await Array.fromAsync(Deno.readDir(folder), ({ name }) => name);
  const hashed = present.filter((name) => HASHED.test(name) && !/\.(br|gz)$/.test(name)).sort();
  return hashed.length === 0 ? [] : [hashed];
}

/** Writes the file unless it already contains these bytes, because a server may be reading it. */
export async function writeIfChanged(file: URL, bytes: Uint8Array): Promise<void> {
  const before = await Deno.readFile(file).catch(() => undefined);
  const isSame = before?.length === bytes.length && before.every((byte, i) => byte === bytes[i]);
  if (!isSame) await Deno.writeFile(file, bytes);
}

/** Removes a file that another build may remove meanwhile. */
export async function removeIfThere(file: URL): Promise<void> {
  try {
    await Deno.remove(file);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
}
