/** A line with somebody who hears what arrives at its end, before its owner does. */
import type { Link, MessageHandler } from "../../shared/netcode/link.ts";

export class OverheardLink implements Link {
  readonly #inner: Link;
  readonly #hear: MessageHandler;

  constructor(inner: Link, hear: MessageHandler) {
    this.#inner = inner;
    this.#hear = hear;
  }

  get ordered(): boolean {
    return this.#inner.ordered;
  }

  get bufferedBytes(): number {
    return this.#inner.bufferedBytes;
  }

  send(message: Uint8Array): void {
    this.#inner.send(message);
  }

  sendReliably(message: Uint8Array): void {
    this.#inner.sendReliably(message);
  }

  onMessage(handler: MessageHandler): void {
    this.#inner.onMessage((message, reliably) => {
      this.#hear(message, reliably);
      handler(message, reliably);
    });
  }

  onClose(handler: (code: number, reason: string) => void): void {
    this.#inner.onClose(handler);
  }

  close(code: number, reason: string): void {
    this.#inner.close(code, reason);
  }
}
