/**
 * A WebSocket as a `Link`, in browsers and in Deno. It may be used at once: it queues messages
 * until the socket is open.
 */
import type { Link, MessageHandler } from "../../shared/netcode/link.ts";

/** The most messages that wait for the socket to open: a hello and a few pings. A message beyond that is dropped. */
const WAITING_MESSAGES_MAX = 16;

/** Opens a link. It always ends with `onClose`, even if it never opens (code 1006). @param url ws:// or wss:// */
export function openWebSocketLink(url: string): Link {
  return webSocketLinkOf(new WebSocket(url));
}

/** Wraps a socket that has just been created. */
export function webSocketLinkOf(socket: WebSocket): Link {
  return new WebSocketLink(socket);
}

class WebSocketLink implements Link {
  readonly ordered = true;
  readonly #socket: WebSocket;
  #waiting: Uint8Array<ArrayBuffer>[] = [];
  #onMessage: MessageHandler = () => {};
  #onClose: (code: number, reason: string) => void = () => {};

  constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.binaryType = "arraybuffer";
    socket.addEventListener("open", () => {
      for (const message of this.#waiting) socket.send(message);
      this.#waiting = [];
    });
    socket.addEventListener("message", ({ data }) => {
      if (data instanceof ArrayBuffer) this.#onMessage(new Uint8Array(data), true);
      else this.close(4000, "binary messages only");
    });
    // Deno reports code 0 for a socket that never opened, browsers report 1006 (RFC 6455 §7.1.5).
    socket.addEventListener("close", ({ code, reason }) => this.#onClose(code || 1006, reason));
    // A close event follows every error, with all the information that a browser gives. The bots' sockets have
    // no `preventDefault`.
    socket.addEventListener("error", (event) => event.preventDefault?.());
  }

  get bufferedBytes(): number {
    return this.#waiting.reduce((bytes, { length }) => bytes + length, this.#socket.bufferedAmount);
  }

  send(message: Uint8Array): void {
    const copy = new Uint8Array(message);
    if (this.#socket.readyState === WebSocket.OPEN) this.#socket.send(copy);
    else if (this.#socket.readyState === WebSocket.CONNECTING && this.#waiting.length < WAITING_MESSAGES_MAX) {
      this.#waiting.push(copy);
    }
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
    this.#socket.close(code, reason);
  }
}
