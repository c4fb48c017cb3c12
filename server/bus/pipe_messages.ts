/**
 * What a gateway and a match process of its machine say to each other beside what all nodes say:
 * the bodies of the messages on the pipe between them, by subject. Both ends check each one.
 *
 *     match process                      gateway
 *     hello                 →
 *                           ←            start: settings, keys
 *     beat, ready           →
 *     beat, codes, round …  ⇄            enter, places, ops; ban, stop …
 */
import * as z from "zod";
import { BAN, BAN_LIST } from "../bans/ban_message.ts";
import { messageFrom, NODE_NAME, ROOM_NAME as code } from "../messages/message_parts.ts";
import { FAULT, FAULTS_MAX } from "../supervision/faults.ts";
import { LINE_BYTES_MAX } from "./pipe_bus.ts";

/** No setting allows more rooms in one process. */
const ROOMS_MAX = 10_000;
/** How many matches a process may have begun earlier. */
const LOGS_MAX = 20_000;
const SEATS_MAX = 64;

const name = z.string().max(64);
const text = z.string().max(2_048);
const count = z.int().min(0);
const addressBlock = z.string().max(64);
const number = z.number();
const origin = z.string().max(256);

const LOG_VALUE = z.union([z.string(), number, z.boolean(), z.null()]);

/** What a match process says to its gateway. */
const TO_GATEWAY = {
  hello: z.object({}),
  /** Its port is open, and so are the matches of its logs. */
  ready: z.object({ matches: z.array(name).max(LOGS_MAX) }),
  /** It cannot start, because the settings are wrong; the message is for the operator. */
  failed: z.object({ message: text }),
  /** The rooms that it has now, private ones among them, and what became of tickets. */
  codes: z.object({
    /** By game name. */
    games: z.record(name, z.array(code).max(ROOMS_MAX)),
    /** Tickets used since the last message, by the customer behind the address. */
    redeemed: z.record(addressBlock, count),
  }),
  round: z.object({
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
  }),
  matchOver: z.object({ id: name, reason: text }),
  log: z.object({ event: name, fields: z.record(name, LOG_VALUE) }),
} as const satisfies Record<string, z.ZodType>;

/** What a gateway says to its match processes. */
const TO_PROCESS = {
  start: z.object({
    /** 1 … N. */
    worker: z.int().min(1),
    /** The process's name among all nodes. */
    node: NODE_NAME,
    /** As `parseSettings` returns them, with this process's port and folder. */
    settings: z.record(z.string(), z.unknown()),
    /** The key behind the process's tickets, in base64. */
    ticketKey: z.base64(),
    /** The secret behind its rooms' seeds. */
    roomSecret: z.string(),
    /** What it needs to be a node beside those of other machines; missing without `--cluster`. */
    cluster: z.object({
      /** Where players reach this process. */
      url: origin,
      /** Where its players get tickets. */
      gateway: origin,
      /** Keys for messages to other nodes, by purpose. */
      keys: z.record(z.string(), z.string()),
    }).optional(),
    tls: z.object({ cert: z.string(), key: z.string() }).optional(),
    /** The page's port: pages from that origin may open sockets here. */
    pagePort: z.int(),
    bans: BAN_LIST,
    /** Matches that made the previous process hang. */
    faults: z.array(FAULT).max(FAULTS_MAX),
    keptBytesMax: number,
  }),
  /** The news of the list of bans that all processes share. */
  ban: BAN,
  stop: z.object({}),
} as const satisfies Record<string, z.ZodType>;

export type Start = z.output<typeof TO_PROCESS.start>;
type ToGateway = {
  readonly [Subject in keyof typeof TO_GATEWAY]: z.output<typeof TO_GATEWAY[Subject]>;
};
type ToProcess = {
  readonly [Subject in keyof typeof TO_PROCESS]: z.output<typeof TO_PROCESS[Subject]>;
};

export type ProcessCodes = ToGateway["codes"];

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

/** What a gateway asks its match processes: the question's form, and the answer's. */
const ASKED = {
  enter: { question: ENTRY, answer: z.object({ code: z.int(), reason: text }).nullable() },
  places: { question: z.object({ addressBlock }), answer: PLACES },
} as const;

type Asked = typeof ASKED;
type Question<What extends keyof Asked> = z.output<Asked[What]["question"]>;
type AnswerTo<What extends keyof Asked> = z.output<Asked[What]["answer"]>;

/** A bus that carries these messages. */
interface Sender {
  publish(subject: string, text: string): void;
}
interface Listener {
  subscribe(subject: string, onMessage: (bytes: Uint8Array) => Promise<string> | void): void;
}
interface Asker {
  request(subject: string, text: string, timeoutMs: number): Promise<string | undefined>;
}

/** Sends a message to the gateway. */
export function tellGateway<Subject extends keyof ToGateway>(
  bus: Sender,
  subject: Subject,
  body: ToGateway[Subject],
): void {
  bus.publish(subject, JSON.stringify(body));
}

/** Sends a message to a match process. */
export function tellProcess<Subject extends keyof ToProcess>(
  bus: Sender,
  subject: Subject,
  body: ToProcess[Subject],
): void {
  bus.publish(subject, JSON.stringify(body));
}

/** Takes a match process's messages. A body of another form is left out, and reported. */
export function hearProcess<Subject extends keyof ToGateway>(
  bus: Listener,
  subject: Subject,
  { take, refuse }: { take: (body: ToGateway[Subject]) => void; refuse: (subject: string) => void },
): void {
  bus.subscribe(subject, (bytes) => {
    const body = bodyOf(TO_GATEWAY[subject], bytes) as ToGateway[Subject] | undefined;
    if (body === undefined) refuse(subject);
    else take(body);
  });
}

/** Takes the gateway's messages, as `hearProcess` does those of a match process. */
export function hearGateway<Subject extends keyof ToProcess>(
  bus: Listener,
  subject: Subject,
  { take, refuse }: { take: (body: ToProcess[Subject]) => void; refuse: (subject: string) => void },
): void {
  bus.subscribe(subject, (bytes) => {
    const body = bodyOf(TO_PROCESS[subject], bytes) as ToProcess[Subject] | undefined;
    if (body === undefined) refuse(subject);
    else take(body);
  });
}

/** Asks a match process. @returns undefined if it is away, too busy, or answers nonsense */
export async function askProcess<What extends keyof Asked>(
  bus: Asker,
  what: What,
  { question, timeoutMs }: { question: Question<What>; timeoutMs: number },
): Promise<AnswerTo<What> | undefined> {
  const answer = await bus.request(what, JSON.stringify(question), timeoutMs);
  if (answer === undefined) return undefined;
  return bodyOf(ASKED[what].answer, new TextEncoder().encode(answer)) as AnswerTo<What> | undefined;
}

/** Answers the gateway. */
export function answerGateway<What extends keyof Asked>(
  bus: Listener,
  what: What,
  {
    answer,
    refuse,
  }: {
    answer: (question: Question<What>) => AnswerTo<What> | Promise<AnswerTo<What>>;
    refuse: (subject: string) => void;
  },
): void {
  bus.subscribe(what, async (bytes) => {
    const question = bodyOf(ASKED[what].question, bytes) as Question<What> | undefined;
    if (question === undefined) refuse(what);
    return question === undefined ? "" : JSON.stringify(await answer(question));
  });
}

function bodyOf<Schema extends z.ZodType>(
  schema: Schema,
  bytes: Uint8Array,
): z.output<Schema> | undefined {
  return messageFrom(schema, bytes, { bytesMax: LINE_BYTES_MAX });
}
