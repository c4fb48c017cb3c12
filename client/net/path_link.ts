/**
 * A client's socket with a datagram path beside it, which comes and goes while the socket stays:
 *
 *     sendReliably   always by the socket
 *     send           by the path while that is in use, otherwise by the socket
 *
 * The socket is the link. What ends the path alone changes nothing but that datagrams have no way, until `end` is
 * called.
 */
import type { ClientLink, ClientPath, Link, MessageHandler, PathOffer } from "../../shared/netcode/link.ts";

/** Opens the session of a path. It may have to be loaded first. */
export type OpenSession = (offer: PathOffer) => Link | Promise<Link>;

/** No session came to be (RFC 6455 §7.4.1). */
const CUT = 1006;
const NOTHING = new Uint8Array(0);

export class PathLink implements ClientLink {
  readonly #socket: Link;
  readonly #openSession: OpenSession | undefined;
  #session: Link | undefined;
  #isInUse = false;
  #ended: ClientPath["ended"];
  /** Offers taken so far: a session that comes after a later one, or after its end, is not used. */
  #opened = 0;
  #onMessage: MessageHandler = () => {};
  readonly path: ClientPath;

  /** @param openSession undefined where there is no WebTransport */
  constructor(socket: Link, openSession: OpenSession | undefined) {
    this.#socket = socket;
    this.#openSession = openSession;
    this.path = this.#newPath();
  }

  get ordered(): boolean {
    return !this.#isInUse;
  }

  get bufferedBytes(): number {
    return this.#socket.bufferedBytes;
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
    this.#socket.onClose((code, reason) => {
      this.path.end(code, reason);
      handler(code, reason);
    });
  }

  close(code: number, reason: string): void {
    this.#socket.close(code, reason);
  }

  #open(offer: PathOffer): void {
    this.path.end(CUT, "another offer");
    this.#ended = undefined;
    const opened = ++this.#opened, session = this.#openSession?.(offer);
    const take = (session: Link) => this.#take(session, opened);
    if (!(session instanceof Promise)) return session && take(session);
    session.then(take, (error) => {
      if (opened === this.#opened) this.#ended = { code: CUT, reason: String(error) };
    });
  }

  #take(session: Link, opened: number): void {
    if (opened !== this.#opened) return session.close(CUT, "too late");
    this.#session = session;
    session.onMessage((message, reliably) => {
      if (!reliably && this.#session === session) this.#onMessage(message, false);
    });
    session.onClose((code, reason) => {
      if (this.#session !== session) return;
      this.#session = undefined;
      this.#ended = { code, reason };
    });
    // The stream of a session exists for the server with its first message alone. The path has no other one.
    session.sendReliably(NOTHING);
  }

  #end(code: number, reason: string): void {
    const session = this.#session;
    this.#opened++;
    this.#isInUse = false;
    this.#session = undefined;
    this.#ended = { code, reason };
    session?.close(code, reason);
  }

  #newPath(): ClientPath {
    // The first message waits until the session is open.
    const isOpen = () => this.#session?.bufferedBytes === 0, endOf = () => this.#ended;
    return {
      isPossible: this.#openSession !== undefined,
      get isOpen() {
        return isOpen();
      },
      get ended() {
        return endOf();
      },
      open: (offer) => this.#open(offer),
      send: (message) => this.#session?.send(message),
      use: () => void (this.#isInUse = true),
      end: (code, reason) => this.#end(code, reason),
    };
  }
}
