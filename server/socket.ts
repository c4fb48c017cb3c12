/**
 * A WebSocket as a `Link`: whole binary messages in order, and nothing else. Whatever a peer does wrong costs him his own link, whatever
 * our own code throws at a message costs that one link, and nobody else anything.
 */
import type { Buffer } from "node:buffer";
import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
// @ts-types="@types/ws"
import { type WebSocket, WebSocketServer } from "ws";
import type { Link } from "../shared/netcode/link.ts";
import { MESSAGE_UP_BYTES_MAX } from "../shared/netcode/protocol.ts";
import { type Log, messageOf } from "./log.ts";

/** Pieces of one message. Nobody needs to cut a kilobyte; each piece costs a header's work however empty it is. */
const FRAGMENTS_MAX = 16;

/** How long a peer may take to answer a close. */
const CLOSE_HANDSHAKE_MS = 2_000;

/** A line that is cut says nothing: without asking, a dead peer would keep its seat until the operating system gives up. */
const PING_EVERY_MS = 10_000;
/** Unanswered pings in a row; the peer is dead when the next one is due: 30 s. */
const PINGS_UNANSWERED_MAX = 3;

/**
 * Messages between two pings. A client sends one a tick, 200 in 10 s, some 5 % more where its clock runs fast, and after a stall of
 * 10 s as many again at once. Ten times the rate is no client of ours, and each message costs the tick loop's time.
 */
const MESSAGES_PER_PING_MAX = 2_000;

/** The most that a close frame carries (RFC 6455 §5.5). */
const CLOSE_REASON_BYTES_MAX = 123;

export interface SocketsOptions {
  /** Called with each new link, once, before any of its messages. What it throws closes that link. */
  readonly admit: (link: Link) => void;
  readonly log: Log;
  /** For tests. */
  readonly pingEveryMs?: number;
}

/** All open sockets of one server. */
export class Sockets {
  readonly #options: SocketsOptions;
  readonly #links = new Set<SocketLink>();
  readonly #beat: ReturnType<typeof setInterval>;
  readonly #server: WebSocketServer;

  constructor(options: SocketsOptions) {
    this.#options = options;
    const settings = {
      noServer: true,
      clientTracking: false,
      perMessageDeflate: false,
      maxPayload: MESSAGE_UP_BYTES_MAX,
      maxFragments: FRAGMENTS_MAX,
      closeTimeout: CLOSE_HANDSHAKE_MS, // ws knows it; its types do not yet
    };
    this.#server = new WebSocketServer(settings);
    this.#beat = setInterval(() => {
      for (const link of this.#links) link.beat();
    }, options.pingEveryMs ?? PING_EVERY_MS);
  }

  get count(): number {
    return this.#links.size;
  }

  /** Speaks the opening handshake on a raw socket and admits the link. A bad handshake is answered with its HTTP error. */
  take(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    this.#server.handleUpgrade(request, socket, head, (webSocket) => this.#admit(webSocket));
  }

  /** Closes every link. @returns when the last peer has answered or has taken too long */
  async close(code: number, reason: string): Promise<void> {
    clearInterval(this.#beat);
    await Promise.all([...this.#links].map((link) => {
      link.close(code, reason);
      return link.gone;
    }));
  }

  #admit(webSocket: WebSocket): void {
    const { admit, log } = this.#options;
    const link = new SocketLink(webSocket, log);
    this.#links.add(link);
    link.gone.then(() => this.#links.delete(link));
    link.guard(() => admit(link));
  }
}

class SocketLink implements Link {
  readonly #webSocket: WebSocket;
  readonly #log: Log;
  readonly #gone = Promise.withResolvers<void>();
  #onMessage: ((message: Uint8Array) => void) | undefined;
  #onClose: ((code: number, reason: string) => void) | undefined;
  #closing = false;
  #complaint = "";
  #received = 0;
  #unanswered = 0;

  constructor(webSocket: WebSocket, log: Log) {
    this.#webSocket = webSocket;
    this.#log = log;
    webSocket.on("message", (data, isBinary) => this.#receive(data as Buffer, isBinary)); // "nodebuffer", ws's default type
    webSocket.on("pong", () => this.#unanswered = 0);
    webSocket.on("error", (error) => this.#complaint = error.message); // ws closes by itself after an error
    webSocket.on("close", (code, reason) => this.#end(code, reason.toString() || this.#complaint));
  }

  get bufferedBytes(): number {
    return this.#webSocket.bufferedAmount;
  }

  /** Settles when the socket is gone. */
  get gone(): Promise<void> {
    return this.#gone.promise;
  }

  send(message: Uint8Array): void {
    if (this.#closing || this.#webSocket.readyState !== this.#webSocket.OPEN) return;
    // A copy: ws keeps the bytes until they are written, the caller may reuse them at once.
    this.#webSocket.send(new Uint8Array(message));
  }

  onMessage(handler: (message: Uint8Array) => void): void {
    this.#onMessage = handler;
  }

  onClose(handler: (code: number, reason: string) => void): void {
    this.#onClose = handler;
  }

  close(code: number, reason: string): void {
    if (this.#closing) return;
    this.#closing = true;
    this.#webSocket.close(code, fitting(reason));
  }

  /** Asks whether the peer still lives, and gives up one that did not answer for long or sends far too much. */
  beat(): void {
    this.#received = 0;
    if (this.#unanswered >= PINGS_UNANSWERED_MAX) {
      this.#complaint = "no answer to pings";
      return this.#webSocket.terminate();
    }
    this.#unanswered++;
    if (this.#webSocket.readyState === this.#webSocket.OPEN) this.#webSocket.ping();
  }

  /** Runs code that is not ours; what it throws closes this link. */
  guard(action: () => void): void {
    try {
      action();
    } catch (error) {
      this.#log("link_failed", { error: messageOf(error) });
      this.close(1011, "an error of the server");
    }
  }

  #receive(data: Buffer, isBinary: boolean): void {
    if (this.#closing) return;
    if (!isBinary) return this.close(1003, "binary messages only");
    if (++this.#received > MESSAGES_PER_PING_MAX) return this.close(1008, "too many messages");
    // A copy: the data is a view into what the socket read, and the receiver may keep its bytes.
    this.guard(() => this.#onMessage?.(new Uint8Array(data)));
  }

  #end(code: number, reason: string): void {
    this.#closing = true;
    this.guard(() => this.#onClose?.(code, reason));
    this.#gone.resolve();
  }
}

/** As much of a reason as a close frame carries, cut between two characters. */
function fitting(reason: string): string {
  const bytes = new Uint8Array(CLOSE_REASON_BYTES_MAX);
  const { written } = new TextEncoder().encodeInto(reason, bytes);
  return new TextDecoder().decode(bytes.subarray(0, written));
}
