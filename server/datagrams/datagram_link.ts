/**
 * A WebTransport session as a `Link` (WIRE 10): datagrams, and one stream for all messages that
 * must arrive. A peer that breaks the protocol loses its own link.
 */
import { CUT, type MessageHandler } from "../../shared/netcode/link.ts";
import { MessageSplitter, streamedMessage } from "../../shared/netcode/message_stream.ts";
import {
  CLIENT_MESSAGE_BYTES_MAX,
  SERVER_DATAGRAM_BYTES_MAX,
} from "../../shared/netcode/wire/messages.ts";
import { WireError } from "../../shared/netcode/wire/range_coder.ts";
import { GOING_AWAY } from "../../shared/netcode/wire/stop_reasons.ts";
import type { LinkGuard } from "../links/links.ts";
import type { CloseInfo, LinkEnd, ServerLink } from "../links/server_link.ts";
import { messageOf } from "../ground/log.ts";
import type { Scheduler } from "../ground/ticker.ts";
import type { DatagramCounts } from "../metrics/datagram_counts.ts";
import type { DatagramReader } from "./datagram_reader.ts";
import {
  DATAGRAM_HEAD_BYTES,
  messageOfDatagram,
  type OpenSession,
  sessionDatagram,
} from "./handshake.ts";
import type { SessionEnd } from "./http3/capsules.ts";
import { Http3Code, Http3Error } from "./http3/http3_error.ts";
import type { QuicConnection } from "./quic.ts";

/**
 * How many datagrams may wait for QUIC to take them. It takes one within 1 ms, unless the path is
 * dead.
 */
const PENDING_DATAGRAMS_MAX = 8;

/**
 * How long after closing a session this end closes the connection, ms, so that a busy page can read
 * the close. A page gets the same time to end its session after its stream.
 */
const CLOSE_MS = 500;

const TOO_BIG = 1009;
const PROTOCOL_ERROR = 1002;
const CODE_MIN = 1000;
const CODE_MAX = 4999;
/** How much of a peer's reason the log shows. Deno puts a hundred characters before QUIC's own. */
const REASON_CHARACTERS_MAX = 200;

export interface DatagramLinkOptions {
  readonly guard: LinkGuard;
  readonly scheduler: Scheduler;
  /** The whole port's counts. */
  readonly counts: DatagramCounts;
  /** The connection's reader. */
  readonly datagrams: DatagramReader;
}

export class DatagramLink implements ServerLink {
  readonly ordered = false;
  readonly transport = "webtransport";
  readonly #connection: QuicConnection;
  readonly #session: OpenSession;
  readonly #guard: LinkGuard;
  readonly #scheduler: Scheduler;
  readonly #counts: DatagramCounts;
  readonly #datagrams: DatagramReader;
  readonly #writer: WritableStreamDefaultWriter<Uint8Array<ArrayBuffer>>;
  readonly #closed = Promise.withResolvers<LinkEnd>();
  #onMessage: MessageHandler | undefined;
  #onClose: ((code: number, reason: string) => void) | undefined;
  /** The close that this end chose; undefined while the link is open. */
  #serverClose: CloseInfo | undefined;
  #hasEnded = false;
  #lastWrite: Promise<void> = Promise.resolve();
  #unsentBytes = 0;
  #pendingDatagrams = 0;
  #cancelTimer = () => {};

  constructor(connection: QuicConnection, session: OpenSession, options: DatagramLinkOptions) {
    const { guard, scheduler, counts, datagrams } = options;
    this.#connection = connection;
    this.#session = session;
    this.#guard = guard;
    this.#scheduler = scheduler;
    this.#counts = counts;
    this.#datagrams = datagrams;
    this.#writer = session.output.getWriter();
    this.#writer.closed.catch(() => {});
  }

  /** Begins to read. Call it once, after the handlers are set. */
  start(): void {
    void this.#readMessages();
    this.#datagrams.handler = (datagram) => this.#takeDatagram(datagram);
    void this.#awaitEnd();
  }

  get closed(): Promise<LinkEnd> {
    return this.#closed.promise;
  }

  get bufferedBytes(): number {
    return this.#unsentBytes;
  }

  get datagramBytesMax(): number {
    return Math.min(
      SERVER_DATAGRAM_BYTES_MAX,
      this.#connection.maxDatagramSize - DATAGRAM_HEAD_BYTES,
    );
  }

  send(message: Uint8Array): void {
    if (this.#isClosing) return;

    // The path may carry less than it did when the message was encoded. Then QUIC refuses the
    // message, and the next one is shorter.
    if (
      this.#pendingDatagrams >= PENDING_DATAGRAMS_MAX || message.length > SERVER_DATAGRAM_BYTES_MAX
    ) {
      this.#counts.sentDropped++;
      return;
    }

    this.#pendingDatagrams++;
    const count = (name: "sent" | "sentDropped") => () => {
      this.#pendingDatagrams--;
      this.#counts[name]++;
    };
    const sent = this.#connection.sendDatagram(sessionDatagram(message));
    sent.then(count("sent"), count("sentDropped"));
  }

  sendReliably(message: Uint8Array): void {
    if (this.#isClosing) return;
    const bytes = streamedMessage(message);
    const { length } = bytes;
    this.#unsentBytes += length;
    const done = () => void (this.#unsentBytes -= length);
    this.#lastWrite = this.#writer.write(bytes).then(done, done);
  }

  onMessage(handler: MessageHandler): void {
    this.#onMessage = handler;
  }

  onClose(handler: (code: number, reason: string) => void): void {
    this.#onClose = handler;
  }

  close(code: number, reason: string): void {
    if (this.#isClosing) return;
    const info = this.#serverClose = { code, reason };
    this.#cancelTimer();
    this.#cancelTimer = this.#scheduler.after(CLOSE_MS, () => this.#end(info, "server"));
    // Earlier messages go first. If the peer does not read them, the timer ends the link without a
    // close.
    this.#lastWrite.then(() => this.#session.request.close(info)).catch(() => {});
  }

  get #isClosing(): boolean {
    return this.#serverClose !== undefined || this.#hasEnded;
  }

  async #readMessages(): Promise<void> {
    const splitter = new MessageSplitter(CLIENT_MESSAGE_BYTES_MAX);
    const take = (chunk: Uint8Array) => {
      for (const message of splitter.push(chunk)) {
        this.#guard.arrived();
        this.#take(message, true);
      }
    };

    try {
      take(this.#session.head);
      let chunk: Uint8Array | undefined;
      while ((chunk = await this.#session.input.read()) !== undefined) take(chunk);
    } catch (error) {
      if (error instanceof WireError) return this.close(TOO_BIG, error.message);
    } finally {
      this.#session.input.cancel();
    }

    // A page that is being closed ends its streams first, and then the session.
    if (!this.#isClosing) {
      this.#cancelTimer = this.#scheduler.after(
        CLOSE_MS,
        () => this.close(CUT, "no more messages"),
      );
    }
  }

  #takeDatagram(datagram: Uint8Array<ArrayBuffer>): void {
    this.#guard.arrived();
    const message = messageOfDatagram(datagram);
    if (message === undefined || this.#isClosing) {
      this.#counts.receivedDropped++;
      return;
    }

    this.#counts.received++;
    if (message.length > CLIENT_MESSAGE_BYTES_MAX) {
      this.close(TOO_BIG, `a message of ${message.length} bytes`);
    } else this.#take(message, false);
  }

  #take(message: Uint8Array, reliably: boolean): void {
    if (this.#isClosing || !this.#guard.takeOrClose(this)) return;
    this.#guard.run(this, () => this.#onMessage?.(message, reliably));
  }

  async #awaitEnd(): Promise<void> {
    try {
      const end = closeInfoOf(await this.#session.ended);
      // A browser may have answered a close but not reported it yet, and would lose it with the
      // connection.
      if (this.#serverClose === undefined) this.#end(end, "peer");
    } catch (error) {
      if (error instanceof Http3Error) {
        this.#end({ code: PROTOCOL_ERROR, reason: error.message }, "server", error.code);
      } else this.#end(await connectionEnd(this.#connection), "peer");
    }
  }

  /** @param http3Code the code with which the connection ends */
  #end(info: CloseInfo, by: LinkEnd["by"], http3Code?: number): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#cancelTimer();

    const { code, reason } = this.#serverClose ?? info;
    // A Deno client reads code and reason here; browsers have read them from the capsule.
    this.#connection.close({ closeCode: http3Code ?? code, reason });
    this.#guard.run(this, () => this.#onClose?.(code, reason));
    this.#closed.resolve({ code, reason, by: this.#serverClose === undefined ? by : "server" });
  }
}

/** Tells how a connection ended, after its session. */
async function connectionEnd(connection: QuicConnection): Promise<CloseInfo> {
  try {
    const { closeCode: code, reason } = await connection.closed;
    return closeInfoOf({ code: code === Http3Code.noError ? 0 : code, reason });
  } catch (error) {
    return { code: CUT, reason: messageOf(error).slice(0, REASON_CHARACTERS_MAX) };
  }
}

/**
 * Describes a session's end as a WebSocket's. If a client ends it without a code, its page was
 * closed.
 */
function closeInfoOf({ code, reason }: SessionEnd): CloseInfo {
  const text = reason.slice(0, REASON_CHARACTERS_MAX);
  if (code === 0) return { code: GOING_AWAY, reason: text };
  return { code: code >= CODE_MIN && code <= CODE_MAX ? code : CUT, reason: text };
}
