/** Asks a server for a ticket, which the socket then shows (WIRE 1.1). */
import { type DatagramOffer, SERVER_MARK, SOCKET_PATH } from "../../shared/netcode/link.ts";
import { FOREIGN_ANSWER, JoinRefusal, TRY_LATER } from "./join_refusal.ts";
import { Servers } from "./servers.ts";
import { builtRulesOf } from "../../shared/netcode/built_rules.ts";
import {
  CloseCode,
  PROTOCOL_VERSION,
  type ResumeToken,
} from "../../shared/netcode/wire/messages.ts";

/** What a client asks for, and its credentials. */
export interface JoinRequest {
  readonly gameId: string;
  readonly room: string;
  readonly name: string;
  readonly spectate: boolean;
  /** The token for the player's former seat. */
  readonly resume?: ResumeToken | undefined;
  /** A private room's key. */
  readonly key?: string | undefined;
  /** Text for the operator's hook. */
  readonly credentials?: string | undefined;
  /** A number that this device has drawn once, 32 hexadecimal digits. */
  readonly device?: string | undefined;
  /**
   * Whether the room must be a new one; the server refuses a code that is in use with
   * `CloseCode.roomTaken`.
   */
  readonly isNew?: boolean | undefined;
  /**
   * Ends the request. Nothing else bounds its time, because a session gives up the link that waits
   * for it.
   */
  readonly signal?: AbortSignal | undefined;
}

/** The server's permission to join. */
interface Join {
  readonly ticket: string;
  /** The address of the process that accepts the ticket. */
  readonly server: string;
  /** The time of day at the server that gave it. */
  readonly serverDate: string;
  /** Undefined if the server offers no datagrams. */
  readonly datagrams?: DatagramOffer;
}

/**
 * Joins, and returns the socket's address with a new ticket.
 * @param servers http://… or https://…, without a path; or several of them
 * @throws JoinRefusal if the server refuses, TypeError or DOMException if none answers
 */
export async function joinedSocketUrl(
  servers: string | Servers,
  joinRequest: JoinRequest,
): Promise<string> {
  const { server, ticket } = await join(servers, joinRequest);
  return socketUrlOf(server, ticket);
}

/** Asks for a ticket. @throws as `joinedSocketUrl` */
export function join(servers: string | Servers, joinRequest: JoinRequest): Promise<Join> {
  const known = typeof servers === "string" ? new Servers(servers) : servers;
  return known.ask((server) => askOne(server, { joinRequest, known }));
}

async function askOne(
  server: string,
  { joinRequest, known }: { joinRequest: JoinRequest; known: Servers },
): Promise<Join> {
  const { gameId: game, room, name, spectate, resume, key, credentials, device, isNew, signal } =
    joinRequest;
  const role = spectate ? "watcher" : "player";
  const protocol = PROTOCOL_VERSION;
  const answer = await fetch(`${server}/api/rooms/${encodeURIComponent(room)}/join`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    // The server never redirects this request, but a network with a sign-in page does.
    redirect: "manual",
    // JSON leaves out undefined fields.
    body: JSON.stringify({
      game,
      rules: builtRulesOf(game),
      protocol,
      role,
      name,
      resume,
      key,
      credentials,
      device,
      new: isNew,
    }),
    ...(signal !== undefined && { signal }),
  });

  const text = await answer.text();
  const { server: place = "", others, keepsMatches, ...fields } = objectOf(text);
  if (!answer.ok || typeof fields.ticket !== "string") throw refusalOf(answer, { fields, text });

  known.learn(place, others);
  known.keepsMatches = keepsMatches === true;
  return {
    ...fields as Join,
    server: new URL(place, server).href,
    serverDate: answer.headers.get("date") ?? "",
  };
}

/** The fields that are read from an answer; all may be missing. */
type JoinFields = Partial<Join> & {
  readonly others?: readonly string[];
  readonly keepsMatches?: boolean;
  readonly code?: number;
  readonly error?: string;
};

/** @param text JSON, whatever type an intermediary declares; anything else gives no fields */
function objectOf(text: string): JoinFields {
  try {
    return JSON.parse(text) ?? {};
  } catch {
    return {};
  }
}

/**
 * Finds out what an answer without a ticket means. Only the server's own answers may end a client's
 * attempts (SPEC 8.56).
 */
function refusalOf(
  answer: Response,
  { fields, text }: { fields: JoinFields; text: string },
): JoinRefusal {
  const { status, headers, type } = answer;
  const version = headers.get(SERVER_MARK);
  if (type === "opaqueredirect" || status >= 300 && status < 400) {
    return new JoinRefusal(FOREIGN_ANSWER, "This network wants you to sign in first.");
  }
  if (version === null) {
    return new JoinRefusal(
      FOREIGN_ANSWER,
      `Something on the way answers in the server's place (${status}).`,
    );
  }
  if (typeof fields.code === "number") return new JoinRefusal(fields.code, fields.error ?? "");
  if (version !== String(PROTOCOL_VERSION)) return new JoinRefusal(CloseCode.version, text);
  const isLimit = status === 429 || status >= 500;
  return new JoinRefusal(isLimit ? TRY_LATER : CloseCode.unauthorised, text.trim());
}

/**
 * Makes the socket's address with a ticket.
 * @param server as for `joinedSocketUrl`
 * @param ticket may carry behind an "@" the address of the process that accepts it: an origin, or a
 *   path on the server
 */
export function socketUrlOf(server: string, ticket: string): string {
  const [text, place = ""] = ticket.split("@");
  const { href } = new URL(place, server);
  return `${href.replace("http", "ws").replace(/\/$/, "")}${SOCKET_PATH}?ticket=${text}`;
}
