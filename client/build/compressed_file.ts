/**
 * Compresses built files. Each is compressed once and sent often, so the greatest effort pays. A
 * file that is compressed already stays as it is, and gets no copies.
 */
import { promisify } from "node:util";
import { brotliCompress, brotliDecompressSync, constants, gzip } from "node:zlib";
import { isPacked } from "./game_files.ts";

const compressBrotli = promisify(brotliCompress);
const compressGzip = promisify(gzip);

export const GZIP_LEVEL = 9;

/** One file in the built page that a server can send. */
export interface ServableFile {
  readonly name: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  /**
   * The same bytes in gzip, which the build writes as `NAME.gz` beside the file; the file's own if
   * it is compressed already.
   */
  readonly gzip: Uint8Array<ArrayBuffer>;
  /** The same bytes in Brotli, if an earlier build left them; otherwise undefined. */
  readonly earlierBrotli: Uint8Array<ArrayBuffer> | undefined;
}

/** One file in the built page. */
export interface CompressedFile extends Omit<ServableFile, "earlierBrotli"> {
  /**
   * The same bytes in Brotli, an eighth smaller than in gzip. The build writes them as `NAME.br`.
   */
  readonly brotli: Uint8Array<ArrayBuffer>;
}

/** Compresses a file with gzip. @param folder may contain an earlier build's files */
export async function servable(
  name: string,
  bytes: Uint8Array<ArrayBuffer>,
  folder: URL,
): Promise<ServableFile> {
  if (isPacked(name)) return { name, bytes, gzip: bytes, earlierBrotli: bytes };
  const [gzip, earlierBrotli] = await Promise.all([
    compressGzip(bytes, { level: GZIP_LEVEL }),
    earlierBrotliOf(new URL(`${name}.br`, folder), bytes),
  ]);
  return { name, bytes, gzip: new Uint8Array(gzip), earlierBrotli };
}

/**
 * Compresses a file with Brotli, which takes fifteen times as long as gzip: about half a second for
 * a script.
 */
export async function compressed(
  { name, bytes, gzip, earlierBrotli }: ServableFile,
): Promise<CompressedFile> {
  return { name, bytes, gzip, brotli: earlierBrotli ?? await brotliOf(bytes) };
}

/** Reads an earlier build's copy; undefined if its content was different. */
async function earlierBrotliOf(
  file: URL,
  bytes: Uint8Array,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  try {
    const brotli = await Deno.readFile(file);
    return brotliDecompressSync(brotli).equals(bytes) ? brotli : undefined;
  } catch {
    // The file is missing or damaged.
    return undefined;
  }
}

async function brotliOf(bytes: Uint8Array): Promise<Uint8Array<ArrayBuffer>> {
  const params = {
    [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
  };
  return new Uint8Array(await compressBrotli(bytes, { params }));
}
