/** The WebSockets of pages that are introduced to each other (`Introductions`). */
import type { Buffer } from "node:buffer";
import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
// @ts-types="@types/ws"
import { type WebSocket, WebSocketServer } from "ws";
import { INTRODUCTION_BYTES_MAX } from "../../shared/introductions.ts";
import { Introductions, type RoomPlace } from "./introductions.ts";
import { clock } from "../ground/ticker.ts";

/** "Policy violation" (RFC 6455 §7.4.1). */
const POLICY = 1008;
/** Time between two pings, ms; a page that has not answered the one before is gone. */
const PING_EVERY_MS = 15_000;
/** A socket that takes nothing any more, bytes. */
const UNSENT_BYTES_MAX = 16 * INTRODUCTION_BYTES_MAX;

export class IntroductionSockets {
  readonly #introductions = new Introductions(clock);
  readonly #answering = new Set<WebSocket>();
  readonly #sockets = new Set<WebSocket>();
  readonly #server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    // A message is JSON, in which a quotation mark takes two bytes
    maxPayload: 2 * INTRODUCTION_BYTES_MAX,
  });
  readonly #timer = setInterval(() => this.#ping(), PING_EVERY_MS);

  get roomCount(): number {
    return this.#introductions.roomCount;
  }

  /**
   * Completes the opening handshake.
   */
  handleUpgrade(
    request: IncomingMessage,
    { socket, head, ...place }: RoomPlace & { socket: Duplex; head: Buffer },
  ): void {
    this.#server.handleUpgrade(request, socket, head, (webSocket) => {
      this.#enter(webSocket, place);
    });
  }

  close(code: number, reason: string): void {
    clearInterval(this.#timer);
    for (const webSocket of this.#sockets) webSocket.close(code, reason);
  }

  #enter(webSocket: WebSocket, place: RoomPlace): void {
    this.#sockets.add(webSocket);
    this.#answering.add(webSocket);
    const page = this.#introductions.enter(place, {
      send: (message) => {
        if (webSocket.bufferedAmount > UNSENT_BYTES_MAX) return webSocket.terminate();
        webSocket.send(JSON.stringify(message), () => {}); // a failure closes the socket
      },
      close: (reason) => webSocket.close(POLICY, reason),
    });
    webSocket.on("message", (data, isBinary) => {
      if (isBinary) webSocket.close(POLICY, "texts only");
      else page.receive((data as Buffer).toString());
    });
    webSocket.on("pong", () => void this.#answering.add(webSocket));
    webSocket.on("error", () => {}); // ws closes the socket after an error
    webSocket.on("close", () => {
      this.#sockets.delete(webSocket);
      this.#answering.delete(webSocket);
      page.leave();
    });
  }

  #ping(): void {
    for (const webSocket of this.#sockets) {
      if (!this.#answering.delete(webSocket)) webSocket.terminate();
      else webSocket.ping();
    }
  }
}
