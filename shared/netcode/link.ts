/** The two things from outside that netcode needs: a line to somebody and the time. Sockets, labs and sliders implement them. */

/** A line for whole messages, in order. Both ends see one. */
export interface Link {
  /** Sends one message. The bytes may be reused by the caller as soon as this returns. After a close it does nothing. */
  send(message: Uint8Array): void;
  /** Sets who gets what arrives; the bytes are the receiver's to keep. */
  onMessage(handler: (message: Uint8Array) => void): void;
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
