/**
 * A link within one process, without delay, for a match in a page and for tests. A simulated link
 * in front of it adds delay and loss.
 */
import type { Link, MessageHandler } from "../link.ts";
import { SERVER_DATAGRAM_BYTES_MAX } from "../wire/messages.ts";
import { MessageCopies } from "./message_copies.ts";

/** One end of the link. */
export class LocalLink implements Link {
  readonly ordered: boolean;
  #other!: LocalLink;
  #onMessage: MessageHandler = () => {};
  #onClose: (code: number, reason: string) => void = () => {};
  #open = true;
  readonly #copies = new MessageCopies();
  /** Called with each arriving message before the handler. */
  tap: MessageHandler | undefined;
  /** Set by tests: bytes that count as not sent yet. */
  bufferedBytes = 0;
  /** Set by tests: the longest datagram of a path that carries less than the protocol sends. */
  datagramBytesMax = SERVER_DATAGRAM_BYTES_MAX;
  /** The code with which either end closed; 0 while the link is open. */
  closeCode = 0;
  closeReason = "";
  /** Messages that wait for `resume`; undefined if this end is not paused. */
  #waiting: { message: Uint8Array; reliably: boolean }[] | undefined;

  constructor(ordered: boolean) {
    this.ordered = ordered;
  }

  /** Creates both ends of a link. */
  static pair({ ordered = true } = {}): [LocalLink, LocalLink] {
    const clientEnd = new LocalLink(ordered);
    const serverEnd = new LocalLink(ordered);
    clientEnd.#other = serverEnd;
    serverEnd.#other = clientEnd;
    return [clientEnd, serverEnd];
  }

  send(message: Uint8Array): void {
    if (!this.#open || !this.ordered && message.length > this.datagramBytesMax) return;
    this.#other.#receive(this.#copies.of(message), this.ordered);
  }

  sendReliably(message: Uint8Array): void {
    if (this.#open) this.#other.#receive(this.#copies.of(message), true);
  }

  onMessage(handler: MessageHandler): void {
    this.#onMessage = handler;
  }

  onClose(handler: (code: number, reason: string) => void): void {
    this.#onClose = handler;
  }

  close(code: number, reason: string): void {
    if (!this.#open) return;
    for (const end of [this, this.#other]) {
      end.#open = false;
      end.closeCode = code;
      end.closeReason = reason;
      end.#onClose(code, reason);
    }
  }

  /** Makes messages to this end wait from now on. */
  pause(): void {
    this.#waiting ??= [];
  }

  /** Handles the waiting messages, and lets later ones through at once. */
  resume(): void {
    const waiting = this.#waiting ?? [];
    this.#waiting = undefined;
    for (const { message, reliably } of waiting) this.#receive(message, reliably);
  }

  #receive(message: Uint8Array, reliably: boolean): void {
    // The copy may be overwritten before `resume`.
    if (this.#waiting !== undefined) {
      return void this.#waiting.push({ message: message.slice(), reliably });
    }
    this.tap?.(message, reliably);
    this.#onMessage(message, reliably);
  }
}
