/** The two things from outside that netcode needs: a line to somebody and the time. Sockets, labs and sliders implement them. */

/** A line for whole messages. Both ends see one. */
export interface Link {
  /** True: whatever is sent arrives, once and in order, as over a WebSocket. False: `send` may lose, repeat and reorder. */
  readonly ordered: boolean;
  /** Sends one message. The bytes may be reused by the caller as soon as this returns. After a close it does nothing. */
  send(message: Uint8Array): void;
  /**
   * Sends one message that has to arrive. On an ordered link the same as `send`; beside datagrams it goes over an ordered
   * stream of its own, and neither waits for the other.
   */
  sendReliably(message: Uint8Array): void;
  /** Sets who gets what arrives, and whether it was sent reliably; the bytes are the receiver's to keep. */
  onMessage(handler: (message: Uint8Array, reliably: boolean) => void): void;
  /** Sets who learns of the end, once, whoever caused it. Codes as in RFC 6455 §7.4; 4000 and up are Wyvern's (SPEC). */
  onClose(handler: (code: number, reason: string) => void): void;
  close(code: number, reason: string): void;
  /** What was given to `send` and has not left this machine. */
  readonly bufferedBytes: number;
}

/** Milliseconds that only ever grow; where they begin does not matter. */
export interface Clock {
  now(): number;
}
