/**
 * The two things that netcode needs from outside: a link to the other end, and a clock. Sockets,
 * the lab and the simulated networks implement them.
 *
 *     reliable link (WebSocket)       every message arrives once and in order
 *     datagram link (WebTransport)    datagrams may be lost, duplicated and reordered; a reliable channel is beside them
 */

/** The URL path at which a server accepts WebSockets. */
export const SOCKET_PATH = "/socket";

/**
 * The header that a server sets on each HTTP answer, with the protocol version as its value. An
 * answer without it comes from something else, such as a proxy or a sign-in page.
 */
export const SERVER_MARK = "Wyvern-Server";

/** The close code of a link that was cut, or never opened: no close frame came (RFC 6455 §7.4.1). */
export const CUT = 1006;

/** Where a server accepts datagrams, as its tickets say. */
export interface DatagramOffer {
  /** The UDP port on the server's host. */
  readonly port: number;
  /**
   * The SHA-256 of the server's self-signed certificate, 64 hexadecimal digits; undefined for a
   * certificate from an authority.
   */
  readonly certificateHash?: string | undefined;
}

/** Where one client may open its datagram path. */
export interface PathOffer extends DatagramOffer {
  /** Valid once, within some seconds: 128 bits as 32 hexadecimal digits. */
  readonly token: string;
}

/**
 * A datagram path beside a link's reliable channel (DESIGN 7.1). It comes and goes while the link
 * stays:
 *
 *     closed  →  open: both ends may send datagrams by it   →  in use: `Link.send` goes by it, and `ordered` is false
 */
export interface DatagramPath {
  isOpen(): boolean;
  /**
   * Sends a datagram by the path, even while it is not in use. Without an open path it does
   * nothing.
   */
  send(message: Uint8Array): void;
  /** Makes `Link.send` go by the path, which must be open. */
  use(): void;
  /** Ends the path, if there is one; then `Link.send` goes by the reliable channel. */
  end(code: number, reason: string): void;
}

/** A client's end of a path: an object of functions, so that a copy can replace `send`. */
export interface ClientPath extends DatagramPath {
  /** Opens a path, which replaces the one before. */
  open(offer: PathOffer): void;
  /**
   * @returns why the newest path ended or did not open; undefined while it is opening or open, and
   *   before the first
   */
  ended(): { readonly code: number; readonly reason: string } | undefined;
  /** @returns why the newest path may not open, in words; empty if nothing is known against it */
  doubt(): string;
}

/** A server's end of a path. */
export interface ServerPath extends DatagramPath {
  /** Whether the server offers a path to every client, not only to those that gain by it. */
  readonly isForAll: boolean;
  /** @returns an offer for this client; undefined if the server cannot take another path now */
  offer(): PathOffer | undefined;
  /**
   * Ends only the path's session. The client sees that and goes back to the reliable channel; until
   * then nothing is sent.
   */
  withdraw(): void;
}

/**
 * Receives one message.
 * @param message bytes that the handler may keep and change
 * @param reliably whether the message came by the reliable channel, as every message on a reliable
 *   link does
 */
export type MessageHandler = (message: Uint8Array, reliably: boolean) => void;

/** One end of a connection. It carries whole messages. */
export interface Link {
  /**
   * Whether this is a reliable link, on which `send` equals `sendReliably`. It changes on a link
   * with a datagram path, which is reliable only while the path is not in use.
   */
  readonly ordered: boolean;
  /**
   * Sends one message. A datagram link sends it as a datagram, which may be lost, arrive twice, or
   * be overtaken. The caller may reuse the bytes as soon as this returns. After a close it does
   * nothing.
   */
  send(message: Uint8Array): void;
  /**
   * As `send`, by the reliable channel: the message arrives once, in order with all others sent so.
   * Datagrams may overtake it.
   */
  sendReliably(message: Uint8Array): void;
  /** Sets the handler of arriving messages, in place of the previous one. */
  onMessage(handler: MessageHandler): void;
  /**
   * Sets the handler of the close. It is called once, whichever end closed. Codes below 4000 are
   * those of RFC 6455 §7.4; the others are `CloseCode`.
   */
  onClose(handler: (code: number, reason: string) => void): void;
  close(code: number, reason: string): void;
  /**
   * The longest datagram that a datagram link's path carries now, bytes; longer ones are dropped.
   * Without this property, every length that the protocol allows goes through.
   */
  readonly datagramBytesMax?: number;
  /**
   * What a client's link awaits before it carries messages: its address with a ticket, or the open
   * connection. Undefined once it is open, and for links that are open from the start.
   */
  readonly stage?: "address" | "open" | undefined;
  /** Why the link may not open, in words; empty or missing if nothing is known against it. */
  readonly doubt?: string;
  /** Bytes that `send` and `sendReliably` took and that are still in this process. */
  readonly bufferedBytes: number;
}

/** A client's end of a link, possibly with a datagram path. */
export interface ClientLink extends Link {
  readonly path?: ClientPath | undefined;
}

/** A server's end of a link, possibly with a datagram path. */
export interface HostLink extends Link {
  readonly path?: ServerPath | undefined;
}

/** A monotonic clock. */
export interface Clock {
  /** Milliseconds since an arbitrary moment. */
  now(): number;
  /**
   * How long an event that is handled now may have waited while the program was busy, ms; 0 without
   * this method.
   */
  lagMs?(): number;
}
