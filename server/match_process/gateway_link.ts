/**
 * A match process's end of the pipe to its gateway. Messages and log lines wait in one bounded
 * queue, so that a gateway that reads too slowly costs messages but never a tick.
 */
import { PipeBus } from "../bus/pipe_bus.ts";
import type { Log } from "../ground/log.ts";
import { LogWriter } from "../ground/log_writer.ts";

/** How long the last messages may take, ms. */
const CLOSE_MS = 500;

export interface GatewayLinkOptions {
  /** Standard input. */
  readonly input: ReadableStream<Uint8Array>;
  /** Writes some of the bytes to standard output. @returns how many */
  readonly write: (bytes: Uint8Array) => Promise<number>;
  /** How many messages may wait. */
  readonly waitingMax: number;
  readonly wait: (ms: number) => Promise<void>;
}

export class GatewayLink {
  readonly bus: PipeBus;
  readonly writer: LogWriter;
  readonly #input: ReadableStream<Uint8Array>;

  constructor({ input, write, waitingMax, wait }: GatewayLinkOptions) {
    this.#input = input;
    this.writer = new LogWriter({
      write,
      linesMax: waitingMax,
      wait,
      // The gateway writes the time and the level.
      time: () => "",
      format: (event, fields = {}) => `1 publish log ${JSON.stringify({ event, fields })}`,
    });
    this.bus = new PipeBus({
      write: (line) => this.writer.print(line),
      onOther: () => this.refuse(""),
      onTooLong: (type, characters) => this.log("message_left_out", { type, characters }),
      wait,
    });
  }

  get log(): Log {
    return this.writer.log;
  }

  /** Notes that a message has another form than it should have. */
  readonly refuse = (subject: string): void => {
    this.log("message_refused", { ...subject !== "" && { subject } });
  };

  /** Takes what the gateway says. @returns when the gateway has ended */
  async read(): Promise<void> {
    await this.bus.read(this.#input);
  }

  /** Resolves when the last message has left, or after a while. */
  async close(): Promise<void> {
    await this.writer.close(CLOSE_MS);
  }
}
