/**
 * The logs of all matches on the servers: JetStream streams with one subject for each match. A record is taken only with
 * the sequence of the record before it, so whoever can append is the match's owner.
 *
 *     stream WYVERN0 … 7, subject match.<stream>.<game>.<room>
 *
 * A match belongs to a stream by its name, so the end of one stream's leader stops a part of the matches.
 */
import { UsageError } from "../../../shared/flags.ts";
import { decodeLogMessage, type LogMessage, LogMessageError } from "./log_message.ts";
import type { Answer, NatsLine } from "./nats_line.ts";

/** Streams, of which each has a leader of its own. */
const STREAMS = 8;
/** A record is gone after this time, ns: no match waits longer for its players. */
const MAX_AGE_NS = 2 * 3600 * 1e9;
/** A fuse for the servers' disks, bytes of each stream: new records are refused, old ones stay. */
const MAX_BYTES = 4 * 1024 ** 3;
/** Copies of each record, on as many servers. */
const REPLICAS = 3;
/** A record that is not answered in this time, ms, is doubtful. A server's election takes seconds anyway. */
const APPEND_MS_MAX = 300;
const READ_MS_MAX = 2_000;
/** A stream is made in tens of ms; right after the servers' start they elect a leader first. */
const MAKE_MS_MAX = 5_000;
const MAKE_TRIES = 4;
/** Records in one answer to a read. */
const BATCH = 512;
/** Matches of one stream. All nodes together have no more. */
const MATCHES_MAX = 10_000;
/** Answers to one read: as many records as a stream has matches, or a match has records since its newest state. */
const BATCHES_MAX = 64;

/** The sequence that was expected is not the newest one. Which of the two depends on whether the other is under way. */
const CONFLICTS: ReadonlySet<number> = new Set([10_071, 10_164]);
const NO_MESSAGE = 10_037;
const NO_SERVER = 503;
const END_OF_BATCH = 204;

/** A record as the servers have it. */
export interface StoredMessage {
  readonly subject: string;
  /** Grows along the stream, also from one match's record to the next. */
  readonly sequence: number;
  readonly message: LogMessage;
}

/**
 * The end of an append. "conflict": the expected sequence is not the newest. "no leader": a server has answered that
 * nobody can take it now. "silence": nothing came back.
 */
export type AppendOutcome = { readonly sequence: number } | "conflict" | "no leader" | "silence";

/** "none": the match has no record. */
export type LastOutcome = StoredMessage | "none" | "no leader" | "silence";

export interface NewRecord {
  readonly subject: string;
  readonly bytes: Uint8Array;
  /** The sequence of the match's newest record; 0 if it must have none. */
  readonly expected: number;
}

/** The part of the store that one match's log needs. */
export interface Appender {
  append(record: NewRecord, onOutcome: (outcome: AppendOutcome) => void): void;
  /** The newest record of a match, from the stream's leader: never an old one. */
  last(subject: string, onOutcome: (outcome: LastOutcome) => void): void;
}

/** The subject of a match. @param gameId `Game.id` @param room four letters */
export function subjectOf(gameId: string, room: string): string {
  const game = encodeURIComponent(gameId).replaceAll(".", "%2E").replaceAll("*", "%2A");
  let sum = 0;
  for (const character of `${game} ${room}`) sum = (Math.imul(sum, 31) + character.codePointAt(0)!) >>> 0;
  return `match.${sum % STREAMS}.${game}.${room}`;
}

/** The match of a subject. */
export function matchOfSubject(subject: string): { readonly gameId: string; readonly room: string } {
  const [, , game = "", room = ""] = subject.split(".");
  return { gameId: decodeURIComponent(game), room };
}

/** The stream of a subject. */
function streamOf(subject: string): string {
  return `WYVERN${subject.split(".")[1]}`;
}

export class RecordStore implements Appender {
  readonly #line: NatsLine;

  constructor(line: NatsLine) {
    this.#line = line;
  }

  /**
   * Makes the streams that are not there.
   * @param servers how many there are; with fewer than three there are no copies
   * @throws UsageError if the servers refuse
   */
  async makeStreams(servers: number): Promise<void> {
    const replicas = servers >= REPLICAS ? REPLICAS : 1;
    await Promise.all(Array.from({ length: STREAMS }, (_, i) => this.#makeStream(i, replicas)));
  }

  append({ subject, bytes, expected }: NewRecord, onOutcome: (outcome: AppendOutcome) => void): void {
    this.#line.send(subject, bytes, {
      timeoutMs: APPEND_MS_MAX,
      headers: { "Nats-Expected-Last-Subject-Sequence": String(expected) },
      onAnswer: (answer) => onOutcome(outcomeOf(answer)),
    });
  }

  last(subject: string, onOutcome: (outcome: LastOutcome) => void): void {
    this.#line.send(`$JS.API.STREAM.MSG.GET.${streamOf(subject)}`, JSON.stringify({ last_by_subj: subject }), {
      timeoutMs: APPEND_MS_MAX,
      onAnswer: (answer) => onOutcome(lastOf(answer)),
    });
  }

  /** The same as a promise, for those who ask once. */
  lastOnce(subject: string): Promise<LastOutcome> {
    return new Promise((resolve) => this.last(subject, resolve));
  }

  appendOnce(record: NewRecord): Promise<AppendOutcome> {
    return new Promise((resolve) => this.append(record, resolve));
  }

  /**
   * Every record of a match from a sequence on.
   * @returns undefined if no server answers, or some are missing
   */
  async readFrom(subject: string, { from, to }: { from: number; to: number }): Promise<StoredMessage[] | undefined> {
    const messages: StoredMessage[] = [];
    for (let batches = 0; batches < BATCHES_MAX; batches++) {
      const seq = (messages.at(-1)?.sequence ?? from - 1) + 1;
      const part = await this.#read(streamOf(subject), { batch: BATCH, seq, next_by_subj: subject });
      if (part === undefined) return undefined;
      messages.push(...part.filter(({ sequence }) => sequence <= to));
      if (messages.at(-1)?.sequence === to) return isChain(messages, from) ? messages : undefined;
      if (part.length === 0) return undefined;
    }
    return undefined;
  }

  /**
   * The newest record of every match. A replica may be behind: a node that takes a match over on its word is refused.
   * @returns also whether every stream has answered
   */
  async lastOfAll(): Promise<{ readonly messages: StoredMessage[]; readonly isWhole: boolean }> {
    const parts = await Promise.all(Array.from({ length: STREAMS }, (_, stream) => {
      return this.#read(`WYVERN${stream}`, { multi_last: [`match.${stream}.>`], batch: MATCHES_MAX });
    }));
    return { messages: parts.flatMap((part) => part ?? []), isWhole: !parts.includes(undefined) };
  }

  /** Removes the records of a match that is over. It may be asked for again. */
  async purge(subject: string, upTo: number): Promise<void> {
    const body = JSON.stringify({ filter: subject, seq: upTo + 1 });
    await this.#line.request(`$JS.API.STREAM.PURGE.${streamOf(subject)}`, body, READ_MS_MAX);
  }

  /** The name of the server that leads a match's stream; undefined if there is none now. For tests and operators. */
  async leaderOf(subject: string): Promise<string | undefined> {
    const answer = await this.#line.request(`$JS.API.STREAM.INFO.${streamOf(subject)}`, "", APPEND_MS_MAX);
    return answer === undefined || answer.status !== 0 ? undefined : jsonOf(answer).cluster?.leader;
  }

  #read(stream: string, body: object): Promise<StoredMessage[] | undefined> {
    const messages: StoredMessage[] = [];
    return new Promise((resolve) =>
      this.#line.send(`$JS.API.DIRECT.GET.${stream}`, JSON.stringify(body), {
        timeoutMs: READ_MS_MAX,
        onAnswer(answer) {
          if (answer === undefined || answer.status === NO_SERVER || answer.status === 408) return resolve(undefined);
          // Nothing there: 404 instead of a batch.
          if (answer.status === END_OF_BATCH || answer.status === 404) return resolve(messages);
          const message = decoded(answer.bytes), sequence = Number(answer.header("Nats-Sequence"));
          if (message !== undefined) messages.push({ subject: answer.header("Nats-Subject"), sequence, message });
          return true;
        },
      })
    );
  }

  async #makeStream(stream: number, replicas: number): Promise<void> {
    const name = `WYVERN${stream}`,
      config = {
        ...{ name, subjects: [`match.${stream}.>`], num_replicas: replicas, storage: "file", retention: "limits" },
        ...{ max_age: MAX_AGE_NS, max_bytes: MAX_BYTES, discard: "new", allow_direct: true, max_msgs: -1 },
        ...{ max_consumers: -1, duplicate_window: 100_000_000 },
      };
    let why = "no answer";
    for (let tries = 0; tries < MAKE_TRIES; tries++) {
      const answer = await this.#line.request(`$JS.API.STREAM.CREATE.${name}`, JSON.stringify(config), MAKE_MS_MAX);
      if (answer === undefined) continue;
      const { error } = answer.status === 0 ? jsonOf(answer) : { error: { description: "JetStream is not enabled" } };
      if (error === undefined) return;
      why = error.description ?? "refused";
    }
    throw new UsageError(`--cluster: the log's stream ${name} cannot be made with ${replicas} replicas: ${why}`);
  }
}

/** Whether each record says that it follows the one before it. */
function isChain(messages: readonly StoredMessage[], from: number): boolean {
  return messages[0]!.sequence === from &&
    messages.every(({ message }, i) => i === 0 || message.previous === messages[i - 1]!.sequence);
}

function decoded(bytes: Uint8Array): LogMessage | undefined {
  try {
    return decodeLogMessage(bytes);
  } catch (error) {
    if (error instanceof LogMessageError) return undefined;
    throw error;
  }
}

/** The fields of answers that are read here. */
interface ApiAnswer {
  readonly error?: { readonly err_code?: number; readonly description?: string };
  readonly seq?: number;
  readonly message?: { readonly subject: string; readonly seq: number; readonly data?: string };
  readonly cluster?: { readonly leader?: string };
}

function jsonOf({ bytes }: Answer): ApiAnswer {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return { error: { description: "an answer that is no JSON" } };
  }
}

const SEQUENCE_KEY = new TextEncoder().encode('"seq":');

function outcomeOf(answer: Answer | undefined): AppendOutcome {
  if (answer === undefined) return "silence";
  if (answer.status === NO_SERVER) return "no leader";
  const sequence = sequenceIn(answer.bytes);
  if (sequence > 0) return { sequence };
  const { error } = jsonOf(answer);
  return CONFLICTS.has(error?.err_code ?? 0) ? "conflict" : "no leader";
}

/**
 * The number after `"seq":`, 0 if there is none. Twenty times a second for each match, JSON would take longer than the
 * rest. @param bytes {"stream":"WYVERN0","seq":123}
 */
function sequenceIn(bytes: Uint8Array): number {
  let at = bytes.indexOf(SEQUENCE_KEY[0]!), sequence = 0;
  while (at >= 0 && !SEQUENCE_KEY.every((byte, i) => bytes[at + i] === byte)) {
    at = bytes.indexOf(SEQUENCE_KEY[0]!, at + 1);
  }
  if (at < 0) return 0;
  for (at += SEQUENCE_KEY.length; at < bytes.length && bytes[at] === 0x20;) at++;
  for (; bytes[at]! >= 0x30 && bytes[at]! <= 0x39; at++) sequence = sequence * 10 + bytes[at]! - 0x30;
  return sequence;
}

function lastOf(answer: Answer | undefined): LastOutcome {
  if (answer === undefined) return "silence";
  if (answer.status === NO_SERVER) return "no leader";
  const { error, message } = jsonOf(answer);
  if (error !== undefined || message === undefined) return error?.err_code === NO_MESSAGE ? "none" : "no leader";
  const read = decoded(Uint8Array.from(atob(message.data ?? ""), (character) => character.charCodeAt(0)));
  return read === undefined ? "no leader" : { subject: message.subject, sequence: message.seq, message: read };
}
