/**
 * The bus between two processes of a machine, by the pipes between them: standard input and output
 * of the one that was started. A pipe has no address, so no other user of the machine reaches it,
 * and it ends with the process at its other end. Each message is one line:
 *
 *     1 publish SUBJECT TEXT
 *     1 request NUMBER SUBJECT TEXT
 *     1 answer NUMBER TEXT
 *
 * The first word is the version. A line of another form is none of the bus's: a game may print.
 */
import type { Bus } from "./bus.ts";
import { linesOf } from "../ground/lines.ts";

const VERSION = 1;
/**
 * The longest line, bytes: what operators see of 2,000 clients takes about 400 kB, and the codes of
 * 10,000 rooms 100 kB.
 */
export const LINE_BYTES_MAX = 1 << 22;
/**
 * How many requests may be open. Each is for a ticket or an operator, and more of them would only
 * wait longer.
 */
const REQUESTS_MAX = 1_024;

const LINE = /^1 (?:(publish)|(request) (\d{1,15})|(answer) (\d{1,15}))(?: ([\w.-]{1,96}))? (.*)$/s;

export interface PipeBusOptions {
  /** Writes a line, without its end. It may drop the line, but never waits. */
  readonly write: (line: string) => void;
  /** Called for each line that the other end has written. */
  readonly onHeard?: (() => void) | undefined;
  /** Called for a line that is no message. */
  readonly onOther: (line: string) => void;
  /** Called for a message that is too long to be sent. */
  readonly onTooLong: (subject: string, characters: number) => void;
  readonly wait: (ms: number) => Promise<void>;
}

export class PipeBus implements Bus {
  readonly #options: PipeBusOptions;
  readonly #listeners = new Map<string, (bytes: Uint8Array) => Promise<string> | void>();
  /** By number: what takes the answer. */
  readonly #open = new Map<number, (answer: string | undefined) => void>();
  #next = 1;
  #isOver = false;

  constructor(options: PipeBusOptions) {
    this.#options = options;
  }

  get isConnected(): boolean {
    return !this.#isOver;
  }

  /** The other end is the only one that can write, so it is believed. */
  readonly isInDoubt = false;

  publish(subject: string, text: string): void {
    this.#write(subject, `publish ${subject} ${text}`);
  }

  subscribe(subject: string, onMessage: (bytes: Uint8Array) => Promise<string> | void): void {
    this.#listeners.set(subject, onMessage);
  }

  async request(subject: string, text: string, timeoutMs: number): Promise<string | undefined> {
    if (this.#isOver || this.#open.size >= REQUESTS_MAX) return undefined;
    const id = this.#next++;
    const answered = Promise.withResolvers<string | undefined>();
    this.#open.set(id, answered.resolve);
    this.#write(subject, `request ${id} ${subject} ${text}`);

    const answer = await Promise.race([answered.promise, this.#options.wait(timeoutMs)]);
    this.#open.delete(id);
    return answer ?? undefined;
  }

  /**
   * Takes what the other end writes, until it ends.
   * @throws RangeError for a line that is too long
   */
  async read(stream: ReadableStream<Uint8Array>): Promise<void> {
    try {
      for await (const line of linesOf(stream, LINE_BYTES_MAX)) this.#take(line);
    } finally {
      this.#isOver = true;
      for (const resolve of this.#open.values()) resolve(undefined);
      this.#open.clear();
    }
  }

  #take(line: string): void {
    this.#options.onHeard?.();
    const [, publish, request, requestId, answer, answerId, subject, text = ""] = LINE.exec(line) ??
      [];
    if (answer !== undefined) {
      // An answer has no subject, so a first word of its text is none either.
      const whole = subject === undefined ? text : `${subject} ${text}`;
      return this.#open.get(Number(answerId))?.(whole);
    }

    const listener = subject === undefined ? undefined : this.#listenerOf(subject);
    if (listener === undefined || (publish ?? request) === undefined) {
      return this.#options.onOther(line);
    }
    const answering = listener(new TextEncoder().encode(text));
    if (request === undefined) return void answering;
    void answering?.then((result) => this.#write(subject!, `answer ${requestId} ${result}`));
  }

  #listenerOf(subject: string) {
    return this.#listeners.get(subject) ??
      this.#listeners.get(`${subject.slice(0, subject.lastIndexOf(".") + 1)}*`);
  }

  /** A message that is too long is left out, because the other end would end this process for it. */
  #write(subject: string, rest: string): void {
    const line = `${VERSION} ${rest}`;
    // A character takes at most three bytes.
    if (
      3 * line.length > LINE_BYTES_MAX && new TextEncoder().encode(line).length > LINE_BYTES_MAX
    ) {
      return this.#options.onTooLong(subject, line.length);
    }
    this.#options.write(line);
  }
}
