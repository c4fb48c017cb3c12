/** Asks a server for a ticket, which the socket then shows (WIRE 1.1). */
import { SOCKET_PATH } from "../../shared/netcode/link.ts";
import { CloseCode, PROTOCOL_VERSION, type ResumeToken } from "../../shared/netcode/wire/messages.ts";

/** How long the server may take, ms: its operator's hook has 4 s. A later answer counts as a lost connection. */
const JOIN_MS_MAX = 10_000;

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

/**
 * The address of the socket, with a new ticket.
 * @param server http://… or https://…, without a path
 * @throws JoinRefusal if the server refuses, TypeError or DOMException if it does not answer
 */
export async function joinedSocketUrl(server: string, wish: JoinWish): Promise<string> {
  const { gameId: game, room, name, spectate, resume, key, credentials } = wish;
  const role = spectate ? "watcher" : "player", protocol = PROTOCOL_VERSION;
  const answer = await fetch(`${server}/api/rooms/${encodeURIComponent(room)}/join`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    // A field without a value is no part of JSON.
    body: JSON.stringify({ game, protocol, role, name, resume, key, credentials }),
    signal: AbortSignal.timeout(JOIN_MS_MAX),
  });
  const isJson = answer.headers.get("Content-Type") === "application/json";
  // A server of an earlier version has no such path.
  if (!isJson) throw new JoinRefusal([404, 405].includes(answer.status) ? CloseCode.version : 0, "no ticket");
  const { ticket, server: place, code, error } = await answer.json();
  if (!answer.ok) throw new JoinRefusal(code, error);
  return socketUrlOf(server, place === undefined ? ticket : `${ticket}@${place}`);
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
