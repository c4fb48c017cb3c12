/**
 * A session of WebTransport by hand, from any address of this machine. It sends whatever a test
 * wants, and reads only if it is to. It plays no game.
 */
import type { DragonCommand } from "../../../shared/games/dragons/declaration.ts";
import { dragonGame } from "../../../shared/games/dragons/game.ts";
import type { DatagramAddress } from "../../../client/net/datagram_address.ts";
import { openQuicEndpoint, type QuicEndpoint } from "../../../server/datagrams/quic.ts";
import { sessionDatagram } from "../../../server/datagrams/handshake.ts";
import { streamedMessage } from "../../../shared/netcode/message_stream.ts";
import { ClientMessageEncoder } from "../../../shared/netcode/wire/client_messages.ts";
import { ServerMessageDecoder } from "../../../shared/netcode/wire/server_messages.ts";
import type {
  ClientDatagram,
  ClientMessage,
  Hello,
} from "../../../shared/netcode/wire/messages.ts";
import { HELLO } from "../sockets/stranger.ts";
import { CONTROL_STREAM, MESSAGES_MARK, RawQuic } from "./raw_quic.ts";

export interface RawSessionOptions {
  /** The address that the client has. */
  readonly from?: string;
  /** The origin of the page that it claims to be. */
  readonly origin?: string | undefined;
}

export class RawSession {
  readonly quic: RawQuic;
  /**
   * The status of the answer to the request: 200 for a session, 0 if the connection ended without
   * one.
   */
  readonly status: number;
  readonly #endpoint: QuicEndpoint;
  readonly #messages: WritableStreamDefaultWriter<Uint8Array<ArrayBuffer>> | undefined;
  readonly #encoder = new ClientMessageEncoder(dragonGame.command, { ordered: false });
  readonly #decoder = new ServerMessageDecoder(dragonGame.command);
  /** The newest tick that it has read; -1 if there is none. */
  tick = -1;
  /** The server's close code; undefined while the session is open. */
  closeCode: number | undefined;

  private constructor(
    quic: RawQuic,
    { status, endpoint, messages }: {
      status: number;
      endpoint: QuicEndpoint;
      messages: WritableStreamDefaultWriter<Uint8Array<ArrayBuffer>> | undefined;
    },
  ) {
    this.quic = quic;
    this.status = status;
    this.#endpoint = endpoint;
    this.#messages = messages;
    quic.ended.then(({ closeCode }) => this.closeCode = closeCode);
  }

  /** @returns after the answer to the request @throws Error if the server refuses the connection */
  static async open(
    address: DatagramAddress,
    { from = "127.0.0.1", origin }: RawSessionOptions = {},
  ) {
    const endpoint = openQuicEndpoint({ hostname: from, port: 0 });
    try {
      const quic = await RawQuic.connect(address, endpoint);
      const { host, pathname, search } = new URL(address.url);
      await quic.openControl(CONTROL_STREAM);
      const status = await quic.request({ authority: host, path: pathname + search, origin });
      const messages = status === 200 ? await quic.openStream(MESSAGES_MARK) : undefined;
      return new RawSession(quic, { status, endpoint, messages });
    } catch (error) {
      endpoint.close();
      throw error;
    }
  }

  /** Sends a message by the reliable channel. */
  send(message: ClientMessage<DragonCommand>): void {
    this.write(streamedMessage(this.#encoder.encode(message)));
  }

  hello(hello: Partial<Hello> = {}): void {
    this.send({ ...HELLO, ...hello });
  }

  /** Sends bytes on the stream of messages. */
  write(bytes: Uint8Array<ArrayBuffer>): void {
    this.#messages!.write(bytes).catch(() => {});
  }

  /** Sends a datagram. @returns when QUIC has taken it, or the connection has ended */
  async datagram(message: Uint8Array): Promise<void> {
    await this.quic.sendDatagram(sessionDatagram(message)).catch(() => {});
  }

  /** The same with a message. */
  sendUnreliably(message: ClientDatagram<DragonCommand>): Promise<void> {
    return this.datagram(this.#encoder.encode(message));
  }

  /** Reads a datagram of the server. @throws Error if the connection ends */
  async receive(): Promise<void> {
    const message = this.#decoder.decode((await this.quic.connection.readDatagram()).slice(1));
    if (message.type === "ticks") this.tick = message.ticks.at(-1)!.tick;
  }

  /** Ends the connection. */
  close(code = 0): void {
    this.quic.close(code);
    // The port stays for a moment, so that the last packet leaves.
    setTimeout(() => this.#endpoint.close(), 100);
  }
}
