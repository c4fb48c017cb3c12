/**
 * Issues tickets to clients that ask to come in, and redeems the tickets when their sockets open
 * (SPEC 14.17):
 *
 *     request → version, game, room code → the operator's hook, if there is one → room and capacity → ticket
 *
 * A refusal carries the close code that the socket would get, so that clients handle both alike.
 */
import * as z from "zod";
import type { DatagramOffer } from "../../shared/netcode/link.ts";
import {
  CloseCode,
  GAME_ID_BYTES_MAX,
  NAME_BYTES_MAX,
  ROOM_BYTES_MAX,
} from "../../shared/netcode/wire/messages.ts";
import type { HelloRefusal } from "../capacity/capacity_check.ts";
import type { EntryRequest } from "../capacity/request_fault.ts";
import type { Peer, TicketClaims } from "../match/clients/peer.ts";
import { digestOf } from "../ground/server_secret.ts";
import type { AuthoriseRequest, Grant } from "./authorise.ts";
import type { AuthoriseHook } from "./authorise_hook.ts";
import { TICKET_SECONDS, type Tickets } from "./tickets.ts";

/** The longest text that a client may show to a hook: an ID token takes one or two kilobytes. */
const CREDENTIALS_CHARACTERS_MAX = 3_072;

/** The longest body, bytes: credentials, and a kilobyte of short fields. */
export const JOIN_BYTES_MAX = 4_096;

const JOIN_REQUEST = z.object({
  game: z.string().max(GAME_ID_BYTES_MAX),
  protocol: z.int().min(0),
  /** The fingerprint of the client's rules; a client that does not simulate has none. */
  rules: z.string().regex(/^[0-9a-f]{12}$/).optional(),
  role: z.enum(["player", "watcher"]).default("player"),
  name: z.string().max(NAME_BYTES_MAX).default(""),
  resume: z.string().regex(/^[0-9a-f]{32}$/).optional(),
  key: z.string().regex(/^[\w-]{22}$/).optional(),
  credentials: z.string().max(CREDENTIALS_CHARACTERS_MAX).default(""),
  /** Whether the room must be a new one. */
  new: z.boolean().optional(),
  /** A number that the client's device has drawn once. */
  device: z.string().regex(/^[0-9a-f]{32}$/).optional(),
});
type JoinBody = z.output<typeof JOIN_REQUEST>;

/** What the network shows of a client that asks to come in. */
export type Applicant =
  & Pick<Peer, "address" | "addressBlock">
  & Pick<AuthoriseRequest, "headers">
  & {
    /** The `Host` header: the name under which the client found the server. */
    readonly host?: string | undefined;
  };

/** Where a room is, if several processes share the rooms. */
export interface Placement {
  /** Its process's address: an origin, or a path below the page's origin. */
  readonly server: string;
  /** Addresses to ask when this one no longer answers, if machines share the matches. */
  readonly others?: readonly string[];
  /** Its process's datagrams; undefined if it has none. */
  readonly datagrams?: DatagramOffer | undefined;
  /** Makes tickets that the process accepts. */
  readonly tickets: Pick<Tickets, "issue">;
}

/** A client with its placement, and the claims of the ticket that it would get. */
export type NewPeer = Pick<Peer, "addressBlock" | "ticket"> & {
  readonly placement?: Placement | undefined;
};

/** What the rooms decide about who comes in. */
export interface Entrance {
  /** @returns why no client could come in with this request */
  faultOf(request: EntryRequest): HelloRefusal | undefined;
  /**
   * If several processes share the rooms: finds the process that has a room, or gets it.
   * @param request one without a fault
   */
  placementOf?(request: EntryRequest, host: string): Promise<Placement | HelloRefusal>;
  /** @param request one without a fault @returns why this client may not come in now */
  refusalOf(
    request: EntryRequest,
    peer: NewPeer,
  ): HelloRefusal | undefined | Promise<HelloRefusal | undefined>;
}

/**
 * A ticket, where it is valid if that is elsewhere, and where to find datagrams if there are any;
 * or why there is no ticket.
 */
export type JoinAnswer =
  | {
    readonly ticket: string;
    readonly expiresInSeconds: number;
    readonly server?: string;
    readonly others?: readonly string[];
    readonly datagrams?: DatagramOffer;
    readonly keepsMatches?: true;
  }
  | HelloRefusal;

/** The answer to a socket's upgrade. */
export type UpgradeVerdict = { readonly claims: TicketClaims | undefined } | {
  readonly fault: string;
};

export interface AdmissionOptions {
  readonly tickets: Pick<Tickets, "issue" | "redeem">;
  readonly entrance: Entrance;
  /** Without it every client may come in, under any name. */
  readonly hook: AuthoriseHook | undefined;
  /** Whether a socket without a ticket is refused. */
  readonly needsTicket: boolean;
  /** Where datagrams are, for answers without a placement; by default there are none. */
  readonly datagrams?: (() => DatagramOffer | undefined) | undefined;
  /** Whether matches are logged, so that they outlive their server; by default they are not. */
  readonly keepsMatches?: boolean;
  /** Called for each refusal. @param code the close code */
  readonly onRefused: (code: number) => void;
}

export class Admission {
  readonly #options: AdmissionOptions;

  constructor(options: AdmissionOptions) {
    this.#options = options;
  }

  /**
   * Answers `POST /api/rooms/CODE/join`.
   * @param body its JSON value; undefined if it is not JSON
   */
  async join(room: string, body: unknown, applicant: Applicant): Promise<JoinAnswer> {
    const answer = await this.#decide(
      room.slice(0, ROOM_BYTES_MAX),
      JOIN_REQUEST.safeParse(body),
      applicant,
    );
    if ("code" in answer) this.#options.onRefused(answer.code);
    return answer;
  }

  /** Redeems a socket's ticket. @param ticket undefined if the socket shows none */
  redeem(ticket: string | undefined): UpgradeVerdict {
    const { tickets, needsTicket } = this.#options;
    if (ticket !== undefined) return tickets.redeem(ticket);
    if (needsTicket) {
      return { fault: "a socket needs a ticket here; POST /api/rooms/CODE/join gives one" };
    }
    return { claims: undefined };
  }

  async #decide(
    room: string,
    parsed: z.ZodSafeParseResult<JoinBody>,
    applicant: Applicant,
  ): Promise<JoinAnswer> {
    if (!parsed.success) {
      const [issue] = parsed.error.issues;
      return {
        code: CloseCode.protocol,
        reason: `${issue!.path.join(".") || "the body"}: ${issue!.message}`,
      };
    }

    // Version, game and room code
    const { tickets, entrance } = this.#options;
    const request = parsed.data;
    const spectate = request.role === "watcher";
    const protocolVersion = request.protocol;
    const { game: gameId, rules, resume } = request;
    const entry = { protocolVersion, gameId, rules, room, spectate, resume };
    const fault = entrance.faultOf(entry);
    if (fault !== undefined) return fault;

    // Who asks, and what they may do in the room
    const grant = await this.#grantOf(room, request, applicant);
    if ("code" in grant) return grant;
    const key = Admission.#keyOf(room, request);
    const account = accountOf(grant.identity, request.device);
    const claims = {
      gameId,
      room,
      protocolVersion,
      ...grant,
      account,
      key,
      opensRoom: request.new,
    };

    // Where the room is, perhaps at another node, and whether it takes them
    const placement = entrance.placementOf &&
      await entrance.placementOf(entry, applicant.host ?? "");
    if (placement !== undefined && "code" in placement) return placement;
    const decided = entrance.refusalOf(entry, {
      addressBlock: applicant.addressBlock,
      ticket: claims,
      placement,
    });
    const refusal = decided instanceof Promise ? await decided : decided;
    if (refusal !== undefined) return refusal;

    // The ticket, and where it is valid
    const ticket = (placement?.tickets ?? tickets).issue(claims);
    const { others } = placement ?? {};
    const datagrams = placement === undefined ? this.#options.datagrams?.() : placement.datagrams;
    return {
      ticket,
      expiresInSeconds: TICKET_SECONDS,
      ...placement && { server: placement.server },
      ...others && { others },
      ...datagrams && { datagrams },
      ...this.#options.keepsMatches && { keepsMatches: true },
    };
  }

  /**
   * The digest of a private room's key. A page draws the key, and every client with the key may
   * come in. Because a ticket may end up in a proxy's log, it contains only the digest, and the
   * server keeps nothing else either.
   */
  static #keyOf(room: string, { game, key }: JoinBody): string | undefined {
    return key && digestOf("room", game, room, key);
  }

  async #grantOf(
    room: string,
    { game, name, role, credentials }: JoinBody,
    { address, addressBlock, headers }: Applicant,
  ): Promise<Pick<TicketClaims, "name" | "role" | "seat" | "identity"> | HelloRefusal> {
    const { hook } = this.#options;
    if (hook === undefined) return { name, role };
    const grant = await hook.ask(
      { game, room, name, role, credentials, address, headers },
      addressBlock,
    );
    return "code" in grant ? grant : roleOf(role, grant);
  }
}

/** Only a digest travels and is stored, so that nobody can pass for another device. */
function accountOf(identity: string | undefined, device: string | undefined): string | undefined {
  if (identity) return digestOf("identity", identity);
  return device && digestOf("device", device);
}

/** Lets a client that may play also watch, but not the other way round. */
function roleOf(
  wanted: "player" | "watcher",
  { name, role, seat }: Grant,
): Pick<TicketClaims, "name" | "role" | "seat" | "identity"> | HelloRefusal {
  if (wanted === "player" && role !== "player") {
    return { code: CloseCode.unauthorised, reason: "You may watch here, but not play." };
  }
  const granted = role === "player" ? wanted : role;
  return {
    name,
    identity: name,
    role: granted,
    ...granted === "player" && seat !== undefined && { seat },
  };
}
