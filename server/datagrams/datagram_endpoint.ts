/**
 * The UDP port for datagrams: HTTP/3 and WebTransport. Each session becomes a link.
 *
 *     first packet → handshake of TLS → request, admitted or not → stream of messages → link
 *
 * Everything before the link shares one timer and one limit, because it costs strangers nothing. An
 * error on one connection ends only that connection.
 */
import type { Rate } from "../../shared/flags.ts";
import { addressBlockOf } from "../addresses/client_address.ts";
import { NetworkCounts } from "../fairness/network_counts.ts";
import { TokenBucket } from "../addresses/token_bucket.ts";
import type { DatagramOffer } from "../../shared/netcode/link.ts";
import type { Links, NewClient } from "../links/links.ts";
import type { PathLink } from "../links/path_link.ts";
import { type Log, messageOf } from "../ground/log.ts";
import { type Scheduler, systemScheduler, unixClock } from "../ground/ticker.ts";
import { CERTIFICATE_MS, newCertificate, type OwnCertificate } from "./certificate.ts";
import { DatagramCounts, type HandshakeOutcome } from "../metrics/datagram_counts.ts";
import { DatagramLink } from "./datagram_link.ts";
import { DatagramReader } from "./datagram_reader.ts";
import { openSession } from "./handshake.ts";
import { Http3Code, Http3Error } from "./http3/http3_error.ts";
import type { SessionRequest } from "./http3/session_request.ts";
import {
  openQuicEndpoint,
  type QuicConnection,
  type QuicEndpoint,
  type QuicIncoming,
} from "./quic.ts";

/**
 * How many connections may be opening, before they are links. Deno does not answer a first packet
 * with a Retry, so a stranger can fill these places with invented addresses. Then datagrams admit
 * no client, while WebSockets go on.
 */
const OPENING_MAX = 64;
/**
 * The same for one address, which may be invented. Firefox opens two connections for one session.
 */
const OPENING_PER_ADDRESS_MAX = 16;
/** The same for an IPv6 /56 or /48. */
const OPENING_PER_NETWORK_MAX = 32;
/**
 * New connections from everyone. Each takes 0.3 ms of the core, even one that is refused for its
 * address: 3 % of it in all.
 */
const HANDSHAKES: Rate = { burst: 256, perSecond: 100 };
/** From the first packet to the link, ms: six round trips of half a second. */
const OPENING_MS_MAX = 3_000;
/** How long a refused client may take to read why, ms. */
const REFUSED_MS = 500;

/**
 * How long a closed connection may take to send its last packet, ms. QUIC needs 1 ms and does not
 * report when it is done.
 */
const FAREWELL_MS = 100;

/** The status of the answer on a connection that has ended meanwhile. */
const UNAVAILABLE = 503;

/** How soon a vanished client is noticed, ms. */
const IDLE_MS_MAX = 5_000;
/** How often a silent client is made to answer, ms, so that only a vanished one is idle. */
const KEEP_ALIVE_MS = 2_000;

/**
 * The request, and the stream of messages. More streams would hold unread memory: a megabyte each.
 */
const STREAMS_MAX = 2;
/** The control stream, and QPACK's two. */
const CONTROL_STREAMS_MAX = 3;

/** A certificate is replaced after half of its validity. */
const RENEW_MS = CERTIFICATE_MS / 2;
/** How soon a failed renewal is tried again, ms. The old certificate stays valid for days. */
const RENEW_AGAIN_MS = 60_000;

/** The answer to a request for a session. */
export type SessionAdmission =
  | {
    readonly client: NewClient;
    /** Called when the link has ended, or was never made. */
    readonly release: () => void;
    /**
     * The socket beside which the session is a datagram path; undefined if the session is a link of
     * its own.
     */
    readonly socket?: PathLink;
  }
  | { readonly status: number };

export interface DatagramEndpointOptions {
  readonly host: string;
  /** 0 … 65535; 0 takes any free port. */
  readonly port: number;
  /** The owner of new links. */
  readonly links: Links;
  readonly admit: (request: SessionRequest, address: string) => SessionAdmission;
  /**
   * The operator's certificate chain and private key, as PEM; without them the server makes its own
   * certificate.
   */
  readonly tls?: Pick<OwnCertificate, "cert" | "key"> | undefined;
  readonly log: Log;
  readonly scheduler?: Scheduler;
}

/** The server's own certificate, or the operator's, which needs no hash. */
type UsedCertificate = Pick<OwnCertificate, "cert" | "key"> & {
  readonly hash?: OwnCertificate["hash"];
};

/** A client with a connection that is not a link yet. */
interface OpeningClient {
  readonly address: string;
  /** Resolves when the connection has ended. */
  readonly closed: Promise<undefined>;
}

export class DatagramEndpoint {
  readonly #options: DatagramEndpointOptions;
  readonly #scheduler: Scheduler;
  readonly #endpoint: QuicEndpoint;
  #certificate: UsedCertificate;
  /**
   * One for each certificate, which makes five a month. They are kept because a listener that is
   * garbage-collected would close the port.
   */
  readonly #listeners: AsyncIterable<QuicIncoming>[] = [];
  #cancelRenewal = () => {};
  #isClosed = false;
  readonly #opening = new NetworkCounts({
    perAddressMax: OPENING_PER_ADDRESS_MAX,
    perNetworkMax: OPENING_PER_NETWORK_MAX,
  });
  readonly #handshakes: TokenBucket;
  readonly counts = new DatagramCounts();

  private constructor(options: DatagramEndpointOptions, certificate: UsedCertificate) {
    this.#options = options;
    this.#scheduler = options.scheduler ?? systemScheduler;
    this.#handshakes = new TokenBucket(HANDSHAKES, this.#scheduler.now());
    this.#certificate = certificate;
    this.#endpoint = openQuicEndpoint({ hostname: options.host, port: options.port });
    this.#listen();
  }

  /**
   * Opens the port.
   * @throws Error if the port is in use, or the host is not an address of this machine
   */
  static async open(options: DatagramEndpointOptions): Promise<DatagramEndpoint> {
    return new DatagramEndpoint(options, options.tls ?? await newCertificate(unixClock.now()));
  }

  /** What a client needs to find this port. */
  get offer(): DatagramOffer {
    const { hash } = this.#certificate;
    return { port: this.#endpoint.addr.port, ...hash && { certificateHash: hash.toHex() } };
  }

  /** Makes a new certificate for new connections. Open connections stay. */
  async renew(): Promise<void> {
    const certificate = await newCertificate(unixClock.now());
    if (this.#isClosed) return;
    this.#certificate = certificate;
    this.#listen();
  }

  /** Refuses new connections. Links go on. */
  stopAccepting(): void {
    this.#isClosed = true;
    this.#cancelRenewal();
  }

  /**
   * Closes the port. The owner of its links must have closed them before.
   * @returns when their last packets have left
   */
  async close(): Promise<void> {
    this.stopAccepting();
    await new Promise<void>((resolve) => this.#scheduler.after(FAREWELL_MS, resolve));
    this.#endpoint.close();
  }

  /**
   * Listens with the newest certificate. Older listeners are never stopped, because that would
   * close the port.
   */
  #listen(): void {
    const { cert, key } = this.#certificate;
    const listener = this.#endpoint.listen({
      cert,
      key,
      alpnProtocols: ["h3"],
      maxIdleTimeout: IDLE_MS_MAX,
      keepAliveInterval: KEEP_ALIVE_MS,
      maxConcurrentBidirectionalStreams: STREAMS_MAX,
      maxConcurrentUnidirectionalStreams: CONTROL_STREAMS_MAX,
    });
    this.#listeners.push(listener);
    void this.#acceptAll(listener);
    if (this.#options.tls === undefined) this.#renewAfter(RENEW_MS);
  }

  #renewAfter(delayMs: number): void {
    this.#cancelRenewal();
    this.#cancelRenewal = this.#scheduler.after(delayMs, () => {
      this.renew().catch((error) => {
        this.#options.log("certificate_failed", { error: messageOf(error) });
        if (!this.#isClosed) this.#renewAfter(RENEW_AGAIN_MS);
      });
    });
  }

  async #acceptAll(listener: AsyncIterable<QuicIncoming>): Promise<void> {
    try {
      for await (const incoming of listener) void this.#open(incoming);
    } catch (error) {
      if (!this.#isClosed) this.#options.log("datagrams_failed", { error: messageOf(error) });
    }
  }

  /** Turns a connection into a link; never rejects. */
  async #open(incoming: QuicIncoming): Promise<void> {
    const { counts } = this;

    // Places for everyone
    if (
      this.#isClosed || counts.opening >= OPENING_MAX ||
      !this.#handshakes.take(this.#scheduler.now())
    ) {
      counts.handshakes.full++;
      return incoming.refuse();
    }

    let connection: QuicConnection;
    try {
      connection = incoming.accept({ zeroRtt: true });
    } catch {
      counts.handshakes.vanished++;
      return;
    }

    // Places for its address
    const address = connection.remoteAddr.hostname;
    const block = addressBlockOf(address);
    const closed = connection.closed.then(() => undefined, () => undefined);
    if (!this.#opening.acquire(block)) {
      counts.handshakes.address_full++;
      return connection.close({ closeCode: Http3Code.excessiveLoad, reason: "too many at once" });
    }

    counts.opening++;
    counts.handshakes[await this.#openInTime(connection, { address, closed })]++;
    counts.opening--;
    this.#opening.release(block);
  }

  /**
   * Turns a connection into a link; never rejects.
   * @param closed resolves when the connection has ended
   */
  async #openInTime(connection: QuicConnection, client: OpeningClient): Promise<HandshakeOutcome> {
    let isLate = false;
    const cancel = this.#scheduler.after(OPENING_MS_MAX, () => {
      isLate = true;
      connection.close({ closeCode: Http3Code.generalProtocol, reason: "too slow" });
    });

    try {
      // Nothing is read before the handshake, because a sender with an invented address does not
      // complete it.
      await connection.handshake;
      const datagrams = new DatagramReader(connection, this.counts);
      const outcome = await this.#openLink(connection, { ...client, datagrams });
      return isLate ? "late" : outcome;
    } catch (error) {
      // Most clients that fail after the handshake have vanished, or are not browsers.
      const isBroken = error instanceof Http3Error;
      const { code, message } = isBroken ? error : new Http3Error(Http3Code.internal, "");
      connection.close({ closeCode: code, reason: message });
      if (isLate) return "late";
      return isBroken ? "broken" : "vanished";
    } finally {
      cancel();
    }
  }

  /** @throws Http3Error if the client breaks the protocol, Error if the connection ends */
  async #openLink(
    connection: QuicConnection,
    { address, closed, datagrams }: OpeningClient & { datagrams: DatagramReader },
  ): Promise<HandshakeOutcome> {
    // Releases the place that `admit` took, if no link comes of it.
    let admission: SessionAdmission | undefined;
    let hasClosed = false;
    const release = () => {
      hasClosed = true;
      if (admission !== undefined && "release" in admission) admission.release();
    };

    try {
      // Its session: `admit` answers the request while it opens.
      const opening = openSession(connection, (request) => {
        if (hasClosed) return UNAVAILABLE;
        admission = this.#options.admit(request, address);
        return "status" in admission ? admission.status : 200;
      });
      const session = await Promise.race([opening, closed]);
      const admitted = admission as SessionAdmission | undefined;
      if (session === undefined || admitted === undefined || "status" in admitted) {
        release();
        this.#scheduler.after(
          REFUSED_MS,
          () => connection.close({ closeCode: Http3Code.noError, reason: "" }),
        );
        return admitted !== undefined && "status" in admitted ? "refused" : "vanished";
      }

      // Admit it as a link of its own, or attach it to the socket that offered it.
      const { links } = this.#options;
      const guard = links.newGuard(admitted.client);
      const link = new DatagramLink(connection, session, {
        guard,
        counts: this.counts,
        datagrams,
        scheduler: this.#scheduler,
      });
      link.closed.then(admitted.release);
      const { socket } = admitted;
      if (socket === undefined) links.admit(link, guard, admitted.client);
      else socket.attach(link);
      link.start();
      return "opened";
    } catch (error) {
      release();
      throw error;
    }
  }
}
