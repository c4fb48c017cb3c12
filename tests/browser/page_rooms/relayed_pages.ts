/** Pages whose connections to each other go through relays with the lab's model of a line. */
import type { BrowserContext } from "playwright-core";
import type { Line } from "../../support/relay/line.ts";
import { UdpRelay } from "../../support/relay/udp_relay.ts";

/** What each page calls. */
interface RelayedPage {
  relayPortTo(hostname: string, port: number): Promise<number>;
}

export class RelayedPages implements Disposable {
  readonly #line: Line;
  /** By the address of a page. */
  readonly #relays = new Map<string, UdpRelay>();

  constructor(line: Line) {
    this.#line = line;
  }

  /** Packets that have passed in either direction. */
  get carried(): number {
    let carried = 0;
    for (const { counts } of this.#relays.values()) {
      carried += counts.up.packets + counts.down.packets;
    }
    return carried;
  }

  /** Makes all pages of a context reach each other page through a relay alone. */
  async add(context: BrowserContext): Promise<void> {
    await context.exposeFunction(
      "relayPortTo",
      (hostname: string, port: number) => this.#portTo(hostname, port),
    );
    await context.addInitScript(() => {
      const page = globalThis as unknown as RelayedPage;
      const { prototype } = RTCPeerConnection;
      // Without its older form, which takes functions
      const set = prototype.setRemoteDescription as (
        this: RTCPeerConnection,
        description: RTCSessionDescriptionInit,
      ) => Promise<void>;
      prototype.setRemoteDescription = async function (
        { type, sdp = "" }: RTCSessionDescriptionInit,
      ) {
        const lines: string[] = [];
        for (const line of sdp.split("\r\n")) {
          const parts = line.split(" ");
          // a=candidate:… component protocol priority address port …
          if (line.startsWith("a=candidate:")) {
            if (parts[2] !== "udp" || !/^[\d.]+$/.test(parts[4]!)) continue;
            parts[5] = String(await page.relayPortTo(parts[4]!, Number(parts[5])));
          }
          lines.push(parts.join(" "));
        }
        return await set.call(this, { type, sdp: lines.join("\r\n") });
      };
    });
  }

  [Symbol.dispose](): void {
    for (const relay of this.#relays.values()) relay[Symbol.dispose]();
  }

  #portTo(hostname: string, target: number): number {
    const key = `${hostname} ${target}`;
    let relay = this.#relays.get(key);
    if (relay === undefined) {
      const { model, seed } = this.#line;
      const line = { model, seed: seed + 1000 * this.#relays.size };
      relay = new UdpRelay({ hostname, target, targetHostname: hostname, line });
      this.#relays.set(key, relay);
    }
    return relay.port;
  }
}
