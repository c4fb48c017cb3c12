/**
 * The clients in rooms, as places of their networks. A full server, or a full room, takes places
 * back from the largest holder.
 */
import type { ClientObserver, SeenClient } from "../match/clients/client_list.ts";
import type { Peer } from "../match/clients/peer.ts";
import { HeldPlaces, type Newcomer } from "./held_places.ts";

export class HeldClients implements ClientObserver {
  readonly #held = new HeldPlaces<SeenClient>();

  joined(client: SeenClient): void {
    this.#held.add(client, client.peer.addressBlock);
  }

  left(client: SeenClient): void {
    this.#held.delete(client);
  }

  /** Counts the clients in each of an address block's networks, the widest first. */
  countsOf(addressBlock: string): number[] {
    return this.#held.countsOf(addressBlock);
  }

  /**
   * Finds the client that a newcomer may displace; undefined if all stay. Active players always
   * stay.
   */
  clientFor(newcomer: Newcomer): SeenClient | undefined {
    return this.#held.placeFor(newcomer, worthOf);
  }

  /** The link numbers of active players and of operators. */
  get activeLinks(): Set<number> {
    const links = new Set<number>();
    for (const client of this.#held) if (worthOf(client) > 0) links.add(client.peer.link);
    return links;
  }
}

/**
 * Finds the client that a newcomer may displace in a full room: a spectator replaces a spectator,
 * and a player replaces one who is idle.
 * @param clients those in the room
 * @returns undefined if all stay
 */
export function clientInFullRoom(
  clients: Iterable<SeenClient>,
  { peer, spectate }: { peer: Peer; spectate: boolean },
): SeenClient | undefined {
  const held = new HeldPlaces<SeenClient>();
  for (const client of clients) {
    if ((client.player === undefined) === spectate) held.add(client, client.peer.addressBlock);
  }
  return held.placeFor({ addressBlock: peer.addressBlock, isIdle: spectate }, worthOf);
}

/** Operators keep their places, because they look after others' matches. */
function worthOf({ isActive, peer: { ticket } }: SeenClient): number {
  return isActive || ticket?.role === "operator" ? Infinity : 0;
}
