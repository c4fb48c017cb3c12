/**
 * The UDP port of datagrams: HTTP/3 and WebTransport, each session of which becomes a link.
 *
 *     first packet → handshake of TLS → request, admitted or not → stream of messages → link
 *
 * Everything before the link has one timer and one limit, because strangers pay nothing for it. An error of one
 * connection ends this one alone.
 */
import { addressBlockOf } from "../http/client_address.ts";
import type { DatagramOffer } from "../../shared/netcode/link.ts";
import type { Links } from "../links/links.ts";
import { type Log, messageOf } from "../log.ts";
import type { Peer } from "../match/clients/peer.ts";
import { type Scheduler, systemScheduler, unixClock } from "../ticker.ts";
import { CERTIFICATE_MS, newCertificate, type OwnCertificate } from "./certificate.ts";
import { DatagramLink } from "./datagram_link.ts";
import { openSession } from "./handshake.ts";
import { Http3Code, Http3Error } from "./http3/http3_error.ts";
import type { SessionRequest } from "./http3/session_request.ts";
import { openQuicEndpoint, type QuicConnection, type QuicEndpoint, type QuicIncoming } from "./quic.ts";

/**
 * Connections that are no links yet. Each takes 0.3 ms of the core. Deno answers no first packet with a Retry, so
 * anybody can fill these places with invented addresses; then nobody comes in by datagrams, and WebSockets go on.
 */
const OPENING_MAX = 64;
/**
 * The same of one address, counted after the handshake of TLS, which proves it. Firefox opens two connections for one
 * session.
 */
const OPENING_PER_ADDRESS_MAX = 16;
/** From the first packet to the link, ms: six round trips of half a second. */
const OPENING_MS_MAX = 3_000;
/** How long a refused client may take to read why, ms. */
const REFUSED_MS = 500;

/** The status of an answer that nobody reads any more. */
const UNAVAILABLE = 503;

/** A vanished client is noticed after this time, ms. */
const IDLE_MS_MAX = 5_000;
/** A client with nothing to say answers so often, ms, so that only a vanished one is idle. */
const KEEP_ALIVE_MS = 2_000;

/** The request, and the stream of messages. More would be unread memory: a megabyte each. */
const STREAMS_MAX = 2;
/** The control stream, and two of QPACK. */
const CONTROL_STREAMS_MAX = 3;

/** A certificate is replaced at half of its time. */
const RENEW_MS = CERTIFICATE_MS / 2;

/** What a request for a session is answered. */
export type SessionAdmission =
  | {
    readonly client: Omit<Peer, "link">;
    /** Called when the link has ended, or did not come to be. */
    readonly release: () => void;
  }
  | { readonly status: number };

export interface DatagramEndpointOptions {
  readonly host: string;
  /** 0 … 65535; 0 takes any free one. */
  readonly port: number;
  /** Where new links go. */
  readonly links: Links;
  readonly admit: (request: SessionRequest, address: string) => SessionAdmission;
  /** The operator's certificate chain and its private key, as PEM; without them the server makes its own. */
  readonly tls?: Pick<OwnCertificate, "cert" | "key"> | undefined;
  readonly log: Log;
  readonly scheduler?: Scheduler;
}

/** The server's own certificate, or the operator's, of which it needs no hash. */
type UsedCertificate = Pick<OwnCertificate, "cert" | "key"> & { readonly hash?: OwnCertificate["hash"] };

export class DatagramEndpoint {
  readonly #options: DatagramEndpointOptions;
  readonly #scheduler: Scheduler;
  readonly #endpoint: QuicEndpoint;
  #certificate: UsedCertificate;
  /** One for each certificate, of which a month has five. A listener that is collected would close the port. */
  readonly #listeners: AsyncIterable<QuicIncoming>[] = [];
  #cancelRenewal = () => {};
  #isClosed = false;
  readonly #openingByBlock = new Map<string, number>();
  #opening = 0;
  /** Connections refused because too many were opening. */
  refused = 0;

  private constructor(options: DatagramEndpointOptions, certificate: UsedCertificate) {
    this.#options = options;
    this.#scheduler = options.scheduler ?? systemScheduler;
    this.#certificate = certificate;
    this.#endpoint = openQuicEndpoint({ hostname: options.host, port: options.port });
    this.#listen();
  }

  /** Opens the port. @throws Error if it is in use, or the host is not an address of this machine */
  static async open(options: DatagramEndpointOptions): Promise<DatagramEndpoint> {
    return new DatagramEndpoint(options, options.tls ?? await newCertificate(unixClock.now()));
  }

  /** What a client needs to find this port. */
  get offer(): DatagramOffer {
    const { hash } = this.#certificate;
    return { port: this.#endpoint.addr.port, ...hash && { certificateHash: hash.toHex() } };
  }

  /** Connections that are no links yet. */
  get opening(): number {
    return this.#opening;
  }

  /** Takes a new certificate for new connections. Those that are open stay. */
  async renew(): Promise<void> {
    const certificate = await newCertificate(unixClock.now());
    if (this.#isClosed) return;
    this.#certificate = certificate;
    this.#listen();
  }

  /** Closes the port, after its links: the owner of those closes them. */
  close(): void {
    this.#isClosed = true;
    this.#cancelRenewal();
    this.#endpoint.close();
  }

  /** Listens by the newest certificate. An older listener is never stopped, because that would close the port. */
  #listen(): void {
    const { cert, key } = this.#certificate;
    const listener = this.#endpoint.listen({
      ...{ cert, key },
      alpnProtocols: ["h3"],
      maxIdleTimeout: IDLE_MS_MAX,
      keepAliveInterval: KEEP_ALIVE_MS,
      maxConcurrentBidirectionalStreams: STREAMS_MAX,
      maxConcurrentUnidirectionalStreams: CONTROL_STREAMS_MAX,
    });
    this.#listeners.push(listener);
    void this.#acceptAll(listener);
    this.#cancelRenewal();
    if (this.#options.tls !== undefined) return;
    this.#cancelRenewal = this.#scheduler.after(RENEW_MS, () => {
      this.renew().catch((error) => this.#options.log("certificate_failed", { error: messageOf(error) }));
    });
  }

  async #acceptAll(listener: AsyncIterable<QuicIncoming>): Promise<void> {
    try {
      for await (const incoming of listener) void this.#open(incoming);
    } catch (error) {
      if (!this.#isClosed) this.#options.log("datagrams_failed", { error: messageOf(error) });
    }
  }

  /** Makes a link of a connection; it never rejects. */
  async #open(incoming: QuicIncoming): Promise<void> {
    if (this.#opening >= OPENING_MAX) return this.#refuse(incoming);
    this.#opening++;
    let connection: QuicConnection | undefined, isLate = false;
    const closeAs = (closeCode: number, reason: string) => connection?.close({ closeCode, reason });
    const cancel = this.#scheduler.after(OPENING_MS_MAX, () => {
      isLate = true;
      closeAs(Http3Code.generalProtocol, "too slow");
    });
    try {
      connection = await incoming.accept();
      if (isLate) closeAs(Http3Code.generalProtocol, "too slow");
      else await this.#openOf(connection, connection.remoteAddr.hostname);
    } catch (error) {
      // Most clients that come so far and no further have vanished, or are no browsers.
      if (error instanceof Http3Error) closeAs(error.code, error.message);
      else closeAs(Http3Code.internal, "");
    } finally {
      cancel();
      this.#opening--;
    }
  }

  /** Makes a link of a connection whose address is real. @throws Http3Error, or Error if the connection ends */
  async #openOf(connection: QuicConnection, address: string): Promise<void> {
    const block = addressBlockOf(address), ofBlock = this.#openingByBlock.get(block) ?? 0;
    const closed = connection.closed.then(() => undefined, () => undefined);
    if (ofBlock >= OPENING_PER_ADDRESS_MAX) throw new Http3Error(Http3Code.excessiveLoad, "too many at once");
    this.#openingByBlock.set(block, ofBlock + 1);
    try {
      await this.#openLink(connection, { address, closed });
    } finally {
      const others = this.#openingByBlock.get(block)! - 1;
      if (others === 0) this.#openingByBlock.delete(block);
      else this.#openingByBlock.set(block, others);
    }
  }

  /** @param closed resolves when the connection has ended */
  async #openLink(
    connection: QuicConnection,
    { address, closed }: { address: string; closed: Promise<undefined> },
  ): Promise<void> {
    const { links } = this.#options;
    let admitted: Exclude<SessionAdmission, { status: number }> | undefined, hasClosed = false;
    try {
      const opening = openSession(connection, (request) => {
        if (hasClosed) return UNAVAILABLE;
        const admission = this.#options.admit(request, address);
        if ("status" in admission) return admission.status;
        admitted = admission;
        return 200;
      });
      const session = await Promise.race([opening, closed]);
      if (session === undefined || admitted === undefined) {
        hasClosed = true;
        admitted?.release();
        this.#scheduler.after(REFUSED_MS, () => connection.close({ closeCode: Http3Code.noError, reason: "" }));
        return;
      }
      const { client, release } = admitted, guard = links.newGuard(client);
      const link = new DatagramLink(connection, session, { guard, scheduler: this.#scheduler });
      link.closed.then(release);
      links.admit(link, guard, client);
      link.start();
    } catch (error) {
      hasClosed = true;
      admitted?.release();
      throw error;
    }
  }

  #refuse(incoming: QuicIncoming): void {
    this.refused++;
    incoming.refuse();
  }
}
