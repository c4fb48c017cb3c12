/**
 * Reads the datagrams of a connection from its first moment to its last. QUIC keeps a megabyte of
 * unread ones, so a connection that is no link yet drops them.
 */
import type { DatagramCounts } from "./datagram_counts.ts";
import { Http3Code } from "./http3/http3_error.ts";
import type { QuicConnection } from "./quic.ts";

/** Datagrams before the link. Browsers send none, because their pages have no session yet. */
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

  /** Nothing else is awaited here, because Deno keeps one datagram while none is read. */
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
