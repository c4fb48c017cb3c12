/**
 * Logs of matches as files in a folder, one a match. A tick is in its file before a client gets it. A process that is
 * killed loses nothing of that; a machine that loses its power loses at most what `sync` allows.
 *
 *     NAME.open    the match goes on, or its process has died
 *     NAME.log     the match is over
 *     NAME.bad     nobody can go on with it, for people to look at
 *     NAME.moved   another machine goes on with it (DESIGN 18)
 *     NAME.tried   beside NAME.open: attempts to go on with it have failed, or one is under way
 *
 * The attempts are no record of the log, because a log is what was played. They are written at a start and not at a tick.
 */
import { UsageError } from "../../shared/flags.ts";
import type { Clock } from "../../shared/netcode/link.ts";
import { type Log, messageOf } from "../log.ts";
import type { MatchLog } from "../match/match_recorder.ts";
import { randomHex } from "../server_secret.ts";
import { isoTime } from "../ticker.ts";
import { writeWhole } from "./bounded_file.ts";
import type { MatchLogs, UnfinishedLog } from "./match_logs.ts";
import { type Attempts, NO_ATTEMPTS } from "./attempts.ts";

/** How often the operating system has to write what it holds, ms: what a loss of power may cost. */
const SYNC_EVERY_MS = 200;
/** Logs of matches that are over are kept for so long, ms, and together at most so many bytes. */
const KEPT_MS_MAX = 7 * 86_400_000;
export const KEPT_BYTES_MAX = 1 << 30;
/** How often old logs are looked for, ms. */
const SWEPT_EVERY_MS = 600_000;

/** The name of a log; no other file of the machine has one. */
export const LOG_ID = /^\d{8}T\d{6}-[A-Z]{4}-[0-9a-f]{8}$/;

/** The state of a match, as the name of its log says it. */
type LogFileState = "open" | "log" | "bad" | "moved";

/** "tick": before a client gets a tick, it is on the disk. "off": the operating system decides when. */
export type SyncMode = "tick" | "200ms" | "off";

export interface FileLogsOptions {
  readonly folder: string;
  readonly sync: SyncMode;
  /** Milliseconds since 1970. */
  readonly clock: Clock;
  readonly log: Log;
  /** How much of the logs of matches that are over stays; by default `KEPT_BYTES_MAX`. */
  readonly keptBytesMax?: number;
}

export class FileLogs implements MatchLogs {
  readonly #options: FileLogsOptions;
  readonly #lock: Deno.FsFile;
  readonly #open = new Set<FileLog>();
  readonly #syncTimer: ReturnType<typeof setInterval> | undefined;
  readonly #sweepTimer: ReturnType<typeof setInterval>;
  /** Logs that could not be written to their end. */
  failures = 0;
  /** Why the newest log could not be written; empty while all can. */
  failure = "";

  /**
   * Opens a folder, and makes it if it is missing. One process has a folder at a time.
   * @throws UsageError for a folder that cannot be written, or that another process has
   */
  static open(options: FileLogsOptions): FileLogs {
    return new FileLogs(options, lockFolder(options.folder));
  }

  private constructor(options: FileLogsOptions, lock: Deno.FsFile) {
    this.#options = options;
    this.#lock = lock;
    if (options.sync === "200ms") this.#syncTimer = setInterval(() => this.#sync(), SYNC_EVERY_MS);
    this.#sweepTimer = setInterval(() => this.sweep(), SWEPT_EVERY_MS);
    this.sweep();
  }

  /** Logs of matches that go on. */
  get openCount(): number {
    return this.#open.size;
  }

  create(room: string): MatchLog {
    return this.begin(room, 1);
  }

  /** The same for a match that another machine may take over. @param epoch of its first records */
  begin(room: string, epoch: number): FileLog {
    const time = isoTime(this.#options.clock.now()).replaceAll(/[-:]|\.\d+Z$/g, "");
    return this.#openLog(`${time}-${room}-${randomHex(4)}`, { epoch, bytes: 0 });
  }

  /** Goes on with a match of another machine. @param bytes its log so far, whole records */
  adopt(id: string, { epoch, bytes }: { epoch: number; bytes: Uint8Array }): FileLog {
    Deno.writeFileSync(this.pathOf(id, "open"), bytes);
    return this.#openLog(id, { epoch, bytes: bytes.length });
  }

  /** Replaces the log of a match that is over: it was begun on another machine, and had only the end. */
  async complete(id: string, bytes: Uint8Array): Promise<void> {
    await writeWhole(this.pathOf(id, "log"), bytes, this.pathOf(id, "moved"));
  }

  /** Keeps the bytes of a match that cannot be played on, for people. */
  keepBad(id: string, bytes: Uint8Array): void {
    Deno.writeFileSync(this.pathOf(id, "bad"), bytes);
  }

  /** Other machines go on with the matches of this folder: their logs here are kept for people. */
  leaveUnfinished(): void {
    for (const id of this.#names(".open")) this.#rename(id, "moved");
  }

  unfinished(): readonly UnfinishedLog[] {
    return this.#names(".open").sort().map((id) => this.#unfinishedLog(id));
  }

  #unfinishedLog(id: string): UnfinishedLog {
    let attempts = this.#attemptsOf(id), log: FileLog | undefined;
    return {
      id,
      read: () => Deno.readFileSync(this.pathOf(id, "open")),
      takeOver: (options) => log = this.#openLog(id, options),
      get attempts() {
        return attempts;
      },
      note: (noted) => this.#note(id, attempts = noted),
      setAside: () => {
        log?.abandon();
        if (log !== undefined) this.#open.delete(log);
        this.#rename(id, "bad");
      },
    };
  }

  #attemptsOf(id: string): Attempts {
    try {
      const { failures, tick, begun } = JSON.parse(Deno.readTextFileSync(this.#triedPath(id)));
      const areNumbers = [failures, tick, begun].every((each) => Number.isSafeInteger(each) && each >= 0);
      return areNumbers ? { failures, tick, begun } : NO_ATTEMPTS;
    } catch {
      return NO_ATTEMPTS; // there is none, or the power was lost while it was written
    }
  }

  #note(id: string, attempts: Attempts): void {
    try {
      if (attempts.failures === 0 && attempts.begun === 0) this.#forgetAttempts(id);
      else Deno.writeTextFileSync(this.#triedPath(id), JSON.stringify(attempts));
    } catch (error) {
      this.#options.log("attempts_not_noted", { id, error: messageOf(error) });
    }
  }

  #forgetAttempts(id: string): void {
    try {
      Deno.removeSync(this.#triedPath(id));
    } catch (error) {
      if (!(error instanceof Deno.errors.NotFound)) throw error;
    }
  }

  #triedPath(id: string): string {
    return `${this.#options.folder}/${id}.tried`;
  }

  /** The path of a log. */
  pathOf(id: string, state: LogFileState): string {
    return `${this.#options.folder}/${id}.${state}`;
  }

  /** Closes every file. Their matches are not over: the next process goes on with them. */
  async close(): Promise<void> {
    clearInterval(this.#syncTimer);
    clearInterval(this.#sweepTimer);
    for (const each of this.#open) await each.close();
    this.#lock.close();
  }

  /** Removes logs of matches that are over: those that are too old, and the oldest if there are too many. */
  sweep(): void {
    const { clock, log, keptBytesMax = KEPT_BYTES_MAX } = this.#options;
    try {
      const files = (["log", "bad", "moved"] as const).flatMap((state) =>
        this.#names(`.${state}`).map((id) => {
          const path = this.pathOf(id, state), { size, mtime } = Deno.statSync(path);
          return { path, size, atMs: mtime?.getTime() ?? 0 };
        })
      );
      let bytes = 0;
      for (const { path, size, atMs } of files.sort((a, b) => b.atMs - a.atMs)) {
        bytes += size;
        if (bytes > keptBytesMax || clock.now() - atMs > KEPT_MS_MAX) Deno.removeSync(path);
      }
    } catch (error) {
      log("logs_not_swept", { error: messageOf(error) });
    }
  }

  #openLog(id: string, { epoch, bytes }: { epoch: number; bytes: number }): FileLog {
    const path = this.pathOf(id, "open"), { sync } = this.#options;
    const each = new FileLog({
      ...{ id, epoch, path, bytes, syncsEachTick: sync === "tick" },
      onEnd: () => {
        this.#open.delete(each);
        this.#rename(id, "log");
      },
      onLeft: () => {
        this.#open.delete(each);
        this.#rename(id, "moved");
      },
      onFailed: (error) => {
        this.#open.delete(each);
        this.failures++;
        this.failure = messageOf(error);
        this.#options.log("match_log_failed", { id, error: this.failure });
        this.#rename(id, "bad");
      },
    });
    this.#open.add(each);
    this.failure = "";
    each.open();
    return each;
  }

  #names(extension: string): string[] {
    const names = [...Deno.readDirSync(this.#options.folder)].map(({ name }) => name);
    return names.filter((name) => name.endsWith(extension)).map((name) => name.slice(0, -extension.length));
  }

  #rename(id: string, state: Exclude<LogFileState, "open">): void {
    try {
      Deno.renameSync(this.pathOf(id, "open"), this.pathOf(id, state));
      this.#forgetAttempts(id);
    } catch (error) {
      this.#options.log("match_log_not_renamed", { id, error: messageOf(error) });
    }
  }

  #sync(): void {
    for (const each of this.#open) each.sync();
  }
}

/**
 * Takes a folder for this process, and makes it if it is missing.
 * @returns the lock; it ends when it is closed, or with the process
 * @throws UsageError for a folder that cannot be written, or that another process has
 */
export function lockFolder(folder: string): Deno.FsFile {
  let lock: Deno.FsFile;
  try {
    Deno.mkdirSync(folder, { recursive: true });
    lock = Deno.openSync(`${folder}/lock`, { create: true, write: true });
  } catch (error) {
    throw new UsageError(`--data ${folder} cannot be written: ${messageOf(error)}`);
  }
  if (lock.tryLockSync(true)) return lock;
  lock.close();
  throw new UsageError(`--data ${folder} is in use by another server; choose another folder, or --data off`);
}

interface FileLogOptions {
  readonly id: string;
  readonly epoch: number;
  readonly path: string;
  /** The length of the whole records that are there; a torn one behind them is cut off. */
  readonly bytes: number;
  readonly syncsEachTick: boolean;
  readonly onEnd: () => void;
  readonly onLeft: () => void;
  /** Called at most once. The match goes on without a log. */
  readonly onFailed: (error: unknown) => void;
}

/** One file. An error of the disk ends the log, never the match. */
class FileLog implements MatchLog {
  readonly id: string;
  readonly epoch: number;
  readonly #options: FileLogOptions;
  #file: Deno.FsFile | undefined;
  /** Whether bytes may not be on the disk. */
  #isDirty = false;
  #syncing: Promise<void> | undefined;

  constructor(options: FileLogOptions) {
    this.id = options.id;
    this.epoch = options.epoch;
    this.#options = options;
  }

  get isOpen(): boolean {
    return this.#file !== undefined;
  }

  /** Opens the file at the end of its whole records. */
  open(): void {
    const { path, bytes } = this.#options;
    this.#guard(() => {
      const file = this.#file = Deno.openSync(path, { create: true, write: true });
      file.truncateSync(bytes);
      file.seekSync(bytes, Deno.SeekMode.Start);
    });
  }

  append(frame: Uint8Array): Promise<void> | undefined {
    this.#guard(() => {
      for (let at = 0; at < frame.length && this.#file !== undefined;) at += this.#file.writeSync(frame.subarray(at));
      this.#isDirty = true;
    });
    return this.#options.syncsEachTick ? this.sync() : undefined;
  }

  end(frame: Uint8Array): void {
    this.append(frame);
    if (this.#file === undefined) return;
    this.#closeFile();
    this.#options.onEnd();
  }

  /** Closes the file, because another machine has the match. */
  leave(): void {
    if (this.#file === undefined) return;
    this.#closeFile();
    this.#options.onLeft();
  }

  /** Closes the file as it is, because nobody can go on with the match. */
  abandon(): void {
    this.#closeFile();
  }

  /** Writes to the disk what the operating system holds. @returns when it is there */
  sync(): Promise<void> | undefined {
    const file = this.#file;
    if (file === undefined || !this.#isDirty) return this.#syncing;
    // One at a time: what comes meanwhile is in the next one.
    if (this.#syncing !== undefined) return this.#syncing.then(() => this.sync());
    this.#isDirty = false;
    this.#syncing = file.syncData().catch((error) => {
      if (this.#file === file) this.#fail(error);
    }).finally(() => this.#syncing = undefined);
    return this.#syncing;
  }

  async close(): Promise<void> {
    await this.sync();
    this.#closeFile();
  }

  #guard(write: () => void): void {
    try {
      write();
    } catch (error) {
      this.#fail(error);
    }
  }

  #fail(error: unknown): void {
    this.#closeFile();
    this.#options.onFailed(error);
  }

  #closeFile(): void {
    const file = this.#file;
    this.#file = undefined;
    file?.close();
  }
}
