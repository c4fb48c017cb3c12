/**
 * The link of a player who comes in while some records could still be lost to a machine that takes
 * the match over. Each message waits until the records before it are safe, because otherwise that
 * machine would not know the token in the welcome (SPEC 17.114). Once no message waits, the match
 * alone decides when a tick goes out.
 */
import type { HostLink, MessageHandler, ServerPath } from "../../../shared/netcode/link.ts";
import { SERVER_DATAGRAM_BYTES_MAX } from "../../../shared/netcode/wire/messages.ts";
import { GOING_AWAY, StopReason } from "../../../shared/netcode/wire/stop_reasons.ts";

/**
 * How many messages may wait: two seconds of them. The log's servers answer within some ms, or not
 * for seconds.
 */
const HELD_MAX = 48;

/** A link that holds its first messages until the log is safe. */
export class HeldLink implements HostLink {
  readonly #inner: HostLink;
  readonly #durable: () => Promise<void> | undefined;
  readonly #held: { readonly message: Uint8Array; readonly reliably: boolean }[] = [];
  #isHeld = true;

  /** @param durable resolves when all records so far are durable; undefined if they already are */
  constructor(inner: HostLink, durable: () => Promise<void> | undefined) {
    this.#inner = inner;
    this.#durable = durable;
  }

  get ordered(): boolean {
    return this.#inner.ordered;
  }

  get path(): ServerPath | undefined {
    return this.#inner.path;
  }

  get datagramBytesMax(): number {
    return this.#inner.datagramBytesMax ?? SERVER_DATAGRAM_BYTES_MAX;
  }

  get bufferedBytes(): number {
    return this.#inner.bufferedBytes;
  }

  send(message: Uint8Array): void {
    if (this.#isHeld) this.#hold(message, false);
    else this.#inner.send(message);
  }

  sendReliably(message: Uint8Array): void {
    if (this.#isHeld) this.#hold(message, true);
    else this.#inner.sendReliably(message);
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

  #hold(message: Uint8Array, reliably: boolean): void {
    if (this.#held.length === HELD_MAX) return this.#inner.close(GOING_AWAY, StopReason.moved);
    // Copied, because the caller reuses the bytes.
    this.#held.push({ message: message.slice(), reliably });
    // Records become durable in order, so messages leave in order.
    void Promise.resolve(this.#durable()).then(() => this.#release());
  }

  #release(): void {
    const { message, reliably } = this.#held.shift()!;
    if (reliably) this.#inner.sendReliably(message);
    else this.#inner.send(message);
    this.#isHeld = this.#held.length > 0;
  }
}
