/**
 * A WebSocket as a `Link`, in browsers and in Deno. It may be used at once, even while its address
 * waits for a ticket: it queues messages until the socket is open.
 */
import { CUT, type Link, type MessageHandler } from "../../shared/netcode/link.ts";
import { JoinRefusal } from "./join_refusal.ts";

/**
 * The most messages that wait for the socket to open: a hello and a few pings. Further ones are
 * dropped.
 */
const WAITING_MESSAGES_MAX = 16;

/** Values of `WebSocket.readyState`. Node 20 has no `WebSocket` that would name them. */
const CONNECTING = 0;
const OPEN = 1;

export interface WebSocketLinkOptions {
  /** Opens a socket; by default the browser's. */
  readonly newSocket?: (url: string) => WebSocket;
  /** Aborted if the link is closed while the address is still being requested. */
  readonly request?: AbortController | undefined;
}

/**
 * Opens a link. It always ends with `onClose`, even if it never opens: with code 1006, or with the
 * refusal's.
 * @param url ws:// or wss://, or a promise of it
 */
export function openWebSocketLink(
  url: string | Promise<string>,
  { newSocket = (url) => new WebSocket(url), request }: WebSocketLinkOptions = {},
): Link {
  const link = new WebSocketLink(request);
  if (typeof url === "string") link.attach(newSocket(url));
  else {
    url.then((url) => link.isEnded || link.attach(newSocket(url))).catch((error) => {
      if (error instanceof JoinRefusal) link.end(error.code || CUT, error.message);
      else link.end(CUT, String(error));
    });
  }
  return link;
}

class WebSocketLink implements Link {
  readonly ordered = true;
  /** Undefined while its address is unknown. */
  #socket: WebSocket | undefined;
  #waiting: Uint8Array<ArrayBuffer>[] = [];
  #onMessage: MessageHandler = () => {};
  #onClose: (code: number, reason: string) => void = () => {};
  #hasOpened = false;
  /** Whether the link ended. */
  isEnded = false;
  readonly #request: AbortController | undefined;

  constructor(request: AbortController | undefined) {
    this.#request = request;
  }

  /** @param socket one that was just created */
  attach(socket: WebSocket): void {
    this.#socket = socket;
    socket.binaryType = "arraybuffer";
    socket.addEventListener("open", () => {
      this.#hasOpened = true;
      for (const message of this.#waiting) socket.send(message);
      this.#waiting = [];
    });
    socket.addEventListener("message", ({ data }) => {
      if (data instanceof ArrayBuffer) this.#onMessage(new Uint8Array(data), true);
      else this.close(4000, "binary messages only");
    });

    // Deno reports code 0 for a socket that never opened, browsers report 1006 (RFC 6455 §7.1.5).
    socket.addEventListener(
      "close",
      ({ code, reason }) => this.end(code || CUT, reason),
    );

    // A close event follows every error, with all that a browser reveals. The bots' sockets lack
    // `preventDefault`.
    socket.addEventListener("error", (event) => event.preventDefault?.());
  }

  /** Reports the end, once. */
  end(code: number, reason: string): void {
    if (this.isEnded) return;
    this.isEnded = true;
    this.#onClose(code, reason);
  }

  get stage(): Link["stage"] {
    if (this.#hasOpened) return undefined;
    return this.#socket === undefined ? "address" : "open";
  }

  get bufferedBytes(): number {
    return this.#waiting.reduce(
      (bytes, { length }) => bytes + length,
      this.#socket?.bufferedAmount ?? 0,
    );
  }

  send(message: Uint8Array): void {
    const copy = new Uint8Array(message);
    const state = this.#socket?.readyState ?? CONNECTING;
    if (state === OPEN) this.#socket!.send(copy);
    else if (state === CONNECTING && this.#waiting.length < WAITING_MESSAGES_MAX) {
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
    if (this.#socket !== undefined) return this.#socket.close(code, reason);
    this.#request?.abort();
    // As with a socket, the handler is called after this returns.
    queueMicrotask(() => this.end(code, reason));
  }
}
