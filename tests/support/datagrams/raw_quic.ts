/** A client of QUIC that sends whatever a test wants, in place of HTTP/3. */
import { frameOf, FrameReader } from "../../../server/datagrams/http3/frame_reader.ts";
import { decodeFields, SECTION_BYTES_MAX } from "../../../server/datagrams/http3/qpack.ts";
import { encodeSettings } from "../../../server/datagrams/http3/settings.ts";
import type { SessionRequest } from "../../../server/datagrams/http3/session_request.ts";
import type {
  QuicCloseInfo,
  QuicConnection,
  QuicEndpoint,
  QuicStream,
} from "../../../server/datagrams/quic.ts";
import type { DatagramAddress } from "../../../client/net/datagram_address.ts";

interface RawConnection extends Omit<QuicConnection, "remoteAddr" | "handshake"> {
  createBidirectionalStream(): Promise<QuicStream>;
}

type ConnectQuic = (options: {
  readonly hostname: string;
  readonly port: number;
  readonly alpnProtocols: readonly string[];
  readonly keepAliveInterval: number;
  readonly endpoint?: QuicEndpoint;
  readonly serverCertificateHashes: readonly {
    readonly algorithm: string;
    readonly value: Uint8Array<ArrayBuffer>;
  }[];
}) => Promise<RawConnection>;

/** A control stream with settings of HTTP/3. */
export const CONTROL_STREAM: Uint8Array<ArrayBuffer> = Uint8Array.of(
  0,
  ...frameOf(4, encodeSettings()),
);
/** The beginning of the stream of messages. */
export const MESSAGES_MARK: Uint8Array<ArrayBuffer> = Uint8Array.of(0x40, 0x41, 0);

const HEADERS = 0x01;

export class RawQuic {
  readonly connection: RawConnection;
  /** The end of the connection, as this end sees it. */
  readonly ended: Promise<QuicCloseInfo>;
  /** Whoever has a stream has to keep it: Deno ends one that is collected. */
  readonly #kept: unknown[] = [];

  private constructor(connection: RawConnection) {
    this.connection = connection;
    this.ended = connection.closed.catch((error) => ({ closeCode: -1, reason: String(error) }));
  }

  /**
   * It stays alive without a word.
   * @param endpoint the own address, by default any
   * @throws Error if the server refuses
   */
  static async connect(
    { url, certificateHash: value }: DatagramAddress,
    endpoint?: QuicEndpoint,
  ): Promise<RawQuic> {
    const { connectQuic } = Deno as unknown as { connectQuic: ConnectQuic };
    const hashes = [{ algorithm: "sha-256", value: value! }];
    const { hostname, port } = new URL(url);
    const where = { hostname, port: Number(port), ...(endpoint && { endpoint }) };
    const options = {
      alpnProtocols: ["h3"],
      keepAliveInterval: 200,
      serverCertificateHashes: hashes,
    };
    return new RawQuic(await connectQuic({ ...where, ...options }));
  }

  /** Opens a stream in one direction, and sends its first bytes. */
  async openControl(
    bytes: Uint8Array<ArrayBuffer>,
  ): Promise<WritableStreamDefaultWriter<Uint8Array<ArrayBuffer>>> {
    return this.#writerOf(await this.connection.createUnidirectionalStream(), bytes);
  }

  /** Opens a stream in both directions, and sends its first bytes. */
  async openStream(
    bytes: Uint8Array<ArrayBuffer>,
  ): Promise<WritableStreamDefaultWriter<Uint8Array<ArrayBuffer>>> {
    const stream = await this.connection.createBidirectionalStream();
    this.#kept.push(stream);
    return this.#writerOf(stream.writable, bytes);
  }

  /** Asks for a session. @returns the status of the answer; 0 if the connection ends without one */
  async request(request: SessionRequest): Promise<number> {
    const stream = await this.connection.createBidirectionalStream();
    this.#kept.push(stream);
    this.#writerOf(stream.writable, frameOf(HEADERS, sectionOf(fieldsOf(request))));
    const frames = new FrameReader(new Map([[HEADERS, SECTION_BYTES_MAX]]));
    const reader = stream.readable.getReader();
    try {
      for (;;) {
        const { value, done } = await reader.read();
        if (done) return 0;
        const [answer] = frames.push(value);
        if (answer !== undefined) return Number(decodeFields(answer.payload)[0]![1]);
      }
    } catch {
      return 0;
    }
  }

  sendDatagram(bytes: Uint8Array<ArrayBuffer>): Promise<void> {
    return this.connection.sendDatagram(bytes);
  }

  close(code = 0): void {
    this.connection.close({ closeCode: code, reason: "" });
  }

  #writerOf(writable: WritableStream<Uint8Array<ArrayBuffer>>, bytes: Uint8Array<ArrayBuffer>) {
    const writer = writable.getWriter();
    this.#kept.push(writer);
    writer.write(bytes).catch(() => {});
    writer.closed.catch(() => {});
    return writer;
  }
}

function fieldsOf({ authority, path, origin }: SessionRequest): (readonly [string, string])[] {
  return [
    ...[[":method", "CONNECT"], [":protocol", "webtransport"], [":scheme", "https"]] as const,
    ...[[":authority", authority], [":path", path]] as const,
    ...origin === undefined ? [] : [["origin", origin] as const],
  ];
}

/** A section of fields, each with a name and a value of its own (RFC 9204 §4.5.6). */
export function sectionOf(fields: readonly (readonly [string, string])[]): Uint8Array<ArrayBuffer> {
  const textOf = (text: string, bits: number, flags: number) => [
    ...numberOf(text.length, bits, flags),
    ...new TextEncoder().encode(text),
  ];
  return Uint8Array.from([
    0,
    0,
    ...fields.flatMap(([name, value]) => [...textOf(name, 3, 0x20), ...textOf(value, 7, 0)]),
  ]);
}

/** A number with a prefix of some bits, below the bits of `flags` (RFC 7541 §5.1). */
function numberOf(value: number, bits: number, flags: number): number[] {
  const most = (1 << bits) - 1;
  if (value < most) return [flags | value];
  const bytes = [flags | most];
  let rest = value - most;
  for (; rest >= 128; rest >>= 7) bytes.push(0x80 | rest & 0x7f);
  return [...bytes, rest];
}
