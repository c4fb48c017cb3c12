/**
 * Work that many test files need and that takes seconds each time: pages and programs built, the
 * package made and installed. The suite (`tests/suite/main.ts`) builds before its tests, and gives
 * them a folder for what one file makes and others need. A file that runs alone does all of it
 * itself.
 */
import { deserialize, serialize } from "node:v8";

/** The variable with the folder of a run. Whoever finds it set finds pages and programs built. */
export const RUN_FOLDER = "WYVERN_TEST_RUN_FOLDER";

/** Whether the suite has built the pages and programs of the present sources for this run. */
export function isBuiltForRun(): boolean {
  return Deno.env.has(RUN_FOLDER);
}

/**
 * Makes a value once a run, or once a file that runs alone.
 * @param name of the file that keeps it
 * @param make gives plain data, bytes among them
 */
export async function madeOnceARun<Value>(
  name: string,
  make: () => Promise<Value>,
): Promise<Value> {
  const folder = Deno.env.get(RUN_FOLDER);
  if (folder === undefined) return await make();
  const file = `${folder}/${name}`;
  try {
    return deserialize(await Deno.readFile(file));
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
  const value = await make();
  // Renamed, because another file may read meanwhile
  const partial = await Deno.makeTempFile({ dir: folder });
  await Deno.writeFile(partial, serialize(value));
  await Deno.rename(partial, file);
  return value;
}

/**
 * Fills a folder once a run, or once a file that runs alone.
 * @param name of the folder that keeps it
 * @param options.fill writes into the empty folder that it gets
 * @param options.into a folder that does not exist yet, and is equal afterwards
 */
export async function copyOfFolder(
  name: string,
  { fill, into }: { fill: (folder: string) => Promise<void>; into: string },
): Promise<void> {
  const folder = Deno.env.get(RUN_FOLDER);
  if (folder === undefined) {
    await Deno.mkdir(into);
    await fill(into);
    return;
  }
  const kept = `${folder}/${name}`;
  if (!await exists(kept)) {
    const partial = await Deno.makeTempDir({ dir: folder });
    await fill(partial);
    try {
      await Deno.rename(partial, kept);
    } catch (error) {
      if (!await exists(kept)) throw error; // another file was quicker
    }
  }
  const { success } = await new Deno.Command("cp", { args: ["-a", kept, into] }).output();
  if (!success) throw new Error(`${kept} cannot be copied to ${into}`);
}

async function exists(path: string): Promise<boolean> {
  return await Deno.stat(path).then(() => true, () => false);
}
