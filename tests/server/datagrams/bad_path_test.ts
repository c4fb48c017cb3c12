/**
 * Sessions of datagrams over a relay whose path is narrow, goes dark, or comes from another port.
 */
import { assert, assertEquals, assertGreater, assertLess } from "@std/assert";
import type { Link } from "../../../shared/netcode/link.ts";
import { SERVER_DATAGRAM_BYTES_MAX } from "../../../shared/netcode/wire/messages.ts";
import { DatagramClient, quicTest } from "../../support/datagrams/datagram_client.ts";
import {
  type DatagramServer,
  openDatagramServer,
} from "../../support/datagrams/datagram_server.ts";
import { UdpRelay, type UdpRelayOptions } from "../../support/relay/udp_relay.ts";

/** With QUIC's shortest packets. */
const NARROW_BYTES = 1_161;

/** A server behind a relay, and the server's end of the newest link. */
async function openBehindRelay(options: Partial<UdpRelayOptions>) {
  const links: Link[] = [];
  const server = await openDatagramServer({
    onLink(link) {
      links.push(link);
      // Asked by a number of two bytes, it sends so many by datagram. Anything else comes back by
      // the stream.
      link.onMessage((message, reliably) => {
        if (message.length === 2) link.send(new Uint8Array(message[0]! << 8 | message[1]!));
        else if (reliably) link.sendReliably(message);
      });
    },
  });
  const relay = new UdpRelay({ target: portOf(server), ...options });
  const { url, ...address } = server.address;
  const client = new DatagramClient({
    ...address,
    url: url.replace(`:${portOf(server)}/`, `:${relay.port}/`),
  });
  return {
    server,
    relay,
    client,
    get link() {
      return links.at(-1)!;
    },
    async [Symbol.asyncDispose]() {
      client.link.close(1000, "");
      await server[Symbol.asyncDispose]();
      relay[Symbol.dispose]();
    },
  };
}

function portOf({ address }: DatagramServer): number {
  return Number(new URL(address.url).port);
}

/** @returns whether a datagram of this length comes, of a few that are asked for */
async function comes(client: DatagramClient, length: number): Promise<boolean> {
  for (let asked = 0; asked < 5; asked++) {
    const hasCome = () =>
      client.messages.some(([bytes, reliably]) => !reliably && bytes.length === length);
    client.link.sendReliably(Uint8Array.of(length >> 8, length & 255));
    await client.roundTrip(1);
    // By datagram it may be overtaken by the stream.
    await new Promise((resolve) => setTimeout(resolve, 20));
    if (hasCome()) return true;
  }
  return false;
}

quicTest(
  "DatagramLink: it says how long a datagram may be on a narrow path, and such ones arrive (SPEC 16.40)",
  async () => {
    await using narrow = await openBehindRelay({ state: { payloadBytesMax: 1_210 } });
    await narrow.client.roundTrip(1);
    assertEquals(narrow.link.datagramBytesMax, NARROW_BYTES);
    assertEquals([
      await comes(narrow.client, NARROW_BYTES),
      await comes(narrow.client, NARROW_BYTES + 1),
    ], [
      true,
      false,
    ]);
    assertGreater(narrow.relay.counts.down.tooLong, 0);
    await using wide = await openBehindRelay({});
    await wide.client.roundTrip(1);
    while (wide.link.datagramBytesMax! < SERVER_DATAGRAM_BYTES_MAX) await wide.client.roundTrip(2);
    assert(await comes(wide.client, SERVER_DATAGRAM_BYTES_MAX));
  },
);

quicTest(
  "DatagramLink: a path that becomes narrow in play is noticed, and its link goes on (SPEC 16.40)",
  async () => {
    await using path = await openBehindRelay({});
    const { client, relay } = path;
    await client.roundTrip(1);
    while (path.link.datagramBytesMax! < SERVER_DATAGRAM_BYTES_MAX) await client.roundTrip(2);
    relay.state.payloadBytesMax = 1_210;
    // Long datagrams get lost until QUIC has seen enough of them.
    while (path.link.datagramBytesMax! > NARROW_BYTES) {
      path.link.send(new Uint8Array(SERVER_DATAGRAM_BYTES_MAX));
      await client.roundTrip(3);
    }
    assertGreater(relay.counts.down.tooLong, 0);
    assert(await comes(client, NARROW_BYTES));
    assertEquals(path.server.ends, []);
  },
);

quicTest(
  "DatagramLink: it goes on when its client comes from another port, and loses little on a bad line",
  async () => {
    const model = { oneWayMs: 10, jitterMs: 5, loss: 0.05 };
    await using path = await openBehindRelay({ line: { model, seed: 4 } });
    const { client, relay } = path;
    await client.roundTrip(1);
    relay.changePorts();
    for (let n = 0; n < 20; n++) await client.roundTrip(2);
    for (const { packets, passed, lost } of [relay.counts.up, relay.counts.down]) {
      assertGreater(passed, 20);
      assertLess(lost, packets / 3);
    }
    assertEquals(path.server.ends, []);
  },
);

quicTest(
  "DatagramLink: a client that vanishes is noticed by itself; what it was sent meanwhile is no error (SPEC 16.7)",
  async () => {
    await using path = await openBehindRelay({});
    await path.client.roundTrip(1);
    path.relay.state.isDark = true;
    for (let n = 0; n < 20; n++) path.link.send(new Uint8Array(100));
    assertEquals(await path.server.nextEnd(), "closed 1006 peer");
    assertEquals(path.server.admitted, 0);
  },
);

quicTest(
  "DatagramEndpoint: a port that is dark from the start costs its client nothing but the wait for its own limit",
  async () => {
    await using path = await openBehindRelay({ state: { isDark: true } });
    assertEquals(await path.client.ended, [1006, "no answer"]);
    assertGreater(path.relay.counts.up.dark, 0);
    assertEquals([path.server.links.count, path.server.ends], [0, []]);
  },
);
