/**
 * One end of a link between a page and its worker, over a `MessagePort`. Messages arrive once and
 * in order. For a client behind a datagram link the other end sends some of them on as datagrams,
 * so each says how it travels.
 */
import type { Link, MessageHandler } from "../../shared/netcode/link.ts";

/** What a port carries: a message, or the end of the link. */
type Carried =
  | { readonly bytes: Uint8Array<ArrayBuffer>; readonly reliably: boolean }
  | { readonly code: number; readonly reason: string };

export class PortLink implements Link {
  readonly ordered: boolean;
  readonly bufferedBytes = 0;
  readonly #port: MessagePort;
  #onMessage: MessageHandler = () => {};
  #onClose: (code: number, reason: string) => void = () => {};
  #isOpen = true;
  /** Called when the link has ended, whichever end closed it, after the handler. */
  onEnd: () => void = () => {};

  /** @param options.ordered false if the other end leads on to a datagram link */
  constructor(port: MessagePort, { ordered = true } = {}) {
    this.ordered = ordered;
    this.#port = port;
    port.onmessage = ({ data }: MessageEvent<Carried>) => {
      if (!this.#isOpen) return;
      if ("bytes" in data) this.#onMessage(data.bytes, data.reliably);
      else this.end(data.code, data.reason);
    };
  }

  send(message: Uint8Array): void {
    this.carry(message, this.ordered);
  }

  sendReliably(message: Uint8Array): void {
    this.carry(message, true);
  }

  /** Sends a message, and how it travels. */
  carry(message: Uint8Array, reliably: boolean): void {
    if (!this.#isOpen) return;
    // The caller may write into its bytes again at once.
    const bytes = message.slice();
    const carried: Carried = { bytes, reliably };
    this.#port.postMessage(carried, [bytes.buffer]);
  }

  onMessage(handler: MessageHandler): void {
    this.#onMessage = handler;
  }

  onClose(handler: (code: number, reason: string) => void): void {
    this.#onClose = handler;
  }

  close(code: number, reason: string): void {
    if (!this.#isOpen) return;
    const carried: Carried = { code, reason };
    this.#port.postMessage(carried);
    this.end(code, reason);
  }

  /** Ends this end alone, as if the other had closed it. */
  end(code: number, reason: string): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#port.close();
    this.#onClose(code, reason);
    this.onEnd();
  }
}
