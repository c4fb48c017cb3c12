/**
 * A WebSocket as a `Link` of whole binary messages in order. A peer that breaks the protocol loses its own link. An
 * error of the server while it handles a message closes that one link. No other link is affected.
 */
import { Buffer } from "node:buffer";
import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
// @ts-types="@types/ws"
import { type WebSocket, WebSocketServer } from "ws";
import type { Clock, Link, MessageHandler } from "../../shared/netcode/link.ts";
import { CLIENT_MESSAGE_BYTES_MAX, CloseCode } from "../../shared/netcode/wire/messages.ts";
import { type Log, messageOf } from "../log.ts";
import type { CloseInitiator } from "../metrics/metrics.ts";
import { clock } from "../ticker.ts";
import type { Rate } from "../../shared/flags.ts";
import { AddressBuckets } from "./address_buckets.ts";
import type { Stalls } from "../stalls.ts";
import type { Peer } from "../match/clients/peer.ts";
import { TokenBucket } from "./token_bucket.ts";

/**
 * Fragments of one message. No honest client cuts a message of a kilobyte, and each fragment costs the work of a
 * header, even an empty one.
 */
const FRAGMENTS_MAX = 16;

/** Time that a peer may take to answer a close, ms. */
const CLOSE_HANDSHAKE_MS = 2_000;

/**
 * Interval of pings, ms. A cut connection sends nothing: without pings a dead peer would keep its seat until the
 * operating system gives up.
 */
const PING_EVERY_MS = 10_000;
/** Unanswered pings in a row. When the next ping is due, the peer counts as dead: after 30 s. */
const PINGS_UNANSWERED_MAX = 3;

/** Links of one address that the log names: each has lines for its begin, its end, its join and its room. */
const LINKS_LOGGED: Rate = { burst: 100, perSecond: 5 };

/** "No close frame was received" (RFC 6455 §7.4.1): the connection was cut. */
const NO_CLOSE_FRAME = 1006;

/** The longest reason that a close frame can carry (RFC 6455 §5.5). */
const CLOSE_REASON_BYTES_MAX = 123;

/** For each error code of ws, the close code that ws sends. For errors not listed here ws sends 1002. */
const CLOSE_CODE_BY_ERROR: Readonly<Record<string, number>> = {
  WS_ERR_UNSUPPORTED_MESSAGE_LENGTH: 1009,
  WS_ERR_UNSUPPORTED_DATA_PAYLOAD_LENGTH: 1009,
  WS_ERR_TOO_MANY_BUFFERED_PARTS: 1008,
  WS_ERR_INVALID_UTF8: 1007,
};

/** The code and reason with which a link ended. */
interface CloseInfo {
  readonly code: number;
  readonly reason: string;
}

export interface WebSocketsOptions {
  /** Called with each new link, once, before any of its messages. An error thrown by it closes that link. */
  readonly admit: (link: Link, peer: Peer) => void;
  readonly messagesPerLink: Rate;
  readonly messagesPerAddress: Rate;
  /** The process's stalls; by default it has none. */
  readonly stalls?: Stalls;
  readonly log: Log;
  /**
   * Called when a link has ended.
   * @param by the end that chose the code; 1006 by the peer means that the connection was cut
   */
  readonly onClosed?: (code: number, by: CloseInitiator) => void;
  readonly clock?: Clock;
  /** For tests. */
  readonly pingEveryMs?: number;
}

/** All open sockets of one server. */
export class WebSockets {
  readonly #options: WebSocketsOptions;
  readonly #links = new Set<WebSocketLink>();
  readonly #heartbeatTimer: ReturnType<typeof setInterval>;
  readonly #server: WebSocketServer;
  /** Number of links so far. The log numbers links by it. */
  #admitted = 0;

  readonly #logged: AddressBuckets;
  readonly #messages: AddressBuckets;
  /** Links that the log lacks since its last line about one. */
  #unlogged = 0;

  constructor(options: WebSocketsOptions) {
    this.#options = options;
    this.#logged = new AddressBuckets(LINKS_LOGGED, options.clock ?? clock);
    this.#messages = new AddressBuckets(options.messagesPerAddress, options.clock ?? clock, options.stalls);
    const settings = {
      noServer: true,
      clientTracking: false,
      perMessageDeflate: false,
      maxPayload: CLIENT_MESSAGE_BYTES_MAX,
      maxFragments: FRAGMENTS_MAX,
      closeTimeout: CLOSE_HANDSHAKE_MS, // an option of ws that its types lack
    };
    this.#server = new WebSocketServer(settings);
    this.#heartbeatTimer = setInterval(() => {
      for (const link of this.#links) link.heartbeat();
    }, options.pingEveryMs ?? PING_EVERY_MS);
  }

  get count(): number {
    return this.#links.size;
  }

  /** Bytes of all links that the operating system has not taken yet: the memory that slow readers cost this process. */
  get unsentBytes(): number {
    let bytes = 0;
    for (const link of this.#links) bytes += link.bufferedBytes;
    return bytes;
  }

  /**
   * Completes the opening handshake on a raw socket and admits the link. ws answers a bad handshake with an HTTP error.
   */
  handleUpgrade(
    request: IncomingMessage,
    { socket, head, client }: { socket: Duplex; head: Buffer; client: Omit<Peer, "link"> },
  ): void {
    this.#server.handleUpgrade(request, socket, head, (webSocket) => this.#admit(webSocket, client));
  }

  /** Closes every link. @returns when the last peer has answered or has taken too long */
  async close(code: number, reason: string): Promise<void> {
    clearInterval(this.#heartbeatTimer);
    await Promise.all([...this.#links].map((link) => {
      link.close(code, reason);
      return link.closed;
    }));
  }

  #takeUnlogged(): number {
    const unlogged = this.#unlogged;
    this.#unlogged = 0;
    return unlogged;
  }

  #admit(webSocket: WebSocket, client: Omit<Peer, "link">): void {
    const { admit, log, onClosed, messagesPerLink, stalls } = this.#options;
    const id = ++this.#admitted;
    const takeOfAddress = () => this.#messages.take(client.addressBlock);
    const link = new WebSocketLink(webSocket, {
      ...{ log, clock: this.#options.clock ?? clock, messagesPerLink, stalls, takeOfAddress },
    });
    this.#links.add(link);
    const isLogged = this.#logged.take(client.addressBlock);
    if (isLogged) log("link_opened", { link: id, address: client.address, unlogged: this.#takeUnlogged() });
    else this.#unlogged++;
    link.closed.then(({ code, reason, by }) => {
      this.#links.delete(link);
      if (isLogged) log("link_closed", { link: id, address: client.address, code, by, reason });
      onClosed?.(code, by);
    });
    link.runGuarded(() => admit(link, { link: id, isUnlogged: !isLogged, ...client }));
  }
}

interface LinkOptions {
  readonly log: Log;
  readonly clock: Clock;
  readonly messagesPerLink: Rate;
  readonly stalls: Stalls | undefined;
  /** Takes a token of the address. @returns false if there is none */
  readonly takeOfAddress: () => boolean;
}

class WebSocketLink implements Link {
  readonly ordered = true;
  readonly #webSocket: WebSocket;
  readonly #log: Log;
  readonly #clock: Clock;
  readonly #messageBucket: TokenBucket;
  readonly #stalls: Stalls | undefined;
  readonly #takeOfAddress: () => boolean;
  readonly #closed = Promise.withResolvers<CloseInfo & { by: CloseInitiator }>();
  #onMessage: MessageHandler | undefined;
  #onClose: ((code: number, reason: string) => void) | undefined;
  /** The end of the link: chosen by the server, or at last by the peer. Undefined while the link is open. */
  #serverClose: CloseInfo | undefined;
  #errorText = "";
  #unansweredPings = 0;

  constructor(
    webSocket: WebSocket,
    { log, clock, messagesPerLink, stalls, takeOfAddress }: LinkOptions,
  ) {
    this.#webSocket = webSocket;
    this.#log = log;
    this.#clock = clock;
    this.#stalls = stalls;
    this.#takeOfAddress = takeOfAddress;
    this.#messageBucket = new TokenBucket(messagesPerLink, clock.now(), stalls?.totalMs(clock.now()));
    // Copied: `data`, a "nodebuffer" by default, is a view into the socket's read buffer, and receivers may keep their
    // bytes.
    webSocket.on("message", (data, isBinary) => this.#onData(new Uint8Array(data as Buffer), isBinary));
    webSocket.on("ping", () => this.#takeTokenOrClose()); // ws answers each ping, so it costs as much as a message
    webSocket.on("pong", () => this.#onPong());
    webSocket.on("error", (error) => this.#onSocketError(error)); // ws closes the socket after an error
    webSocket.on("close", (code, reason) => this.#onSocketClose(code, reason.toString()));
  }

  get bufferedBytes(): number {
    return this.#webSocket.bufferedAmount;
  }

  /** Resolves when the socket is closed. */
  get closed(): Promise<CloseInfo & { by: CloseInitiator }> {
    return this.#closed.promise;
  }

  send(message: Uint8Array): void {
    if (this.#isClosing || this.#webSocket.readyState !== this.#webSocket.OPEN) return;
    // A copy: ws keeps the bytes until they are written, and the caller reuses them.
    this.#webSocket.send(message.slice());
  }

  sendReliably(message: Uint8Array): void {
    this.send(message);
  }

  onMessage(handler: MessageHandler): void {
    this.#onMessage = handler;
  }

  onClose(handler: (code: number, reason: string) => void): void {
    this.#onClose = handler;
  }

  close(code: number, reason: string): void {
    if (this.#isClosing) return;
    this.#serverClose = { code, reason };
    this.#webSocket.close(code, truncatedReason(reason));
  }

  /** Pings the peer, or closes the link of a peer that left `PINGS_UNANSWERED_MAX` pings unanswered. */
  heartbeat(): void {
    if (this.#unansweredPings >= PINGS_UNANSWERED_MAX) {
      this.#serverClose ??= { code: NO_CLOSE_FRAME, reason: "no answer to pings" };
      return this.#webSocket.terminate();
    }
    this.#unansweredPings++;
    if (this.#webSocket.readyState === this.#webSocket.OPEN) this.#webSocket.ping();
  }

  /** Runs a caller's code. An error thrown by it closes this link. */
  runGuarded(action: () => void): void {
    try {
      action();
    } catch (error) {
      this.#log("link_failed", { error: messageOf(error) });
      this.close(1011, "an error of the server");
    }
  }

  get #isClosing(): boolean {
    return this.#serverClose !== undefined;
  }

  #onData(message: Uint8Array, isBinary: boolean): void {
    if (this.#isClosing) return;
    if (!isBinary) return this.close(1003, "binary messages only");
    if (!this.#takeTokenOrClose()) return;
    this.runGuarded(() => this.#onMessage?.(message, true));
  }

  #onPong(): void {
    if (this.#takeTokenOrClose()) this.#unansweredPings = 0;
  }

  /** Takes a token for one message, or closes the link. @returns whether there was a token */
  #takeTokenOrClose(): boolean {
    const nowMs = this.#clock.now();
    if (!this.#messageBucket.take(nowMs, this.#stalls?.totalMs(nowMs))) {
      this.close(CloseCode.flood, "too many messages");
    } else if (!this.#takeOfAddress()) this.close(CloseCode.addressFull, "too many messages of your address");
    else return true;
    return false;
  }

  #onSocketError({ message, code = "" }: Error & { code?: string }): void {
    if (code.startsWith("WS_ERR_")) this.#serverClose ??= { code: CLOSE_CODE_BY_ERROR[code] ?? 1002, reason: message };
    else this.#errorText = message; // an error of the operating system: the connection was cut
  }

  #onSocketClose(code: number, reason: string): void {
    const by = this.#isClosing ? "server" : "peer";
    const info = this.#serverClose ??= { code, reason: reason || this.#errorText };
    this.runGuarded(() => this.#onClose?.(info.code, info.reason));
    this.#closed.resolve({ ...info, by });
  }
}

/** The longest prefix that fits a close frame, cut between two characters. */
function truncatedReason(reason: string): string {
  const bytes = new Uint8Array(CLOSE_REASON_BYTES_MAX);
  const { written } = new TextEncoder().encodeInto(reason, bytes);
  return new TextDecoder().decode(bytes.subarray(0, written));
}
