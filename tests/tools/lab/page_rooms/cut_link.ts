/** A link over a line that a test may cut: meanwhile datagrams are lost, and all else waits. */
import type { ClientLink, MessageHandler } from "../../../../shared/netcode/link.ts";

/** Two ends see one line. */
export interface Line {
  isCut: boolean;
}

export class CutLink implements ClientLink {
  readonly #inner: ClientLink;
  readonly #line: Line;
  readonly #waiting: (() => void)[] = [];
  #onMessage: MessageHandler = () => {};

  constructor(inner: ClientLink, line: Line) {
    this.#inner = inner;
    this.#line = line;
    inner.onMessage((message, reliably) =>
      this.#pass(() => this.#onMessage(message, reliably), reliably)
    );
  }

  get ordered(): boolean {
    return this.#inner.ordered;
  }

  get bufferedBytes(): number {
    return this.#inner.bufferedBytes;
  }

  get stage(): ClientLink["stage"] {
    return this.#inner.stage;
  }

  send(message: Uint8Array): void {
    const copy = message.slice();
    this.#pass(() => this.#inner.send(copy), this.ordered);
  }

  sendReliably(message: Uint8Array): void {
    const copy = message.slice();
    this.#pass(() => this.#inner.sendReliably(copy), true);
  }

  onMessage(handler: MessageHandler): void {
    this.#onMessage = handler;
  }

  onClose(handler: (code: number, reason: string) => void): void {
    this.#inner.onClose(handler);
  }

  close(code: number, reason: string): void {
    this.#inner.close(code, reason);
  }

  /** Lets through what has waited, if the line is mended. */
  advance(): void {
    while (!this.#line.isCut && this.#waiting.length > 0) this.#waiting.shift()!();
  }

  #pass(carry: () => void, reliably: boolean): void {
    if (!this.#line.isCut && this.#waiting.length === 0) carry();
    else if (reliably) this.#waiting.push(carry);
  }
}
