/** Who is at the other end of a link, and what a ticket lets them do. */
import type { SeatId } from "../../../shared/netcode/game.ts";

/** The carrier of the messages of a client. */
export const TRANSPORTS = ["websocket", "webtransport"] as const;
export type Transport = typeof TRANSPORTS[number];

/**
 * "operator": a spectator with a ticket of the operators' port, whom neither keys nor limits of
 * spectators keep out.
 */
export type Role = "player" | "watcher" | "operator";

/** What the bearer of a ticket may do. */
export interface TicketClaims {
  /** The game's id. */
  readonly gameId: string;
  readonly room: string;
  readonly role: Role;
  /** The name in the match; empty for one that the server draws. */
  readonly name: string;
  /** The version of the protocol that the bearer speaks. */
  readonly protocolVersion: number;
  /** The name by which the operator's hook knows the player; undefined without a hook. */
  readonly identity?: string | undefined;
  /** The only seat that the player may have; undefined for any. */
  readonly seat?: SeatId | undefined;
  /** The digest of the key of a private room; undefined for a room that is open to all. */
  readonly key?: string | undefined;
  /** Whether the bearer wants a room of their own: one that is there already is another's. */
  readonly opensRoom?: boolean | undefined;
}

/** A client as the network shows it. */
export interface Peer {
  /** The number of the link, by which the log names it. */
  readonly link: number;
  /** The IP address, as a trusted proxy gives it or as the connection has it. */
  readonly address: string;
  /** The customer behind the address. */
  readonly addressBlock: string;
  /** Undefined for a link without a network. */
  readonly transport?: Transport;
  /** Whether the log leaves the link out, because its address has too many (SPEC 14.10). */
  readonly isUnlogged?: boolean;
  /** Undefined for a client that came without a ticket. */
  readonly ticket?: TicketClaims | undefined;
}

/** The peer of a link without a network, in tests and in the lab. */
export const LOCAL_PEER: Peer = { link: 0, address: "127.0.0.1", addressBlock: "127.0.0.1" };
