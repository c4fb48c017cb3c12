/**
 * One built file and its compressed copies. Each file is compressed once and sent often, so the
 * greatest effort pays.
 */
import { promisify } from "node:util";
import { brotliCompress, brotliDecompressSync, constants, gzip } from "node:zlib";

const compressBrotli = promisify(brotliCompress);
const compressGzip = promisify(gzip);

const GZIP_LEVEL = 9;

/** One file of the built page. */
export interface CompressedFile {
  readonly name: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** The same bytes. The build writes them as `NAME.gz` beside the file. */
  readonly gzip: Uint8Array<ArrayBuffer>;
  /** The same bytes, an eighth smaller than with gzip. The build writes them as `NAME.br`. */
  readonly brotli: Uint8Array<ArrayBuffer>;
}

/** @param folder may contain the files of an earlier build */
export async function compressed(
  name: string,
  bytes: Uint8Array<ArrayBuffer>,
  folder: URL,
): Promise<CompressedFile> {
  const [gzip, brotli] = await Promise.all([
    compressGzip(bytes, { level: GZIP_LEVEL }),
    earlierBrotli(new URL(`${name}.br`, folder), bytes).then((earlier) =>
      earlier ?? brotliOf(bytes)
    ),
  ]);
  return { name, bytes, gzip: new Uint8Array(gzip), brotli };
}

/**
 * The copy of an earlier build, because the script takes half a second; undefined if its content
 * was different.
 */
async function earlierBrotli(
  file: URL,
  bytes: Uint8Array,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  try {
    const brotli = await Deno.readFile(file);
    return brotliDecompressSync(brotli).equals(bytes) ? brotli : undefined;
  } catch {
    // There is no such file, or it is damaged.
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
