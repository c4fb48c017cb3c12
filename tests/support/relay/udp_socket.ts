/**
 * A socket of UDP on this machine. It is Deno's own, which is unstable: that of `node:dgram` takes
 * ten times as long for a packet, which a relay cannot afford. Packets leave in the order in which
 * they were sent.
 */
import { LOOPBACK, type RelayPlace } from "./line.ts";

/** One end of a packet's way. */
export type UdpAddress = Readonly<RelayPlace>;

interface NetAddress extends UdpAddress {
  readonly transport: "udp";
}

/** Deno's socket, whose types would be declared for every file of the project. */
interface DatagramConn {
  readonly addr: NetAddress;
  receive(): Promise<[Uint8Array<ArrayBuffer>, NetAddress]>;
  send(packet: Uint8Array, to: NetAddress): Promise<number>;
  close(): void;
}

type ListenDatagram = (options: NetAddress) => DatagramConn;

export type PacketHandler = (packet: Uint8Array<ArrayBuffer>, from: UdpAddress) => void;

export class UdpSocket implements Disposable {
  readonly #conn: DatagramConn;
  #isClosed = false;
  #sent: Promise<unknown> = Promise.resolve();

  /** @throws Error if the port is in use */
  constructor(place: Partial<RelayPlace>, onPacket: PacketHandler) {
    const { listenDatagram } = Deno as unknown as { listenDatagram: ListenDatagram };
    this.#conn = listenDatagram({ hostname: LOOPBACK, port: 0, ...place, transport: "udp" });
    void this.#readAll(onPacket);
  }

  get port(): number {
    return this.#conn.addr.port;
  }

  /** Sends a packet. Nobody learns whether it arrives. */
  send(packet: Uint8Array, to: UdpAddress): void {
    const send = () =>
      this.#isClosed ? undefined : this.#conn.send(packet, { ...to, transport: "udp" });
    this.#sent = this.#sent.then(send).catch(() => {});
  }

  [Symbol.dispose](): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#conn.close();
  }

  async #readAll(onPacket: PacketHandler): Promise<void> {
    while (!this.#isClosed) {
      try {
        const [packet, { hostname, port }] = await this.#conn.receive();
        onPacket(packet, { hostname, port });
      } catch {
        // It was closed, or an error of ICMP says that nobody listens there: as on a real line, the
        // peer hears nothing.
      }
    }
  }
}
