/**
 * The listening port: HTTP or HTTPS, with limits on time and on connections. It never stops
 * accepting for good, because it reopens the port after the process ran out of file descriptors.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { connect, Server as NetServer, type Socket } from "node:net";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import type { Buffer } from "node:buffer";
import { type Log, messageOf } from "../ground/log.ts";
import { type ConnectionLimits, Connections } from "./connections.ts";
import { respondText } from "./answers.ts";
import { addressBlockOf, type ProxyTrust } from "../addresses/client_address.ts";

/**
 * A browser sends its header in one packet. A client that takes longer holds a connection open on
 * purpose.
 */
const HEADERS_TIMEOUT_MS = 3_000;
/** A client that takes longer to begin TLS holds a connection open on purpose. */
const TLS_HANDSHAKE_TIMEOUT_MS = 3_000;
/**
 * Limits header and body together. A body is a few kilobytes at most, so this hardly exceeds the
 * header's limit.
 */
const REQUEST_TIMEOUT_MS = 5_000;
/** How often node:http checks both timeouts; they may fire this much too late. */
const TIMEOUTS_CHECKED_EVERY_MS = 500;
/** Long enough for a page and its files over one connection. */
const KEEP_ALIVE_MS = 5_000;
/** A client must read an answer within this time: 120 kB at 50 kbit/s. */
const ANSWER_TIMEOUT_MS = 20_000;

/** How often the server connects to itself, ms. */
const PROBE_EVERY_MS = 2_000;
/** If a connection to itself is not accepted within this time, ms, the port accepts nothing. */
const PROBE_TIMEOUT_MS = 1_500;

export interface ListenerOptions {
  /** A name or address of this machine. */
  readonly host: string;
  /** 0 … 65535; 0 takes any free port. */
  readonly port: number;
  /** The prefix of the host's and the port's settings, such as "ops-"; by default empty. */
  readonly setting?: string | undefined;
  /** The certificate chain and its private key, as PEM; without them the port speaks HTTP. */
  readonly tls?: { readonly cert: string; readonly key: string } | undefined;
  readonly limits: ConnectionLimits;
  readonly proxies: ProxyTrust;
  readonly onRequest: (request: IncomingMessage, response: ServerResponse) => void;
  readonly onUpgrade?: (request: IncomingMessage, socket: Duplex, head: Buffer) => void;
  /** Called when a request has been answered. @param status as in HTTP */
  readonly onAnswered?: (status: number, seconds: number) => void;
  readonly log: Log;
}

/** Reports that host and port cannot be listened on. The message names the flag and the reason. */
export class ListenError extends Error {
  override readonly name = "ListenError";
}

export class Listener {
  readonly #options: ListenerOptions;
  readonly #server: Server;
  readonly connections: Connections;
  /** With TLS: the TCP sockets beneath requests and upgrades, by the client's address and port. */
  readonly #tcpSockets = new Map<string, Socket>();
  /** Where it listens, also while the port is being opened again. */
  #bound: AddressInfo | undefined;
  #probeTimer: ReturnType<typeof setInterval> | undefined;
  /** Connections accepted so far. */
  #accepted = 0;
  /** Whether the newest connection to itself was accepted. */
  #isAccepting = true;
  /** How often the port was opened again. */
  reopened = 0;

  private constructor(options: ListenerOptions) {
    this.#options = options;
    this.connections = new Connections(options.limits);

    // HTTP or HTTPS
    const { tls, onUpgrade } = options;
    const serverOptions = {
      headersTimeout: HEADERS_TIMEOUT_MS,
      requestTimeout: REQUEST_TIMEOUT_MS,
      connectionsCheckingInterval: TIMEOUTS_CHECKED_EVERY_MS,
      keepAliveTimeout: KEEP_ALIVE_MS,
      // Without this, every request with `Upgrade` would be taken for a socket's, including one by
      // `curl --http2`, which asks for h2c.
      shouldUpgradeCallback: (request: IncomingMessage) =>
        onUpgrade !== undefined && asksForWebSocket(request),
    };
    this.#server = tls === undefined
      ? createServer(serverOptions)
      : createTlsServer({ ...serverOptions, handshakeTimeout: TLS_HANDSHAKE_TIMEOUT_MS, ...tls });

    // Connections count from their first moment, because one that never begins TLS takes a place
    // too.
    this.#server.on("connection", (socket) => this.#onConnection(socket));
    this.#server.on("request", (request, response) => this.#onRequest(request, response));

    if (onUpgrade === undefined) return;
    this.#server.on("upgrade", (request, socket, head) => {
      this.connections.upgrade(this.#tcpSocketOf(request.socket));
      takeTarget(request);
      onUpgrade(request, socket, head);
    });
  }

  /**
   * Opens the port.
   * @throws ListenError if the port is in use, or the host is not an address of this machine
   */
  static async open(options: ListenerOptions): Promise<Listener> {
    const listener = new Listener(options);
    await listener.#listen(options.port);
    listener.#probeTimer = setInterval(() => listener.#probe(), PROBE_EVERY_MS);
    return listener;
  }

  /** The page's URL, with the real port. */
  get url(): string {
    const { address, port } = this;
    const scheme = this.#options.tls === undefined ? "http" : "https";
    return `${scheme}://${address.includes(":") ? `[${address}]` : address}:${port}/`;
  }

  /** The IP address on which it listens. */
  get address(): string {
    return this.#bound!.address;
  }

  /** The real port. */
  get port(): number {
    return this.#bound!.port;
  }

  /** Whether the server's newest connection to itself was accepted. */
  get isAccepting(): boolean {
    return this.#isAccepting;
  }

  /**
   * Accepts no further connection. Open connections stay.
   * @returns when all of them have closed
   */
  stopAccepting(): Promise<void> {
    clearInterval(this.#probeTimer);
    return new Promise((resolve) => this.#server.close(() => resolve()));
  }

  /** Closes all connections that are not sockets. */
  closeConnections(): void {
    this.#server.closeAllConnections();
  }

  #listen(port: number): Promise<void> {
    const { host, setting, log } = this.#options;
    return new Promise((resolve, reject) => {
      this.#server.once(
        "error",
        (error) => reject(new ListenError(describeListenError(error, { host, port, setting }))),
      );
      this.#server.listen({ host, port }, () => {
        this.#bound = this.#server.address() as AddressInfo;
        this.#server.removeAllListeners("error");
        this.#server.on("error", (error) => log("server_failed", { error: messageOf(error) }));
        resolve();
      });
    });
  }

  #onConnection(socket: Socket): void {
    this.#accepted++;
    const { remoteAddress } = socket;
    if (remoteAddress === undefined) return void socket.destroy();
    if (this.#options.tls !== undefined) this.#rememberTcpSocket(socket);
    this.connections.open(
      socket,
      this.#options.proxies.trusts(remoteAddress) ? undefined : addressBlockOf(remoteAddress),
    );
  }

  #rememberTcpSocket(socket: Socket): void {
    const key = clientOf(socket);
    this.#tcpSockets.set(key, socket);
    socket.once("close", () => {
      // The client may reuse its port before this end has closed.
      if (this.#tcpSockets.get(key) === socket) this.#tcpSockets.delete(key);
    });
  }

  /** Finds the socket that `connections` counts: with TLS, the one beneath a request's socket. */
  #tcpSocketOf(socket: Socket): Socket {
    return this.#tcpSockets.get(clientOf(socket)) ?? socket;
  }

  #onRequest(request: IncomingMessage, response: ServerResponse): void {
    const socket = this.#tcpSocketOf(request.socket);
    const decision = this.connections.beginRequest(socket);
    if (decision === "drop") return stopReading(request.socket);

    // If an upgrade is not granted, the parser ignores everything else that came in the same
    // packet.
    const isLast = decision === "answerAndClose" || request.headers.upgrade !== undefined;
    if (isLast) response.setHeader("Connection", "close");

    // Limit the answer's time, however the request ends.
    const timer = setTimeout(() => socket.destroy(), ANSWER_TIMEOUT_MS);
    const beganMs = performance.now();
    response.once("close", () => {
      clearTimeout(timer);
      this.#options.onAnswered?.(response.statusCode, (performance.now() - beganMs) / 1000);
      this.connections.endRequest(socket);
    });

    try {
      const fault = targetFaultOf(request);
      if (fault !== undefined) return respondText(response, 400, fault);
      takeTarget(request);
      this.#options.onRequest(request, response);
    } catch (error) {
      this.#options.log("request_failed", { error: messageOf(error) });
      response.destroy();
    }
  }

  /**
   * Connects to itself. If the process runs out of file descriptors, Deno stops accepting for good
   * and reports no error; only a new listening socket helps.
   */
  #probe(): void {
    const { address, port } = this;
    // The port could not be reopened last time, perhaps because another program held it.
    if (!this.#server.listening) return this.#reopen(port);

    const accepted = this.#accepted;
    const socket = connect({ host: ownAddressOf(address), port });
    const timer = setTimeout(() => {
      socket.destroy();
      this.#isAccepting = this.#accepted > accepted;
      if (!this.#isAccepting) this.#reopen(port);
    }, PROBE_TIMEOUT_MS);
    socket.on("error", () => {
      // Without a descriptor it cannot connect to itself either: the next attempt decides.
      clearTimeout(timer);
      this.#isAccepting = false;
    });
    socket.on("connect", () => this.#awaitAccepted({ accepted, socket, timer }));
  }

  /**
   * Waits for the server to accept the probe, because the kernel connects before this process does.
   */
  #awaitAccepted(
    probe: { accepted: number; socket: Socket; timer: ReturnType<typeof setTimeout> },
  ): void {
    const done = () => {
      if (this.#accepted === probe.accepted) return;
      this.#server.off("connection", done);
      clearTimeout(probe.timer);
      this.#isAccepting = true;
      probe.socket.destroy();
    };
    this.#server.on("connection", done);
    probe.socket.once("close", () => this.#server.off("connection", done));
    done();
  }

  #reopen(port: number): void {
    this.reopened++;
    this.#options.log("port_reopened", { port });
    // Not the HTTP server's own method, which would close connections between two requests.
    if (this.#server.listening) NetServer.prototype.close.call(this.#server);
    this.#listen(port).catch((error) =>
      this.#options.log("server_failed", { error: messageOf(error) })
    );
  }
}

/** How this machine reaches a server that listens on an address, or on all of them. */
function ownAddressOf(address: string): string {
  if (address === "0.0.0.0") return "127.0.0.1";
  return address === "::" ? "::1" : address;
}

/**
 * The target of a request to a proxy (RFC 9112 §3.2.2): the authority without a user, and the path
 * with its query.
 */
const ABSOLUTE_TARGET = /^https?:\/\/([^/?#@]+)((?:[/?][^#]*)?)$/i;

/**
 * Whether a request may become a WebSocket. Any other is answered as if it asked for no upgrade
 * (RFC 9110 §7.8).
 */
function asksForWebSocket(request: IncomingMessage): boolean {
  return request.headers.upgrade?.toLowerCase() === "websocket" &&
    targetFaultOf(request) === undefined;
}

/**
 * @returns why two readers of the request might disagree about its server and path; undefined if
 * they cannot
 */
function targetFaultOf({ url = "", rawHeaders }: IncomingMessage): string | undefined {
  const hosts = rawHeaders.filter((name, i) => i % 2 === 0 && name.toLowerCase() === "host");
  if (hosts.length > 1) return "A request has one Host header.";
  const isTarget = url.startsWith("/") || url === "*" || ABSOLUTE_TARGET.test(url);
  return isTarget ? undefined : "The target of a request is a path, or a whole address.";
}

/**
 * Splits a target that is a whole URL: its authority replaces the `Host` header (RFC 9112 §3.2.2).
 */
function takeTarget(request: IncomingMessage): void {
  const [, authority, path = ""] = ABSOLUTE_TARGET.exec(request.url ?? "") ?? [];
  if (authority === undefined) return;
  request.headers.host = authority;
  request.url = path.startsWith("/") ? path : `/${path}`;
}

/** @returns a name for the connection, unique on one port while the connection is open */
function clientOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`;
}

/**
 * A parser's callback returns this for a request after which the connection stops speaking HTTP.
 */
const NO_MORE_HTTP = 2;

/**
 * Ends a connection, and with it the requests that have arrived. node:http makes objects of all of
 * them before it looks at the socket again: a gigabyte for some thousand requests on each of two
 * hundred connections. No setting prevents that, so the parser, which node:http reaches through
 * this property, is made to treat the next request as its last.
 */
function stopReading(socket: Socket & { parser?: { onIncoming: () => number } | null }): void {
  if (socket.parser) socket.parser.onIncoming = () => NO_MORE_HTTP;
  socket.destroy();
}

/** Explains the operating system's error in terms of the server's flags. */
function describeListenError(
  error: Error,
  { host, port, setting = "" }: Pick<ListenerOptions, "host" | "port" | "setting">,
): string {
  const code = (error as Error & { code?: string }).code;
  const given = `--${setting}port ${port}`;
  if (code === "EADDRINUSE") {
    return `${given} is in use on ${host}; choose another, or 0 for any free one`;
  }
  if (code === "EACCES") return `${given} may not be used by this user; choose one above 1023`;
  return `--${setting}host ${host} cannot be listened on: ${error.message}`;
}
