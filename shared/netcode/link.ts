/**
 * The two things that netcode needs from outside: a link to the other end, and a clock. Sockets
 * implement them, and so do the lab and the simulated networks.
 *
 *     reliable link (WebSocket)       every message arrives once and in order
 *     datagram link (WebTransport)    datagrams may be lost, duplicated and reordered; a reliable channel is beside them
 */

/** The path of a server's WebSockets. */
export const SOCKET_PATH = "/socket";

/**
 * The header of each of a server's answers by HTTP; its value is the version of the protocol. What
 * lacks it is another one's answer: a proxy's, or a sign-in page's.
 */
export const SERVER_MARK = "Wyvern-Server";

/** The place of a server's datagrams, as its tickets say. */
export interface DatagramOffer {
  /** The UDP port of the server's host. */
  readonly port: number;
  /**
   * The SHA-256 of the server's own certificate, 64 hexadecimal digits; undefined for one of an
   * authority.
   */
  readonly certificateHash?: string | undefined;
}

/** The place of one client's datagram path. */
export interface PathOffer extends DatagramOffer {
  /** For one use within some seconds: 128 bits as 32 hexadecimal digits. */
  readonly token: string;
}

/**
 * A datagram path beside the reliable channel of a link (DESIGN 7.1). It comes and goes while the
 * link stays:
 *
 *     closed  →  open: both ends may send datagrams by it   →  in use: `Link.send` goes by it, and `ordered` is false
 */
export interface DatagramPath {
  isOpen(): boolean;
  /**
   * Sends a datagram by the path, also while it is not in use. Without an open path it does
   * nothing.
   */
  send(message: Uint8Array): void;
  /** From now on `Link.send` goes by the path, which is open. */
  use(): void;
  /** Ends the path, if there is one: `Link.send` goes by the reliable channel. */
  end(code: number, reason: string): void;
}

/** A client's end of a path: an object of functions, so that a copy may have another `send`. */
export interface ClientPath extends DatagramPath {
  /** Opens a path, in place of the one before. */
  open(offer: PathOffer): void;
  /**
   * @returns why the newest path has ended or did not open; undefined while it is opening or open,
   *   and before the first
   */
  ended(): { readonly code: number; readonly reason: string } | undefined;
  /** @returns why the newest path may not open, in words; empty if nothing is known against it */
  doubt(): string;
}

/** A server's end of a path. */
export interface ServerPath extends DatagramPath {
  /** Whether each client gets one, not only those who gain by it. */
  readonly isForAll: boolean;
  /** @returns an offer for this client; undefined if the server has no place for one now */
  offer(): PathOffer | undefined;
  /**
   * Ends the path's session alone. The client sees that and goes back; until then nothing is sent.
   */
  withdraw(): void;
}

/**
 * Receives one message.
 * @param message the handler may keep and change these bytes
 * @param reliably whether the message came by the reliable channel; on a reliable link every
 *   message did
 */
export type MessageHandler = (message: Uint8Array, reliably: boolean) => void;

/** One end of a connection. It carries whole messages. */
export interface Link {
  /**
   * Whether this is a reliable link: `send` then equals `sendReliably`. A link with a datagram path
   * is reliable while the path is not in use, so this changes.
   */
  readonly ordered: boolean;
  /**
   * Sends one message. On a datagram link it is a datagram, which may be lost, arrive twice, or be
   * overtaken. The caller may reuse the bytes as soon as this returns. After a close it does
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
   * The longest datagram that the path carries now, bytes; on a datagram link. A longer one is
   * dropped. Without this property, a datagram may have every length of the protocol.
   */
  readonly datagramBytesMax?: number;
  /**
   * What a client's link waits for before it carries messages: its address with a ticket, or the
   * open connection. Undefined once it is open, and for links that are open from the start.
   */
  readonly stage?: "address" | "open" | undefined;
  /** Why the link may not open, in words; empty or missing if nothing is known against it. */
  readonly doubt?: string;
  /** Bytes given to `send` and `sendReliably` that have not left this process. */
  readonly bufferedBytes: number;
}

/** A client's end of a link that may have a datagram path. */
export interface ClientLink extends Link {
  readonly path?: ClientPath | undefined;
}

/** A server's end of a link that may have a datagram path. */
export interface HostLink extends Link {
  readonly path?: ServerPath | undefined;
}

/** A clock that never goes back. */
export interface Clock {
  /** Milliseconds since an arbitrary moment. */
  now(): number;
  /**
   * How long an event that is handled now may have waited because the program was busy, ms; 0
   * without this method.
   */
  lagMs?(): number;
}
