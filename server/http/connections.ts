/**
 * The TCP connections of the server: how many each address has, and what each of them does at the
 * moment.
 *
 * Connections that have not become sockets may take every place but those of the sockets. When all
 * places are taken, the network with the most such connections loses its oldest one. So silent
 * connections keep no client out.
 *
 * A browser keeps its connections open for a next request. When an address has all of its places, a
 * newcomer takes that of such a connection: otherwise sixty browsers behind one router would lock
 * out all others for seconds.
 */
import type { Duplex } from "node:stream";
import { HeldPlaces } from "../fairness/held_places.ts";
import type { Limits } from "../settings/limits.ts";

/** The limits of connections. */
export type ConnectionLimits = Pick<
  Limits,
  "connections" | "connectionsPerAddress" | "requestsPerConnection"
>;

/**
 * Most answers under way on one connection. A client may have read an answer, and send its next
 * request, before this process learns that the answer has left.
 */
const ANSWERS_MAX = 2;

/** One connection that is open. */
interface Connection {
  /** Undefined for a connection of a trusted proxy, which carries many addresses. */
  readonly addressBlock: string | undefined;
  requests: number;
  /** Answers that have not left this process, 0 … `ANSWERS_MAX`. */
  answers: number;
}

/** What a connection's next request may expect. */
export type RequestDecision = "answer" | "answerAndClose" | "drop";

export class Connections {
  readonly #limits: ConnectionLimits;
  readonly #connections = new Map<Duplex, Connection>();
  /** The connections that are no sockets. Proxies share the empty text as their address. */
  readonly #idle = new HeldPlaces<Duplex>();
  readonly #countByBlock = new Map<string, number>();
  /** Connections closed for want of places. */
  evicted = 0;
  /** Requests that got no answer, because others on their connection had none yet. */
  dropped = 0;

  constructor(limits: ConnectionLimits) {
    this.#limits = limits;
  }

  get count(): number {
    return this.#connections.size;
  }

  /**
   * Counts a connection until it closes, or closes it at once if its address has too many that are
   * in use.
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
   * Decides about the next request of a connection. Browsers send no request before they have read
   * the last answer. A connection on which two wait for theirs gets nothing more.
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

  /** The answer has left this process. */
  endRequest(socket: Duplex): void {
    const connection = this.#connections.get(socket);
    if (connection !== undefined) connection.answers--;
  }

  /** The connection is a socket from now on. */
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
   * An address with too many connections loses its oldest one that waits for a next request.
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

  /** Makes room: the network with the most connections that are no sockets loses its oldest one. */
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
