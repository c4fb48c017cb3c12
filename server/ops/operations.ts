/**
 * What operators can do, by name, with arguments as text from a form or from JSON. Each action
 * leaves a line in the log.
 */
import * as z from "zod";
import { CloseCode, NOTICE_BYTES_MAX, ROOM_CODE } from "../../shared/netcode/wire/messages.ts";
import { BAN_SECONDS_MAX, type Bans, KICK_SECONDS } from "../bans/bans.ts";
import { addressBlockOf } from "../addresses/client_address.ts";
import type { Eventually } from "../http/answers.ts";
import type { Log } from "../ground/log.ts";
import { NODE_NAME } from "../messages/message_parts.ts";
import type { Cordon, MeantLinks, MeantNodes, OperatedNode } from "./meant.ts";
import type { RoomDetails } from "../match/client_details.ts";
import { TICKET_SECONDS } from "../tickets/tickets.ts";

const BAN_SECONDS = 3_600;

/** What operators need of the rooms. */
export interface OperatedRooms {
  /** Whether there are several processes, each of which numbers its own links. */
  readonly hasSeveralProcesses?: boolean;
  /** The nodes that are operated; undefined for a single process. */
  nodes?(): readonly OperatedNode[];
  /** Describes every room with its clients. */
  details(): Eventually<readonly RoomDetails[]>;
  /** Closes some links. @returns how many */
  closeLinks(meant: MeantLinks, code: number, reason: string): Eventually<number>;
  /**
   * Closes one link, and keeps its player out of the room for `KICK_SECONDS`.
   * @returns how many links were closed
   */
  kick(meant: MeantLinks, reason: string): Eventually<number>;
  /**
   * Closes nodes to newcomers, or opens them again, and hands their matches over if that is asked.
   * @returns how many nodes have answered, and how many matches others have taken
   */
  cordon(
    meant: MeantNodes,
    asked: Cordon,
  ): Eventually<{ readonly nodes: number; readonly matches: number }>;
  /** Closes every link of a room and removes it. @returns whether it existed */
  closeRoom(game: string, code: string, reason: string): Eventually<boolean>;
  /** Sends a sentence to every client. @returns how many clients */
  announce(text: string): Eventually<number>;
}

const wholeText = (max: number) => z.coerce.number().int().min(1).max(max);

/** Needed if there are several processes, because each numbers its own links. */
const WORKER = wholeText(Number.MAX_SAFE_INTEGER).optional();
const KICK = z.object({
  link: wholeText(Number.MAX_SAFE_INTEGER),
  worker: WORKER,
  node: NODE_NAME.optional(),
});
const BAN = z.object({
  address: z.union([z.ipv4(), z.ipv6()]),
  seconds: wholeText(BAN_SECONDS_MAX).default(BAN_SECONDS),
});
/**
 * An entry of the list of bans. Not restricted to addresses, because the list shows IPv6 networks. A
 * player who was taken out of a room is there by account or address, with the room.
 */
const UNBAN = z.object({
  address: z.string().max(64).default(""),
  account: z.string().max(64).default(""),
  game: z.string().max(64).default(""),
  room: z.union([z.literal(""), z.string().regex(ROOM_CODE)]).default(""),
}).refine(({ address, account }) => address + account !== "", "address or account is needed");
/** Characters that a line can show, none of which turns the writing direction. */
const ANNOUNCE = z.object({
  text: z.string().trim().min(1).regex(
    /^[^\p{C}\p{Zl}\p{Zp}]*$/u,
    "has to be one line of visible characters",
  )
    .refine(
      (text) => new TextEncoder().encode(text).length <= NOTICE_BYTES_MAX,
      `has at most ${NOTICE_BYTES_MAX} bytes`,
    ),
});
/** One of these has to be there, so that nobody means all of them by mistake. */
const NODES = z.object({
  worker: WORKER,
  node: NODE_NAME.optional(),
  machine: z.url().optional(),
  all: z.literal("yes").optional(),
}).refine(
  (meant) => Object.values(meant).some((each) => each !== undefined),
  "one of worker, node, machine and all=yes is needed",
);
const ROOM = z.object({ game: z.string().min(1).max(64), room: z.string().regex(ROOM_CODE) });

/** The answer to an action: what happened, in words. */
export interface ActionAnswer {
  readonly status: 200 | 400 | 404;
  readonly text: string;
  /** Where the operator's browser continues. */
  readonly link?: string | undefined;
}

export interface OperationsOptions {
  readonly rooms: OperatedRooms;
  readonly bans: Bans;
  /** @returns a link that shows a room to an operator; undefined if there is no such room */
  readonly watchLink: (game: string, room: string) => Eventually<string | undefined>;
  readonly log: Log;
}

export class Operations {
  readonly #rooms: OperatedRooms;
  readonly #bans: Bans;
  readonly #watchLink: OperationsOptions["watchLink"];
  readonly #log: Log;

  constructor({ rooms, bans, watchLink, log }: OperationsOptions) {
    this.#rooms = rooms;
    this.#bans = bans;
    this.#watchLink = watchLink;
    this.#log = log;
  }

  /** Carries out `POST /api/ops/NAME`. @param values the fields, as text or numbers */
  act(name: string, values: unknown): Eventually<ActionAnswer> {
    switch (name) {
      case "kick":
        return this.#with(KICK, values, (meant) => this.#kick(meant));
      case "cordon":
        return this.#with(NODES, values, (meant) => this.#cordon(meant, "cordoned"));
      case "uncordon":
        return this.#with(NODES, values, (meant) => this.#cordon(meant, "opened again"));
      case "handover":
        return this.#with(NODES, values, (meant) => this.#cordon(meant, "handed over"));
      case "ban":
        return this.#with(BAN, values, ({ address, seconds }) => this.#ban(address, seconds));
      case "unban":
        return this.#with(UNBAN, values, (meant) => this.#unban(meant));
      case "close":
        return this.#with(ROOM, values, ({ game, room }) => this.#close(game, room));
      case "watch":
        return this.#with(ROOM, values, ({ game, room }) => this.#watch(game, room));
      case "announce":
        return this.#with(ANNOUNCE, values, ({ text }) => this.#announce(text));
      default:
        return {
          status: 404,
          text:
            "kick, ban, unban, close, watch, announce, cordon, uncordon and handover can be done here",
        };
    }
  }

  #with<Values>(
    schema: z.ZodType<Values>,
    values: unknown,
    act: (values: Values) => Eventually<ActionAnswer>,
  ): Eventually<ActionAnswer> {
    const parsed = schema.safeParse(values);
    if (parsed.success) return act(parsed.data);
    const [issue] = parsed.error.issues;
    return { status: 400, text: `${issue!.path.join(".") || "the body"}: ${issue!.message}` };
  }

  async #kick(
    { link, worker, node }: Pick<MeantLinks, "worker" | "node"> & { link: number },
  ): Promise<ActionAnswer> {
    const reason = "an operator has taken you out of this match";
    if (worker === undefined && node === undefined && this.#rooms.hasSeveralProcesses) {
      return {
        status: 400,
        text: "worker: it is needed, or node, because each match process numbers its own links",
      };
    }
    const closed = await this.#rooms.kick({ link, worker, node }, reason);
    const place = { ...worker !== undefined && { worker }, ...node !== undefined && { node } };
    this.#log("operator_kicked", { link, ...place, closed });
    return closed === 0
      ? { status: 404, text: `link ${link} is not here` }
      : { status: 200, text: `kicked ${link}, out of the room for ${KICK_SECONDS / 60} minutes` };
  }

  async #cordon(
    { all: _, ...meant }: MeantNodes & { readonly all?: "yes" | undefined },
    what: "cordoned" | "opened again" | "handed over",
  ): Promise<ActionAnswer> {
    const { nodes, matches } = await this.#rooms.cordon(meant, {
      isCordoned: what !== "opened again",
      handsOver: what === "handed over",
    });
    this.#log("operator_cordoned", { what, ...definedOf(meant), nodes, matches });
    const moved = what === "handed over" ? `; ${matches} matches have moved` : "";
    return nodes === 0
      ? { status: 404, text: "there is no such node" }
      : { status: 200, text: `${what}: ${nodes} nodes${moved}` };
  }

  async #ban(address: string, seconds: number): Promise<ActionAnswer> {
    const addressBlock = addressBlockOf(address);
    const reason = "an operator has banned your address";
    this.#bans.add(addressBlock, seconds);
    const closed = await this.#rooms.closeLinks({ addressBlock }, CloseCode.kicked, reason);
    this.#log("operator_banned", { address: addressBlock, seconds, closed });
    return { status: 200, text: `banned ${addressBlock} for ${seconds} s; closed ${closed} links` };
  }

  #unban({ address, account, game: gameId, room }: z.infer<typeof UNBAN>): ActionAnswer {
    const addressBlock = address === "" ? "" : addressBlockOf(address);
    const wasBanned = this.#bans.lift({ addressBlock, account, gameId, room });
    this.#log("operator_unbanned", { address: addressBlock, account, game: gameId, room });
    const who = addressBlock || `player ${account.slice(0, 8)}`;
    const where = room === "" ? "" : ` into room ${room}`;
    return wasBanned
      ? { status: 200, text: `${who} may come again${where}` }
      : { status: 404, text: `${who} is not banned` };
  }

  async #announce(text: string): Promise<ActionAnswer> {
    const clients = await this.#rooms.announce(text);
    this.#log("operator_announced", { text, clients });
    return { status: 200, text: `announced to ${clients} clients` };
  }

  async #close(game: string, room: string): Promise<ActionAnswer> {
    const isClosed = await this.#rooms.closeRoom(game, room, "an operator has closed this room");
    this.#log("operator_closed", { game, room });
    return isClosed
      ? { status: 200, text: `closed ${room}` }
      : { status: 404, text: `there is no room ${room}` };
  }

  async #watch(game: string, room: string): Promise<ActionAnswer> {
    const link = await this.#watchLink(game, room);
    if (link === undefined) return { status: 404, text: `there is no room ${room}` };
    this.#log("operator_watches", { game, room });
    return { status: 200, text: `a link for one use within ${TICKET_SECONDS} s:`, link };
  }
}

/** The fields that are there. */
function definedOf(meant: MeantNodes): Record<string, string | number> {
  const { worker, node, machine } = meant;
  return {
    ...worker !== undefined && { worker },
    ...node !== undefined && { node },
    ...machine !== undefined && { machine },
  };
}
