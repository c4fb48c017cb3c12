/**
 * A match process's end of the pipe to the front process. Messages and log lines wait in one
 * bounded queue, so that a front process that reads too slowly costs messages but never a tick.
 */
import type { Log } from "../../log.ts";
import { LogWriter } from "../../log_writer.ts";
import { linesOf } from "../lines.ts";
import { type FromWorker, MESSAGE_BYTES_MAX, type ToWorker, toWorker } from "../messages.ts";

/** How long the last messages may take, ms. */
const CLOSE_MS = 500;

export interface FrontLinkOptions {
  /** Standard input. */
  readonly input: ReadableStream<Uint8Array>;
  /** Writes some of the bytes to standard output. @returns how many */
  readonly write: (bytes: Uint8Array) => Promise<number>;
  /** How many messages may wait. */
  readonly waitingMax: number;
  readonly wait: (ms: number) => Promise<void>;
}

export class FrontLink {
  readonly #messages: AsyncIterator<string>;
  readonly writer: LogWriter;

  constructor({ input, write, waitingMax, wait }: FrontLinkOptions) {
    this.#messages = linesOf(input, MESSAGE_BYTES_MAX);
    this.writer = new LogWriter({
      write,
      linesMax: waitingMax,
      wait,
      // The front process writes the time and the level.
      time: () => "",
      format: (event, fields = {}) =>
        JSON.stringify({ type: "log", event, fields } satisfies FromWorker),
    });
  }

  get log(): Log {
    return this.writer.log;
  }

  /**
   * Sends a message. A message that is too long is left out, because the front process would end
   * this process for it.
   */
  send(message: FromWorker): void {
    const text = JSON.stringify(message);
    // A character takes at most three bytes.
    if (
      3 * text.length <= MESSAGE_BYTES_MAX ||
      new TextEncoder().encode(text).length <= MESSAGE_BYTES_MAX
    ) {
      return this.writer.print(text);
    }
    this.log("message_left_out", { type: message.type, characters: text.length });
  }

  /** @returns the next message; undefined when the front process has ended */
  async next(): Promise<ToWorker | undefined> {
    for (;;) {
      const { value, done } = await this.#messages.next();
      if (done) return undefined;
      const message = toWorker(value);
      if (message !== undefined) return message;
      this.log("message_refused", {});
    }
  }

  /** Resolves when the last message has left, or after a while. */
  async close(): Promise<void> {
    await this.writer.close(CLOSE_MS);
  }
}
