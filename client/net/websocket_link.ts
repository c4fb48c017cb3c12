/** A WebSocket as a `Link`, in browsers and in Deno. It may be used at once: what is sent before it is open waits. */
import type { Link, MessageHandler } from "../../shared/netcode/link.ts";

/** A hello and a few pings; more than this before the socket is open is a mistake. */
const WAITING_MESSAGES_MAX = 16;

/** Opens a link. It always ends with `onClose`, also when it never opens (code 1006). @param url ws:// or wss:// */
export function openWebSocketLink(url: string): Link {
  return webSocketLinkOf(new WebSocket(url));
}

/** The link of a socket that has just been made. */
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
    // Deno says 0 of a socket that never opened, browsers say 1006 (RFC 6455 §7.1.5).
    socket.addEventListener("close", ({ code, reason }) => this.#onClose(code || 1006, reason));
    // A close event follows every error and says as much as a browser tells. The bots' sockets have nothing to prevent.
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
