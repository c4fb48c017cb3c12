/** The connected clients of one match, in the order of their joins, and what others ask about all of them. */
import type { ClientDetails } from "../client_details.ts";
import type { Client } from "./client.ts";
import type { Peer } from "./peer.ts";

/** The list of one match. */
export class ClientList<Command> implements Iterable<Client<Command>> {
  readonly #clients = new Set<Client<Command>>();

  /** Connected clients, including spectators. */
  get size(): number {
    return this.#clients.size;
  }

  /** Connected clients without a seat. */
  get spectatorCount(): number {
    let count = 0;
    for (const { player } of this.#clients) if (player === undefined) count++;
    return count;
  }

  /** Whether any client is on a datagram link. */
  get hasDatagramClients(): boolean {
    for (const { link } of this.#clients) if (!link.ordered) return true;
    return false;
  }

  /** Every client as operators see it. */
  get details(): ClientDetails[] {
    return [...this.#clients].map(({ peer: { link, address }, player, slackMs, link: { bufferedBytes = 0 } }) => (
      { link, address, seat: player?.seat, name: player?.name ?? "", slackMs, unsentBytes: bufferedBytes }
    ));
  }

  [Symbol.iterator](): Iterator<Client<Command>> {
    return this.#clients.values();
  }

  add(client: Client<Command>): void {
    this.#clients.add(client);
  }

  delete(client: Client<Command>): void {
    this.#clients.delete(client);
  }

  /** Spectators of an address. */
  spectatorsOf(addressBlock: string): number {
    let count = 0;
    for (const { player, peer } of this.#clients) {
      if (player === undefined && peer.addressBlock === addressBlock) count++;
    }
    return count;
  }

  /** Closes the links of some peers. @returns their number */
  closeLinks(isMeant: (peer: Peer) => boolean, code: number, reason: string): number {
    const meant = [...this.#clients].filter(({ peer }) => isMeant(peer));
    for (const { link } of meant) link.close(code, reason);
    return meant.length;
  }
}
