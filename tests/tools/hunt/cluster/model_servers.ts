/**
 * A model of the log's servers in virtual time, for nodes in one process. It answers nodes'
 * requests as real servers do: `model_servers_test.ts` compares the two. Its faults are those that
 * a node can see: slow or lost answers, no leader, a cut connection, a replica that lags behind.
 *
 *     request → the way → taken or refused → the way → answer, one after another on each connection
 */
import { decodeLogMessage } from "../../../../server/match_log/nats/log_message.ts";
import type {
  Answer,
  NatsClient,
  NatsMessage,
  SentRequest,
} from "../../../../server/match_log/nats/nats_client.ts";
import { Random } from "../../../../shared/random.ts";
import type { VirtualTime } from "../../../support/virtual_time.ts";

/** One way between a node and a server, ms. */
const WAY_MS_MIN = 0.2;
const WAY_MS_MAX = 2;
/** How long it takes until a message is on two disks, ms. */
const TAKEN_MS_MIN = 1;
const TAKEN_MS_MAX = 6;
/** How far a replica may lag behind the leader, ms. */
const BEHIND_MS_MAX = 40;

const NO_MESSAGE = 10_037;
const WRONG_SEQUENCE = 10_071;
const EXPECTED = "Nats-Expected-Last-Subject-Sequence";

/** A message, as a stream stores it. */
export interface TakenMessage {
  readonly subject: string;
  readonly sequence: number;
  readonly bytes: Uint8Array;
  readonly atMs: number;
}

interface Stream {
  sequence: number;
  messages: TakenMessage[];
  /** Each subject's newest sequence. */
  readonly newest: Map<string, number>;
}

/**
 * What a node does when something reaches it. A paused node does it later, and a dead one never.
 */
export type Reach = (action: () => void) => void;

/** The public part of `NatsClient`. */
export type Line = Pick<NatsClient, keyof NatsClient>;

export class ModelServers {
  readonly #time: VirtualTime;
  readonly #random: Random;
  readonly #streams = new Map<string, Stream>();
  readonly channels = new Set<ModelChannel>();
  /** Until then the streams have no leader, ms. */
  noLeaderUntilMs = 0;
  /** Until when a disk is slow, and by how much at most, ms. */
  slow = { untilMs: 0, ms: 0 };
  /** Called for each stored message, in order. */
  readonly #onTaken: (message: TakenMessage) => void;

  constructor(
    { time, seed, onTaken = () => {} }: {
      time: VirtualTime;
      seed: number;
      onTaken?: (message: TakenMessage) => void;
    },
  ) {
    this.#time = time;
    this.#random = new Random(seed);
    this.#onTaken = onTaken;
  }

  /** Makes a new node's channel. */
  connect(reach: Reach): ModelChannel {
    const channel = new ModelChannel(this, { time: this.#time, reach });
    this.channels.add(channel);
    return channel;
  }

  wayMs(): number {
    return WAY_MS_MIN + (WAY_MS_MAX - WAY_MS_MIN) * this.#random.fraction();
  }

  /**
   * Handles what has arrived.
   * @param answer called with each answer, after the time that it takes, ms
   */
  handle({ subject, bytes, headers }: Arrived, answer: (answer: Answer, ms: number) => void): void {
    const expected = headers[EXPECTED];
    const [, stream] = subject.match(/^\$JS\.API\..*\.(\w+)$/) ?? [];
    const nobody = () => answer(answerOf({ status: 503 }), 0);
    if (subject.startsWith("match.")) return this.#append({ subject, bytes, expected }, answer);
    if (stream === undefined) return this.#pass({ subject, bytes, headers }, answer);
    const body = JSON.parse(new TextDecoder().decode(bytes) || "{}");
    if (subject.startsWith("$JS.API.DIRECT.GET.")) {
      return this.#read(this.#stream(stream), body, answer);
    }
    if (this.#time.now() < this.noLeaderUntilMs) return nobody();
    if (subject.startsWith("$JS.API.STREAM.MSG.GET.")) {
      return answer(this.#last(this.#stream(stream), body), 0);
    }
    if (subject.startsWith("$JS.API.STREAM.PURGE.")) {
      return answer(this.#purge(this.#stream(stream), body), 0);
    }
    nobody();
  }

  /** Delivers a message that is not in any stream. */
  publish(message: Arrived): void {
    for (const channel of this.channels) channel.hear(message);
  }

  #append(
    { subject, bytes, expected }: {
      subject: string;
      bytes: Uint8Array;
      expected: string | undefined;
    },
    answer: (answer: Answer, ms: number) => void,
  ): void {
    const nowMs = this.#time.now();
    const name = `WYVERN${subject.split(".")[1]}`;
    const stream = this.#stream(name);
    if (nowMs < this.noLeaderUntilMs) return answer(answerOf({ status: 503 }), 0);
    const newest = stream.newest.get(subject) ?? 0;

    if (expected !== undefined && Number(expected) !== newest) {
      const error = {
        code: 400,
        err_code: WRONG_SEQUENCE,
        description: `wrong last sequence: ${newest}`,
      };
      return answer(answerOf({ body: { error, stream: name, seq: 0 } }), 0);
    }

    const sequence = ++stream.sequence;
    const message = { subject, sequence, bytes, atMs: nowMs };
    stream.messages.push(message);
    stream.newest.set(subject, sequence);
    this.#onTaken(message);
    const slowMs = nowMs < this.slow.untilMs ? this.slow.ms * this.#random.fraction() : 0;
    const takenMs = TAKEN_MS_MIN + (TAKEN_MS_MAX - TAKEN_MS_MIN) * this.#random.fraction();
    answer(answerOf({ body: { stream: name, seq: sequence } }), takenMs + slowMs);
  }

  #last({ messages, newest }: Stream, { last_by_subj: subject }: { last_by_subj: string }): Answer {
    const found = messages.findLast(({ sequence }) => sequence === newest.get(subject));
    if (found === undefined) {
      return answerOf({
        body: { error: { code: 404, err_code: NO_MESSAGE, description: "no message found" } },
      });
    }
    const data = btoa(String.fromCharCode(...found.bytes));
    return answerOf({ body: { message: { subject, seq: found.sequence, data } } });
  }

  /** Answers as a replica, which may lag behind. */
  #read(
    { messages }: Stream,
    { batch, seq = 1, next_by_subj: subject, multi_last: filters }: {
      batch: number;
      seq?: number;
      next_by_subj?: string;
      multi_last?: readonly string[];
    },
    answer: (answer: Answer, ms: number) => void,
  ): void {
    const untilMs = this.#time.now() - BEHIND_MS_MAX * this.#random.fraction();
    let found = messages.filter(({ atMs }) => atMs <= untilMs);
    if (filters !== undefined) {
      found = [...new Map(found.map((message) => [message.subject, message])).values()];
      found.sort((a, b) => a.sequence - b.sequence);
    } else found = found.filter((each) => each.subject === subject && each.sequence >= seq);
    found = found.slice(0, batch);
    if (found.length === 0) return answer(answerOf({ status: 404 }), 0);

    for (const { subject, sequence, bytes } of found) {
      answer(
        answerOf({
          bytes,
          headers: { "Nats-Subject": subject, "Nats-Sequence": String(sequence) },
        }),
        0,
      );
    }

    answer(answerOf({ status: 204 }), 0);
  }

  #purge(stream: Stream, { filter, seq }: { filter: string; seq: number }): Answer {
    stream.messages = stream.messages.filter(({ subject, sequence }) =>
      subject !== filter || sequence >= seq
    );
    if ((stream.newest.get(filter) ?? 0) < seq) stream.newest.delete(filter);
    return answerOf({ body: { success: true } });
  }

  /** Passes a request to the node that answers it. */
  #pass(message: Arrived, answer: (answer: Answer, ms: number) => void): void {
    for (const channel of this.channels) {
      if (!channel.answers(message.subject)) continue;
      return channel.ask(message, (text, headers) => {
        answer(answerOf({ bytes: new TextEncoder().encode(text), headers }), 0);
      });
    }
    answer(answerOf({ status: 503 }), 0);
  }

  #stream(name: string): Stream {
    let stream = this.#streams.get(name);
    if (stream === undefined) {
      this.#streams.set(name, stream = { sequence: 0, messages: [], newest: new Map() });
    }
    return stream;
  }
}

type OnMessage = (message: NatsMessage) => void;

/** By name. */
type Headers = Readonly<Record<string, string>>;

/** A message that has arrived at the servers. */
interface Arrived {
  readonly subject: string;
  readonly bytes: Uint8Array;
  readonly headers: Headers;
}

/** A node's newest append to a match's log. */
interface Append {
  readonly nonce: bigint;
  /** When it was first sent, ms. */
  readonly sentMs: number;
  /** Whether the node does not know its outcome. */
  isOpen: boolean;
  /** Whether the servers refused it, so that the node asks for the newest record. */
  isRefused: boolean;
  /** When the newest append with an outcome known to the node was sent, ms. */
  knownSentMs: number;
}

/** A node's channel to the servers. */
export class ModelChannel implements Line {
  readonly #servers: ModelServers;
  readonly #time: VirtualTime;
  readonly #reach: Reach;
  readonly #subscribers: { readonly subject: string; readonly onMessage: OnMessage }[] = [];
  /** What is sent later arrives later. */
  #lastThereMs = 0;
  #lastHereMs = 0;
  /** Until then nothing passes, and the node notices. */
  cutUntilMs = 0;
  /** Until then requests arrive, and their answers are lost. */
  deafUntilMs = 0;
  /** Whether its node is dead. What was sent before still arrives. */
  isOver = false;
  /**
   * By `appendKey`, because a node may write the end of one match and the beginning of the room's
   * next one at the same time.
   */
  readonly appends = new Map<string, Append>();
  /** When a server last answered that there is no leader, ms. */
  noLeaderMs = -Infinity;

  constructor(servers: ModelServers, { time, reach }: { time: VirtualTime; reach: Reach }) {
    this.#servers = servers;
    this.#time = time;
    this.#reach = reach;
  }

  get isConnected(): boolean {
    return this.#time.now() >= this.cutUntilMs;
  }

  send(
    subject: string,
    body: Uint8Array | string,
    { timeoutMs, headers = {}, onAnswer }: SentRequest,
  ): void {
    let isOpen = true;
    const append = subject.startsWith("match.")
      ? this.#noteAppend(subject, body as Uint8Array)
      : undefined;
    const onTimeout = () => {
      if (isOpen) onAnswer(undefined);
      isOpen = false;
    };
    let cancel = this.#time.after(timeoutMs, () => this.#reach(onTimeout));
    this.#go(body, (bytes) => {
      this.#servers.handle({ subject, bytes, headers }, (answer, ms) => {
        this.#come(ms, () => {
          if (!isOpen) return;
          this.#noteAnswer(answer, { subject, append });
          const verdict = onAnswer(answer);
          if (verdict === "ignored") return;
          cancel();
          isOpen = verdict === "more";
          if (isOpen) cancel = this.#time.after(timeoutMs, () => this.#reach(onTimeout));
        });
      });
    });
  }

  request(
    subject: string,
    body: Uint8Array | string,
    timeoutMs: number,
  ): Promise<Answer | undefined> {
    return new Promise((resolve) =>
      this.send(subject, body, { timeoutMs, onAnswer: (answer) => resolve(answer) })
    );
  }

  publish(subject: string, body: Uint8Array | string, headers: Headers = {}): void {
    this.#go(body, (bytes) => this.#servers.publish({ subject, bytes, headers }));
  }

  subscribe(subject: string, onMessage: OnMessage): void {
    this.#subscribers.push({ subject, onMessage });
  }

  // deno-lint-ignore require-await -- as the real one
  async close(): Promise<void> {
    this.#servers.channels.delete(this);
  }

  /** Whether its node answers requests on this subject. */
  answers(subject: string): boolean {
    return this.#subscribers.some((each) => each.subject === subject);
  }

  /** Delivers a message to its node. */
  hear(message: Arrived): void {
    const { subject } = message;
    for (const { subject: wanted, onMessage } of this.#subscribers) {
      if (wanted !== subject && wanted !== `${subject.split(".")[0]}.*`) continue;
      this.#come(0, () => onMessage(heardOf(message, () => {})));
    }
  }

  /** The same for a message that its node answers. */
  ask(message: Arrived, onAnswer: NatsMessage["respond"]): void {
    const { onMessage } = this.#subscribers.find(({ subject }) => subject === message.subject)!;
    const respond: NatsMessage["respond"] = (text, headers) => {
      if (this.isConnected) this.#time.after(this.#servers.wayMs(), () => onAnswer(text, headers));
    };
    this.#come(0, () => onMessage(heardOf(message, respond)));
  }

  #noteAppend(subject: string, bytes: Uint8Array): Append {
    const { nonce, epoch } = decodeLogMessage(bytes);
    const key = appendKey(subject, epoch);
    const nowMs = this.#time.now();
    const before = this.appends.get(key);
    if (before?.nonce === nonce) return before;
    const knownSentMs = before?.knownSentMs ?? nowMs;
    const append = { nonce, sentMs: nowMs, isOpen: true, isRefused: false, knownSentMs };
    this.appends.set(key, append);
    return append;
  }

  /**
   * Notes that the node knows a record to be on the servers, either from its acknowledgement, or
   * because the servers refused it and it is the newest one.
   */
  #noteAnswer(
    { status, bytes }: Answer,
    { subject, append }: { subject: string; append: Append | undefined },
  ): void {
    if (status === 503) this.noLeaderMs = this.#time.now();
    if (status !== 0 || bytes.length === 0) return;
    if (append !== undefined) {
      const { error } = JSON.parse(new TextDecoder().decode(bytes));
      if (error === undefined) this.#noteTaken(append);
      else append.isRefused = true;
      return;
    }
    if (!subject.includes(".MSG.GET.")) return;
    const { message } = JSON.parse(new TextDecoder().decode(bytes));
    if (message === undefined) return;
    const { nonce, epoch } = decodeLogMessage(Uint8Array.fromBase64(message.data));
    const newest = this.appends.get(appendKey(message.subject, epoch));
    if (newest?.isRefused && newest.nonce === nonce) this.#noteTaken(newest);
  }

  #noteTaken(append: Append): void {
    append.isOpen = false;
    append.knownSentMs = Math.max(append.knownSentMs, append.sentMs);
  }

  #go(body: Uint8Array | string, arrive: (bytes: Uint8Array) => void): void {
    if (!this.isConnected || this.isOver) return;
    const bytes = typeof body === "string" ? new TextEncoder().encode(body) : body.slice();
    const nowMs = this.#time.now();
    this.#lastThereMs = Math.max(this.#lastThereMs, nowMs + this.#servers.wayMs());
    this.#time.after(this.#lastThereMs - nowMs, () => this.isConnected && arrive(bytes));
  }

  #come(ms: number, action: () => void): void {
    const nowMs = this.#time.now();
    if (!this.isConnected || nowMs < this.deafUntilMs) return;
    // An answer that a disk delays does not delay others.
    const dueMs = nowMs + ms + this.#servers.wayMs();
    const atMs = ms > 0 ? dueMs : this.#lastHereMs = Math.max(this.#lastHereMs, dueMs);
    this.#time.after(atMs - nowMs, () => this.isConnected && this.#reach(action));
  }
}

/** A message, as a node hears it. */
function heardOf(
  { subject, bytes, headers }: Arrived,
  respond: NatsMessage["respond"],
): NatsMessage {
  return { subject, bytes, header: (name) => headers[name] ?? "", respond };
}

/** Names the log of one owner's period. @param subject the match's */
export function appendKey(subject: string, epoch: number): string {
  return `${subject} ${epoch}`;
}

function answerOf(
  { status = 0, bytes, body, headers = {} }: {
    status?: number;
    bytes?: Uint8Array;
    body?: object;
    headers?: Readonly<Record<string, string>>;
  },
): Answer {
  const text = body === undefined
    ? new Uint8Array()
    : new TextEncoder().encode(JSON.stringify(body));
  return { status, bytes: bytes ?? text, header: (name) => headers[name] ?? "" };
}
