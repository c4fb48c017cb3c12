/**
 * Deno's QUIC, with the types that the server needs. Deno declares them only among its unstable
 * types, which would then apply to every file of the project; and the classes exist only with
 * `--unstable-net`.
 */

/** A bidirectional stream. */
export interface QuicStream {
  readonly readable: ReadableStream<Uint8Array<ArrayBuffer>>;
  readonly writable: WritableStream<Uint8Array<ArrayBuffer>>;
}

/** The application's code and the reason with which a connection ends. */
export interface QuicCloseInfo {
  readonly closeCode: number;
  readonly reason: string;
}

export interface QuicConnection {
  /** Rejects if the other end has vanished. */
  readonly closed: Promise<QuicCloseInfo>;
  readonly remoteAddr: { readonly hostname: string };
  /** Resolves after the TLS handshake, even if it failed. */
  readonly handshake: Promise<unknown>;
  readonly incomingBidirectionalStreams: ReadableStream<QuicStream>;
  readonly incomingUnidirectionalStreams: ReadableStream<ReadableStream<Uint8Array<ArrayBuffer>>>;
  /**
   * The longest datagram that the path carries now, bytes. QUIC probes the path, and notices when
   * this shrinks.
   */
  readonly maxDatagramSize: number;
  createUnidirectionalStream(): Promise<WritableStream<Uint8Array<ArrayBuffer>>>;
  /** Rejects when the connection has ended. */
  readDatagram(): Promise<Uint8Array<ArrayBuffer>>;
  /** Rejects for a datagram that is too long for the path. */
  sendDatagram(data: Uint8Array<ArrayBuffer>): Promise<void>;
  close(info: QuicCloseInfo): void;
}

/** A client that has sent its first packet. In Deno 2.9.6, reading its address loses the client. */
export interface QuicIncoming {
  /**
   * Begins the TLS handshake. With `zeroRtt` the connection exists before the handshake ends, and
   * so does its address, which nothing has proved yet.
   * @throws Error if the first packet was invalid
   */
  accept(options: { readonly zeroRtt: true }): QuicConnection;
  /** Answers that the server has no place. */
  refuse(): void;
}

export interface QuicListenOptions {
  /** The certificate and its private key, as PEM. */
  readonly cert: string;
  readonly key: string;
  readonly alpnProtocols: readonly string[];
  readonly maxIdleTimeout: number;
  readonly keepAliveInterval: number;
  readonly maxConcurrentBidirectionalStreams: number;
  readonly maxConcurrentUnidirectionalStreams: number;
}

export interface QuicEndpoint {
  readonly addr: { readonly hostname: string; readonly port: number };
  /** May be called again, with another certificate for new connections. */
  listen(options: QuicListenOptions): AsyncIterable<QuicIncoming>;
  /** Closes the port and all its connections. */
  close(info?: QuicCloseInfo): void;
}

type QuicEndpointClass = new (options: { hostname: string; port: number }) => QuicEndpoint;

/** Whether this process may use QUIC. */
export function hasQuic(): boolean {
  return "QuicEndpoint" in Deno;
}

/**
 * Opens a UDP port.
 * @throws Error if it is in use, or the host is not an address of this machine
 */
export function openQuicEndpoint(options: { hostname: string; port: number }): QuicEndpoint {
  const { QuicEndpoint } = Deno as unknown as { QuicEndpoint: QuicEndpointClass };
  return new QuicEndpoint(options);
}

/** Whether a UDP port is free; true if this process may not look. */
export function isUdpPortFree(hostname: string, port: number): boolean {
  if (!("listenDatagram" in Deno)) return true;
  const { listenDatagram } = Deno as unknown as {
    listenDatagram(options: object): { close(): void };
  };
  try {
    listenDatagram({ transport: "udp", hostname, port }).close();
    return true;
  } catch {
    return false;
  }
}
