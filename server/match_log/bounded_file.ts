/** Files that may be missing, or longer than this process wants to hold. */

/** @returns the length of a file, bytes; undefined if there is none */
export async function sizeOf(path: string): Promise<number | undefined> {
  try {
    return (await Deno.stat(path)).size;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}

/** @returns the bytes of a file; undefined if there is none, or if it is longer than `bytesMax` */
export async function readUpTo(path: string, bytesMax: number): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const size = await sizeOf(path);
  if (size === undefined || size > bytesMax) return undefined;
  try {
    return await Deno.readFile(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}
