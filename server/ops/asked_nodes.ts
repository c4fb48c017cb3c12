/**
 * What operators see of a node and do to it, asked over the bus. Each node that runs matches answers
 * on its own subject, and whoever has an operators' port asks all nodes.
 */
import * as z from "zod";
import type { Bans } from "../bans/bans.ts";
import type { Bus } from "../bus/bus.ts";
import { TRANSPORTS } from "../match/clients/peer.ts";
import type { RoomDetails } from "../match/client_details.ts";
import { messageFrom, ROOM_NAME } from "../messages/message_parts.ts";
import { familiesFrom, plainFamilies } from "../metrics/merged_metrics.ts";
import type { Family } from "../metrics/metric_text.ts";
import type { Rooms } from "../rooms/rooms.ts";
import { kick } from "./kick.ts";
import { type Cordon, isMeant, type MeantLinks } from "./meant.ts";

/** How long an answer may take, ms. A slower process is too busy. */
const ANSWER_MS_MAX = 2_000;
/** How long a node may take to hand its matches over, ms. */
const HAND_OVER_MS_MAX = 60_000;
/** The longest answer, bytes: what operators see of 2,000 clients takes about 400 kB. */
const ANSWER_BYTES_MAX = 1 << 22;
/** No setting allows more rooms and clients in one process. */
const ROOMS_MAX = 10_000;
const CLIENTS_MAX = 65_000;
const FAMILIES_MAX = 1_000;

const name = z.string().max(64);
const text = z.string().max(2_048);
const count = z.int().min(0);
const number = z.number();

const QUESTION = z.discriminatedUnion("what", [
  z.object({ what: z.literal("details") }),
  z.object({ what: z.literal("metrics") }),
  z.object({
    what: z.literal("closeLinks"),
    link: count.optional(),
    addressBlock: name.optional(),
    code: z.int(),
    reason: text,
  }),
  z.object({ what: z.literal("cordon"), isCordoned: z.boolean(), handsOver: z.boolean() }),
  z.object({ what: z.literal("kick"), link: count, reason: text }),
  z.object({ what: z.literal("closeRoom"), game: name, room: ROOM_NAME, reason: text }),
  z.object({ what: z.literal("announce"), text }),
]);
type Question = z.output<typeof QUESTION>;
type What = Question["what"];

const ANSWERS = {
  details: z.array(z.object({
    game: name,
    room: ROOM_NAME,
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
  })).max(FAMILIES_MAX),
  closeLinks: count,
  cordon: count,
  kick: count,
  closeRoom: z.boolean(),
  announce: count,
} as const satisfies Record<What, z.ZodType>;

type AnswerTo<W extends What> = z.output<typeof ANSWERS[W]>;

/** The subject on which a node is asked. */
export function opsSubject(node: string): string {
  return `ops.${node}`;
}

export interface AnsweringNode {
  readonly node: string;
  readonly rooms: Pick<
    Rooms<unknown>,
    "details" | "byGame" | "closeLinks" | "closeRoom" | "announce"
  >;
  readonly bans: Pick<Bans, "bar">;
  readonly families: () => Iterable<Family>;
  /**
   * Closes it to newcomers or opens it again, and hands its matches over if that is asked.
   * @returns how many matches other nodes have taken
   */
  readonly cordon: (asked: Cordon) => number | Promise<number>;
}

/** Answers operators' questions about this process. A question of another form gets no answer. */
export function answerOperators(bus: Pick<Bus, "subscribe">, asked: AnsweringNode): void {
  bus.subscribe(opsSubject(asked.node), async (bytes) => {
    const question = messageFrom(QUESTION, bytes);
    return question === undefined ? "" : JSON.stringify(await answerTo(question, asked));
  });
}

function answerTo(question: Question, { rooms, bans, families, cordon }: AnsweringNode): unknown {
  switch (question.what) {
    case "details":
      return rooms.details().map((room) => ({
        ...room,
        clients: room.clients.map((each) => ({ ...each })),
      }));
    case "metrics":
      return plainFamilies(families());
    case "closeLinks": {
      const { code, reason } = question;
      return rooms.closeLinks((peer) => isMeant(peer, question), code, reason);
    }
    case "cordon":
      return cordon(question);
    case "kick":
      return kick(question, { rooms, bans, reason: question.reason });
    case "closeRoom":
      return rooms.closeRoom(question.game, question.room, question.reason);
    case "announce":
      return rooms.announce(question.text);
  }
}

/** Asks nodes for operators. A node that is away, too busy, or answers nonsense says undefined. */
export class AskedNodes {
  readonly #bus: Pick<Bus, "request">;

  constructor(bus: Pick<Bus, "request">) {
    this.#bus = bus;
  }

  async details(node: string): Promise<RoomDetails[]> {
    const rooms = await this.#ask(node, { what: "details" }) ?? [];
    return rooms.map(({ clients, ...room }) => ({
      ...room,
      clients: clients.map((each) => ({
        ...each,
        transport: each.transport,
        seat: each.seat,
        slackMs: each.slackMs ?? NaN,
      })),
    }));
  }

  async families(node: string): Promise<Family[]> {
    return familiesFrom(await this.#ask(node, { what: "metrics" }) ?? []);
  }

  /** @returns how many links it has closed */
  async closeLinks(
    node: string,
    { link, addressBlock, code, reason }:
      & Pick<MeantLinks, "link" | "addressBlock">
      & { code: number; reason: string },
  ): Promise<number> {
    return await this.#ask(node, { what: "closeLinks", link, addressBlock, code, reason }) ?? 0;
  }

  /** @returns how many of its matches others have taken; undefined if it does not answer */
  async cordon(node: string, { isCordoned, handsOver }: Cordon): Promise<number | undefined> {
    return await this.#ask(node, { what: "cordon", isCordoned, handsOver });
  }

  /** @returns how many links it has closed */
  async kick(node: string, { link, reason }: { link: number; reason: string }): Promise<number> {
    return await this.#ask(node, { what: "kick", link, reason }) ?? 0;
  }

  /** @returns whether the room was there */
  async closeRoom(
    node: string,
    { game, room, reason }: { game: string; room: string; reason: string },
  ): Promise<boolean> {
    return await this.#ask(node, { what: "closeRoom", game, room, reason }) ?? false;
  }

  /** @returns how many clients read it */
  async announce(node: string, sentence: string): Promise<number> {
    return await this.#ask(node, { what: "announce", text: sentence }) ?? 0;
  }

  async #ask<W extends What>(
    node: string,
    question: Question & { readonly what: W },
  ): Promise<AnswerTo<W> | undefined> {
    const answer = await this.#bus.request(
      opsSubject(node),
      JSON.stringify(question),
      question.what === "cordon" ? HAND_OVER_MS_MAX : ANSWER_MS_MAX,
    );
    const bytes = new TextEncoder().encode(answer ?? "");
    return messageFrom(ANSWERS[question.what], bytes, { bytesMax: ANSWER_BYTES_MAX }) as
      | AnswerTo<W>
      | undefined;
  }
}
