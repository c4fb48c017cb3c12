/** The connected clients of one match, in the order of their joins. */
import type { ClientDetails } from "../client_details.ts";
import type { Client } from "./client.ts";
import type { Peer } from "./peer.ts";

/** What others may ask of them, and do to their links. */
export type ClientQueries = Pick<Clients<unknown>, "spectatorCount" | "details" | "closeLinks">;

/** The clients, each from its welcome until its link is closed. */
export class Clients<Command> implements Iterable<Client<Command>> {
  readonly #clients = new Set<Client<Command>>();

  [Symbol.iterator](): IterableIterator<Client<Command>> {
    return this.#clients.values();
  }

  get count(): number {
    return this.#clients.size;
  }

  /** Those without a seat. */
  get spectatorCount(): number {
    let count = 0;
    for (const { player } of this.#clients) if (player === undefined) count++;
    return count;
  }

  /** Whether any of them is on a datagram link. */
  get hasDatagramLinks(): boolean {
    for (const { link } of this.#clients) if (!link.ordered) return true;
    return false;
  }

  /** As operators see them. */
  get details(): ClientDetails[] {
    return [...this.#clients].map(({ peer: { link, address }, player, slackMs, link: { bufferedBytes = 0 } }) => (
      { link, address, seat: player?.seat, name: player?.name ?? "", slackMs, unsentBytes: bufferedBytes }
    ));
  }

  add(client: Client<Command>): void {
    this.#clients.add(client);
  }

  delete(client: Client<Command>): void {
    this.#clients.delete(client);
  }

  /** Spectators of an address. */
  watchersOf(addressBlock: string): number {
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
