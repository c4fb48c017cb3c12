/**
 * The server's TCP connections: how many each address holds, and what each of them is doing.
 *
 * Connections that have not become sockets may take every place that sockets leave. When all places
 * are taken, the network with the most such connections loses its oldest one, so silent connections
 * keep no client out.
 *
 * A browser keeps its connections open for a next request. When an address has used up its places,
 * a newcomer takes over such a connection's place, because otherwise sixty browsers behind one
 * router would lock out all others for seconds.
 */
import type { Duplex } from "node:stream";
import { HeldPlaces } from "../fairness/held_places.ts";
import type { Limits } from "../settings/limits.ts";

/** The limits on connections. */
export type ConnectionLimits = Pick<
  Limits,
  "connections" | "connectionsPerAddress" | "requestsPerConnection"
>;

/**
 * How many answers may be under way on one connection. A client may read an answer, and send its
 * next request, before this process learns that the answer has left.
 */
const ANSWERS_MAX = 2;

interface Connection {
  /** Undefined for a trusted proxy's connection, which carries many addresses. */
  readonly addressBlock: string | undefined;
  requests: number;
  /** Answers that have not left this process, 0 … `ANSWERS_MAX`. */
  answers: number;
}

/** What happens to a connection's next request. */
export type RequestDecision = "answer" | "answerAndClose" | "drop";

export class Connections {
  readonly #limits: ConnectionLimits;
  readonly #connections = new Map<Duplex, Connection>();
  /** Connections that are not sockets. Proxies share the empty text as their address. */
  readonly #idle = new HeldPlaces<Duplex>();
  readonly #countByBlock = new Map<string, number>();
  /** Connections closed because places ran out. */
  evicted = 0;
  /** Requests left unanswered, because others on their connection were still waiting. */
  dropped = 0;

  constructor(limits: ConnectionLimits) {
    this.#limits = limits;
  }

  get count(): number {
    return this.#connections.size;
  }

  /**
   * Counts a connection until it closes. If its address already has too many connections in use,
   * closes it at once.
   * @param addressBlock undefined for a trusted proxy
   */
  open(socket: Duplex, addressBlock: string | undefined): void {
    if (addressBlock !== undefined && !this.#makeRoomFor(addressBlock)) return this.#evict(socket);
    if (this.#connections.size >= this.#limits.connections) this.#evictOldest();

    if (addressBlock !== undefined) {
      this.#countByBlock.set(addressBlock, (this.#countByBlock.get(addressBlock) ?? 0) + 1);
    }
    this.#connections.set(socket, { addressBlock, requests: 0, answers: 0 });
    this.#idle.add(socket, addressBlock ?? "");
    socket.once("close", () => this.#onClosed(socket));
  }

  /**
   * Decides about a connection's next request. Browsers read one answer before they send the next
   * request. A connection on which two requests wait gets no further answer.
   */
  beginRequest(socket: Duplex): RequestDecision {
    const connection = this.#connections.get(socket);
    if (connection === undefined || connection.answers >= ANSWERS_MAX) {
      this.dropped++;
      return "drop";
    }
    connection.answers++;
    connection.requests++;
    return connection.requests >= this.#limits.requestsPerConnection ? "answerAndClose" : "answer";
  }

  /** Notes that an answer has left this process. */
  endRequest(socket: Duplex): void {
    const connection = this.#connections.get(socket);
    if (connection !== undefined) connection.answers--;
  }

  /** Notes that the connection has become a socket. */
  upgrade(socket: Duplex): void {
    this.#idle.delete(socket);
  }

  #onClosed(socket: Duplex): void {
    const connection = this.#connections.get(socket);
    if (connection === undefined) return;
    this.#connections.delete(socket);
    this.#idle.delete(socket);

    const { addressBlock } = connection;
    if (addressBlock === undefined) return;
    const count = this.#countByBlock.get(addressBlock)! - 1;
    if (count === 0) this.#countByBlock.delete(addressBlock);
    else this.#countByBlock.set(addressBlock, count);
  }

  /**
   * If an address has too many connections, closes its oldest one that waits for a next request.
   * @returns whether it has room
   */
  #makeRoomFor(addressBlock: string): boolean {
    if ((this.#countByBlock.get(addressBlock) ?? 0) < this.#limits.connectionsPerAddress) {
      return true;
    }

    for (const socket of this.#idle.of(addressBlock)) {
      const { requests, answers } = this.#connections.get(socket)!;
      if (requests === 0 || answers > 0) continue;
      this.#onClosed(socket);
      this.#evict(socket);
      return true;
    }
    return false;
  }

  /**
   * Makes room: the network with the most connections that are not sockets loses its oldest one.
   */
  #evictOldest(): void {
    const oldest = this.#idle.oldestOfLargest();
    if (oldest === undefined) return;
    this.#onClosed(oldest);
    this.#evict(oldest);
  }

  #evict(socket: Duplex): void {
    this.evicted++;
    socket.destroy();
  }
}
