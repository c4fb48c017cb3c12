/** Clients of datagrams, by Deno's own WebTransport. */
import type { DatagramAddress } from "../../../client/net/datagram_address.ts";
import { openWebTransportLink } from "../../../client/net/web_transport_link.ts";
import type { Link } from "../../../shared/netcode/link.ts";

/** A client's link whose messages and end can be awaited. */
export class DatagramClient {
  readonly link: Link;
  readonly messages: [bytes: number[], reliably: boolean][] = [];
  readonly ended: Promise<[code: number, reason: string]>;
  #wake = () => {};

  constructor(address: DatagramAddress) {
    this.link = openWebTransportLink(address);
    this.link.onMessage((bytes, reliably) => {
      this.messages.push([[...bytes], reliably]);
      this.#wake();
    });
    this.ended = new Promise((resolve) =>
      this.link.onClose((code, reason) => resolve([code, reason]))
    );
  }

  async until(condition: () => boolean): Promise<void> {
    while (!condition()) await new Promise<void>((resolve) => this.#wake = resolve);
  }

  /** Sends a message by the reliable channel, and awaits its echo. */
  async roundTrip(...bytes: number[]): Promise<void> {
    const { length } = this.messages;
    this.link.sendReliably(Uint8Array.from(bytes));
    await this.until(() => this.messages.length > length);
  }
}

/** QUIC's sockets and timers stay open for a moment after their owners have closed them. */
export function quicTest(name: string, fn: () => Promise<void>): void {
  Deno.test({ name, sanitizeOps: false, sanitizeResources: false, fn });
}
