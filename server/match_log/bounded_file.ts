/**
 * Reads and writes files that may be missing, longer than this process wants to hold, or truncated
 * by a power failure.
 */

/** @returns a file's length, bytes; undefined if there is no file */
export async function sizeOf(path: string): Promise<number | undefined> {
  try {
    return (await Deno.stat(path)).size;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}

/** @returns a file's bytes; undefined if there is no file, or if it is longer than `bytesMax` */
export async function readUpTo(
  path: string,
  bytesMax: number,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const size = await sizeOf(path);
  if (size === undefined || size > bytesMax) return undefined;
  try {
    return await Deno.readFile(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}

/**
 * Writes a file that other processes may read: they see either none of it or all of it. When this
 * resolves, the file is on the disk. If the file cannot be written, nothing is left behind, because
 * the disk may be full.
 * @param through another path in the same folder, used by no other call
 */
export async function writeWhole(path: string, bytes: Uint8Array, through: string): Promise<void> {
  try {
    using file = await Deno.open(through, { write: true, create: true, truncate: true });
    for (let at = 0; at < bytes.length;) at += await file.write(bytes.subarray(at));
    await file.syncData();
    await Deno.rename(through, path);
  } catch (error) {
    await Deno.remove(through).catch(() => {});
    throw error;
  }
}
