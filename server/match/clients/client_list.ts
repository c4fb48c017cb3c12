/**
 * A match's connected clients, in the order in which they joined, and what others ask about all of
 * them.
 */
import type { ClientDetails } from "../client_details.ts";
import type { Client } from "./client.ts";
import type { Peer } from "./peer.ts";
import type { Player } from "../seats/player.ts";

/** What others may ask of the list, and do to its links. */
export type ClientQueries = Pick<
  ClientList<unknown>,
  "spectatorCount" | "playerCount" | "details" | "activePlayers" | "closeLinks" | "all"
>;

/** What others may see of a client. */
export type SeenClient = Pick<Client<unknown>, "peer" | "isActive" | "link"> & {
  readonly player: unknown;
};

/** Hears of each client that joins or leaves. */
export interface ClientObserver {
  joined(client: SeenClient): void;
  left(client: SeenClient): void;
}

const NONE: readonly never[] = [];

/** The clients of one match. */
export class ClientList<Command> implements Iterable<Client<Command>> {
  readonly #observer: ClientObserver | undefined;
  readonly #clients = new Set<Client<Command>>();
  /** At most one client per player. */
  readonly #lost = new Map<Player<Command>, Client<Command>>();

  constructor(observer?: ClientObserver) {
    this.#observer = observer;
  }

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

  /** Connected clients with a seat. */
  get playerCount(): number {
    return this.size - this.spectatorCount;
  }

  /** All clients, in the order in which they joined. */
  get all(): Iterable<SeenClient> {
    return this.#clients;
  }

  /** The peers of active players. */
  get activePlayers(): Peer[] {
    return [...this.#clients].filter(({ isActive }) => isActive).map(({ peer }) => peer);
  }

  /** Whether any client gets ticks by datagram, or may soon. */
  get needsTicks(): boolean {
    for (const { path, deltaState } of this.#clients) {
      if (path.needsTicks || deltaState.resumeAfter !== undefined) return true;
    }
    return false;
  }

  /** Every client, as operators see it. */
  get details(): ClientDetails[] {
    return Array.from(this.#clients, ({ peer, link, player, slackMs }) => ({
      link: peer.link,
      address: peer.address,
      transport: peer.transport,
      slackMs,
      seat: player?.seat,
      name: player?.name ?? "",
      unsentBytes: link.bufferedBytes ?? 0,
    }));
  }

  [Symbol.iterator](): Iterator<Client<Command>> {
    return this.#clients.values();
  }

  add(client: Client<Command>): void {
    this.#clients.add(client);
    this.#observer?.joined(client);
  }

  delete(client: Client<Command>): void {
    this.#clients.delete(client);
    this.#observer?.left(client);
  }

  /**
   * Keeps a client with a closed link, so that the commands that came before count in the next
   * tick.
   */
  keepLost(player: Player<Command>, client: Client<Command>): void {
    this.#lost.set(player, client);
  }

  /** Drops the commands of a player's lost link. */
  forgetLost(player: Player<Command>): void {
    this.#lost.delete(player);
  }

  /** Takes the clients with lost links, each once. */
  takeLost(): readonly Client<Command>[] {
    if (this.#lost.size === 0) return NONE;
    const lost = [...this.#lost.values()];
    this.#lost.clear();
    return lost;
  }

  /** Counts an address's spectators. */
  spectatorsOf(addressBlock: string): number {
    let count = 0;
    for (const { player, peer } of this.#clients) {
      if (player === undefined && peer.addressBlock === addressBlock) count++;
    }
    return count;
  }

  /** Closes the links of the peers that `isMeant` selects. @returns how many */
  closeLinks(isMeant: (peer: Peer) => boolean, code: number, reason: string): number {
    const meant = [...this.#clients].filter(({ peer }) => isMeant(peer));
    for (const { link } of meant) link.close(code, reason);
    return meant.length;
  }
}
