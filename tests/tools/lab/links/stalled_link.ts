/**
 * The server's end of a link to a client that may stop reading. Unread messages fill both operating
 * systems' buffers, then the server's own. The test drains them as fast as the network that it
 * models.
 */
import type { Link, MessageHandler } from "../../../../shared/netcode/link.ts";

export class StalledLink implements Link {
  readonly #inner: Link;
  readonly #kernelBytes: number;
  readonly #unread: { bytes: Uint8Array; reliably: boolean }[] = [];
  /** True while the other end reads nothing. */
  isStalled = false;
  /** Bytes that the other end has not read yet. */
  unreadBytes = 0;

  /**
   * @param kernelBytes how many bytes both ends' operating systems buffer before any wait in the
   * server
   */
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

  /** Delivers at least this many bytes, in whole messages. */
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
