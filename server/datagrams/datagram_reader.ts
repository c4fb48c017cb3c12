/**
 * Reads a connection's datagrams from its first moment to its last. QUIC keeps a megabyte of unread
 * ones, so while the connection is not a link yet they are read and dropped.
 */
import type { DatagramCounts } from "../metrics/datagram_counts.ts";
import { Http3Code } from "./http3/http3_error.ts";
import type { QuicConnection } from "./quic.ts";

/**
 * How many datagrams may come before the link. Browsers send none, because their pages do not have
 * a session yet.
 */
const EARLY_DATAGRAMS_MAX = 64;

export class DatagramReader {
  readonly #connection: QuicConnection;
  readonly #counts: DatagramCounts;
  #early = 0;
  /** Takes datagrams; without it they are dropped. */
  handler: ((datagram: Uint8Array<ArrayBuffer>) => void) | undefined;

  /** Begins to read. */
  constructor(connection: QuicConnection, counts: DatagramCounts) {
    this.#connection = connection;
    this.#counts = counts;
    void this.#readAll();
  }

  #drop(): void {
    this.#counts.receivedDropped++;
    if (++this.#early !== EARLY_DATAGRAMS_MAX) return;
    this.#connection.close({
      closeCode: Http3Code.excessiveLoad,
      reason: "datagrams without a session",
    });
  }

  /** Awaits nothing else, because Deno keeps only one datagram while none is being read. */
  async #readAll(): Promise<void> {
    try {
      for (;;) {
        const datagram = await this.#connection.readDatagram();
        if (this.handler === undefined) this.#drop();
        else this.handler(datagram);
      }
    } catch {
      // The connection has ended, as its other readers see.
    }
  }
}
