/**
 * The logs of all matches on the servers: JetStream streams with one subject for each match. The
 * servers take a record only if it names the previous record's sequence, so only the match's owner
 * can append.
 *
 *     stream WYVERN0 … 7, subject match.<stream>.<game>.<room>
 *
 * A match's name decides its stream, so if one stream's leader fails, only a part of the matches
 * stops.
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

/** The streams, each with its own leader. */
const STREAMS = 8;
/** How long a record is kept, ns. No match waits longer for its players. */
const MAX_AGE_NS = 2 * 3600 * 1e9;
/**
 * Limits each stream, bytes, to protect the servers' disks: beyond it new records are refused, and
 * old ones stay.
 */
const MAX_BYTES = 4 * 1024 ** 3;
/**
 * A record not answered within this time, ms, is doubtful. Electing a server takes seconds anyway.
 */
const APPEND_MS_MAX = 300;
const PURGE_MS_MAX = 2_000;
/** How many records one answer to a read holds. */
const BATCH = 512;
/** How many matches a stream may hold. All nodes together run no more. */
const MATCHES_MAX = 10_000;
/**
 * How many answers a read may take: enough for as many records as a stream has matches, or a match
 * has records since its newest state.
 */
const BATCHES_MAX = 64;

/**
 * How many messages of a whole match are read at most: two hours at twenty ticks a second, doubled
 * because early commands may take messages of their own.
 */
const WHOLE_MESSAGES_MAX = 300_000;

const NO_MESSAGE = 10_037;

/** A record as the servers store it. */
export interface StoredMessage {
  readonly subject: string;
  /** Grows along the stream, and so from one match's record to its next. */
  readonly sequence: number;
  readonly message: LogMessage;
}

/** "none": the match has no record. */
export type LastOutcome = StoredMessage | "none" | "no leader" | "silence";

export interface NewRecord {
  readonly subject: string;
  readonly bytes: Uint8Array;
  /** The sequence of the match's newest record; 0 if it must not have any. */
  readonly expected: number;
}

/** What one match's log needs of the store. */
export interface Appender {
  append(record: NewRecord, onOutcome: (outcome: AppendOutcome) => void): void;
  /** Reads a match's newest record from the stream's leader, so it is never outdated. */
  last(subject: string, onOutcome: (outcome: LastOutcome) => void): void;
}

/** Makes a match's subject. @param gameId `Game.id` @param room four letters */
export function subjectOf(gameId: string, room: string): string {
  const game = encodeURIComponent(gameId).replaceAll(".", "%2E").replaceAll("*", "%2A");
  let sum = 0;
  for (const character of `${game} ${room}`) {
    sum = (Math.imul(sum, 31) + character.codePointAt(0)!) >>> 0;
  }
  return `match.${sum % STREAMS}.${game}.${room}`;
}

/** Reads the match from a subject. */
export function matchOfSubject(
  subject: string,
): { readonly gameId: string; readonly room: string } {
  const [, , game = "", room = ""] = subject.split(".");
  return { gameId: decodeURIComponent(game), room };
}

/** Names a subject's stream. */
function streamOf(subject: string): string {
  return `WYVERN${subject.split(".")[1]}`;
}

export class RecordStore implements Appender {
  readonly #channel: NatsRequests;

  constructor(client: NatsRequests) {
    this.#channel = client;
  }

  /**
   * Makes the streams that do not exist yet.
   * @param servers how many servers there are; fewer than three keep no copies
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
   * Reads every record of a match from a sequence on.
   * @returns "gone" if the first ones were removed, as happens after a match is over; undefined if
   * no server answers, or if some are missing because a replica lags behind
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
   * Reads all that the servers hold of a subject's newest match, up to a sequence.
   * @param bytesMax how long its records may be together
   * @returns empty if there is nothing; undefined if no server answers, or if some records are
   * missing because a replica lags behind
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
        // A claim begins a match. What came before belongs to an earlier match that is not removed
        // yet.
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
   * Reads the newest record of every match. A replica may lag behind: if a node takes a match over
   * based on that, it is refused.
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

  /** Removes a finished match's records. Repeating it is harmless. */
  async purge(subject: string, upTo: number): Promise<void> {
    const body = JSON.stringify({ filter: subject, seq: upTo + 1 });
    await this.#channel.request(`$JS.API.STREAM.PURGE.${streamOf(subject)}`, body, PURGE_MS_MAX);
  }

  /**
   * Names the server that leads a match's stream; undefined if there is no leader now. For tests
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

/** Whether each record names the one before it. */
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
