/**
 * Writes a package as npm does: a tar archive of a folder `package`, compressed with gzip. Equal
 * files give equal bytes, because times and owners are fixed.
 */
import { gzipSync } from "node:zlib";
import { packTar } from "modern-tar";

/** A file of an archive: its path in the package, with slashes, and its bytes. */
export interface PackedFile {
  readonly path: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** The time of every file: a day that every tool accepts. */
const MODIFIED = new Date("1985-10-26T08:15:00Z");

/** Packs files into one archive. @returns the bytes of a `.tgz` */
export async function tarballOf(files: readonly PackedFile[]): Promise<Uint8Array<ArrayBuffer>> {
  const archive = await packTar(files.map(({ path, bytes }) => ({
    header: { name: `package/${path}`, size: bytes.length, mtime: MODIFIED, mode: 0o644 },
    body: bytes,
  })));
  return new Uint8Array(gzipSync(archive, { level: 9 }));
}
