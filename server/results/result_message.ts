/**
 * The results that several machines share, as messages in one stream. Each result has a subject of
 * its own, and a subject takes one message, so a result that two nodes report is stored once.
 *
 *     result.<match>.<round>      a round is over
 *     result.<match>.end          the match is over, and its log is archived under its hash
 *     result.<match>.rules        which rules have played it
 *
 * A stranger who reaches the servers can write there, so readers check every field.
 */
import * as z from "zod";
import { PLAYER_SEATS, SEATS } from "../../shared/netcode/game.ts";
import { LOG_ID } from "../match_log/file_logs.ts";

/** Matches every result's subject. */
export const RESULT_SUBJECTS = "result.>";
/** The longest message, bytes: a round with 32 seats takes 6 kB. */
export const RESULT_BYTES_MAX = 16_384;
/**
 * The version in each message, which grows when its meaning changes. A program skips messages of
 * versions that it does not know, so what is new is a message of its own: earlier programs skip
 * nothing but that.
 */
const VERSIONS: Readonly<Record<ResultMessage["kind"], number>> = { round: 2, end: 2, rules: 3 };
/** Large enough for a year of ticks at 60 Hz, and for all round numbers. */
const COUNT_MAX = 2 ** 31 - 1;
/** s since 1970, until the year 3000. */
const SECONDS_MAX = 32_503_680_000;

const COUNT = z.int().min(0).max(COUNT_MAX);
const SECONDS = z.int().min(0).max(SECONDS_MAX);
const OF_MATCH = {
  // Version 1 has the same meaning, without teams and players.
  v: z.union([z.literal(1), z.literal(2), z.literal(3)]),
  match: z.string().regex(LOG_ID),
  game: z.string().regex(/^[\w-]{1,64}$/),
  room: z.string().regex(/^[A-Z]{4}$/),
  at: SECONDS,
};
/** Without invisible characters. A player's name takes 24 characters, and perhaps a number. */
const NAME = z.string().regex(/^\P{C}{0,64}$/u);
const SCORE = z.strictObject({
  seat: z.int().min(0).max(SEATS - 1),
  name: NAME,
  score: z.int(),
  team: z.string().regex(/^\w{1,32}$/).optional(),
  player: z.strictObject({ account: z.string().regex(/^[0-9a-f]{32}$/), name: NAME }).optional(),
});

const ROUND = z.strictObject({
  ...OF_MATCH,
  kind: z.literal("round"),
  round: z.strictObject({
    round: COUNT,
    tick: COUNT,
    scores: z.array(SCORE).max(SEATS).readonly(),
  }),
});

const END = z.strictObject({
  ...OF_MATCH,
  kind: z.literal("end"),
  reason: z.string().regex(/^[\w -]{1,32}$/),
  /** The match's entry in lists, and its archived log; null if the log could not be read. */
  log: z.strictObject({
    startedAt: SECONDS,
    ticks: COUNT,
    /** How many seats players had. */
    players: z.int().min(0).max(PLAYER_SEATS),
    /** The archived log's SHA-256; null if there is none. */
    hash: z.string().regex(/^[0-9a-f]{64}$/).nullable(),
  }).nullable(),
});

const RULES = z.strictObject({
  ...OF_MATCH,
  kind: z.literal("rules"),
  gameId: z.string().regex(/^\P{C}{1,64}$/u),
});

const MESSAGE = z.discriminatedUnion("kind", [ROUND, END, RULES]);

type Sent<Message> = Readonly<Omit<Message, "v">>;

export type SharedRound = Sent<z.output<typeof ROUND>>;
export type SharedEnd = Sent<z.output<typeof END>>;
export type SharedRules = Sent<z.output<typeof RULES>>;
export type ResultMessage = SharedRound | SharedEnd | SharedRules;

/** Reports a message that is not a valid result. */
export class ResultMessageError extends Error {
  override readonly name = "ResultMessageError";
}

/** A result's subject, which no other result shares. */
export function resultSubjectOf(message: ResultMessage): string {
  const { match, kind } = message;
  return `result.${match}.${kind === "round" ? message.round.round : kind}`;
}

/** @throws ResultMessageError for a result that readers would refuse */
export function encodeResult(message: ResultMessage): Uint8Array<ArrayBuffer> {
  const bytes = new TextEncoder().encode(JSON.stringify({ v: VERSIONS[message.kind], ...message }));
  decodeResult(resultSubjectOf(message), bytes);
  return bytes;
}

/** @throws ResultMessageError for bytes that are not a result, or belong to another subject */
export function decodeResult(subject: string, bytes: Uint8Array): ResultMessage {
  if (bytes.length > RESULT_BYTES_MAX) {
    throw new ResultMessageError(`a result of ${bytes.length} bytes`);
  }
  const { success, data, error } = MESSAGE.safeParse(jsonOf(bytes));
  if (!success) {
    const [issue] = error.issues;
    throw new ResultMessageError(
      `a result that is none: ${issue?.path.join(".") || "it"}: ${issue?.message}`,
    );
  }
  const { v: _, ...message } = data;
  if (resultSubjectOf(message) !== subject) {
    throw new ResultMessageError("a result under the subject of another one");
  }
  return message;
}

function jsonOf(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    return undefined;
  }
}
