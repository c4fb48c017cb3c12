/**
 * A WebSocket as a `Link`: whole binary messages in order, and nothing else. Whatever a peer does wrong costs him his own link, whatever
 * our own code throws at a message costs that one link, and nobody else anything.
 */
import { Buffer } from "node:buffer";
import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
// @ts-types="@types/ws"
import { type WebSocket, WebSocketServer } from "ws";
import type { Clock, Link, MessageHandler } from "../../shared/netcode/link.ts";
import { CLIENT_MESSAGE_BYTES_MAX, CloseCode } from "../../shared/netcode/wire/messages.ts";
import { type Log, messageOf } from "../log.ts";
import type { CloseInitiator } from "../metrics.ts";
import { encodeFrame, NO_BYTES, ShortFrameReader } from "./websocket_fast_path.ts";
import { clock } from "../ticker.ts";
import { type RateLimit, TokenBucket } from "./token_bucket.ts";

/** Pieces of one message. Nobody needs to cut a kilobyte; each piece costs a header's work however empty it is. */
const FRAGMENTS_MAX = 16;

/** How long a peer may take to answer a close. */
const CLOSE_HANDSHAKE_MS = 2_000;

/** A line that is cut says nothing: without asking, a dead peer would keep its seat until the operating system gives up. */
const PING_EVERY_MS = 10_000;
/** Unanswered pings in a row; the peer is dead when the next one is due: 30 s. */
const PINGS_UNANSWERED_MAX = 3;

/**
 * Messages of one link. A client sends 22 a second: a command each tick, up to 5 % more where its clock runs fast, and a ping. A line that
 * stalls for 10 s delivers 220 at once; a third more is allowed, and three times the rate. Each message costs the ticks' core time.
 */
export const MESSAGES_PER_LINK: RateLimit = { burst: 300, perSecond: 60 };

/** "No close frame came" (RFC 6455 §7.4.1): a line that was cut. */
const NO_CLOSE_FRAME = 1006;

/** The most that a close frame carries (RFC 6455 §5.5). */
const CLOSE_REASON_BYTES_MAX = 123;

/** By ws's word for what a peer did wrong, the code that ws closes with; a word not listed here means 1002. */
const CLOSE_CODE_BY_ERROR: Readonly<Record<string, number>> = {
  WS_ERR_UNSUPPORTED_MESSAGE_LENGTH: 1009,
  WS_ERR_UNSUPPORTED_DATA_PAYLOAD_LENGTH: 1009,
  WS_ERR_TOO_MANY_BUFFERED_PARTS: 1008,
  WS_ERR_INVALID_UTF8: 1007,
};

/** How a link ended. */
interface CloseInfo {
  readonly code: number;
  readonly reason: string;
}

export interface WebSocketsOptions {
  /** Called with each new link, once, before any of its messages. What it throws closes that link. */
  readonly admit: (link: Link) => void;
  readonly log: Log;
  /** Learns of each link's end. @param by who chose the code; 1006 of a peer is a line that was cut */
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
  /** Links so far; the newest one's number in the log. */
  #admitted = 0;

  constructor(options: WebSocketsOptions) {
    this.#options = options;
    const settings = {
      noServer: true,
      clientTracking: false,
      perMessageDeflate: false,
      maxPayload: CLIENT_MESSAGE_BYTES_MAX,
      maxFragments: FRAGMENTS_MAX,
      closeTimeout: CLOSE_HANDSHAKE_MS, // ws knows it; its types do not yet
    };
    this.#server = new WebSocketServer(settings);
    this.#heartbeatTimer = setInterval(() => {
      for (const link of this.#links) link.heartbeat();
    }, options.pingEveryMs ?? PING_EVERY_MS);
  }

  get count(): number {
    return this.#links.size;
  }

  /** What all of them have not handed to the operating system yet: the most that slow readers cost this process. */
  get unsentBytes(): number {
    let bytes = 0;
    for (const link of this.#links) bytes += link.bufferedBytes;
    return bytes;
  }

  /** Speaks the opening handshake on a raw socket and admits the link. A bad handshake is answered with its HTTP error. */
  handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const address = request.socket.remoteAddress ?? "";
    this.#server.handleUpgrade(request, socket, NO_BYTES, (webSocket) => {
      this.#admit(webSocket, socket, address);
      if (head.length > 0) socket.push(head);
    });
  }

  /** Closes every link. @returns when the last peer has answered or has taken too long */
  async close(code: number, reason: string): Promise<void> {
    clearInterval(this.#heartbeatTimer);
    await Promise.all([...this.#links].map((link) => {
      link.close(code, reason);
      return link.closed;
    }));
  }

  #admit(webSocket: WebSocket, socket: Duplex, address: string): void {
    const { admit, log, onClosed } = this.#options;
    const id = ++this.#admitted;
    const link = new WebSocketLink(webSocket, socket, {
      log,
      clock: this.#options.clock ?? clock,
    });
    this.#links.add(link);
    log("link_opened", { link: id, address });
    link.closed.then(({ code, reason, by }) => {
      this.#links.delete(link);
      log("link_closed", { link: id, code, by, reason });
      onClosed?.(code, by);
    });
    link.runGuarded(() => admit(link));
  }
}

class WebSocketLink implements Link {
  readonly ordered = true;
  readonly #webSocket: WebSocket;
  /** What it speaks on. */
  readonly #socket: Duplex;
  readonly #log: Log;
  readonly #clock: Clock;
  readonly #messageBucket: TokenBucket;
  readonly #closed = Promise.withResolvers<CloseInfo & { by: CloseInitiator }>();
  #onMessage: MessageHandler | undefined;
  #onClose: ((code: number, reason: string) => void) | undefined;
  /** Why the server has ended it; undefined while it has not. */
  #serverClose: CloseInfo | undefined;
  #errorText = "";
  #unansweredPings = 0;

  constructor(
    webSocket: WebSocket,
    socket: Duplex,
    { log, clock }: { log: Log; clock: Clock },
  ) {
    this.#webSocket = webSocket;
    this.#socket = socket;
    this.#log = log;
    this.#clock = clock;
    this.#messageBucket = new TokenBucket(MESSAGES_PER_LINK, clock.now());
    // A copy: the data, "nodebuffer" by default, is a view into what the socket read, and the receiver may keep its bytes.
    webSocket.on("message", (data, isBinary) => this.#onData(new Uint8Array(data as Buffer), isBinary));
    webSocket.on("ping", () => this.#takeTokenOrClose()); // ws answers each: it is work like a message
    webSocket.on("pong", () => this.#onPong());
    webSocket.on("error", (error) => this.#onSocketError(error)); // ws closes by itself after an error
    webSocket.on("close", (code, reason) => this.#onSocketClose(code, reason.toString()));
    this.#installFastPath();
  }

  get bufferedBytes(): number {
    return this.#webSocket.bufferedAmount;
  }

  /** Settles when the socket is gone. */
  get closed(): Promise<CloseInfo & { by: CloseInitiator }> {
    return this.#closed.promise;
  }

  send(message: Uint8Array): void {
    if (this.#isClosing || this.#webSocket.readyState !== this.#webSocket.OPEN) return;
    // ws would write header and message each on its own; without compression it never holds anything back that this could overtake
    this.#socket.write(encodeFrame(message));
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

  /** Asks whether the peer still lives, and gives up one that did not answer for long. */
  heartbeat(): void {
    if (this.#unansweredPings >= PINGS_UNANSWERED_MAX) {
      this.#serverClose ??= { code: NO_CLOSE_FRAME, reason: "no answer to pings" };
      return this.#webSocket.terminate();
    }
    this.#unansweredPings++;
    if (this.#webSocket.readyState === this.#webSocket.OPEN) this.#webSocket.ping();
  }

  /** Runs code that is not ours; what it throws closes this link. */
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

  /**
   * Takes the socket's bytes until the first that are no short frame; from those on ws reads the link, as if it always had. It takes them
   * where the socket hands its stream what it has read: nothing need wait here, and the stream's turns cost as much as reading a command.
   */
  #installFastPath(): void {
    const socket = this.#socket, push = socket.push;
    const onMessage = (message: Uint8Array) => this.#onData(message, true), onPong = () => this.#onPong();
    const reader = new ShortFrameReader({ onMessage, onPong });
    let isFastPath = true;
    socket.push = (chunk: unknown, encoding?: BufferEncoding) => {
      if (!(chunk instanceof Uint8Array)) return push.call(socket, chunk, encoding); // the end
      const remainder = isFastPath ? reader.read(chunk as Buffer) : chunk;
      if (remainder === undefined) return true;
      isFastPath = false;
      return push.call(socket, remainder, encoding);
    };
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
    if (this.#messageBucket.take(this.#clock.now())) return true;
    this.close(CloseCode.flood, "too many messages");
    return false;
  }

  #onSocketError({ message, code = "" }: Error & { code?: string }): void {
    if (code.startsWith("WS_ERR_")) this.#serverClose ??= { code: CLOSE_CODE_BY_ERROR[code] ?? 1002, reason: message };
    else this.#errorText = message; // of the operating system: the line was cut
  }

  #onSocketClose(code: number, reason: string): void {
    const by = this.#isClosing ? "server" : "peer";
    const info = this.#serverClose ??= { code, reason: reason || this.#errorText };
    this.runGuarded(() => this.#onClose?.(info.code, info.reason));
    this.#closed.resolve({ ...info, by });
  }
}

/** As much of a reason as a close frame carries, cut between two characters. */
function truncatedReason(reason: string): string {
  const bytes = new Uint8Array(CLOSE_REASON_BYTES_MAX);
  const { written } = new TextEncoder().encodeInto(reason, bytes);
  return new TextDecoder().decode(bytes.subarray(0, written));
}
