/** Asks a server for a ticket, which the socket then shows (WIRE 1.1). */
import { type DatagramOffer, SERVER_MARK, SOCKET_PATH } from "../../shared/netcode/link.ts";
import { FOREIGN_ANSWER, JoinRefusal, TRY_LATER } from "./join_refusal.ts";
import { Servers } from "./servers.ts";
import {
  CloseCode,
  PROTOCOL_VERSION,
  type ResumeToken,
} from "../../shared/netcode/wire/messages.ts";

/** What a client asks for, and its papers. */
export interface JoinRequest {
  readonly gameId: string;
  readonly room: string;
  readonly name: string;
  readonly spectate: boolean;
  /** The token of the seat that the player had. */
  readonly resume?: ResumeToken | undefined;
  /** The key of a private room. */
  readonly key?: string | undefined;
  /** A text for the operator's hook. */
  readonly credentials?: string | undefined;
  /**
   * Whether the room has to be a new one; the server refuses a code that is in use with
   * `CloseCode.roomTaken`.
   */
  readonly isNew?: boolean | undefined;
  /**
   * Ends the request. Nothing else bounds its time: a session gives up the link that waits for it.
   */
  readonly signal?: AbortSignal | undefined;
}

/** The server's leave to come in. */
interface Join {
  readonly ticket: string;
  /** The address of the process that takes the ticket. */
  readonly server: string;
  /** The time of day of the server that gave it. */
  readonly serverDate: string;
  /** Undefined if the server has no datagrams. */
  readonly datagrams?: DatagramOffer;
}

/**
 * The address of the socket, with a new ticket.
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
  const { gameId: game, room, name, spectate, resume, key, credentials, isNew, signal } =
    joinRequest;
  const role = spectate ? "watcher" : "player";
  const protocol = PROTOCOL_VERSION;
  const answer = await fetch(`${server}/api/rooms/${encodeURIComponent(room)}/join`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    // The server redirects no such request, but a network with a sign-in page does.
    redirect: "manual",
    // A field without a value is no part of JSON.
    body: JSON.stringify({ game, protocol, role, name, resume, key, credentials, new: isNew }),
    ...(signal !== undefined && { signal }),
  });

  const text = await answer.text();
  const { server: place = "", others, ...fields } = objectOf(text);
  if (!answer.ok || typeof fields.ticket !== "string") throw refusalOf(answer, { fields, text });

  known.learn(place, others);
  return {
    ...fields as Join,
    server: new URL(place, server).href,
    serverDate: answer.headers.get("date") ?? "",
  };
}

/** The fields of an answer that are used, if it has them. */
type JoinFields = Partial<Join> & {
  readonly others?: readonly string[];
  readonly code?: number;
  readonly error?: string;
};

/** @param text JSON, whatever an intermediary calls it; anything else has no fields */
function objectOf(text: string): JoinFields {
  try {
    return JSON.parse(text) ?? {};
  } catch {
    return {};
  }
}

/**
 * What an answer without a ticket means. Only the server's own answers may end a client's attempts
 * (SPEC 8.56).
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
 * The address of the socket that shows a ticket.
 * @param server as for `joinedSocketUrl`
 * @param ticket behind an "@" it may have the address of the process that takes it: an origin, or a
 *   path of the server's
 */
export function socketUrlOf(server: string, ticket: string): string {
  const [text, place = ""] = ticket.split("@");
  const { href } = new URL(place, server);
  return `${href.replace("http", "ws").replace(/\/$/, "")}${SOCKET_PATH}?ticket=${text}`;
}
