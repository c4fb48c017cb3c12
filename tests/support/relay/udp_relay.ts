/**
 * A relay of UDP between clients and a server on this machine, with the lab's model of a line:
 * delay, jitter, loss in bursts, duplicates, detours. A test may also limit the length of packets,
 * let nothing pass, or change the port from which the server hears the clients, as a phone does
 * that changes its network.
 *
 *     client ── the relay's port ── line ── a socket of the relay for this client ── server
 *
 * The relay sees packets of QUIC, not messages: acknowledgements and datagrams share the bursts.
 * `proxy.ts` does the same for TCP, where a lost segment holds back what follows it. Both are
 * models. No congestion window shrinks in them, and a real TCP waits for longer in a burst.
 */
import { openNetwork } from "../../../shared/netcode/simulated_network/network_model.ts";
import { type Line, LOOPBACK, NO_LINE, type RelayPlace } from "./line.ts";
import { newPacketCounts, type PacketCounts, PacketFlow, type RelayState } from "./packet_flow.ts";
import { Schedule } from "./schedule.ts";
import { type UdpAddress, UdpSocket } from "./udp_socket.ts";

/** Clients of one relay: more than a test has. Packets of others are dropped. */
const CLIENTS_MAX = 512;
/** The longest payload of UDP over IPv4. */
const PAYLOAD_BYTES_MAX = 65_507;

export interface UdpRelayOptions extends Partial<RelayPlace> {
  /** The server's port on this machine. */
  readonly target: number;
  /** The server's address; by default 127.0.0.1. */
  readonly targetHostname?: string;
  /** By default every packet passes at once. */
  readonly line?: Line | undefined;
  readonly state?: Partial<Omit<RelayState, "schedule">>;
}

interface RelayedClient {
  readonly up: PacketFlow;
  readonly down: PacketFlow;
  /** The server hears the client from its port. */
  upstream: UdpSocket;
}

export class UdpRelay implements Disposable {
  readonly #line: Line;
  readonly #server: UdpAddress;
  readonly #socket: UdpSocket;
  readonly #clients = new Map<string, RelayedClient>();
  readonly state: RelayState;
  readonly counts: { readonly up: PacketCounts; readonly down: PacketCounts } = {
    up: newPacketCounts(),
    down: newPacketCounts(),
  };

  /** @throws Error if the port is in use */
  constructor(
    { target, targetHostname = LOOPBACK, line = NO_LINE, state, ...place }: UdpRelayOptions,
  ) {
    this.#line = line;
    this.#server = { hostname: targetHostname, port: target };
    this.state = {
      schedule: new Schedule(),
      isDark: false,
      payloadBytesMax: PAYLOAD_BYTES_MAX,
      ...state,
    };
    this.#socket = new UdpSocket(place, (packet, from) => this.#clientAt(from)?.up.take(packet));
  }

  get port(): number {
    return this.#socket.port;
  }

  /**
   * From now on the server hears each client from another port. Packets to the old ports are lost.
   */
  changePorts(): void {
    for (const client of this.#clients.values()) {
      client.upstream[Symbol.dispose]();
      client.upstream = this.#upstreamOf(client);
    }
  }

  [Symbol.dispose](): void {
    this.state.schedule.clear();
    this.#socket[Symbol.dispose]();
    for (const { upstream } of this.#clients.values()) upstream[Symbol.dispose]();
  }

  #clientAt(address: UdpAddress): RelayedClient | undefined {
    const key = `${address.hostname}:${address.port}`;
    const known = this.#clients.get(key);
    if (known !== undefined || this.#clients.size >= CLIENTS_MAX) return known;
    const { model, seed } = this.#line;
    const network = openNetwork(model, seed + this.#clients.size);
    const shared = { state: this.state, beganMs: performance.now() };
    const down = new PacketFlow({
      ...shared,
      network: network.down,
      counts: this.counts.down,
      forward: (packet) => this.#socket.send(packet, address),
    });
    const up = new PacketFlow({
      ...shared,
      network: network.up,
      counts: this.counts.up,
      forward: (packet) => client.upstream.send(packet, this.#server),
    });
    const client = { up, down, upstream: this.#upstreamOf({ down }) };
    this.#clients.set(key, client);
    return client;
  }

  #upstreamOf({ down }: Pick<RelayedClient, "down">): UdpSocket {
    const { hostname } = this.#server;
    return new UdpSocket({ hostname }, (packet) => down.take(packet));
  }
}
