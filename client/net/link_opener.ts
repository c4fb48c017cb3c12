/**
 * Opens a client's link for each attempt to get into a match:
 *
 *     a socket · a socket with a datagram path beside it · a datagram session alone
 *
 * The datagrams' code is fetched when it is first needed, because most clients never need it.
 */
import type { ClientLink } from "../../shared/netcode/link.ts";
import { joinedSocketUrl, type JoinRequest, socketUrlOf } from "./join.ts";
import { openPathLink } from "./path_link.ts";
import type { Servers } from "./servers.ts";
import { openWebSocketLink } from "./websocket_link.ts";

/** What to open a link for. A ticket that is already there saves the request for one. */
export interface ConnectionRequest
  extends Omit<JoinRequest, "gameId" | "credentials" | "device" | "signal"> {
  readonly ticket?: string | undefined;
  /**
   * Whether to carry the messages without a socket if possible, because sockets do not open here.
   */
  readonly avoidsSocket: boolean;
  /** Whether it is for a practice match within this page, which needs no server. */
  readonly isSolo?: boolean | undefined;
  /** Whether a player's page hosts the room. */
  readonly isPageRoom?: boolean | undefined;
  /** The room's options, if this client opens it (`GameOptions.choices`). */
  readonly choices: readonly number[];
}

type DatagramSessions = Pick<
  typeof import("./datagram_session.ts"),
  "openPathSession" | "openWholeSession"
>;

export interface LinkOpenerOptions {
  readonly gameId: string;
  /** The game's own server, http://… or https://…, without a path. */
  readonly home: string;
  /** The same one, and those that its answers name. */
  readonly servers: Servers;
  /** Returns the text for the operator's hook. */
  readonly credentials: () => string | undefined;
  /** Returns this device's number; by default it has none, and counts in no table. */
  readonly device?: (() => string | undefined) | undefined;
  /** Opens a socket; by default the browser's. */
  readonly newSocket?: ((url: string) => WebSocket) | undefined;
  /** Without it, the client takes no datagrams. */
  readonly datagrams?: {
    /** Returns the code for datagrams; undefined until it is fetched. */
    readonly loaded: () => DatagramSessions | undefined;
    /** Fetches it, if it is not fetched yet. */
    readonly fetch: () => void;
  } | undefined;
  /** Whether to use a datagram session without a socket from the start. */
  readonly avoidsSockets?: boolean;
}

/** @returns a function that opens a link for one attempt */
export function linkOpener(
  {
    gameId,
    home,
    servers,
    credentials,
    device,
    newSocket,
    datagrams,
    avoidsSockets = false,
  }: LinkOpenerOptions,
): (request: ConnectionRequest) => ClientLink {
  const openSocket = (ticket: string | undefined, asked: JoinRequest): ClientLink => {
    const request = new AbortController();
    const url = ticket === undefined
      ? joinedSocketUrl(servers, { ...asked, signal: request.signal })
      : socketUrlOf(home, ticket);
    const socket = openWebSocketLink(url, { request, ...(newSocket && { newSocket }) });
    return datagrams === undefined
      ? socket
      : openPathLink(socket, (offer) => datagrams.loaded()!.openPathSession(url, offer));
  };

  return ({ ticket, avoidsSocket, ...wanted }) => {
    const asked = { ...wanted, gameId, credentials: credentials(), device: device?.() };

    // Where sockets are blocked, fetch the datagrams' code for a later attempt
    if (avoidsSocket) datagrams?.fetch();

    const isWhole = (avoidsSockets || avoidsSocket) && ticket === undefined;
    const sessions = isWhole ? datagrams?.loaded() : undefined;
    return sessions?.openWholeSession(servers, asked) ?? openSocket(ticket, asked);
  };
}
