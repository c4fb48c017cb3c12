/**
 * A client's socket with a datagram path beside it, which comes and goes while the socket stays:
 *
 *     sendReliably   always by the socket
 *     send           by the path while that is in use, otherwise by the socket
 *
 * The socket is the link: when it ends, the path ends. If only the path's session ends, messages by
 * `send` are lost until the client reports on the socket which ticks it has received, and `end` is
 * called.
 */
import type { HostLink, MessageHandler, PathOffer, ServerPath } from "../../shared/netcode/link.ts";
import { SERVER_DATAGRAM_BYTES_MAX } from "../../shared/netcode/wire/messages.ts";
import type { LinkEnd, ServerLink } from "./server_link.ts";

/** "Normal closure" (RFC 6455 §7.4.1): the path is no longer needed. */
const NORMAL = 1000;

/** What a link needs of `PathOffers`. */
interface PathOffers {
  readonly isForAll: boolean;
  offerTo(link: PathLink): PathOffer | undefined;
}

export class PathLink implements ServerLink, HostLink {
  readonly #socket: ServerLink;
  readonly #offers: PathOffers;
  /** The newest session; undefined if there is none. */
  #session: ServerLink | undefined;
  #isInUse = false;
  /** How the socket ended; a session that comes later is closed in the same way. */
  #end: LinkEnd | undefined;
  #onMessage: MessageHandler = () => {};
  readonly path: ServerPath;

  constructor(socket: ServerLink, offers: PathOffers) {
    this.#socket = socket;
    this.#offers = offers;
    this.path = this.#newPath();
    socket.closed.then((end) => {
      this.#end = end;
      this.#endPath(end.code, end.reason);
    });
  }

  get ordered(): boolean {
    return !this.#isInUse;
  }

  /** The link's transport, whichever way its datagrams go. */
  get transport(): ServerLink["transport"] {
    return this.#socket.transport;
  }

  get closed(): Promise<LinkEnd> {
    return this.#socket.closed;
  }

  get bufferedBytes(): number {
    return this.#socket.bufferedBytes;
  }

  get datagramBytesMax(): number {
    return this.#session?.datagramBytesMax ?? SERVER_DATAGRAM_BYTES_MAX;
  }

  send(message: Uint8Array): void {
    if (this.#isInUse) this.#session?.send(message);
    else this.#socket.send(message);
  }

  sendReliably(message: Uint8Array): void {
    this.#socket.sendReliably(message);
  }

  onMessage(handler: MessageHandler): void {
    this.#onMessage = handler;
    this.#socket.onMessage(handler);
  }

  onClose(handler: (code: number, reason: string) => void): void {
    this.#socket.onClose(handler);
  }

  close(code: number, reason: string): void {
    this.#socket.close(code, reason);
  }

  /**
   * Attaches a session that this link's client has opened, in place of an earlier one. If the link
   * has ended, it closes the session.
   */
  attach(session: ServerLink): void {
    if (this.#end !== undefined) return session.close(this.#end.code, this.#end.reason);
    this.#endPath(NORMAL, "another path");
    this.#session = session;
    session.onMessage((message, reliably) => {
      // The session's stream only shows that the session is open.
      if (!reliably && this.#session === session) this.#onMessage(message, false);
    });
    session.onClose(() => {
      if (this.#session === session) this.#session = undefined;
    });
  }

  #endPath(code: number, reason: string): void {
    this.#isInUse = false;
    this.#endSession(code, reason);
  }

  #endSession(code: number, reason: string): void {
    const session = this.#session;
    this.#session = undefined;
    session?.close(code, reason);
  }

  #newPath(): ServerPath {
    return {
      isForAll: this.#offers.isForAll,
      isOpen: () => this.#session !== undefined,
      send: (message) => this.#session?.send(message),
      use: () => void (this.#isInUse = this.#session !== undefined),
      end: (code, reason) => this.#endPath(code, reason),
      offer: (): PathOffer | undefined => this.#offers.offerTo(this),
      withdraw: () => this.#endSession(NORMAL, "the line is good"),
    };
  }
}
