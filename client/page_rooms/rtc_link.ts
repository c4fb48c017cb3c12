/**
 * A link to a match on another page, over two channels of a WebRTC connection: one for what must
 * arrive, and one for datagrams, which are neither repeated nor put in order. It may be used at
 * once: until both channels are open it keeps what must arrive, and drops datagrams.
 */
import { CUT, type HostLink, type MessageHandler } from "../../shared/netcode/link.ts";
import { MessageSplitter, streamedMessage } from "../../shared/netcode/message_stream.ts";
import {
  CLIENT_MESSAGE_BYTES_MAX,
  CloseCode,
  SERVER_DATAGRAM_BYTES_MAX,
} from "../../shared/netcode/wire/messages.ts";
import { WireError } from "../../shared/netcode/wire/range_coder.ts";
import { SNAPSHOT_WORDS_MAX } from "../../shared/snapshot.ts";

/** The longest message from a host: the longest snapshot, and room for what precedes it. */
export const HOST_MESSAGE_BYTES_MAX = SNAPSHOT_WORDS_MAX * 4 + 65_536;
/** The longest message to a host. */
export const GUEST_MESSAGE_BYTES_MAX = CLIENT_MESSAGE_BYTES_MAX;
/** Every browser takes a piece of this length in one message of a channel, bytes. */
const PIECE_BYTES = 16_384;
/** The most messages that wait for the channels: a hello and a few others. */
const WAITING_MESSAGES_MAX = 16;
/** With more bytes than this in a channel, datagrams are dropped: the path does not carry them. */
const DATAGRAM_BACKLOG_BYTES_MAX = 16_384;
/** With more bytes than this that must arrive, the link ends: the other page reads too slowly. */
const BACKLOG_BYTES_MAX = 8 * 1_048_576;

/** The names of a link's channels. @param number counts the links of a connection */
export function channelNames(number: number): { reliable: string; datagrams: string } {
  return { reliable: `match ${number}`, datagrams: `ticks ${number}` };
}

export class RtcLink implements HostLink {
  readonly ordered = false;
  readonly datagramBytesMax = SERVER_DATAGRAM_BYTES_MAX;
  readonly #reliable: RTCDataChannel;
  readonly #datagrams: RTCDataChannel;
  readonly #splitter: MessageSplitter;
  #waiting: Uint8Array[] = [];
  #onMessage: MessageHandler = () => {};
  #onClose: (code: number, reason: string) => void = () => {};
  #isEnded = false;
  /** Called with each arriving message, before the handler. */
  onHeard: () => void = () => {};

  /** @param options.bytesMax the longest message to accept */
  constructor(
    { reliable, datagrams }: { reliable: RTCDataChannel; datagrams: RTCDataChannel },
    { bytesMax }: { bytesMax: number },
  ) {
    this.#reliable = reliable;
    this.#datagrams = datagrams;
    this.#splitter = new MessageSplitter(bytesMax);
    for (const channel of [reliable, datagrams]) {
      channel.binaryType = "arraybuffer";
      channel.addEventListener("open", () => this.#flush());
      channel.addEventListener("close", () => this.end(CUT, ""));
      channel.addEventListener("error", () => this.end(CUT, ""));
    }
    for (const channel of [reliable, datagrams]) {
      channel.addEventListener("message", ({ data }) => this.receive(channel, data));
    }
  }

  /** Takes what has arrived on one of the link's channels. */
  receive(channel: RTCDataChannel, data: unknown): void {
    if (this.#isEnded) return;
    if (channel === this.#datagrams) {
      if (data instanceof ArrayBuffer) this.#deliver(new Uint8Array(data), false);
    } else if (typeof data === "string") this.#onFarewell(data);
    else if (data instanceof ArrayBuffer) this.#onPiece(new Uint8Array(data));
  }

  get stage(): HostLink["stage"] {
    return this.#isOpen || this.#isEnded ? undefined : "open";
  }

  get bufferedBytes(): number {
    return this.#waiting.reduce(
      (bytes, { length }) => bytes + length,
      this.#reliable.bufferedAmount + this.#datagrams.bufferedAmount,
    );
  }

  send(message: Uint8Array): void {
    if (!this.#isOpen || message.length > this.datagramBytesMax) return;
    if (this.#datagrams.bufferedAmount > DATAGRAM_BACKLOG_BYTES_MAX) return;
    this.#datagrams.send(message.slice());
  }

  sendReliably(message: Uint8Array): void {
    if (this.#isEnded) return;
    const bytes = streamedMessage(message);
    if (!this.#isOpen) {
      if (this.#waiting.length < WAITING_MESSAGES_MAX) this.#waiting.push(bytes);
    } else if (this.#reliable.bufferedAmount > BACKLOG_BYTES_MAX) {
      this.close(CloseCode.tooSlow, "reads too slowly");
    } else this.#sendPieces(bytes);
  }

  onMessage(handler: MessageHandler): void {
    this.#onMessage = handler;
  }

  onClose(handler: (code: number, reason: string) => void): void {
    this.#onClose = handler;
  }

  close(code: number, reason: string): void {
    if (this.#isEnded) return;
    if (this.#reliable.readyState === "open") this.#reliable.send(JSON.stringify([code, reason]));
    this.#closeChannels();
    // As with a socket, the handler is called after this returns.
    queueMicrotask(() => this.end(code, reason));
  }

  /** Ends this end, as if the other had closed it. */
  end(code: number, reason: string): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#closeChannels();
    this.#onClose(code, reason);
  }

  get #isOpen(): boolean {
    return this.#reliable.readyState === "open" && this.#datagrams.readyState === "open";
  }

  #flush(): void {
    if (!this.#isOpen) return;
    for (const bytes of this.#waiting) this.#sendPieces(bytes);
    this.#waiting = [];
  }

  #sendPieces(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
      this.#reliable.send(bytes.slice(at, at + PIECE_BYTES));
    }
  }

  #onPiece(piece: Uint8Array): void {
    try {
      for (const message of this.#splitter.push(piece)) this.#deliver(message, true);
    } catch (error) {
      if (!(error instanceof WireError)) throw error;
      this.close(CloseCode.protocol, error.message);
    }
  }

  /** @param text the close code and the reason, as `close` writes them */
  #onFarewell(text: string): void {
    const [, code, reason] = /^\[(\d{4}),"([^"\\]{0,123})"\]$/.exec(text) ?? [];
    this.end(code === undefined ? CUT : Number(code), reason ?? "");
  }

  #deliver(message: Uint8Array, reliably: boolean): void {
    if (this.#isEnded) return;
    this.onHeard();
    this.#onMessage(message, reliably);
  }

  #closeChannels(): void {
    this.#reliable.close();
    this.#datagrams.close();
  }
}
