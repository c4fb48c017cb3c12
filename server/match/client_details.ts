/** What operators see of a match. */
import type { Transport } from "./clients/peer.ts";

export interface ClientDetails {
  /** Its link's number, as in the log. */
  readonly link: number;
  readonly address: string;
  /** Undefined for a link without a network. */
  readonly transport: Transport | undefined;
  /** Undefined for a spectator. */
  readonly seat: number | undefined;
  readonly name: string;
  /** How early its newest command came, ms; negative if it was late. */
  readonly slackMs: number;
  /** Bytes waiting to be sent to it. */
  readonly unsentBytes: number;
}

export interface RoomDetails {
  /** The number of the match process that runs it; undefined if there is only one process. */
  readonly worker?: number | undefined;
  /** The node that runs it, and the origin of its machine; undefined for a machine by itself. */
  readonly node?: string | undefined;
  readonly machine?: string | undefined;
  /** The game's name on this server. */
  readonly game: string;
  readonly room: string;
  /** Whether only a key opens it. */
  readonly isPrivate: boolean;
  readonly tick: number;
  readonly reservedSeats: number;
  readonly clients: readonly ClientDetails[];
}
