/**
 * The HTTP server: pages, health, metrics, rooms, games and WebSockets, all on one port. Datagrams
 * use the UDP port with the same number, and the same admission.
 *
 * It is node:http with `ws`, because Deno's own WebSocket upgrade limits neither messages nor
 * fragments (DESIGN 12.4).
 */
import type { Buffer } from "node:buffer";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import type { Rate } from "../../shared/flags.ts";
import { type DatagramOffer, SERVER_MARK } from "../../shared/netcode/link.ts";
import { PROTOCOL_VERSION } from "../../shared/netcode/wire/messages.ts";
import { INTRODUCTIONS_PATH, type IntroductionsOffer } from "../../shared/introductions.ts";
import { DatagramCounts } from "../metrics/datagram_counts.ts";
import { DatagramEndpoint, type SessionAdmission } from "../datagrams/datagram_endpoint.ts";
import type { SessionRequest } from "../datagrams/http3/session_request.ts";
import { messageOf } from "../ground/log.ts";
import { IntroductionSockets } from "../introductions/introduction_sockets.ts";
import { Links, type LinksOptions } from "../links/links.ts";
import { PathOffers } from "../links/path_offers.ts";
import type { RefusalCause } from "../metrics/refusal_causes.ts";
import type { Limits } from "../settings/limits.ts";
import { clock } from "../ground/ticker.ts";
import { AdmissionControl, type AdmissionOptions, type Refusal } from "./admission.ts";
import { NetworkBuckets } from "../fairness/network_buckets.ts";
import {
  pathOf,
  PROBE_PATHS,
  queryOf,
  refuse,
  respondStarting,
  respondText,
  STARTING_RETRY_SECONDS,
  STARTING_TEXT,
} from "./answers.ts";
import { CollectedHashes } from "./collected_hashes.ts";
import { HashesRoute } from "./hashes_route.ts";
import { JoinRoute, type SeatFinder } from "./join_route.ts";
import { Listener, type ListenerOptions, ListenError } from "./listener.ts";
import type { Peer, Transport } from "../match/clients/peer.ts";
import { addressBlockOf } from "../addresses/client_address.ts";
import { Routes, type RoutesOptions } from "./routes.ts";
import type { SiteRules } from "./site_rules.ts";
import type { Admission, UpgradeVerdict } from "../tickets/admission.ts";
import { TokenBucket } from "../addresses/token_bucket.ts";
import { WebSockets } from "./websocket.ts";

/**
 * Limits the log lines about refusals, so that a flood of them does not fill the disk. The next
 * line reports how many refusals were not logged.
 */
const REFUSALS_LOGGED: Rate = { burst: 20, perSecond: 1 };

/** How many ports are tried if any free one will do. Few of them are in use for UDP. */
const FREE_PORT_TRIES = 5;

const NO_DATAGRAMS = new DatagramCounts();

type ListenOptions = Pick<
  ListenerOptions,
  "host" | "port" | "tls" | "proxies" | "log" | "onAnswered"
>;

type AdmitOptions = Pick<LinksOptions, "admit" | "stalls" | "tickRunner" | "onClosed">;

/** What the ports need before clients may come in. */
export interface HttpServerOptions
  extends ListenOptions, AdmitOptions, Pick<AdmissionOptions, "isBanned" | "activeLinks"> {
  readonly limits: Limits;
  readonly site: SiteRules;
  /**
   * Datagrams over UDP, by default on HTTP's address and port; undefined for a server without them.
   * With "auto", the default, the server offers them to clients that gain by them, if UDP can be
   * opened. With "on" it must open UDP, and offers datagrams to all clients.
   */
  readonly datagrams?:
    | {
      readonly mode?: "auto" | "on";
      readonly host?: string | undefined;
      readonly port?: number | undefined;
    }
    | undefined;
  /**
   * How pages connect that host rooms themselves; undefined for a server that introduces no pages
   * to each other.
   */
  readonly introductions?: IntroductionsOffer | undefined;
  /** Called when a request, a socket or a session is refused. */
  readonly onRefused?: (cause: RefusalCause) => void;
}

/** The answers to requests, sockets and sessions, once all parts of the server exist. */
export interface HttpAnswers
  extends Omit<RoutesOptions, "site" | "datagramPort" | "introductions"> {
  /** Redeems tickets, and issues them if it can; without it there are none. */
  readonly admission?: Pick<Admission, "redeem"> & Partial<Pick<Admission, "join">>;
  /** Whether visitors' hashes are collected (`--collect-hashes`). */
  readonly collectsHashes?: boolean;
  /** "Play now" over several machines; undefined for a single machine. */
  readonly matchmaker?: SeatFinder | undefined;
}

/** How a socket or a session is refused while the server starts. */
const STARTING: Refusal = {
  status: 503,
  cause: "starting",
  reason: STARTING_TEXT,
  retryAfterSeconds: STARTING_RETRY_SECONDS,
};

export class HttpServer {
  readonly #options: HttpServerOptions;
  readonly #admission: AdmissionControl;
  readonly #requests: NetworkBuckets;
  readonly #links: Links;
  readonly #paths: PathOffers;
  readonly #webSockets: WebSockets;
  readonly #introductions: IntroductionSockets | undefined;
  /** Undefined while the server starts. */
  #answers:
    | {
      readonly routes: Routes;
      readonly joinRoute: JoinRoute | undefined;
      readonly hashesRoute: HashesRoute;
      readonly gameIds: ReadonlySet<string>;
      readonly admission: HttpAnswers["admission"];
    }
    | undefined;
  #listener: Listener | undefined;
  #datagrams: DatagramEndpoint | undefined;
  readonly #refusalsLogged = new TokenBucket(REFUSALS_LOGGED, clock.now());
  #refusalsUnlogged = 0;

  private constructor(options: HttpServerOptions) {
    this.#options = options;
    const { limits, site, isBanned, activeLinks, datagrams } = options;

    // Who may come in
    const introduces = options.introductions !== undefined;
    this.#admission = new AdmissionControl(limits, { site, isBanned, activeLinks, introduces });
    this.#introductions = introduces ? new IntroductionSockets() : undefined;
    this.#requests = new NetworkBuckets(limits.requestsPerAddress, clock);

    // The links of those who have come in
    this.#paths = new PathOffers({
      datagrams: () => this.datagramOffer,
      isForAll: datagrams?.mode === "on",
      clock,
    });
    this.#links = new Links({ ...options, ...limits, paths: datagrams && this.#paths });
    this.#webSockets = new WebSockets({ links: this.#links });
  }

  /**
   * Opens the ports. Until `answerWith` is called, every client is told that the server is starting
   * (SPEC 14.46).
   * @throws ListenError if the port is in use, or the host is not an address of this machine
   */
  static async open(options: HttpServerOptions): Promise<HttpServer> {
    const server = new HttpServer(options);
    try {
      await server.#openPorts();
      return server;
    } catch (error) {
      void server.#listener?.stopAccepting();
      server.#webSockets.stop();
      throw error;
    }
  }

  /**
   * Ends the start: from now on requests get these answers, and sockets and sessions become links.
   */
  answerWith(answers: HttpAnswers): void {
    const { site, isBanned, log } = this.#options;
    const { admission, matchmaker, collectsHashes } = answers;
    const join = admission?.join?.bind(admission);
    this.#answers = {
      admission,
      gameIds: new Set(answers.gameSchemas.keys()),
      routes: new Routes({
        ...answers,
        site,
        datagramPort: () => this.#datagrams?.offer.port,
        introductions: this.#options.introductions,
      }),
      joinRoute: join && new JoinRoute({ admission: { join }, matchmaker, site, isBanned, log }),
      hashesRoute: new HashesRoute({
        hashes: collectsHashes ? new CollectedHashes() : undefined,
        site,
        log,
      }),
    };
  }

  /** The page's URL, with the real port. */
  get url(): string {
    return this.#listener!.url;
  }

  /** Where clients find datagrams; undefined without them. */
  get datagramOffer(): DatagramOffer | undefined {
    return this.#datagrams?.offer;
  }

  /** Open sockets, and datagram sessions. */
  get socketCount(): number {
    return this.#links.count;
  }

  /** The same for one transport. */
  socketCountOf(transport: Transport): number {
    return this.#links.countOf(transport);
  }

  /** Sockets that use a datagram path beside them. */
  get pathCount(): number {
    return this.#links.pathCount;
  }

  /** The UDP port's counts; zeros without one. */
  get datagramCounts(): DatagramCounts {
    return this.#datagrams?.counts ?? NO_DATAGRAMS;
  }

  /** Open connections, including sockets. */
  get connectionCount(): number {
    return this.#listener!.connections.count;
  }

  /** Whether the server accepted its newest connection to itself. */
  get isAccepting(): boolean {
    return this.#listener!.isAccepting;
  }

  /** How often the port was opened again. */
  get reopened(): number {
    return this.#listener!.reopened;
  }

  /** Places that did not fit into the newest page's policy. */
  get policyLeftOut(): number {
    return this.#answers?.routes.policyLeftOut ?? 0;
  }

  /** Bytes on all sockets that the operating system has not taken yet. */
  get unsentBytes(): number {
    return this.#links.unsentBytes;
  }

  /**
   * Closes every socket with this code, then the port.
   * @returns when all are closed, after 2 s at most
   */
  async close(code: number, reason: string): Promise<void> {
    const closed = this.#listener!.stopAccepting();
    this.#webSockets.stop();
    this.#introductions?.close(code, reason);
    this.#datagrams?.stopAccepting();
    await this.#links.close(code, reason);
    await this.#datagrams?.close();
    this.#listener!.closeConnections();
    await closed;
  }

  /**
   * Opens TCP and UDP, by default on the same port and address. If the system chose the TCP port
   * and another program uses its number for UDP, the system chooses again.
   * @throws ListenError if a port that must be open cannot be opened
   */
  async #openPorts(): Promise<void> {
    const { datagrams, port } = this.#options;
    const isChosen = port === 0 && datagrams !== undefined && datagrams.port === undefined;
    for (let triesLeft = isChosen ? FREE_PORT_TRIES : 1; triesLeft > 0; triesLeft--) {
      void this.#listener?.stopAccepting();
      const listener = this.#listener = await Listener.open({
        ...this.#options,
        onRequest: (request, response) => this.#onRequest(request, response),
        onUpgrade: (request, socket, head) => this.#onUpgrade(request, socket, head),
      });
      this.#datagrams = await this.#openDatagrams(listener, { isLastTry: triesLeft === 1 });
      if (this.#datagrams !== undefined) return;
    }
  }

  /**
   * @returns undefined if datagrams are off, or cannot be opened
   * @throws ListenError if they must be open, at the last try
   */
  async #openDatagrams(
    { address, port: httpPort }: Listener,
    { isLastTry }: { isLastTry: boolean },
  ): Promise<DatagramEndpoint | undefined> {
    const { datagrams, log } = this.#options;
    if (datagrams === undefined) return undefined;

    const { mode, host = address, port = httpPort } = datagrams;
    try {
      return await DatagramEndpoint.open({
        ...this.#options,
        host,
        port,
        admit: (request, address) => this.#admitSession(request, address),
        links: this.#links,
      });
    } catch (error) {
      if (!isLastTry) return undefined;
      if (mode === "on") {
        throw new ListenError(
          `--datagrams on needs UDP on port ${port} of ${host}: ${messageOf(error)}`,
        );
      }
      log("datagrams_missing", { port, host, error: messageOf(error) });
      return undefined;
    }
  }

  #onRequest(request: IncomingMessage, response: ServerResponse): void {
    response.setHeader(SERVER_MARK, PROTOCOL_VERSION);
    if (this.#answers === undefined) return respondStarting(response);

    const client = this.#clientOf(request);
    if (!PROBE_PATHS.has(pathOf(request)) && !this.#requests.take(client.addressBlock)) {
      this.#options.onRefused?.("requests");
      response.setHeader("Retry-After", "1");
      return respondText(response, 429, "Too many requests from your address. Wait a second.");
    }

    const { routes, joinRoute, hashesRoute } = this.#answers;
    if (joinRoute?.has(request)) void joinRoute.respond(request, response, client);
    else if (hashesRoute.has(request)) void hashesRoute.respond(request, response);
    else routes.respond(request, response, client);
  }

  /** The client's address, and the customer behind it. */
  #clientOf({ socket, headers }: IncomingMessage): Omit<Peer, "link"> {
    const forwardedFor = headers["x-forwarded-for"];
    const address = this.#options.proxies.clientAddress(
      socket.remoteAddress ?? "",
      [forwardedFor].flat().join(","),
    );
    return { address, addressBlock: addressBlockOf(address) };
  }

  /**
   * Decides about a datagram session as about a socket. A UDP client does not come through a proxy.
   */
  #admitSession({ authority, path, origin }: SessionRequest, address: string): SessionAdmission {
    if (this.#answers === undefined) return this.#countRefusal(STARTING, address);

    // A place
    const addressBlock = addressBlockOf(address);
    const [route, query] = path.split(/\?(.*)/s, 2) as [string, string?];
    const host = this.#pageHostOf(authority);
    const place = this.#admission.acquire({ path: route, origin, host, addressBlock });
    if ("status" in place) return this.#countRefusal(place, address);
    const { release } = place;
    const client = { address, addressBlock, place };

    // A path beside a socket shows its token; any other session shows its ticket.
    const token = new URLSearchParams(query).get("path") ?? undefined;
    const socket = token === undefined ? undefined : this.#paths.redeem(token);
    if (socket !== undefined) return { client, release, socket };
    const admittance = token === undefined
      ? this.#redeem(query)
      : { fault: "no path has this token" };
    if ("claims" in admittance) {
      return { client: { ...client, ticket: admittance.claims }, release };
    }

    release();
    return this.#countRefusal({ status: 403, cause: "ticket", reason: admittance.fault }, address);
  }

  /**
   * The host of the page that opens a session: the session's name, with HTTP's port instead of the
   * UDP port.
   */
  #pageHostOf(authority: string): string {
    const own = new URL(this.url);
    if (!URL.canParse(`${own.protocol}//${authority}`)) return authority;
    const page = new URL(`${own.protocol}//${authority}`);
    page.port = own.port;
    return page.host;
  }

  /** Redeems the ticket of a socket or a session, if it shows one. @param query without its "?" */
  #redeem(query = ""): UpgradeVerdict {
    const ticket = new URLSearchParams(query).get("ticket") ?? undefined;
    return this.#answers?.admission?.redeem(ticket) ?? { claims: undefined };
  }

  #onUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    // Without a listener a peer's reset would be an uncaught error. The "close" event reports the
    // socket's end.
    socket.on("error", () => {});
    if (socket.destroyed || request.socket.remoteAddress === undefined) {
      return void socket.destroy();
    }
    const client = this.#clientOf(request);
    if (this.#answers === undefined) return this.#refuse(socket, STARTING, client.address);

    // A place
    const { addressBlock } = client;
    const { origin, host } = request.headers;
    const place = this.#admission.acquire({ path: pathOf(request), origin, host, addressBlock });
    if ("status" in place) return this.#refuse(socket, place, client.address);
    socket.once("close", () => place.release());

    if (pathOf(request) === INTRODUCTIONS_PATH) return this.#introduce(request, socket, head);

    // A ticket, if one is needed
    const admittance = this.#redeem(queryOf(request));
    if ("fault" in admittance) {
      return this.#refuse(
        socket,
        { status: 403, cause: "ticket", reason: admittance.fault },
        client.address,
      );
    }

    try {
      this.#webSockets.handleUpgrade(request, {
        socket,
        head,
        client: { ...client, ticket: admittance.claims, place },
      });
    } catch (error) {
      this.#options.log("upgrade_failed", { error: messageOf(error) });
      socket.destroy();
    }
  }

  /** Opens a socket for a page that hosts a room, or joins one that another page hosts. */
  #introduce(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const query = new URLSearchParams(queryOf(request));
    const game = query.get("game") ?? "";
    const code = query.get("room") ?? "";
    if (!this.#answers!.gameIds.has(game) || !/^[A-Z]{4}$/.test(code)) {
      return this.#refuse(
        socket,
        { status: 404, cause: "path", reason: "there is no such game, or no such room" },
        this.#clientOf(request).address,
      );
    }
    this.#introductions!.handleUpgrade(request, { socket, head, game, code });
  }

  #refuse(socket: Duplex, refusal: Refusal, address: string): void {
    refuse(socket, refusal);
    this.#countRefusal(refusal, address);
  }

  /** @returns the refusal that it was given */
  #countRefusal(refusal: Refusal, address: string): Refusal {
    const { log, onRefused } = this.#options;
    onRefused?.(refusal.cause);

    if (this.#refusalsLogged.take(clock.now())) {
      log("refused", {
        cause: refusal.cause,
        status: refusal.status,
        address,
        unlogged: this.#refusalsUnlogged,
      });
      this.#refusalsUnlogged = 0;
    } else this.#refusalsUnlogged++;

    return refusal;
  }
}
