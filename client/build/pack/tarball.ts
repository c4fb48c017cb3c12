/**
 * Writes a package as npm does: a tar archive (POSIX.1-1988, "ustar") of a folder `package`,
 * compressed with gzip. Equal files give equal bytes, because times and owners are fixed.
 */
import { gzipSync } from "node:zlib";

/** A file of an archive: its path in the package, with slashes, and its bytes. */
export interface PackedFile {
  readonly path: string;
  readonly bytes: Uint8Array;
  /** Whether it may be run as a program. */
  readonly isProgram?: boolean;
}

const BLOCK = 512;
/** The longest name, and the longest folder before it, bytes. */
const NAME_MAX = 100;
const PREFIX_MAX = 155;
/** The time of every file, seconds since 1970: a day that every tool accepts. */
const MODIFIED = 499_162_500;

/**
 * Packs files into one archive.
 * @returns the bytes of a `.tgz`
 * @throws RangeError for a path that is too long for the format
 */
export function tarballOf(files: readonly PackedFile[]): Uint8Array<ArrayBuffer> {
  const blocks: Uint8Array[] = [];
  for (const file of files) {
    blocks.push(headerOf(file), file.bytes, new Uint8Array(paddingOf(file.bytes.length)));
  }
  blocks.push(new Uint8Array(2 * BLOCK)); // two empty blocks end an archive

  const archive = new Uint8Array(blocks.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const block of blocks) {
    archive.set(block, at);
    at += block.length;
  }
  return new Uint8Array(gzipSync(archive, { level: 9 }));
}

function paddingOf(length: number): number {
  return (BLOCK - length % BLOCK) % BLOCK;
}

function headerOf({ path, bytes, isProgram = false }: PackedFile): Uint8Array {
  const header = new Uint8Array(BLOCK);
  const write = (text: string, at: number) => header.set(new TextEncoder().encode(text), at);
  const octal = (value: number, digits: number) => value.toString(8).padStart(digits, "0");
  const { name, prefix } = splitPath(`package/${path}`);

  write(name, 0);
  write(octal(isProgram ? 0o755 : 0o644, 7), 100);
  write(octal(0, 7), 108); // owner
  write(octal(0, 7), 116); // group
  write(octal(bytes.length, 11), 124);
  write(octal(MODIFIED, 11), 136);
  write(" ".repeat(8), 148); // the checksum counts itself as blanks
  write("0", 156); // a plain file
  write("ustar\x0000", 257);
  write(prefix, 345);

  const sum = header.reduce((total, byte) => total + byte, 0);
  write(`${octal(sum, 6)}\0 `, 148);
  return header;
}

/** Cuts a path at a slash, so that both parts fit. */
function splitPath(path: string): { name: string; prefix: string } {
  if (path.length <= NAME_MAX) return { name: path, prefix: "" };
  const cut = path.indexOf("/", path.length - NAME_MAX - 1);
  const name = path.slice(cut + 1);
  if (cut < 0 || cut > PREFIX_MAX || name.length > NAME_MAX) {
    throw new RangeError(`${path} is too long for an archive`);
  }
  return { name, prefix: path.slice(0, cut) };
}
