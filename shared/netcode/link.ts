/**
 * The two things that netcode needs from outside: a link to the other end, and a clock. Sockets implement them, and so
 * do the lab and the simulated networks.
 *
 *     reliable link (WebSocket)       every message arrives once and in order
 *     datagram link (WebTransport)    datagrams may be lost, duplicated and reordered; a reliable channel is beside them
 */

/** The path of a server's WebSockets. */
export const SOCKET_PATH = "/socket";

/** The place of a server's datagrams, as its tickets say. */
export interface DatagramOffer {
  /** The UDP port of the server's host. */
  readonly port: number;
  /** The SHA-256 of the server's own certificate, 64 hexadecimal digits; undefined for one of an authority. */
  readonly certificateHash?: string;
}

/**
 * Receives one message.
 * @param message the handler may keep and change these bytes
 * @param reliably whether the message came by the reliable channel; on a reliable link every message did
 */
export type MessageHandler = (message: Uint8Array, reliably: boolean) => void;

/** One end of a connection. It carries whole messages. */
export interface Link {
  /** Whether this is a reliable link: `send` then equals `sendReliably`. */
  readonly ordered: boolean;
  /**
   * Sends one message. On a datagram link it is a datagram, which may be lost, arrive twice, or be overtaken. The
   * caller may reuse the bytes as soon as this returns. After a close it does nothing.
   */
  send(message: Uint8Array): void;
  /**
   * As `send`, by the reliable channel: the message arrives once, in order with all others sent so. Datagrams may
   * overtake it.
   */
  sendReliably(message: Uint8Array): void;
  /** Sets the handler of arriving messages, in place of the previous one. */
  onMessage(handler: MessageHandler): void;
  /**
   * Sets the handler of the close. It is called once, whichever end closed. Codes below 4000 are those of RFC 6455
   * §7.4; the others are `CloseCode`.
   */
  onClose(handler: (code: number, reason: string) => void): void;
  close(code: number, reason: string): void;
  /**
   * The longest datagram that the path carries now, bytes; on a datagram link. A longer one is dropped. Without this
   * property, a datagram may have every length of the protocol.
   */
  readonly datagramBytesMax?: number;
  /** Bytes given to `send` and `sendReliably` that have not left this process. */
  readonly bufferedBytes: number;
}

/** A clock that never goes back. */
export interface Clock {
  /** Milliseconds since an arbitrary moment. */
  now(): number;
  /** How long an event that is handled now may have waited because the program was busy, ms; 0 without this method. */
  lagMs?(): number;
}
