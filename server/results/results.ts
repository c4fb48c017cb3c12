/**
 * The results of rounds and matches. They wait in a queue and are written between two ticks,
 * several in one transaction. A file error delays results but never a tick: they stay in the queue
 * and are written later. The same holds if the file cannot be opened, because the disk is full or
 * another program holds it.
 */
import type { Clock } from "../../shared/netcode/link.ts";
import { type Log, messageOf } from "../ground/log.ts";
import type { RoundOver } from "../match/round_watch.ts";
import type { ResultMessage } from "./result_message.ts";
import type { ResultMatch, ServerResults } from "../match/result_sink.ts";
import {
  type BestPlayer,
  isDamage,
  ResultsFile,
  type StoredLog,
  type StoredMatch,
  type StoredRound,
  type StreamPlace,
} from "./results_file.ts";

/** How many writes may wait while the file cannot be written: an hour of forty rooms. */
const QUEUE_MAX = 2_000;
/** How many writes a transaction holds, each about 0.2 ms: together less than a tick. */
const FLUSH_MAX = 64;
/** How long the first write waits for others, ms. */
const FLUSH_AFTER_MS = 5;
/** The wait after an error, ms. */
const RETRY_AFTER_MS = 1_000;

export interface ResultsOptions {
  /** A folder that only this process writes to. */
  readonly folder: string;
  /** Milliseconds since 1970. */
  readonly unixClock: Clock;
  readonly wait: (ms: number) => Promise<void>;
  readonly log: Log;
}

interface Write {
  readonly match: string;
  run(file: ResultsFile): void;
}

export class Results implements ServerResults {
  readonly #options: ResultsOptions;
  /** Undefined until the file could be opened. */
  #file: ResultsFile | undefined;
  #queue: Write[] = [];
  #isWaiting = false;
  #isClosed = false;
  /** Reads and writes that failed. */
  failures = 0;
  /** Results that were dropped because too many waited. */
  lost = 0;
  /** Why the newest read or write failed; empty after a successful write. */
  failure = "";

  /**
   * Opens a folder's results. A damaged file is kept as `results.sqlite.bad`, and a new one is
   * begun. A file that cannot be opened now is tried again with each write; until then there are no
   * rows.
   */
  static open(options: ResultsOptions): Results {
    const results = new Results(options);
    try {
      results.#openFile();
    } catch (error) {
      results.failure = messageOf(error);
      results.failures++;
      options.log("no_results", { error: results.failure });
    }
    return results;
  }

  private constructor(options: ResultsOptions) {
    this.#options = options;
  }

  addRound(match: ResultMatch & { readonly game: string }, round: RoundOver): void {
    const at = this.#seconds;
    this.#push({ match: match.id, run: (file) => file.addRound(match, round, at) });
  }

  /**
   * If rounds of the match are waiting, writes them at once, because after its log has ended no
   * other process would find them.
   */
  endMatch(id: string, reason: string): void {
    const at = this.#seconds;
    const hasRounds = this.#queue.some(({ match }) => match === id);
    this.#push({ match: id, run: (file) => file.endMatch(id, reason, at) });
    if (hasRounds) this.#flush();
  }

  endOthers(open: readonly string[]): void {
    this.#push({ match: "", run: (file) => file.endOthers(open) });
  }

  /**
   * Writes results that machines share, together with how far their stream has been read.
   * @returns whether they are in the file
   */
  addShared(messages: readonly ResultMessage[], place: StreamPlace): boolean {
    return this.#write((file) => {
      for (const message of messages) file.addShared(message);
      file.setPlace(place);
    });
  }

  /** @returns the sequence up to which a stream has been read; 0 if it has not been */
  placeIn(stream: string): number {
    const [sequence = 0] = this.#read((file) => [file.placeIn(stream)]);
    return sequence;
  }

  /** @returns a finished match's log; undefined for any other match */
  log(id: string): StoredLog | undefined {
    const [log] = this.#read((file) => [file.log(id)]);
    return log;
  }

  logs(game: string | undefined, limit: number): StoredLog[] {
    return this.#read((file) => file.logs(game, limit));
  }

  /**
   * Like `ResultsFile.rounds`, without rounds that still wait; empty if the file cannot be read.
   * The two methods below do the same.
   */
  rounds(game: string | undefined, limit: number): StoredRound[] {
    return this.#read((file) => file.rounds(game, limit));
  }

  matches(game: string | undefined, limit: number): StoredMatch[] {
    return this.#read((file) => file.matches(game, limit));
  }

  best(game: string, limit: number): BestPlayer[] {
    return this.#read((file) => file.best(game, limit));
  }

  /** Writes what waits, and closes the file. */
  close(): void {
    this.#isClosed = true;
    while (this.#queue.length > 0 && this.#flush());
    this.lost += this.#queue.length;
    this.#file?.close();
  }

  #openFile(): ResultsFile {
    const { folder, log } = this.#options;
    return this.#file ??= openOrReplace(`${folder}/results.sqlite`, log);
  }

  get #seconds(): number {
    return Math.floor(this.#options.unixClock.now() / 1000);
  }

  #push(write: Write): void {
    if (this.#queue.length >= QUEUE_MAX) return void this.lost++;
    this.#queue.push(write);
    this.#flushAfter(FLUSH_AFTER_MS);
  }

  #flushAfter(ms: number): void {
    if (this.#isWaiting) return;
    this.#isWaiting = true;
    void this.#options.wait(ms).then(() => {
      this.#isWaiting = false;
      if (this.#isClosed || this.#queue.length === 0) return;
      const hasWritten = this.#flush();
      if (this.#queue.length > 0) this.#flushAfter(hasWritten ? FLUSH_AFTER_MS : RETRY_AFTER_MS);
    });
  }

  /** @returns whether the oldest writes are now in the file */
  #flush(): boolean {
    const writes = this.#queue.slice(0, FLUSH_MAX);
    const isWritten = this.#write((file) => {
      for (const write of writes) write.run(file);
    });
    if (isWritten) this.#queue = this.#queue.slice(writes.length);
    return isWritten;
  }

  /** @returns whether everything is in the file; otherwise nothing is */
  #write(write: (file: ResultsFile) => void): boolean {
    try {
      const file = this.#openFile();
      file.transact(() => write(file));
      if (this.failure !== "") {
        this.#options.log("results_recovered", { waiting: this.#queue.length });
      }
      this.failure = "";
      return true;
    } catch (error) {
      this.#fail(error);
      return false;
    }
  }

  #read<Row>(read: (file: ResultsFile) => Row[]): Row[] {
    if (this.#file === undefined) return [];
    try {
      return read(this.#file);
    } catch (error) {
      this.#fail(error);
      return [];
    }
  }

  /** Counts each error, and logs only the first of equal ones. */
  #fail(error: unknown): void {
    this.failures++;
    const text = messageOf(error);
    if (this.failure !== text) {
      this.#options.log("results_failed", { error: text, waiting: this.#queue.length });
    }
    this.failure = text;
  }
}

function openOrReplace(path: string, log: Log): ResultsFile {
  try {
    return new ResultsFile(path);
  } catch (error) {
    // A full disk, or a program that holds the file, does not mean that its content is damaged.
    if (!isDamage(error)) throw error;
    log("results_set_aside", { error: messageOf(error) });
    // Otherwise the new database would start from the old one's write-ahead log.
    for (const part of ["", "-wal", "-shm"]) renameIfThere(`${path}${part}`, `${path}.bad${part}`);
    return new ResultsFile(path);
  }
}

function renameIfThere(from: string, to: string): void {
  try {
    Deno.renameSync(from, to);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
}
