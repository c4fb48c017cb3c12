/**
 * A TCP connection that speaks HTTP and WebSocket as badly as a test requires: half a header,
 * fragmented frames, no answer to a ping. It answers nothing by itself.
 */

/** Opcodes of frames (RFC 6455 §5.2). */
export const OPCODE = { continuation: 0, text: 1, binary: 2, close: 8, ping: 9, pong: 10 } as const;

/** The header lines of a client's upgrade request, except its Host. */
export const HANDSHAKE: readonly string[] = [
  "Connection: Upgrade",
  "Upgrade: websocket",
  "Sec-WebSocket-Version: 13",
  "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
];

export class RawSocket implements Disposable {
  readonly #connection: Deno.TcpConn;

  private constructor(connection: Deno.TcpConn) {
    this.#connection = connection;
  }

  static async connect(port: number): Promise<RawSocket> {
    return new RawSocket(await Deno.connect({ hostname: "127.0.0.1", port }));
  }

  /**
   * Connects and requests an upgrade.
   * @param headers further lines
   * @returns also the answer's status line
   */
  static async upgrade(
    port: number,
    { path = "/socket", headers = [] as string[] } = {},
  ): Promise<{ raw: RawSocket; status: string }> {
    const raw = await RawSocket.connect(port);
    const host = headers.some((line) => line.startsWith("Host:"))
      ? []
      : [`Host: 127.0.0.1:${port}`];
    await raw.write(
      [`GET ${path} HTTP/1.1`, ...host, ...HANDSHAKE, ...headers, "", ""].join("\r\n"),
    );
    return { raw, status: (await raw.#header()).split("\r\n")[0]! };
  }

  async write(bytes: string | Uint8Array): Promise<void> {
    await writeAll(
      this.#connection,
      typeof bytes === "string" ? new TextEncoder().encode(bytes) : bytes,
    );
  }

  /** Sends one masked frame; the mask is zero. @param payload at most 65,535 bytes */
  async frame(
    payload: Uint8Array,
    { opcode, last = true }: { opcode: number; last?: boolean },
  ): Promise<void> {
    const { length } = payload;
    const size = length < 126 ? [0x80 | length] : [0x80 | 126, length >> 8, length & 255];
    await writeAll(
      this.#connection,
      new Uint8Array([(last ? 0x80 : 0) | opcode, ...size, 0, 0, 0, 0, ...payload]),
    );
  }

  /** Reads exactly `length` bytes. @throws Error if the connection ends before */
  async read(length: number): Promise<Uint8Array> {
    const bytes = new Uint8Array(length);
    for (let done = 0; done < length;) {
      const n = await this.#connection.read(bytes.subarray(done));
      if (n === null) throw new Error(`the connection ended after ${done} of ${length} bytes`);
      done += n;
    }
    return bytes;
  }

  /** Reads until the other end closes the connection. */
  async readToEnd(): Promise<Uint8Array> {
    const chunks: number[] = [];
    const chunk = new Uint8Array(4096);
    try {
      for (
        let n = await this.#connection.read(chunk);
        n !== null;
        n = await this.#connection.read(chunk)
      ) {
        chunks.push(...chunk.subarray(0, n));
      }
    } catch (error) {
      if (!(error instanceof Deno.errors.ConnectionReset)) throw error; // the connection may end like this, too
    }
    return new Uint8Array(chunks);
  }

  /**
   * The code of the first close frame; undefined if the connection ends without one. Frames before
   * it must be short.
   */
  async closeCode(): Promise<number | undefined> {
    const bytes = await this.readToEnd();
    for (let at = 0; at + 1 < bytes.length; at += 2 + bytes[at + 1]!) {
      if ((bytes[at]! & 15) === OPCODE.close) return bytes[at + 2]! << 8 | bytes[at + 3]!;
    }
    return undefined;
  }

  /** Reads an HTTP header up to its empty line, and nothing after it. */
  async #header(): Promise<string> {
    let header = "";
    while (!header.endsWith("\r\n\r\n")) header += String.fromCharCode((await this.read(1))[0]!);
    return header;
  }

  [Symbol.dispose](): void {
    this.#connection.close();
  }
}

async function writeAll(connection: Deno.TcpConn, bytes: Uint8Array): Promise<void> {
  for (let done = 0; done < bytes.length;) done += await connection.write(bytes.subarray(done));
}
