/**
 * Requests to one of the servers' streams, and what their answers mean: to make it, to append to
 * it, and to read it.
 */
import { UsageError } from "../../../shared/flags.ts";
import type { Answer, NatsRequests } from "./nats_client.ts";

/** How many copies of each message there are, on as many servers. */
const REPLICAS = 3;
const READ_MS_MAX = 2_000;
/**
 * Making a stream takes tens of ms. Servers that have just started first elect a leader, and on a
 * busy machine the leader may still consider another server offline.
 */
const MAKE_MS_MAX = 20_000;
const MAKE_ANSWER_MS_MAX = 5_000;
/** The wait before asking for a stream again. */
const MAKE_AGAIN_MS = 250;

/**
 * Error codes for an expected sequence that is not the newest. The servers answer with the second
 * one while another record is under way.
 */
const CONFLICTS: ReadonlySet<number> = new Set([10_071, 10_164]);
/**
 * Too few servers have joined, or none of them is suitable, which may change if they have just
 * started.
 */
const INCOMPLETE: ReadonlySet<number> = new Set([10_004, 10_005]);
const NO_SERVER = 503;
const END_OF_BATCH = 204;

/**
 * How an append ended. "conflict": the expected sequence is not the newest. "no leader": a server
 * answered that nobody can store it now. "silence": nothing came back.
 */
export type AppendOutcome = { readonly sequence: number } | "conflict" | "no leader" | "silence";

/** A message as a stream stores it. */
export interface StreamMessage {
  readonly subject: string;
  /** Grows along the stream. */
  readonly sequence: number;
  readonly bytes: Uint8Array;
}

/** The fields of answers that are read here. */
interface ApiAnswer {
  readonly error?: {
    readonly code?: number;
    readonly err_code?: number;
    readonly description?: string;
  };
  readonly seq?: number;
  readonly message?: { readonly subject: string; readonly seq: number; readonly data?: string };
  readonly cluster?: { readonly leader?: string };
  readonly created?: string;
}

/**
 * Makes a stream if it does not exist. Servers that are not ready yet are asked again.
 * @param options.servers how many servers there are; fewer than three keep no copies
 * @throws UsageError if the servers refuse, or are not ready after 20 s
 */
export async function makeStream(
  client: NatsRequests,
  { servers, ...own }: { servers: number; name: string } & Readonly<Record<string, unknown>>,
): Promise<void> {
  const replicas = servers >= REPLICAS ? REPLICAS : 1;
  const { name } = own;
  const body = JSON.stringify({
    storage: "file",
    retention: "limits",
    allow_direct: true,
    max_msgs: -1,
    max_consumers: -1,
    ...own,
    num_replicas: replicas,
    duplicate_window: 100_000_000,
  });

  // Several times, because the servers may not have joined, or may not have a leader yet
  const endMs = performance.now() + MAKE_MS_MAX;
  let why = "no answer";
  while (performance.now() < endMs) {
    const answer = await client.request(`$JS.API.STREAM.CREATE.${name}`, body, MAKE_ANSWER_MS_MAX);
    const error = answer && makingErrorOf(answer);
    if (answer !== undefined && error === undefined) return;
    if (error !== undefined) {
      why = error.description ?? "refused";
      if (error.code !== NO_SERVER && !INCOMPLETE.has(error.err_code ?? 0)) break;
    }

    await new Promise((resolve) => setTimeout(resolve, MAKE_AGAIN_MS));
  }

  throw new UsageError(
    `--cluster: the log's stream ${name} cannot be made with ${replicas} replicas: ${why}`,
  );
}

/** @returns undefined if the stream exists now */
function makingErrorOf(answer: Answer): ApiAnswer["error"] {
  if (answer.status === 0) return jsonOf(answer).error;
  return { code: NO_SERVER, description: "JetStream is not enabled" };
}

/**
 * Reads several messages from any replica of a stream, which may lag behind.
 * @param body the request's body, as the servers document it
 * @returns undefined if no server answers
 */
export function readBatch(
  client: NatsRequests,
  stream: string,
  body: object,
): Promise<StreamMessage[] | undefined> {
  const messages: StreamMessage[] = [];
  return new Promise((resolve) =>
    client.send(`$JS.API.DIRECT.GET.${stream}`, JSON.stringify(body), {
      timeoutMs: READ_MS_MAX,
      onAnswer(answer) {
        if (answer === undefined || answer.status === NO_SERVER || answer.status === 408) {
          return resolve(undefined);
        }
        // Nothing there: 404 instead of a batch.
        if (answer.status === END_OF_BATCH || answer.status === 404) return resolve(messages);
        const sequence = Number(answer.header("Nats-Sequence"));
        messages.push({ subject: answer.header("Nats-Subject"), sequence, bytes: answer.bytes });
        return "more";
      },
    })
  );
}

/**
 * Makes an append's headers.
 * @param expected the sequence of the subject's newest message; 0 if it must not have any
 */
export function expectedHeaders(expected: number): Readonly<Record<string, string>> {
  return { "Nats-Expected-Last-Subject-Sequence": String(expected) };
}

export function outcomeOf(answer: Answer | undefined): AppendOutcome {
  if (answer === undefined) return "silence";
  if (answer.status === NO_SERVER) return "no leader";
  const sequence = sequenceIn(answer.bytes);
  if (sequence > 0) return { sequence };
  const { error } = jsonOf(answer);
  return CONFLICTS.has(error?.err_code ?? 0) ? "conflict" : "no leader";
}

export function isNoServer({ status }: Answer): boolean {
  return status === NO_SERVER;
}

export function jsonOf({ bytes }: Answer): ApiAnswer {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return { error: { description: "an answer that is no JSON" } };
  }
}

const SEQUENCE_KEY = new TextEncoder().encode('"seq":');

/**
 * Reads the number after `"seq":`; 0 if there is none. It runs twenty times a second for each
 * match, and parsing the JSON would take longer than everything else.
 * @param bytes {"stream":"WYVERN0","seq":123}
 */
function sequenceIn(bytes: Uint8Array): number {
  let at = bytes.indexOf(SEQUENCE_KEY[0]!);
  while (at >= 0 && !SEQUENCE_KEY.every((byte, i) => bytes[at + i] === byte)) {
    at = bytes.indexOf(SEQUENCE_KEY[0]!, at + 1);
  }
  if (at < 0) return 0;

  let sequence = 0;
  for (at += SEQUENCE_KEY.length; at < bytes.length && bytes[at] === 0x20;) at++;
  for (; bytes[at]! >= 0x30 && bytes[at]! <= 0x39; at++) {
    sequence = sequence * 10 + bytes[at]! - 0x30;
  }
  return sequence;
}
