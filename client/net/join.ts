/** Asks a server for a ticket, which the socket then shows (WIRE 1.1). */
import { type DatagramOffer, SOCKET_PATH } from "../../shared/netcode/link.ts";
import { Servers } from "./servers.ts";
import { CloseCode, PROTOCOL_VERSION, type ResumeToken } from "../../shared/netcode/wire/messages.ts";

/** The wish of a client, and its papers. */
export interface JoinWish {
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
  /** Ends the request. Nothing else bounds its time: a session gives up the link that waits for it. */
  readonly signal?: AbortSignal | undefined;
}

/** There is no ticket. The message has the server's words. */
export class JoinRefusal extends Error {
  /** The close code that a socket would get. */
  readonly code: number;

  constructor(code: number, reason: string) {
    super(reason);
    this.code = code;
  }
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
export async function joinedSocketUrl(servers: string | Servers, wish: JoinWish): Promise<string> {
  const { server, ticket } = await join(servers, wish);
  return socketUrlOf(server, ticket);
}

/** Asks for a ticket. @throws as `joinedSocketUrl` */
export function join(servers: string | Servers, wish: JoinWish): Promise<Join> {
  const known = typeof servers === "string" ? new Servers(servers) : servers;
  return known.ask((server) => askOne(server, { wish, known }));
}

async function askOne(server: string, { wish, known }: { wish: JoinWish; known: Servers }): Promise<Join> {
  const { gameId: game, room, name, spectate, resume, key, credentials, signal } = wish;
  const role = spectate ? "watcher" : "player", protocol = PROTOCOL_VERSION;
  const answer = await fetch(`${server}/api/rooms/${encodeURIComponent(room)}/join`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    // A field without a value is no part of JSON.
    body: JSON.stringify({ game, protocol, role, name, resume, key, credentials }),
    ...(signal !== undefined && { signal }),
  });
  const isJson = answer.headers.get("Content-Type") === "application/json";
  // A server of an earlier version has no such path.
  if (!isJson) throw new JoinRefusal([404, 405].includes(answer.status) ? CloseCode.version : 0, "no ticket");
  const { server: place = "", others, ...joined } = await answer.json();
  if (!answer.ok) throw new JoinRefusal(joined.code, joined.error);
  known.learn(place, others);
  return { ...joined, server: new URL(place, server).href, serverDate: answer.headers.get("date") ?? "" };
}

/**
 * The address of the socket that shows a ticket.
 * @param server as for `joinedSocketUrl`
 * @param ticket behind an "@" it may have the address of the process that takes it: an origin, or a path of the server's
 */
export function socketUrlOf(server: string, ticket: string): string {
  const [text, place = ""] = ticket.split("@"), { href } = new URL(place, server);
  return `${href.replace("http", "ws").replace(/\/$/, "")}${SOCKET_PATH}?ticket=${text}`;
}
