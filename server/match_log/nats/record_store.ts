/**
 * The logs of all matches on the servers: JetStream streams with one subject for each match. The
 * servers take a record only with the sequence of the record before it, so only the match's owner
 * can append.
 *
 *     stream WYVERN0 … 7, subject match.<stream>.<game>.<room>
 *
 * A match belongs to a stream by its name, so the end of one stream's leader stops a part of the
 * matches.
 */
import { decodeLogMessage, type LogMessage, LogMessageError } from "./log_message.ts";
import type { Answer, NatsRequests } from "./nats_client.ts";
import {
  type AppendOutcome,
  expectedHeaders,
  isNoServer,
  jsonOf,
  makeStream,
  outcomeOf,
  readBatch,
} from "./stream_requests.ts";

/** Streams, of which each has a leader of its own. */
const STREAMS = 8;
/** A record is gone after this time, ns: no match waits longer for its players. */
const MAX_AGE_NS = 2 * 3600 * 1e9;
/** A fuse for the servers' disks, bytes of each stream: new records are refused, old ones stay. */
const MAX_BYTES = 4 * 1024 ** 3;
/**
 * A record that is not answered in this time, ms, is doubtful. A server's election takes seconds
 * anyway.
 */
const APPEND_MS_MAX = 300;
const PURGE_MS_MAX = 2_000;
/** Records in one answer to a read. */
const BATCH = 512;
/** Matches of one stream. All nodes together have no more. */
const MATCHES_MAX = 10_000;
/**
 * Answers to one read: as many records as a stream has matches, or a match has records since its
 * newest state.
 */
const BATCHES_MAX = 64;

/**
 * Messages of a whole match that are read at most: two hours of twenty ticks a second, and as many
 * again, because early commands may have messages of their own.
 */
const WHOLE_MESSAGES_MAX = 300_000;

const NO_MESSAGE = 10_037;

/** A record as the servers have it. */
export interface StoredMessage {
  readonly subject: string;
  /** Grows along the stream, also from one match's record to the next. */
  readonly sequence: number;
  readonly message: LogMessage;
}

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
  for (const character of `${game} ${room}`) {
    sum = (Math.imul(sum, 31) + character.codePointAt(0)!) >>> 0;
  }
  return `match.${sum % STREAMS}.${game}.${room}`;
}

/** The match of a subject. */
export function matchOfSubject(
  subject: string,
): { readonly gameId: string; readonly room: string } {
  const [, , game = "", room = ""] = subject.split(".");
  return { gameId: decodeURIComponent(game), room };
}

/** The stream of a subject. */
function streamOf(subject: string): string {
  return `WYVERN${subject.split(".")[1]}`;
}

export class RecordStore implements Appender {
  readonly #channel: NatsRequests;

  constructor(client: NatsRequests) {
    this.#channel = client;
  }

  /**
   * Makes the streams that are not there.
   * @param servers how many there are; with fewer than three there are no copies
   * @throws UsageError if the servers refuse
   */
  async makeStreams(servers: number): Promise<void> {
    await Promise.all(Array.from({ length: STREAMS }, (_, i) =>
      makeStream(this.#channel, {
        servers,
        name: `WYVERN${i}`,
        subjects: [`match.${i}.>`],
        max_age: MAX_AGE_NS,
        max_bytes: MAX_BYTES,
        discard: "new",
      })));
  }

  append(
    { subject, bytes, expected }: NewRecord,
    onOutcome: (outcome: AppendOutcome) => void,
  ): void {
    this.#channel.send(subject, bytes, {
      timeoutMs: APPEND_MS_MAX,
      headers: expectedHeaders(expected),
      onAnswer: (answer) => onOutcome(outcomeOf(answer)),
    });
  }

  last(subject: string, onOutcome: (outcome: LastOutcome) => void): void {
    this.#channel.send(
      `$JS.API.STREAM.MSG.GET.${streamOf(subject)}`,
      JSON.stringify({ last_by_subj: subject }),
      {
        timeoutMs: APPEND_MS_MAX,
        onAnswer: (answer) => onOutcome(lastOf(answer)),
      },
    );
  }

  /** The same as a promise. */
  lastOnce(subject: string): Promise<LastOutcome> {
    return new Promise((resolve) => this.last(subject, resolve));
  }

  appendOnce(record: NewRecord): Promise<AppendOutcome> {
    return new Promise((resolve) => this.append(record, resolve));
  }

  /**
   * Every record of a match from a sequence on.
   * @returns "gone" if the first ones were removed, as those of a match that is over are; undefined
   *   if no server answers, or some are missing: a replica may be behind
   */
  async readFrom(
    subject: string,
    { from, to }: { from: number; to: number },
  ): Promise<StoredMessage[] | "gone" | undefined> {
    const messages: StoredMessage[] = [];
    for (let batches = 0; batches < BATCHES_MAX; batches++) {
      const seq = (messages.at(-1)?.sequence ?? from - 1) + 1;
      const part = await this.#read(streamOf(subject), {
        batch: BATCH,
        seq,
        next_by_subj: subject,
      });
      if (part === undefined) return undefined;
      messages.push(...part.filter(({ sequence }) => sequence <= to));

      if (messages.at(-1)?.sequence === to) {
        if (messages[0]!.sequence > from) return "gone";
        return isChain(messages, from) ? messages : undefined;
      }
      if (part.length === 0) return undefined;
    }
    return undefined;
  }

  /**
   * All that the servers have of the newest match of a subject, up to a sequence.
   * @param bytesMax how long its records may be together
   * @returns empty if there is nothing; undefined if no server answers, or if some are missing: a
   *   replica may be behind
   */
  async readMatch(
    subject: string,
    { to, messagesMax = WHOLE_MESSAGES_MAX, bytesMax }: {
      to: number;
      messagesMax?: number;
      bytesMax: number;
    },
  ): Promise<StoredMessage[] | "too long" | undefined> {
    let messages: StoredMessage[] = [];
    let bytes = 0;

    for (let seq = 1; seq <= to;) {
      const part = await this.#read(streamOf(subject), {
        batch: BATCH,
        seq,
        next_by_subj: subject,
      });
      if (part === undefined) return undefined;

      for (const each of part.filter(({ sequence }) => sequence <= to)) {
        // A claim begins a match: what came before is an earlier one, which is not removed yet.
        if (each.message.kind === "claim") [messages, bytes] = [[], 0];
        messages.push(each);
        bytes += each.message.records.length;
      }

      if (bytes > bytesMax || messages.length > messagesMax) return "too long";
      if (part.length === 0) break;
      seq = part.at(-1)!.sequence + 1;
    }

    // Whole, up to the record that was asked for
    const [first] = messages;
    const last = messages.at(-1);
    if (first === undefined || last === undefined) return [];
    return last.sequence === to && isChain(messages, first.sequence) ? messages : undefined;
  }

  /**
   * The newest record of every match. A replica may be behind: a node that takes a match over on
   * its word is refused.
   * @returns also whether every stream has answered
   */
  async lastOfAll(): Promise<{ readonly messages: StoredMessage[]; readonly isWhole: boolean }> {
    const parts = await Promise.all(Array.from({ length: STREAMS }, (_, stream) => {
      return this.#read(`WYVERN${stream}`, {
        multi_last: [`match.${stream}.>`],
        batch: MATCHES_MAX,
      });
    }));
    return { messages: parts.flatMap((part) => part ?? []), isWhole: !parts.includes(undefined) };
  }

  /** Removes the records of a match that is over. To do it again is harmless. */
  async purge(subject: string, upTo: number): Promise<void> {
    const body = JSON.stringify({ filter: subject, seq: upTo + 1 });
    await this.#channel.request(`$JS.API.STREAM.PURGE.${streamOf(subject)}`, body, PURGE_MS_MAX);
  }

  /**
   * The name of the server that leads a match's stream; undefined if there is none now. For tests
   * and operators.
   */
  async leaderOf(subject: string): Promise<string | undefined> {
    const answer = await this.#channel.request(
      `$JS.API.STREAM.INFO.${streamOf(subject)}`,
      "",
      APPEND_MS_MAX,
    );
    return answer === undefined || answer.status !== 0 ? undefined : jsonOf(answer).cluster?.leader;
  }

  async #read(stream: string, body: object): Promise<StoredMessage[] | undefined> {
    const messages = await readBatch(this.#channel, stream, body);
    return messages?.flatMap(({ bytes, ...place }) => {
      const message = decoded(bytes);
      return message === undefined ? [] : [{ ...place, message }];
    });
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

function lastOf(answer: Answer | undefined): LastOutcome {
  if (answer === undefined) return "silence";
  if (isNoServer(answer)) return "no leader";
  const { error, message } = jsonOf(answer);
  if (error !== undefined || message === undefined) {
    return error?.err_code === NO_MESSAGE ? "none" : "no leader";
  }
  const read = decoded(
    Uint8Array.from(atob(message.data ?? ""), (character) => character.charCodeAt(0)),
  );
  return read === undefined
    ? "no leader"
    : { subject: message.subject, sequence: message.seq, message: read };
}
