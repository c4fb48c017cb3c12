/**
 * First packets of QUIC whose senders never answer, from any address of this machine. They are
 * those of real clients: each has keys of its own, so that none can be sent as two.
 */
import { createSocket, type Socket } from "node:dgram";
import { openQuicEndpoint } from "../../../server/datagrams/quic.ts";
import { RawQuic } from "./raw_quic.ts";

/** A first packet has at least so many bytes (RFC 9000 §14.1). */
const FIRST_PACKET_BYTES_MIN = 1_200;
/** The first byte of a first packet: a long header of the type 0. */
const isFirst = (packet: Uint8Array) => (packet[0]! & 0xf0) === 0xc0;

/** A socket of UDP at an address of this machine. */
function openUdp(address: string): Promise<Socket> {
  const socket = createSocket("udp4");
  return new Promise((resolve, reject) => {
    socket.once("error", reject);
    socket.bind(0, address, () => resolve(socket));
  });
}

/** Records the first packets of so many clients, which connect to a port that never answers. */
export async function firstPackets(count: number): Promise<Uint8Array[]> {
  const sink = await openUdp("127.0.0.1");
  const packets = new Map<string, Uint8Array>();
  let wake = () => {};
  sink.on("message", (packet) => {
    if (!isFirst(packet) || packet.length < FIRST_PACKET_BYTES_MIN) return;
    // The client's own close is another first packet of the same connection.
    const connectionId = new Uint8Array(packet.subarray(6, 6 + packet[5]!)).toHex();
    if (!packets.has(connectionId)) packets.set(connectionId, new Uint8Array(packet));
    wake();
  });
  const url = `https://127.0.0.1:${sink.address().port}/`;
  const nowhere = { url, certificateHash: new Uint8Array(32) };

  while (packets.size < count) {
    const endpoint = openQuicEndpoint({ hostname: "127.0.0.1", port: 0 });
    const { size } = packets;
    RawQuic.connect(nowhere, endpoint).catch(() => {});
    while (packets.size === size) await new Promise<void>((resolve) => wake = resolve);
    endpoint.close();
  }

  sink.close();
  return [...packets.values()];
}

/** So many packets fit into the buffer of a socket, which drops more. */
const BURST = 40;
/** Between two of them, ms. */
const PAUSE_MS = 20;

/** Sends packets to a port, some from each address. @returns when they have left */
export async function sendFrom(
  addresses: readonly string[],
  { packets, port }: { packets: readonly Uint8Array[]; port: number },
): Promise<void> {
  const sockets = await Promise.all(addresses.map(openUdp));
  for (const [i, packet] of packets.entries()) {
    if (i % BURST === BURST - 1) await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    await new Promise((resolve) =>
      sockets[i % sockets.length]!.send(packet, port, "127.0.0.1", resolve)
    );
  }
  for (const socket of sockets) socket.close();
}
