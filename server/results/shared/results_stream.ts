/**
 * The stream of results on the servers that machines share. Each result's subject takes one
 * message, because the first append expects that there is none. So if two nodes report a round, or
 * one asks twice, one message stays.
 */
import { type Log, messageOf } from "../../ground/log.ts";
import type { NatsClient } from "../../match_log/nats/nats_client.ts";
import {
  expectedHeaders,
  jsonOf,
  makeStream,
  outcomeOf,
  readBatch,
  type StreamMessage,
} from "../../match_log/nats/stream_requests.ts";
import {
  encodeResult,
  RESULT_BYTES_MAX,
  RESULT_SUBJECTS,
  type ResultMessage,
  resultSubjectOf,
} from "../result_message.ts";

const STREAM = "WYVERN_RESULTS";
/** How long the servers keep a result, ns. A machine that was away for longer misses some. */
const MAX_AGE_NS = 30 * 86_400 * 1e9;
/**
 * The limit for all results together, bytes: a quarter of a million rounds, five times as many as a
 * file keeps. The oldest go first.
 */
const MAX_BYTES = 256 * 1024 ** 2;
const APPEND_MS_MAX = 1_000;
const INFO_MS_MAX = 2_000;
/** The wait after an append that was not answered, ms. */
const AGAIN_MS = 200;
/** How many results may wait while the servers take none: half an hour of 200 matches. */
const WAITING_MAX = 2_000;

interface Waiting {
  readonly subject: string;
  readonly bytes: Uint8Array;
  readonly onStored: (isStored: boolean) => void;
}

export interface ResultsStreamOptions {
  readonly client: NatsClient;
  readonly wait: (ms: number) => Promise<void>;
  readonly log: Log;
}

export class ResultsStream {
  readonly #options: ResultsStreamOptions;
  readonly #waiting: Waiting[] = [];
  #sending: Promise<void> | undefined;
  #isClosed = false;
  /** Results that were dropped, because too many waited, or because no reader would accept them. */
  lost = 0;

  constructor(options: ResultsStreamOptions) {
    this.#options = options;
  }

  /** Results that are not on the servers yet. */
  get waiting(): number {
    return this.#waiting.length;
  }

  /**
   * Makes the stream if it does not exist.
   * @param servers how many servers there are
   * @throws UsageError if they refuse
   */
  async make(servers: number): Promise<void> {
    await makeStream(this.#options.client, {
      servers,
      name: STREAM,
      subjects: [RESULT_SUBJECTS],
      max_msg_size: RESULT_BYTES_MAX,
      max_age: MAX_AGE_NS,
      max_bytes: MAX_BYTES,
      discard: "old",
    });
  }

  /**
   * Appends a result, after those before it.
   * @returns whether it is stored; false if it never will be
   */
  append(message: ResultMessage): Promise<boolean> {
    return new Promise((onStored) => {
      try {
        const bytes = encodeResult(message);
        if (this.#waiting.length >= WAITING_MAX) throw new Error("too many wait");
        this.#waiting.push({ subject: resultSubjectOf(message), bytes, onStored });
        this.#sending ??= this.#send().finally(() => this.#sending = undefined);
      } catch (error) {
        this.lost++;
        this.#options.log("result_lost", { match: message.match, error: messageOf(error) });
        onStored(false);
      }
    });
  }

  /** @returns results after a sequence, the oldest first; undefined if no server answers */
  after(sequence: number, count: number): Promise<StreamMessage[] | undefined> {
    return readBatch(this.#options.client, STREAM, {
      batch: count,
      seq: sequence + 1,
      next_by_subj: RESULT_SUBJECTS,
    });
  }

  /** Identifies the stream: the name changes if it is made anew; undefined if no server answers. */
  async identity(): Promise<string | undefined> {
    const answer = await this.#options.client.request(
      `$JS.API.STREAM.INFO.${STREAM}`,
      "",
      INFO_MS_MAX,
    );
    return answer === undefined || answer.status !== 0 ? undefined : jsonOf(answer).created;
  }

  /** Resolves when nothing waits. */
  async idle(): Promise<void> {
    await this.#sending;
  }

  /** Gives up the results that still wait. */
  close(): void {
    this.#isClosed = true;
    for (const { onStored } of this.#waiting.splice(0)) onStored(false);
  }

  /** Sends one result after another, so that a match's end follows its rounds. */
  async #send(): Promise<void> {
    for (let next = this.#waiting[0]; next !== undefined; next = this.#waiting[0]) {
      const { subject, bytes, onStored } = next;
      const headers = expectedHeaders(0);
      const outcome = outcomeOf(await this.#request(subject, bytes, headers));
      if (this.#isClosed) break;
      if (typeof outcome === "object" || outcome === "conflict") {
        this.#waiting.shift();
        onStored(true);
      } else await this.#options.wait(AGAIN_MS);
    }
  }

  #request(subject: string, bytes: Uint8Array, headers: Readonly<Record<string, string>>) {
    return new Promise<Parameters<typeof outcomeOf>[0]>((resolve) =>
      this.#options.client.send(subject, bytes, {
        timeoutMs: APPEND_MS_MAX,
        headers,
        onAnswer: (answer) => resolve(answer),
      })
    );
  }
}
