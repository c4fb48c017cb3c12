/**
 * Where players of a machine come in: the process itself, if it runs matches, or the match processes
 * of a gateway.
 */
import type { DatagramOffer } from "../../shared/netcode/link.ts";
import type { HelloRefusal } from "../capacity/capacity_check.ts";
import type { EntryRequest } from "../capacity/request_fault.ts";
import type { LastOutcome } from "../match_log/nats/record_store.ts";
import type { NewPeer } from "../tickets/admission.ts";

/** A room's node, as far as it was found. */
export interface FoundRoom {
  /** Undefined if no node takes a room at the moment. */
  readonly node: string | undefined;
  /** The newest record of a room that nobody owns yet, if there is a log of all machines. */
  readonly last?: LastOutcome | undefined;
}

/** Where a client reaches a node. */
export interface NodeAddress {
  /** An origin, or a path below the page's origin. */
  readonly server: string;
  readonly datagrams: DatagramOffer | undefined;
}

/** The nodes of this machine: this process itself, or its match processes. */
export interface Home {
  /** This process's name, if it runs matches itself; undefined for a gateway. */
  readonly self: string | undefined;
  readonly isStopping: boolean;
  /** @returns why no client could come in with this request */
  faultOf(request: EntryRequest): HelloRefusal | undefined;
  /** The node here that lets players into a room now, if this process knows that by itself. */
  nodeWith(gameId: string, room: string): string | undefined;
  /** @returns the node here that has a room, or gets it; or why none does */
  nodeFor(request: EntryRequest): Promise<string | HelloRefusal>;
  /**
   * @param host the client's `Host` header
   * @returns where clients reach a node; undefined for one that is not here
   */
  addressOf(node: string, host: string): NodeAddress | undefined;
  /** Asks a node's rooms, and makes a room without an owner that node's. */
  refusalOf(
    request: EntryRequest,
    peer: NewPeer & { readonly room: FoundRoom & { readonly node: string } },
  ): Promise<HelloRefusal | undefined> | HelloRefusal | undefined;
}
