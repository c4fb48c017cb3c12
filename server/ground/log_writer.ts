/**
 * Writes the log's lines without ever blocking the process or ending it. While the reader is slow,
 * lines wait in a bounded queue, and further lines are dropped; a full disk costs only lines. Both
 * losses are counted, and the log reports them later.
 */
import { type Format, formatLine, type Log, type LogFields } from "./log.ts";

/** How long a failed write delays the next one, ms. */
const RETRY_MS = 1_000;

/**
 * A batch ends after this many characters. Because lines are short, it fits into a pipe of 64 KiB.
 */
const BATCH_CHARACTERS = 32_768;

export interface LogWriterOptions {
  /**
   * Writes some of the bytes.
   * @returns how many
   * @throws Error for a full disk or a closed pipe
   */
  readonly write: (bytes: Uint8Array) => Promise<number>;
  /** How many lines may wait. */
  readonly linesMax: number;
  readonly format?: Format;
  /** @returns the time of a line, as ISO 8601 */
  readonly time: () => string;
  /** Resolves after a time. */
  readonly wait: (ms: number) => Promise<void>;
}

export class LogWriter {
  readonly #options: LogWriterOptions;
  #waiting: string[] = [];
  #writing: Promise<void> | undefined;
  /** Lines dropped since the log last reported dropped lines. */
  #unreported = 0;
  /** Lines dropped because too many waited, or because a write failed. */
  dropped = 0;
  /** Writes that failed. */
  errors = 0;

  constructor(options: LogWriterOptions) {
    this.#options = options;
  }

  /** Queues an event's line. It never throws. */
  readonly log: Log = (event, fields) => this.#push(this.#lineOf(event, fields));

  /** Queues a text as it is. */
  print(text: string): void {
    this.#push(text);
  }

  /** Lines not written yet. */
  get waitingLines(): number {
    return this.#waiting.length;
  }

  /** Resolves when all lines are written, or after `timeoutMs`. */
  async close(timeoutMs: number): Promise<void> {
    await Promise.race([this.#writing, this.#options.wait(timeoutMs)]);
  }

  #lineOf(event: string, fields?: LogFields): string {
    const { format = formatLine, time } = this.#options;
    return format(event, fields, { time: time(), level: levelOf(event) });
  }

  #push(line: string): void {
    if (this.#waiting.length >= this.#options.linesMax) return this.#drop(1);
    this.#waiting.push(line);
    this.#writing ??= this.#writeAll();
  }

  #drop(lines: number): void {
    this.dropped += lines;
    this.#unreported += lines;
  }

  async #writeAll(): Promise<void> {
    while (this.#waiting.length > 0) {
      const lines = this.#takeBatch();
      const reported = this.#unreported;
      try {
        await this.#write(
          reported > 0 ? [this.#lineOf("log_dropped", { lines: reported }), ...lines] : lines,
        );
        this.#unreported -= reported;
      } catch {
        this.errors++;
        this.#drop(lines.length);
        await this.#options.wait(RETRY_MS);
      }
    }
    // In the same turn as the last look at the queue, so that no line slips in between.
    this.#writing = undefined;
  }

  /** Takes the next lines from the queue, in order. */
  #takeBatch(): string[] {
    let count = 0;
    for (
      let characters = 0;
      count < this.#waiting.length && characters < BATCH_CHARACTERS;
      count++
    ) {
      characters += this.#waiting[count]!.length;
    }
    return this.#waiting.splice(0, count);
  }

  async #write(lines: readonly string[]): Promise<void> {
    const bytes = new TextEncoder().encode(lines.map((line) => `${line}\n`).join(""));
    for (let written = 0; written < bytes.length;) {
      written += await this.#options.write(bytes.subarray(written));
    }
  }
}

const WARNINGS: ReadonlySet<string> = new Set([
  "contract_broken",
  "desync",
  "limit_reached",
  "log_dropped",
  "match_blamed",
  "match_differs",
  "match_set_aside",
  "node_clocks_differ",
  "node_message_dropped",
  "port_reopened",
  "refused",
  "room_simulated",
  "server_lost",
  "ticks_dropped",
  "unsupervised",
  "worker_lost",
  "worker_output",
  "worker_silent",
]);

const ERRORS: ReadonlySet<string> = new Set([
  "died_in_tick",
  "stray_error",
  "tick_hangs",
  "trial_thread_lost",
]);

/**
 * Grades an event. The server's own faults are errors; warnings are what an operator may want to
 * see.
 */
function levelOf(event: string): "info" | "warn" | "error" {
  if (event.endsWith("_failed") || ERRORS.has(event)) return "error";
  return WARNINGS.has(event) ? "warn" : "info";
}
