/**
 * Match logs as files in a folder, one for each match. A tick is in its file before any client gets
 * it. If the process is killed, nothing is lost; if the machine loses power, at most what `sync`
 * allows. If a file cannot be written, it is set aside, and its match begins another one as soon as
 * the folder can be written again.
 *
 *     NAME.open    the match goes on, or its process has died
 *     NAME.log     the match is over
 *     NAME.bad     no process can go on with it, for people to look at; or what a match had until its disk was full
 *     NAME.moved   another machine goes on with it (DESIGN 17)
 *     NAME.tried   beside NAME.open: attempts to go on with it have failed, or one is under way
 *
 * The log itself does not record the attempts, because a log is what was played. They are written
 * when a process starts, not during ticks.
 */
import { type Rate, UsageError } from "../../shared/flags.ts";
import type { Clock } from "../../shared/netcode/link.ts";
import { TokenBucket } from "../addresses/token_bucket.ts";
import { type Log, messageOf } from "../ground/log.ts";
import type { MatchLog } from "../match/match_recorder.ts";
import { randomHex } from "../ground/server_secret.ts";
import { isoTime, type Scheduler } from "../ground/ticker.ts";
import { writeWhole } from "./bounded_file.ts";
import { FileLog } from "./file_log.ts";
import { FolderWatch } from "./folder_watch.ts";
import type { MatchLogs, UnfinishedLog } from "./match_logs.ts";
import { type Attempts, NO_ATTEMPTS } from "./attempts.ts";

/**
 * How often the operating system must write what it holds, ms: the most that a power failure may
 * cost.
 */
const SYNC_EVERY_MS = 200;
/** How long logs of finished matches are kept, ms. */
const KEPT_MS_MAX = 7 * 86_400_000;
/** How many bytes such logs may take together. */
export const KEPT_BYTES_MAX = 1 << 30;
/** How often old logs are removed, ms. */
const SWEPT_EVERY_MS = 600_000;

/**
 * How fast logs begin again once the folder can be written. Each packs a state, which takes half a
 * millisecond of a tick, and four hundred matches may have waited.
 */
const BEGUN_AGAIN: Rate = { burst: 8, perSecond: 100 };

/**
 * How often a folder in use is asked for, and the pause between, ms. A child process that the
 * server before this one had just started holds the lock too, until it runs its own program.
 */
const LOCK_ATTEMPTS = 6;
const LOCK_PAUSE_MS = 20;

/** A log's name, which no other file on the machine shares. */
export const LOG_ID = /^\d{8}T\d{6}-[A-Z]{4}-[0-9a-f]{8}$/;

/** A match's state, as the ending of its log's name tells it. */
type LogFileState = "open" | "log" | "bad" | "moved";

/**
 * When a tick is on the disk. "tick": before any client gets it. "200ms": at most this much later.
 * "off": whenever the operating system decides.
 */
export type SyncMode = "tick" | "200ms" | "off";

export interface FileLogsOptions {
  readonly folder: string;
  readonly sync: SyncMode;
  /** Milliseconds since 1970. */
  readonly clock: Clock;
  readonly log: Log;
  /** How many bytes of finished matches' logs are kept; by default `KEPT_BYTES_MAX`. */
  readonly keptBytesMax?: number;
  /** For tests. */
  readonly scheduler?: Scheduler;
}

export class FileLogs implements MatchLogs {
  readonly #options: FileLogsOptions;
  readonly #lock: Deno.FsFile;
  readonly #open = new Set<FileLog>();
  readonly #watch: FolderWatch;
  readonly #begunAgain: TokenBucket;
  readonly #syncTimer: ReturnType<typeof setInterval> | undefined;
  readonly #sweepTimer: ReturnType<typeof setInterval>;
  /** Logs that could not be written any further. */
  failures = 0;
  /** Logs that began again afterwards. */
  recovered = 0;

  /**
   * Opens a folder, and makes it if it is missing. A folder belongs to one process at a time.
   * @throws UsageError for a folder that cannot be written, or that another process holds
   */
  static open(options: FileLogsOptions): FileLogs {
    return new FileLogs(options, lockFolder(options.folder));
  }

  private constructor(options: FileLogsOptions, lock: Deno.FsFile) {
    this.#options = options;
    this.#lock = lock;
    const { folder, scheduler, log, clock } = options;

    // Notices when a folder that could not be written recovers
    this.#watch = new FolderWatch({
      folder,
      scheduler,
      onRecovered: (seconds) => log("data_recovered", { seconds }),
    });
    this.#begunAgain = new TokenBucket(BEGUN_AGAIN, clock.now());

    if (options.sync === "200ms") this.#syncTimer = setInterval(() => this.#sync(), SYNC_EVERY_MS);
    this.#sweepTimer = setInterval(() => this.sweep(), SWEPT_EVERY_MS);
    this.sweep();
  }

  /** Why logs cannot be written; empty while they can. */
  get failure(): string {
    return this.#watch.failure;
  }

  /** Logs of running matches. */
  get openCount(): number {
    return this.#open.size;
  }

  create(room: string): MatchLog {
    return this.begin(room, 1);
  }

  /**
   * The same as `create`, for a match that another machine may take over.
   * @param epoch of its first records
   */
  begin(room: string, epoch: number): FileLog {
    const time = isoTime(this.#options.clock.now()).replaceAll(/[-:]|\.\d+Z$/g, "");
    return this.#openLog(`${time}-${room}-${randomHex(4)}`, { epoch, bytes: 0 });
  }

  /**
   * Continues another machine's match. If the file cannot be written, the match goes on without it,
   * because the servers hold its log.
   * @param bytes its log so far, complete records
   */
  adopt(id: string, { epoch, bytes }: { epoch: number; bytes: Uint8Array }): FileLog {
    const log = this.#openLog(id, { epoch, bytes: 0 });
    log.append(bytes);
    return log;
  }

  /**
   * Replaces a finished match's log by the whole log, because it was begun on another machine or
   * could not be written here for a while. If the copy cannot be written, only this folder lacks
   * it: the servers' log is archived all the same.
   */
  async complete(id: string, bytes: Uint8Array): Promise<void> {
    try {
      await writeWhole(this.pathOf(id, "log"), bytes, this.pathOf(id, "moved"));
    } catch (error) {
      return this.#fail(id, error);
    }
    // Remove what the match had before a failure, if there was one.
    await Deno.remove(this.pathOf(id, "bad")).catch(() => {});
  }

  /** Keeps the bytes of an unplayable match, for people to look at. */
  keepBad(id: string, bytes: Uint8Array): void {
    try {
      Deno.writeFileSync(this.pathOf(id, "bad"), bytes);
    } catch (error) {
      this.#fail(id, error);
    }
  }

  /**
   * Renames this folder's unfinished logs, which are kept for people, because other machines
   * continue those matches.
   */
  leaveUnfinished(): void {
    for (const id of this.#names(".open")) this.#rename(id, "moved");
  }

  unfinished(): readonly UnfinishedLog[] {
    return this.#names(".open").sort().map((id) => this.#unfinishedLog(id));
  }

  #unfinishedLog(id: string): UnfinishedLog {
    let attempts = this.#attemptsOf(id);
    let log: FileLog | undefined;
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
      const areNumbers = [failures, tick, begun].every((each) =>
        Number.isSafeInteger(each) && each >= 0
      );
      return areNumbers ? { failures, tick, begun } : NO_ATTEMPTS;
    } catch {
      return NO_ATTEMPTS; // there is none, or the power failed while it was written
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

  pathOf(id: string, state: LogFileState): string {
    return `${this.#options.folder}/${id}.${state}`;
  }

  /** Closes every file. Their matches are not over, because the next process continues them. */
  async close(): Promise<void> {
    clearInterval(this.#syncTimer);
    clearInterval(this.#sweepTimer);
    this.#watch.stop();
    for (const each of this.#open) await each.close();
    this.#lock.close();
  }

  /**
   * Removes logs of finished matches: those that are too old, and the oldest ones if all together
   * are too long.
   */
  sweep(): void {
    const { clock, log, keptBytesMax = KEPT_BYTES_MAX } = this.#options;
    try {
      const files = (["log", "bad", "moved"] as const).flatMap((state) =>
        this.#names(`.${state}`).map((id) => {
          const path = this.pathOf(id, state);
          const { size, mtime } = Deno.statSync(path);
          return { path, size, atMs: mtime?.getTime() ?? 0 };
        })
      );

      // Newest first, as long as there is room
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
    const each = new FileLog({
      id,
      epoch,
      path: this.pathOf(id, "open"),
      syncsEachTick: this.#options.sync === "tick",

      onEnd: () => {
        this.#open.delete(each);
        this.#rename(id, "log");
      },
      onLeft: () => {
        this.#open.delete(each);
        this.#rename(id, "moved");
      },

      // The match goes on without a log until the folder can be written again.
      onFailed: (error) => {
        this.#open.delete(each);
        this.#keepPiece(id);
        this.#fail(id, error);
      },
      mayBeginAgain: () => this.failure === "" && this.#begunAgain.take(this.#options.clock.now()),
      onBegunAgain: () => {
        this.#open.add(each);
        this.recovered++;
        this.#options.log("match_log_recovered", { id });
      },
    });
    this.#open.add(each);
    each.open(bytes);
    return each;
  }

  #fail(id: string, error: unknown): void {
    this.failures++;
    this.#watch.fail(error);
    this.#options.log("match_log_failed", { id, error: messageOf(error) });
  }

  /**
   * Keeps what a match has had so far. Of several pieces only the longest stays, because on a
   * nearly full disk a log may fail again and again, and its pieces would fill the disk.
   */
  #keepPiece(id: string): void {
    const path = this.pathOf(id, "open");
    try {
      const { size } = Deno.statSync(path);
      if (size > (sizeOfSync(this.pathOf(id, "bad")) ?? -1)) return this.#rename(id, "bad");
      Deno.removeSync(path);
    } catch (error) {
      this.#options.log("match_log_not_renamed", { id, error: messageOf(error) });
    }
  }

  #names(extension: string): string[] {
    const all = Array.from(Deno.readDirSync(this.#options.folder), ({ name }) => name);
    const names = all.filter((name) => name.endsWith(extension));
    return names.map((name) => name.slice(0, -extension.length));
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

/** Blocks this thread, which has nothing else to do while a server starts. */
function pauseSync(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

/**
 * Takes a folder for this process, and makes it if it is missing.
 * @returns the lock, which is released when closed, or with the process
 * @throws UsageError for a folder that cannot be written, or that another process holds
 */
export function lockFolder(folder: string): Deno.FsFile {
  let lock: Deno.FsFile;
  try {
    Deno.mkdirSync(folder, { recursive: true });
    lock = Deno.openSync(`${folder}/lock`, { create: true, write: true });
  } catch (error) {
    throw new UsageError(`--data ${folder} cannot be written: ${messageOf(error)}`);
  }
  for (let attempt = 1; attempt <= LOCK_ATTEMPTS; attempt++) {
    if (lock.tryLockSync(true)) return lock;
    if (attempt < LOCK_ATTEMPTS) pauseSync(LOCK_PAUSE_MS);
  }
  lock.close();
  throw new UsageError(
    `--data ${folder} is in use by another server; choose another folder, or --data off`,
  );
}

/** @returns a file's length, bytes; undefined if there is no file */
function sizeOfSync(path: string): number | undefined {
  try {
    return Deno.statSync(path).size;
  } catch {
    return undefined;
  }
}
