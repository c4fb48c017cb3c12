/**
 * The link of a player who comes in while the log has records that another machine may not get.
 * Each message waits until the records before it are safe, because otherwise a machine that takes
 * the match over would not know the token in the welcome (SPEC 18.14). As soon as no message waits,
 * the match alone decides when a tick goes out.
 */
import type { HostLink, MessageHandler, ServerPath } from "../../../shared/netcode/link.ts";
import { SERVER_DATAGRAM_BYTES_MAX } from "../../../shared/netcode/wire/messages.ts";
import { GOING_AWAY, StopReason } from "../../../shared/netcode/wire/stop_reasons.ts";

/**
 * Most messages that wait: those of two seconds. The servers of the log answer within some ms, or
 * not for seconds.
 */
const HELD_MAX = 48;

/** A link whose first messages wait for the log. */
export class HeldLink implements HostLink {
  readonly #inner: HostLink;
  readonly #durable: () => Promise<void> | undefined;
  readonly #held: { readonly message: Uint8Array; readonly reliably: boolean }[] = [];
  #isHeld = true;

  /** @param durable when all records so far are durable; undefined if they are */
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
    // The caller reuses the bytes.
    this.#held.push({ message: message.slice(), reliably });
    // Records become durable in their order, and so are messages.
    void Promise.resolve(this.#durable()).then(() => this.#release());
  }

  #release(): void {
    const { message, reliably } = this.#held.shift()!;
    if (reliably) this.#inner.sendReliably(message);
    else this.#inner.send(message);
    this.#isHeld = this.#held.length > 0;
  }
}
