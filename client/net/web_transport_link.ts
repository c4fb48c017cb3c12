/**
 * A WebTransport session as a `Link`, in browsers and in Deno (WIRE 10). It may be used at once,
 * even while its address waits for a ticket: until the session is open it keeps what must arrive,
 * and drops datagrams.
 */
import { CUT, type Link, type MessageHandler } from "../../shared/netcode/link.ts";
import { SNAPSHOT_WORDS_MAX } from "../../shared/snapshot.ts";
import { MessageSplitter, streamedMessage } from "../../shared/netcode/message_stream.ts";
import { CloseCode } from "../../shared/netcode/wire/messages.ts";
import type { DatagramAddress } from "./datagram_address.ts";
import { JoinRefusal } from "./join_refusal.ts";

/** The longest message from the server: the longest snapshot, and room for what precedes it. */
const MESSAGE_BYTES_MAX = SNAPSHOT_WORDS_MAX * 4 + 65_536;
/**
 * The most messages that wait for the session: a hello and a few others. Further ones are dropped.
 */
const WAITING_MESSAGES_MAX = 16;
/**
 * The most datagrams that the browser has not taken yet. More show that the path does not carry
 * them.
 */
const PENDING_DATAGRAMS_MAX = 8;
/**
 * The most datagrams that wait until the page reads: three seconds of ticks. By default a browser
 * keeps one.
 */
const INCOMING_DATAGRAMS = 64;
/**
 * How long a session may take to open, ms. Firefox itself takes 30 s to notice that nothing
 * answers.
 */
const OPEN_MS_MAX = 5_000;

/** The server's self-signed certificate is valid from an hour before it was made. */
const CLOCK_ERROR_MS_MAX = 3_600_000;

/**
 * Opens a link. It always ends with `onClose`, even if it never opens: with code 1006, or with the
 * refusal's.
 * @param request as for `openWebSocketLink`
 */
export function openWebTransportLink(
  address: DatagramAddress | Promise<DatagramAddress>,
  request?: AbortController,
): Link {
  const link = new WebTransportLink(request);
  link.open(address).catch((error) => {
    if (error instanceof JoinRefusal) link.end(error.code || CUT, error.message);
    else link.end(CUT, String(error));
  });
  return link;
}

/**
 * Says if this machine's clock is wrong, because browsers then refuse the certificate but only
 * report that the session did not open.
 */
function clockErrorOf(serverMs: number): string {
  const errorMs = Math.abs(Date.now() - serverMs);
  if (!(errorMs > CLOCK_ERROR_MS_MAX)) return "";
  return `the clock of this machine is wrong by ${Math.round(errorMs / 3_600_000)} h`;
}

class WebTransportLink implements Link {
  readonly ordered = false;
  #session: WebTransport | undefined;
  #messages: WritableStreamDefaultWriter<Uint8Array> | undefined;
  #datagrams: WritableStreamDefaultWriter<Uint8Array> | undefined;
  #waiting: Uint8Array<ArrayBuffer>[] = [];
  #unsentBytes = 0;
  #pendingDatagrams = 0;
  #onMessage: MessageHandler = () => {};
  #onClose: (code: number, reason: string) => void = () => {};
  #isEnded = false;
  readonly #request: AbortController | undefined;
  /** Why the session may not open, in words; empty if nothing is known against it. */
  doubt = "";

  constructor(request: AbortController | undefined) {
    this.#request = request;
  }

  /**
   * Opens the session.
   * @throws JoinRefusal if the server gives no ticket, Error if the session does not open
   */
  async open(address: DatagramAddress | Promise<DatagramAddress>): Promise<void> {
    const { url, certificateHash: value, serverDate = "" } = await address;
    if (this.#isEnded) return;
    if (!("WebTransport" in globalThis)) throw new Error("no WebTransport here");

    // Open the session, with the certificate's hash if the server gave one
    const hashes = value === undefined
      ? {}
      : { serverCertificateHashes: [{ algorithm: "sha-256", value }] };
    const session = this.#session = new WebTransport(url, hashes);
    if (value !== undefined) this.doubt = clockErrorOf(Date.parse(serverDate));

    // It may take too long to open, and it may end
    const timer = setTimeout(() => this.#cut("no answer"), OPEN_MS_MAX);
    session.closed.then(
      // Deno 2.9.6 gives no info for some ends.
      (info: WebTransportCloseInfo | undefined) =>
        this.end(info?.closeCode || CUT, info?.reason ?? ""),
      (error) => this.end(CUT, this.doubt || String(error)),
    ).finally(() => clearTimeout(timer));

    await session.ready.catch((error) => Promise.reject(this.doubt || error));
    this.doubt = "";

    // Given up while it opened. Its hello would take the seat from the connection that came after
    // it.
    if (this.#isEnded) {
      return this.#close({ closeCode: CloseCode.helloMissing, reason: "given up" });
    }

    // Its message stream, and its datagrams
    const { readable, writable } = await session.createBidirectionalStream();
    clearTimeout(timer);
    if (this.#isEnded) return;
    this.#messages = writable.getWriter();
    this.#datagrams = session.datagrams.writable.getWriter();

    for (const writer of [this.#messages, this.#datagrams]) writer.closed.catch(() => {});

    // Send what waited meanwhile
    for (const message of this.#waiting) this.#write(message);
    this.#waiting = [];

    void this.#readDatagrams(session);
    await this.#readMessages(readable);
  }

  /** Reports the end, once. */
  end(code: number, reason: string): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#waiting = [];
    this.#onClose(code, reason);
  }

  get stage(): Link["stage"] {
    if (this.#messages !== undefined) return undefined;
    return this.#session === undefined ? "address" : "open";
  }

  get bufferedBytes(): number {
    return this.#waiting.reduce((bytes, { length }) => bytes + length, this.#unsentBytes);
  }

  send(message: Uint8Array): void {
    if (
      this.#isEnded || this.#datagrams === undefined ||
      this.#pendingDatagrams >= PENDING_DATAGRAMS_MAX
    ) return;
    this.#pendingDatagrams++;
    const done = () => void this.#pendingDatagrams--;
    // A copy, because the caller reuses the bytes.
    this.#datagrams.write(message.slice()).then(done, done);
  }

  sendReliably(message: Uint8Array): void {
    if (this.#isEnded) return;
    const bytes = streamedMessage(message);
    if (this.#messages !== undefined) this.#write(bytes);
    else if (this.#waiting.length < WAITING_MESSAGES_MAX) this.#waiting.push(bytes);
  }

  onMessage(handler: MessageHandler): void {
    this.#onMessage = handler;
  }

  onClose(handler: (code: number, reason: string) => void): void {
    this.#onClose = handler;
  }

  close(code: number, reason: string): void {
    if (this.#isEnded) return;
    this.#close({ closeCode: code, reason });
    // The other end's answer adds nothing, and some browsers forget the code with which they
    // closed.
    queueMicrotask(() => this.end(code, reason));
  }

  #cut(reason: string): void {
    this.#close({ closeCode: CloseCode.helloMissing, reason });
    this.end(CUT, reason);
  }

  #close(info: WebTransportCloseInfo): void {
    if (this.#session === undefined) this.#request?.abort();
    try {
      this.#session?.close(info);
    } catch {
      // It ended, or was not open yet.
    }
  }

  #write(bytes: Uint8Array<ArrayBuffer>): void {
    this.#unsentBytes += bytes.length;
    const done = () => void (this.#unsentBytes -= bytes.length);
    this.#messages!.write(bytes).then(done, done);
  }

  async #readMessages(readable: ReadableStream<Uint8Array>): Promise<void> {
    const splitter = new MessageSplitter(MESSAGE_BYTES_MAX);
    const reader = readable.getReader();
    for (;;) {
      const { value, done } = await reader.read().catch(() => ({ value: undefined, done: true }));
      // The session ends as well, and says why.
      if (done || value === undefined) return;
      for (const message of splitter.push(value)) this.#take(message, true);
    }
  }

  async #readDatagrams({ datagrams }: WebTransport): Promise<void> {
    try {
      datagrams.incomingHighWaterMark = INCOMING_DATAGRAMS;
    } catch {
      // Deno 2.9.6 throws. Its limit of one is enough for a reader that always waits.
    }
    const reader = datagrams.readable.getReader();
    for (;;) {
      const { value, done } = await reader.read().catch(() => ({ value: undefined, done: true }));
      if (done || value === undefined) return;
      this.#take(value, false);
    }
  }

  #take(message: Uint8Array, reliably: boolean): void {
    if (!this.#isEnded) this.#onMessage(message, reliably);
  }
}
