/**
 * The HTTP server: pages, health, metrics, rooms, games and the path of the WebSockets, all on one port.
 *
 * It is node:http with `ws`, because Deno's own WebSocket upgrade limits neither messages nor fragments (DESIGN 12.4).
 */
import type { Buffer } from "node:buffer";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import type { Rate } from "../../shared/flags.ts";
import type { Link } from "../../shared/netcode/link.ts";
import { GOING_AWAY } from "../../shared/netcode/wire/stop_reasons.ts";
import { messageOf } from "../log.ts";
import type { CloseInitiator } from "../metrics/metrics.ts";
import type { Limits } from "../settings/limits.ts";
import { clock } from "../ticker.ts";
import { AddressBuckets } from "./address_buckets.ts";
import { AdmissionControl, type Refusal, type RefusalCause } from "./admission.ts";
import { pathOf, queryOf, refuse, respondText } from "./answers.ts";
import { JoinRoute, type PlayDesk } from "./join_route.ts";
import { Listener, type ListenerOptions } from "./listener.ts";
import type { Peer } from "../match/clients/peer.ts";
import { addressBlockOf } from "./client_address.ts";
import { Routes, type RoutesOptions } from "./routes.ts";
import type { Stalls } from "../stalls.ts";
import type { JoinDesk } from "../tickets/join_desk.ts";
import { TokenBucket } from "./token_bucket.ts";
import { WebSockets } from "./websocket.ts";

/**
 * Limit on log lines about refusals, so that a flood of them does not fill the disk. The next line has the number of
 * refusals that were not logged.
 */
const REFUSALS_LOGGED: Rate = { burst: 20, perSecond: 1 };

/** Probes of operators and of their machines: they come often, and from one address. */
const UNLIMITED_PATHS: ReadonlySet<string> = new Set(["/healthz", "/readyz"]);

type ListenOptions = Pick<ListenerOptions, "host" | "port" | "tls" | "proxies" | "log" | "onAnswered">;

export interface HttpServerOptions extends ListenOptions, RoutesOptions {
  readonly limits: Limits;
  /** The process's stalls; by default it has none. */
  readonly stalls?: Stalls;
  /** @returns whether an operator has banned the address; by default nobody is banned */
  readonly isBanned?: ((addressBlock: string) => boolean) | undefined;
  /** Gives tickets and takes them; without it there are none. */
  readonly desk?: JoinDesk;
  /** "Play now" over several machines; by default there are none. */
  readonly matchmaker?: PlayDesk | undefined;
  /** Called with the link of each admitted socket. */
  readonly admit: (link: Link, peer: Peer) => void;
  /** Called for each refused socket. */
  readonly onRefused?: (cause: RefusalCause) => void;
  /** Called when a link has ended. @param by the end that chose the code */
  readonly onClosed?: (code: number, by: CloseInitiator) => void;
}

export class HttpServer {
  readonly #options: HttpServerOptions;
  readonly #admission: AdmissionControl;
  readonly #requests: AddressBuckets;
  readonly #webSockets: WebSockets;
  readonly #routes: Routes;
  readonly #joinRoute: JoinRoute | undefined;
  #listener: Listener | undefined;
  readonly #refusalsLogged = new TokenBucket(REFUSALS_LOGGED, clock.now());
  #refusalsUnlogged = 0;

  private constructor(options: HttpServerOptions) {
    this.#options = options;
    const { limits, site, desk } = options;
    this.#admission = new AdmissionControl(limits, { site, isBanned: options.isBanned });
    this.#requests = new AddressBuckets(limits.requestsPerAddress, clock);
    this.#webSockets = new WebSockets({ ...options, ...limits });
    this.#routes = new Routes(options);
    this.#joinRoute = desk && new JoinRoute({ ...options, desk });
  }

  /** Opens the server. @throws ListenError if the port is in use or the host is not an address of this machine */
  static async open(options: HttpServerOptions): Promise<HttpServer> {
    const server = new HttpServer(options);
    try {
      server.#listener = await Listener.open({
        ...options,
        onRequest: (request, response) => server.#onRequest(request, response),
        onUpgrade: (request, socket, head) => server.#onUpgrade(request, socket, head),
      });
      return server;
    } catch (error) {
      await server.#webSockets.close(GOING_AWAY, "the server did not start");
      throw error;
    }
  }

  /** The address of the page, with the real port. */
  get url(): string {
    return this.#listener!.url;
  }

  /** Open sockets. */
  get socketCount(): number {
    return this.#webSockets.count;
  }

  /** Open connections, sockets among them. */
  get connectionCount(): number {
    return this.#listener!.connections.count;
  }

  /** Whether the server has accepted its newest connection to itself. */
  get isAccepting(): boolean {
    return this.#listener!.isAccepting;
  }

  /** How often the port was opened again. */
  get reopened(): number {
    return this.#listener!.reopened;
  }

  /** Bytes of all sockets that the operating system has not taken yet. */
  get unsentBytes(): number {
    return this.#webSockets.unsentBytes;
  }

  /** Closes every socket with this code, then the port. @returns when all are closed, after 2 s at most */
  async close(code: number, reason: string): Promise<void> {
    const closed = this.#listener!.stopAccepting();
    await this.#webSockets.close(code, reason);
    this.#listener!.closeConnections();
    await closed;
  }

  #onRequest(request: IncomingMessage, response: ServerResponse): void {
    const client = this.#clientOf(request);
    if (!UNLIMITED_PATHS.has(pathOf(request)) && !this.#requests.take(client.addressBlock)) {
      this.#options.onRefused?.("requests");
      response.setHeader("Retry-After", "1");
      return respondText(response, 429, "Too many requests from your address. Wait a second.");
    }
    if (this.#joinRoute?.has(request)) void this.#joinRoute.respond(request, response, client);
    else this.#routes.respond(request, response);
  }

  /** The client's address, and the customer behind it. */
  #clientOf({ socket, headers }: IncomingMessage): Omit<Peer, "link"> {
    const forwardedFor = headers["x-forwarded-for"];
    const address = this.#options.proxies.clientAddress(socket.remoteAddress ?? "", [forwardedFor].flat().join(","));
    return { address, addressBlock: addressBlockOf(address) };
  }

  #onUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    // Without a listener a peer's reset would be an uncaught error. The "close" event reports the end of the socket.
    socket.on("error", () => {});
    if (socket.destroyed || request.socket.remoteAddress === undefined) return void socket.destroy();
    const client = this.#clientOf(request), { addressBlock } = client, { origin, host } = request.headers;
    const refusal = this.#admission.acquire({ path: pathOf(request), origin, host, addressBlock });
    if (refusal !== undefined) return this.#refuse(socket, refusal, client.address);
    socket.once("close", () => this.#admission.release(addressBlock));
    const admittance = this.#options.desk?.redeem(ticketOf(request)) ?? { claims: undefined };
    if ("fault" in admittance) {
      return this.#refuse(socket, { status: 403, cause: "ticket", reason: admittance.fault }, client.address);
    }
    try {
      this.#webSockets.handleUpgrade(request, { socket, head, client: { ...client, ticket: admittance.claims } });
    } catch (error) {
      this.#options.log("upgrade_failed", { error: messageOf(error) });
      socket.destroy();
    }
  }

  #refuse(socket: Duplex, refusal: Refusal, address: string): void {
    refuse(socket, refusal);
    const { log, onRefused } = this.#options;
    onRefused?.(refusal.cause);
    if (!this.#refusalsLogged.take(clock.now())) return void this.#refusalsUnlogged++;
    log("refused", { cause: refusal.cause, status: refusal.status, address, unlogged: this.#refusalsUnlogged });
    this.#refusalsUnlogged = 0;
  }
}

/** The ticket that a socket shows in its address; undefined if there is none. */
function ticketOf(request: IncomingMessage): string | undefined {
  return new URLSearchParams(queryOf(request)).get("ticket") ?? undefined;
}
