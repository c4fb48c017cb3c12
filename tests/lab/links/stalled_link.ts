/**
 * The server's end of a line whose reader may stop: what is sent then stays with the operating systems of both ends, as far as they
 * have room, and with the server. Read on, it comes as fast as the line is.
 */
import type { Link, MessageHandler } from "../../../shared/netcode/link.ts";

export class StalledLink implements Link {
  readonly #inner: Link;
  readonly #kernelBytes: number;
  readonly #unread: { bytes: Uint8Array; reliably: boolean }[] = [];
  /** Whether the other end takes nothing. */
  isStalled = false;
  /** What nobody has read yet. */
  unreadBytes = 0;

  /** @param kernelBytes what the operating systems of both ends hold before anything waits in the server */
  constructor(inner: Link, { kernelBytes }: { kernelBytes: number }) {
    this.#inner = inner;
    this.#kernelBytes = kernelBytes;
  }

  get ordered(): boolean {
    return this.#inner.ordered;
  }

  get bufferedBytes(): number {
    return Math.max(0, this.unreadBytes - this.#kernelBytes);
  }

  send(message: Uint8Array): void {
    this.#enqueue(message, false);
  }

  sendReliably(message: Uint8Array): void {
    this.#enqueue(message, true);
  }

  /** The reader takes so much and what belongs to it. */
  drain(bytes: number): void {
    for (let left = bytes; left > 0 && this.#unread.length > 0;) {
      const { bytes, reliably } = this.#unread.shift()!;
      this.unreadBytes -= bytes.length;
      left -= bytes.length;
      if (reliably) this.#inner.sendReliably(bytes);
      else this.#inner.send(bytes);
    }
  }

  onMessage(handler: MessageHandler): void {
    this.#inner.onMessage(handler);
  }

  onClose(handler: (code: number, reason: string) => void): void {
    this.#inner.onClose(handler);
  }

  close(code: number, reason: string): void {
    this.#inner.close(code, reason);
  }

  #enqueue(message: Uint8Array, reliably: boolean): void {
    this.#unread.push({ bytes: message.slice(), reliably });
    this.unreadBytes += message.length;
    if (!this.isStalled && this.#unread.length === 1) this.drain(Infinity);
  }
}
