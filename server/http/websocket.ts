/**
 * A WebSocket as a `Link` that carries whole binary messages in order. A peer that breaks the
 * protocol loses its own link. If the server fails while it handles a message, it closes that one
 * link. No other link is affected.
 */
import { Buffer } from "node:buffer";
import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
// @ts-types="@types/ws"
import { type WebSocket, WebSocketServer } from "ws";
import { CUT, type MessageHandler } from "../../shared/netcode/link.ts";
import { CLIENT_MESSAGE_BYTES_MAX } from "../../shared/netcode/wire/messages.ts";
import type { LinkGuard, Links, NewClient } from "../links/links.ts";
import type { CloseInfo, LinkEnd, ServerLink } from "../links/server_link.ts";

/**
 * Most fragments in one message. Honest clients do not split a message of a kilobyte, and each
 * fragment, even an empty one, costs the work of a header.
 */
const FRAGMENTS_MAX = 16;

/** How long a peer may take to answer a close, ms. */
const CLOSE_HANDSHAKE_MS = 2_000;

/**
 * Time between two pings, ms. A lost connection does not report itself, so without pings a dead
 * peer would keep its seat until the operating system gives up.
 */
const PING_EVERY_MS = 10_000;
/**
 * How many pings in a row may go unanswered. When the next one is due, the peer counts as dead:
 * after 30 s.
 */
const PINGS_UNANSWERED_MAX = 3;

/** The longest reason that a close frame can carry (RFC 6455 §5.5). */
const CLOSE_REASON_BYTES_MAX = 123;

/** The close code that ws sends, by its error code. For all other errors it sends 1002. */
const CLOSE_CODE_BY_ERROR: Readonly<Record<string, number>> = {
  WS_ERR_UNSUPPORTED_MESSAGE_LENGTH: 1009,
  WS_ERR_UNSUPPORTED_DATA_PAYLOAD_LENGTH: 1009,
  WS_ERR_TOO_MANY_BUFFERED_PARTS: 1008,
  WS_ERR_INVALID_UTF8: 1007,
};

export interface WebSocketsOptions {
  /** Where new links go. */
  readonly links: Links;
  /** For tests. */
  readonly pingEveryMs?: number;
}

/** The open sockets of one server. */
export class WebSockets {
  readonly #links: Links;
  readonly #sockets = new Set<WebSocketLink>();
  readonly #heartbeatTimer: ReturnType<typeof setInterval>;
  readonly #server: WebSocketServer;

  constructor({ links, pingEveryMs = PING_EVERY_MS }: WebSocketsOptions) {
    this.#links = links;
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
      for (const link of this.#sockets) link.heartbeat();
    }, pingEveryMs);
  }

  /**
   * Completes the opening handshake on a raw socket and admits the link. ws answers a bad handshake
   * with an HTTP error.
   */
  handleUpgrade(
    request: IncomingMessage,
    { socket, head, client }: { socket: Duplex; head: Buffer; client: NewClient },
  ): void {
    this.#server.handleUpgrade(
      request,
      socket,
      head,
      (webSocket) => this.#admit(webSocket, client),
    );
  }

  /** Stops pinging. The owner of the links closes them. */
  stop(): void {
    clearInterval(this.#heartbeatTimer);
  }

  #admit(webSocket: WebSocket, client: NewClient): void {
    const guard = this.#links.newGuard(client);
    const link = new WebSocketLink(webSocket, guard);
    this.#sockets.add(link);
    link.closed.then(() => this.#sockets.delete(link));
    this.#links.admit(link, guard, client);
  }
}

class WebSocketLink implements ServerLink {
  readonly ordered = true;
  readonly transport = "websocket";
  readonly #webSocket: WebSocket;
  readonly #guard: LinkGuard;
  readonly #closed = Promise.withResolvers<LinkEnd>();
  #onMessage: MessageHandler | undefined;
  #onClose: ((code: number, reason: string) => void) | undefined;
  /**
   * How the link ends: the server's choice, or else the peer's. Undefined while the link is open.
   */
  #serverClose: CloseInfo | undefined;
  #errorText = "";
  #unansweredPings = 0;

  constructor(webSocket: WebSocket, guard: LinkGuard) {
    this.#webSocket = webSocket;
    this.#guard = guard;
    // Copied, because `data`, a "nodebuffer" by default, is a view into the socket's read buffer,
    // and receivers may keep their bytes.
    webSocket.on(
      "message",
      (data, isBinary) => this.#onData(new Uint8Array(data as Buffer), isBinary),
    );
    webSocket.on("ping", () => this.#onPing());
    webSocket.on("pong", () => this.#onPong());
    webSocket.on("error", (error) => this.#onSocketError(error)); // ws closes the socket after an error
    webSocket.on("close", (code, reason) => this.#onSocketClose(code, reason.toString()));
  }

  get bufferedBytes(): number {
    return this.#webSocket.bufferedAmount;
  }

  /** Resolves when the socket is closed. */
  get closed(): Promise<LinkEnd> {
    return this.#closed.promise;
  }

  send(message: Uint8Array): void {
    if (this.#isClosing || this.#webSocket.readyState !== this.#webSocket.OPEN) return;
    // Copied, because ws keeps the bytes until they are written, and the caller reuses them.
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

  /** Pings the peer, or closes its link if it left `PINGS_UNANSWERED_MAX` pings unanswered. */
  heartbeat(): void {
    if (this.#unansweredPings >= PINGS_UNANSWERED_MAX) {
      this.#serverClose ??= { code: CUT, reason: "no answer to pings" };
      return this.#webSocket.terminate();
    }
    this.#unansweredPings++;
    if (this.#webSocket.readyState === this.#webSocket.OPEN) this.#webSocket.ping();
  }

  get #isClosing(): boolean {
    return this.#serverClose !== undefined;
  }

  #onData(message: Uint8Array, isBinary: boolean): void {
    this.#guard.arrived();
    if (this.#isClosing) return;
    if (!isBinary) return this.close(1003, "binary messages only");
    if (!this.#guard.takeOrClose(this)) return;
    this.#guard.run(this, () => this.#onMessage?.(message, true));
  }

  /** A ping costs as much as a message, because ws answers each one. */
  #onPing(): void {
    this.#guard.arrived();
    this.#guard.takeOrClose(this);
  }

  #onPong(): void {
    this.#guard.arrived();
    if (this.#guard.takeOrClose(this)) this.#unansweredPings = 0;
  }

  #onSocketError({ message, code = "" }: Error & { code?: string }): void {
    if (code.startsWith("WS_ERR_")) {
      this.#serverClose ??= { code: CLOSE_CODE_BY_ERROR[code] ?? 1002, reason: message };
    } else this.#errorText = message; // an error of the operating system: the connection was cut
  }

  #onSocketClose(code: number, reason: string): void {
    const by = this.#isClosing ? "server" : "peer";
    const info = this.#serverClose ??= { code, reason: reason || this.#errorText };
    this.#guard.run(this, () => this.#onClose?.(info.code, info.reason));
    this.#closed.resolve({ ...info, by });
  }
}

/** Cuts a reason to the longest prefix that fits a close frame, between two characters. */
function truncatedReason(reason: string): string {
  const bytes = new Uint8Array(CLOSE_REASON_BYTES_MAX);
  const { written } = new TextEncoder().encodeInto(reason, bytes);
  return new TextDecoder().decode(bytes.subarray(0, written));
}
