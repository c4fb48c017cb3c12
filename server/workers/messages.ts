/**
 * The messages between the front process and a match process. Each is one line of JSON on a pipe
 * between these two alone: the match process's standard input and output. Both ends check each
 * message and ignore all other lines.
 *
 *     match process                      front process
 *     hello                 →
 *                           ←            start: settings, secret, time
 *     report, ready         →
 *     report, round, log …  ⇄            ask, ban, stop …
 *     answer                →
 */
import * as z from "zod";
import { DATAGRAM_OFFER, ROOM_LISTING, ROOM_NAME as code } from "../messages/message_parts.ts";
import { FAULT, FAULTS_MAX } from "../supervision/faults.ts";
import { TRANSPORTS } from "../match/clients/peer.ts";

/**
 * The longest line, bytes: what operators see of 2,000 clients takes about 400 kB, and a list of
 * 10,000 rooms 1.5 MB.
 */
export const MESSAGE_BYTES_MAX = 1 << 22;

/** No setting allows more rooms in one process. */
const ROOMS_MAX = 10_000;
/** No setting allows more clients in one process. */
const CLIENTS_MAX = 65_000;
/** How many matches a process may have begun earlier. */
const LOGS_MAX = 20_000;
const SEATS_MAX = 64;

const name = z.string().max(64);
const text = z.string().max(2_048);
const count = z.int().min(0);
const addressBlock = z.string().max(64);
const number = z.number();

/** A match process reports itself several times a second. */
const REPORT = z.object({
  type: z.literal("report"),
  /** As `/healthz` and `/readyz` report them. */
  ok: z.boolean(),
  tickShare: number,
  accepts: z.boolean(),
  rooms: count,
  clients: count,
  ticks: count,
  /** Why it takes no players; empty if it takes them. */
  reason: text,
  tickLoad: number,
  sockets: count,
  /** Matches that could not go on. */
  setAside: count,
  /** Its UDP port; missing if it has none. */
  datagrams: DATAGRAM_OFFER.optional(),
  /** By game name: the codes of all rooms, and what lists show of some. */
  games: z.record(
    name,
    z.object({ codes: z.array(code).max(ROOMS_MAX), list: z.array(ROOM_LISTING).max(ROOMS_MAX) }),
  ),
  /** Tickets used since the last report, by the customer behind the address. */
  redeemed: z.record(addressBlock, count),
});

const ROUND = z.object({
  type: z.literal("round"),
  match: z.object({ id: name, room: code, game: name }),
  round: z.object({
    round: z.int(),
    tick: z.int(),
    scores: z.array(z.object({
      seat: z.int(),
      name: text,
      score: number,
      team: text.optional(),
      player: z.object({ account: text, name: text }).optional(),
    })).max(SEATS_MAX),
  }),
});

const LOG_VALUE = z.union([z.string(), number, z.boolean(), z.null()]);

const FROM_WORKER = z.discriminatedUnion("type", [
  z.object({ type: z.literal("hello") }),
  /** Its port is open, and so are the matches of its logs. */
  z.object({ type: z.literal("ready"), matches: z.array(name).max(LOGS_MAX) }),
  /** It cannot start, because the settings are wrong; the message is for the operator. */
  z.object({ type: z.literal("failed"), message: text }),
  REPORT,
  ROUND,
  z.object({ type: z.literal("matchOver"), id: name, reason: text }),
  z.object({ type: z.literal("answer"), id: count, value: z.unknown() }),
  z.object({ type: z.literal("log"), event: name, fields: z.record(name, LOG_VALUE) }),
]);
export type FromWorker = z.output<typeof FROM_WORKER>;
export type WorkerReport = z.output<typeof REPORT>;

/** An IPv6 address belongs to three networks. */
const byNetwork = z.array(count).max(3).readonly();
const PLACES = z.object({
  rooms: count,
  seats: count,
  watchers: count,
  networkRooms: byNetwork,
  networkClients: byNetwork,
});

/** A client's request, with the ticket that it would get. */
const ENTRY = z.object({
  request: z.object({
    protocolVersion: z.int(),
    gameId: text,
    room: code,
    spectate: z.boolean(),
    resume: z.string().optional(),
  }),
  addressBlock,
  ticket: z.object({
    gameId: text,
    room: code,
    role: z.enum(["player", "watcher", "operator"]),
    name: text,
    protocolVersion: z.int(),
    identity: text.optional(),
    account: text.optional(),
    seat: z.int().optional(),
    key: text.optional(),
    opensRoom: z.boolean().optional(),
  }),
  /** Its address's places in the other processes. */
  elsewhere: PLACES,
});
export type Entry = z.output<typeof ENTRY>;

const ASK = z.discriminatedUnion("what", [
  z.object({ what: z.literal("refusal"), entry: ENTRY }),
  z.object({ what: z.literal("places"), addressBlock }),
  z.object({ what: z.literal("details") }),
  z.object({ what: z.literal("metrics") }),
  z.object({
    what: z.literal("closeLinks"),
    link: count.optional(),
    addressBlock: addressBlock.optional(),
    code: z.int(),
    reason: text,
  }),
  z.object({ what: z.literal("closeRoom"), game: name, room: code, reason: text }),
  z.object({ what: z.literal("announce"), text }),
]);
export type Ask = z.output<typeof ASK>;

const BAN = z.object({ addressBlock, seconds: number });

const START = z.object({
  type: z.literal("start"),
  /** 1 … N. */
  worker: z.int().min(1),
  /** As `parseSettings` returns them, with this process's port and folder. */
  settings: z.record(z.string(), z.unknown()),
  /** The secret behind the process's tickets. */
  ticketSecret: z.string(),
  /** The secret behind its rooms' seeds. */
  roomSecret: z.string(),
  tls: z.object({ cert: z.string(), key: z.string() }).optional(),
  /** The page's port: pages from that origin may open sockets here. */
  pagePort: z.int(),
  /** Milliseconds since 1970, by the clock that issues tickets. */
  nowMs: number,
  bans: z.array(BAN),
  /** Matches that made the previous process hang. */
  faults: z.array(FAULT).max(FAULTS_MAX),
  keptBytesMax: number,
});
export type Start = z.output<typeof START>;

const TO_WORKER = z.discriminatedUnion("type", [
  START,
  z.object({ type: z.literal("ask"), id: count, ask: ASK }),
  z.object({ type: z.literal("ban"), ban: BAN }),
  z.object({ type: z.literal("unban"), addressBlock }),
  z.object({ type: z.literal("stop") }),
]);
export type ToWorker = z.output<typeof TO_WORKER>;

/** The answers' schemas, by question. */
export const ANSWERS = {
  refusal: z.object({ code: z.int(), reason: text }).nullable(),
  places: PLACES,
  details: z.array(z.object({
    game: name,
    room: code,
    isPrivate: z.boolean(),
    tick: z.int(),
    reservedSeats: count,
    clients: z.array(z.object({
      link: count,
      address: name,
      transport: z.enum(TRANSPORTS).optional(),
      seat: z.int().optional(),
      name: text,
      slackMs: number.nullable(),
      unsentBytes: number,
    })).max(CLIENTS_MAX),
  })).max(ROOMS_MAX),
  metrics: z.array(z.object({
    name: z.string().regex(/^\w{1,100}$/),
    type: z.enum(["counter", "gauge", "histogram"]),
    help: text,
    samples: z.array(z.object({
      suffix: z.string().regex(/^\w{0,32}$/).optional(),
      labels: z.record(z.string().regex(/^\w{1,32}$/), z.union([z.string(), number])).optional(),
      value: number.nullable(),
    })).max(ROOMS_MAX),
  })).max(1_000),
  closeLinks: count,
  closeRoom: z.boolean(),
  announce: count,
} as const satisfies Record<Ask["what"], z.ZodType>;

export type AnswerTo<What extends Ask["what"]> = z.output<typeof ANSWERS[What]>;

/** @returns undefined for a line that is not a message from a match process */
export function fromWorker(line: string): FromWorker | undefined {
  return messageOf(line, FROM_WORKER);
}

/** @returns undefined for a line that is not a message from the front process */
export function toWorker(line: string): ToWorker | undefined {
  return messageOf(line, TO_WORKER);
}

function messageOf<Message>(line: string, schema: z.ZodType<Message>): Message | undefined {
  try {
    return schema.safeParse(JSON.parse(line)).data;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
