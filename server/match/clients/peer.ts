/** Who is at the other end of a link, and what a ticket lets them do. */
import type { SeatId } from "../../../shared/netcode/game.ts";

/** What carries a client's messages. */
export const TRANSPORTS = ["websocket", "webtransport"] as const;
export type Transport = typeof TRANSPORTS[number];

/**
 * "operator": a spectator with a ticket from the operators' port, who is kept out neither by keys
 * nor by limits on spectators.
 */
export type Role = "player" | "watcher" | "operator";

/** What a ticket's bearer may do. */
export interface TicketClaims {
  /** The game's id. */
  readonly gameId: string;
  readonly room: string;
  readonly role: Role;
  /** The name in the match; empty if the server shall draw one. */
  readonly name: string;
  /** The protocol version that the bearer speaks. */
  readonly protocolVersion: number;
  /** The name by which the operator's hook knows the player; undefined without a hook. */
  readonly identity?: string | undefined;
  /**
   * A digest of the hook's name for the player, or of their device: by it the table of the best tells
   * players with one name apart. Undefined for a client that names no device.
   */
  readonly account?: string | undefined;
  /** The only seat that the player may have; undefined for any. */
  readonly seat?: SeatId | undefined;
  /** The digest of a private room's key; undefined for a public room. */
  readonly key?: string | undefined;
  /** Whether the bearer wants a new room: one that exists already is someone else's. */
  readonly opensRoom?: boolean | undefined;
}

/** What the network shows of a client. */
export interface Peer {
  /** The link's number, by which the log names it. */
  readonly link: number;
  /** The IP address, as reported by a trusted proxy or else the connection's own. */
  readonly address: string;
  /** The customer behind the address. */
  readonly addressBlock: string;
  /** Undefined for a link without a network. */
  readonly transport?: Transport;
  /** Whether the log leaves the link out, because its address opens too many (SPEC 14.10). */
  readonly isUnlogged?: boolean;
  /** Undefined for a client that came without a ticket. */
  readonly ticket?: TicketClaims | undefined;
}

/** The peer of a link without a network, in tests and in the lab. */
export const LOCAL_PEER: Peer = { link: 0, address: "127.0.0.1", addressBlock: "127.0.0.1" };
