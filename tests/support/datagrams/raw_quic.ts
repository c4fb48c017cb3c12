/** A client of QUIC that sends whatever a test wants, in place of HTTP/3. */
import { encodeSettings } from "../../../server/datagrams/http3/settings.ts";
import { frameOf } from "../../../server/datagrams/http3/frame_reader.ts";
import type { QuicCloseInfo, QuicConnection, QuicStream } from "../../../server/datagrams/quic.ts";
import type { DatagramAddress } from "../../../client/net/datagram_address.ts";

interface RawConnection extends Omit<QuicConnection, "remoteAddr"> {
  createBidirectionalStream(): Promise<QuicStream>;
}

type ConnectQuic = (options: {
  readonly hostname: string;
  readonly port: number;
  readonly alpnProtocols: readonly string[];
  readonly keepAliveInterval: number;
  readonly serverCertificateHashes: readonly { readonly algorithm: string; readonly value: Uint8Array<ArrayBuffer> }[];
}) => Promise<RawConnection>;

/** A control stream with settings of HTTP/3. */
export const CONTROL_STREAM: Uint8Array<ArrayBuffer> = Uint8Array.of(0, ...frameOf(4, encodeSettings()));

export class RawQuic {
  readonly #connection: RawConnection;
  /** The end of the connection, as this end sees it. */
  readonly ended: Promise<QuicCloseInfo>;

  private constructor(connection: RawConnection) {
    this.#connection = connection;
    this.ended = connection.closed.catch((error) => ({ closeCode: -1, reason: String(error) }));
  }

  /** It stays alive without a word. @throws Error if the server refuses */
  static async connect({ url, certificateHash: value }: DatagramAddress): Promise<RawQuic> {
    const { connectQuic } = Deno as unknown as { connectQuic: ConnectQuic };
    const hashes = [{ algorithm: "sha-256", value: value! }];
    const { hostname, port } = new URL(url), where = { hostname, port: Number(port) };
    const options = { alpnProtocols: ["h3"], keepAliveInterval: 200, serverCertificateHashes: hashes };
    return new RawQuic(await connectQuic({ ...where, ...options }));
  }

  /** Opens a stream in one direction, and sends its first bytes. */
  async openControl(bytes: Uint8Array<ArrayBuffer>): Promise<WritableStreamDefaultWriter<Uint8Array<ArrayBuffer>>> {
    const writer = (await this.#connection.createUnidirectionalStream()).getWriter();
    writer.write(bytes).catch(() => {});
    writer.closed.catch(() => {});
    return writer;
  }

  /** Opens a stream in both directions, and sends its first bytes. */
  async openStream(bytes: Uint8Array<ArrayBuffer>): Promise<WritableStreamDefaultWriter<Uint8Array<ArrayBuffer>>> {
    const writer = (await this.#connection.createBidirectionalStream()).writable.getWriter();
    writer.write(bytes).catch(() => {});
    writer.closed.catch(() => {});
    return writer;
  }

  sendDatagram(bytes: Uint8Array<ArrayBuffer>): Promise<void> {
    return this.#connection.sendDatagram(bytes);
  }

  close(): void {
    this.#connection.close({ closeCode: 0, reason: "" });
  }
}
