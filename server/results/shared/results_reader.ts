/**
 * Reads the stream of results into this node's own file, in the stream's order and from where it
 * left off. Results and the place behind them are written together, so a process that is killed
 * neither reads a result twice nor leaves one out.
 */
import type { Log } from "../../ground/log.ts";
import type { StreamMessage } from "../../match_log/nats/stream_requests.ts";
import { decodeResult, type ResultMessage, ResultMessageError } from "../result_message.ts";
import type { StreamPlace } from "../results_file.ts";

/**
 * How many results one read returns. Each costs this process about 0.2 ms: together less than a
 * tick.
 */
const BATCH = 64;
/** How often an empty stream is read, and the wait when the servers or the file refuse, ms. */
const READ_EVERY_MS = 500;
const AGAIN_MS = 1_000;

/** What is read of the stream. */
export interface ReadStream {
  after(sequence: number, count: number): Promise<StreamMessage[] | undefined>;
  identity(): Promise<string | undefined>;
}

/** What is written to the file. */
export interface SharedResults {
  placeIn(stream: string): number;
  addShared(messages: readonly ResultMessage[], place: StreamPlace): boolean;
}

export interface ResultsReaderOptions {
  readonly stream: ReadStream;
  readonly results: SharedResults;
  readonly wait: (ms: number) => Promise<void>;
  readonly log: Log;
}

export class ResultsReader {
  readonly #options: ResultsReaderOptions;
  #isClosed = false;
  #place: StreamPlace | undefined;
  /** Messages that could not be decoded as results. */
  refused = 0;

  constructor(options: ResultsReaderOptions) {
    this.#options = options;
  }

  /** Reads until it is closed. */
  async run(): Promise<void> {
    while (!this.#isClosed) {
      const waitMs = await this.#advance();
      if (!this.#isClosed) await this.#options.wait(waitMs);
    }
  }

  close(): void {
    this.#isClosed = true;
  }

  /** @returns how long to wait before the next read, ms */
  async #advance(): Promise<number> {
    const { stream, results } = this.#options;
    const place = this.#place ?? await this.#begin();
    if (place === undefined) return AGAIN_MS;

    const read = await stream.after(place.sequence, BATCH);
    const last = read?.at(-1);
    if (this.#isClosed || read === undefined) return AGAIN_MS;
    if (last === undefined) return READ_EVERY_MS;

    const next = { ...place, sequence: last.sequence };
    if (!results.addShared(read.flatMap((each) => this.#decoded(each)), next)) return AGAIN_MS;
    this.#place = next;
    return 0;
  }

  async #begin(): Promise<StreamPlace | undefined> {
    const stream = await this.#options.stream.identity();
    if (stream === undefined || this.#isClosed) return undefined;
    return this.#place = { stream, sequence: this.#options.results.placeIn(stream) };
  }

  #decoded({ subject, sequence, bytes }: StreamMessage): ResultMessage[] {
    try {
      return [decodeResult(subject, bytes)];
    } catch (error) {
      if (!(error instanceof ResultMessageError)) throw error;
      this.refused++;
      this.#options.log("result_refused", { sequence, error: error.message });
      return [];
    }
  }
}
