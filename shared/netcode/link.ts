/**
 * The two things from outside that netcode needs: a line to somebody and the time. Sockets, labs and sliders implement them.
 *
 *     ordered link:   one stream; whatever is sent arrives once, in order                    (a WebSocket)
 *     datagram link:  datagrams, which may be lost, doubled or overtaken, and a stream beside them        (WebTransport)
 */

/** Takes one message; the bytes are its to keep. @param reliably it came by the stream; on an ordered link all do */
export type MessageHandler = (message: Uint8Array, reliably: boolean) => void;

/** A line for whole messages. Both ends see one. */
export interface Link {
  /** Whether `send` is as good as `sendReliably`. */
  readonly ordered: boolean;
  /**
   * Sends one message; on a datagram link as a datagram, which may never arrive, arrive twice, or be overtaken. The bytes may be
   * reused by the caller as soon as this returns. After a close it does nothing.
   */
  send(message: Uint8Array): void;
  /** Sends one message that arrives once, and in order with the others sent so; datagrams overtake it. Otherwise as `send`. */
  sendReliably(message: Uint8Array): void;
  /** Sets who gets what arrives. */
  onMessage(handler: MessageHandler): void;
  /** Sets who learns of the end, once, whoever caused it. Codes as in RFC 6455 §7.4; 4000 and up are Wyvern's (SPEC). */
  onClose(handler: (code: number, reason: string) => void): void;
  close(code: number, reason: string): void;
  /** What was given to `send` and `sendReliably` and has not left this machine. */
  readonly bufferedBytes: number;
}

/** Milliseconds that only ever grow; where they begin does not matter. */
export interface Clock {
  now(): number;
}
