/**
 * Archives the logs of finished matches for all machines, in the form that pages get. A log is
 * named by its SHA-256, so a changed log does not match its name, and two machines that archive the
 * same match write the same file.
 *
 *     FOLDER/ab/abcdef….log
 *
 * The folder may be on a disk that machines share. Each machine looks at one of the folder's 256
 * parts at a time, and removes what is old.
 */
import { UsageError } from "../../shared/flags.ts";
import type { Clock } from "../../shared/netcode/link.ts";
import { type Log, messageOf } from "../ground/log.ts";
import { randomHex } from "../ground/server_secret.ts";
import { readUpTo, writeWhole } from "./bounded_file.ts";
import { LOG_BYTES_MAX } from "./served_log.ts";

/** How long archived logs are kept, ms: as long as the results that name them. */
const KEPT_MS_MAX = 30 * 86_400_000;
/** The folder's parts. Hashes spread evenly, so each part takes as much as any other. */
const PARTS = 256;
/**
 * How often the next part has to be looked through, ms. Each part gets its turn about three times a
 * day.
 */
export const SWEEP_EVERY_MS = 120_000;

/** An archived log with bytes that do not match its name. */
export class SpoiltLogError extends Error {
  override readonly name = "SpoiltLogError";
}

export interface LogArchiveOptions {
  readonly folder: string;
  /** How many bytes all logs together may take. */
  readonly bytesMax: number;
  /** Milliseconds since 1970. */
  readonly clock: Clock;
  readonly log: Log;
}

export class LogArchive {
  readonly #options: LogArchiveOptions;
  /** Starts at random, so that machines begin at different parts. */
  #part = crypto.getRandomValues(new Uint8Array(1))[0]!;

  /**
   * Opens a folder, and makes it if it is missing.
   * @throws UsageError if it cannot be written
   */
  static open(options: LogArchiveOptions): LogArchive {
    const { folder } = options;
    const probe = `${folder}/${randomHex(8)}.part`;
    try {
      Deno.mkdirSync(folder, { recursive: true });
      Deno.writeFileSync(probe, new Uint8Array());
      Deno.removeSync(probe);
    } catch (error) {
      throw new UsageError(`--archive ${folder} cannot be written: ${messageOf(error)}`);
    }
    return new LogArchive(options);
  }

  private constructor(options: LogArchiveOptions) {
    this.#options = options;
  }

  /**
   * Writes a log, unless it is there already.
   * @returns its SHA-256, as 64 hexadecimal digits
   * @throws Error if the log cannot be written
   */
  async put(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
    const hash = await hashOf(bytes);
    const path = this.#pathOf(hash);

    // An existing file is left alone, unless it was changed.
    const present = await readUpTo(path, bytes.length);
    if (present !== undefined && await hashOf(present) === hash) return hash;

    await Deno.mkdir(this.#folderOf(hash.slice(0, 2)), { recursive: true });
    await writeWhole(path, bytes, `${path}.${randomHex(8)}.part`);
    return hash;
  }

  /**
   * @param hash 64 hexadecimal digits
   * @returns the log; undefined if it is not there, or no longer kept
   * @throws SpoiltLogError for a log that was changed
   */
  async get(hash: string): Promise<Uint8Array | undefined> {
    const bytes = await readUpTo(this.#pathOf(hash), LOG_BYTES_MAX);
    if (bytes !== undefined && await hashOf(bytes) !== hash) {
      throw new SpoiltLogError(`${hash} was changed`);
    }
    return bytes;
  }

  /**
   * Removes logs from the next part: those that are too old, and the oldest if there are too many.
   */
  async sweepNext(): Promise<void> {
    const part = (this.#part++ % PARTS).toString(16).padStart(2, "0");
    try {
      await this.#sweep(this.#folderOf(part));
    } catch (error) {
      // Another machine may have removed a file meanwhile, and a part without logs has no folder.
      if (!(error instanceof Deno.errors.NotFound)) {
        this.#options.log("archive_not_swept", { error: messageOf(error) });
      }
    }
  }

  async #sweep(folder: string): Promise<void> {
    const { clock, bytesMax } = this.#options;
    const nowMs = clock.now();

    const files: { path: string; size: number; atMs: number }[] = [];
    for await (const { name } of Deno.readDir(folder)) {
      const path = `${folder}/${name}`;
      const { size, mtime } = await Deno.stat(path);
      files.push({ path, size, atMs: mtime?.getTime() ?? 0 });
    }

    // Newest first, as long as there is room
    let bytes = 0;
    for (const { path, size, atMs } of files.sort((a, b) => b.atMs - a.atMs)) {
      bytes += size;
      if (bytes > bytesMax / PARTS || nowMs - atMs > KEPT_MS_MAX) await Deno.remove(path);
    }
  }

  #folderOf(part: string): string {
    return `${this.#options.folder}/${part}`;
  }

  #pathOf(hash: string): string {
    return `${this.#folderOf(hash.slice(0, 2))}/${hash}.log`;
  }
}

async function hashOf(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)).toHex();
}
