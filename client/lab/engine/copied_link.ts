/** A link whose messages are copies of what arrives on another one. What is sent goes nowhere. */
import type { ClientLink, MessageHandler } from "../../../shared/netcode/link.ts";
import { CodeReader } from "../../../shared/netcode/wire/range_coder.ts";
import { codeMessageType } from "../../../shared/netcode/wire/server_messages.ts";

export class CopiedLink implements ClientLink {
  readonly ordered: boolean;
  readonly bufferedBytes = 0;
  readonly #getsEarly: boolean;
  #onMessage: MessageHandler = () => {};
  /** What it has delivered, without headers. */
  bytes = 0;
  messages = 0;

  /** @param options.getsEarly whether early announcements are delivered */
  constructor({ ordered, getsEarly }: { ordered: boolean; getsEarly: boolean }) {
    this.ordered = ordered;
    this.#getsEarly = getsEarly;
  }

  /** @param message is copied, because its receiver may change it */
  deliver(message: Uint8Array, reliably: boolean): void {
    if (!this.#getsEarly && isEarly(message)) return;
    this.bytes += message.length;
    this.messages++;
    this.#onMessage(message.slice(), reliably);
  }

  send(): void {}

  sendReliably(): void {}

  onMessage(handler: MessageHandler): void {
    this.#onMessage = handler;
  }

  onClose(): void {}

  close(): void {}
}

function isEarly(message: Uint8Array): boolean {
  return codeMessageType("tick", new CodeReader(message)) === "early";
}
