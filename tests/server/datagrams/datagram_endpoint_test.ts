import { assert, assertEquals, assertGreater, assertMatch } from "@std/assert";
import { DatagramClient, quicTest } from "../../support/datagrams/datagram_client.ts";
import { openDatagramServer } from "../../support/datagrams/datagram_server.ts";

quicTest(
  "DatagramEndpoint: a client's messages come whole by the reliable channel, and as datagrams (SPEC 16.4)",
  async () => {
    await using server = await openDatagramServer();
    const client = new DatagramClient(server.address);
    assertEquals(client.link.ordered, false);
    for (const length of [1, 1_024, 0, 500]) {
      client.link.sendReliably(new Uint8Array(length).fill(length));
    }
    await client.until(() => client.messages.length === 4);
    assertEquals(client.messages.map(([{ length }, reliably]) => [length, reliably]), [
      [1, true],
      [1_024, true],
      [0, true],
      [500, true],
    ]);
    client.messages.length = 0;
    const sent = new Uint8Array(1_024).fill(7);
    client.link.send(sent);
    sent.fill(0); // the caller reuses its bytes
    await client.until(() => client.messages.length === 1);
    assertEquals(client.messages[0], [Array(1_024).fill(7), false]);
    assertEquals(server.requests, [{ path: "/socket?ticket=abc", origin: undefined }]);
    client.link.close(1000, "");
    await server.nextEnd();
  },
);

quicTest(
  "DatagramLink: messages of the server arrive whole, a state of 300 kB and datagrams of 1,200 bytes among them",
  async () => {
    await using server = await openDatagramServer({
      onLink(link) {
        link.onMessage(([what]) => {
          const scratch = new Uint8Array(what === 0 ? 300_000 : 1_200).fill(what!);
          if (what === 0) link.sendReliably(scratch);
          else link.send(scratch);
          if (what === 0) assertGreater(link.bufferedBytes, 300_000);
          scratch.fill(255);
        });
      },
    });
    const client = new DatagramClient(server.address);
    await client.roundTrip(0);
    await client.roundTrip(9);
    const [[state, stateReliably], [datagram, datagramReliably]] = client.messages as [
      [number[], boolean],
      [number[], boolean],
    ];
    assert(state.length === 300_000 && state.every((byte) => byte === 0) && stateReliably);
    assert(datagram.length === 1_200 && datagram.every((byte) => byte === 9) && !datagramReliably);
    client.link.close(1000, "");
    await server.nextEnd();
  },
);

quicTest(
  "DatagramLink: code and reason of a close arrive at the other end, both ways (SPEC 16.6)",
  async () => {
    const reason = "room ABCD is full";
    await using server = await openDatagramServer({
      onLink: (link) =>
        link.onMessage(([what]) =>
          what === 1 ? link.close(4004, reason) : link.sendReliably(Uint8Array.of(2))
        ),
    });
    const refused = new DatagramClient(server.address);
    refused.link.sendReliably(Uint8Array.of(1));
    assertEquals(await refused.ended, [4004, reason]);
    assertEquals(await server.nextEnd(), "closed 4004 server");
    const leaving = new DatagramClient(server.address);
    await leaving.roundTrip(2);
    leaving.link.close(1000, "bye");
    assertEquals(await leaving.ended, [1000, "bye"]);
    assertEquals(await server.nextEnd(), "closed 1000 peer");
    assertEquals(server.admitted, 0);
    assertEquals(server.links.count, 0);
    assertMatch(
      server.lines.at(-1)!,
      /^link_closed link=2 address=127\.0\.0\.1 transport=webtransport code=1000 by=peer reason="?bye"?$/,
    );
  },
);

quicTest("DatagramEndpoint: a refused request gets no link, and its client learns it", async () => {
  let status: number | undefined = 403;
  await using server = await openDatagramServer({ refusal: () => status });
  assertEquals((await new DatagramClient(server.address).ended)[0], 1006);
  assertEquals(server.links.count, 0);
  status = undefined;
  const next = new DatagramClient(server.address);
  await next.roundTrip(1);
  next.link.close(1000, "");
  await server.nextEnd();
});

quicTest(
  "DatagramLink: a flood, a long message and an error of the server close one link alone (SPEC 16.5)",
  async () => {
    await using server = await openDatagramServer({
      limits: { messagesPerLink: { burst: 10, perSecond: 0 } },
      onLink(link) {
        link.onMessage((message, reliably) => {
          if (message[0] === 99) throw new Error("planted");
          if (reliably) link.sendReliably(message);
        });
      },
    });
    const witness = new DatagramClient(server.address);
    await witness.roundTrip(1);
    const flood = new DatagramClient(server.address);
    await flood.roundTrip(1);
    for (let n = 0; n < 40; n++) {
      flood.link.send(Uint8Array.of(3)), await new Promise((resolve) => setTimeout(resolve, 1));
    }
    assertEquals(await flood.ended, [4006, "too many messages"]);
    const long = new DatagramClient(server.address);
    long.link.sendReliably(new Uint8Array(1_025));
    assertEquals((await long.ended)[0], 1009);
    const failing = new DatagramClient(server.address);
    failing.link.sendReliably(Uint8Array.of(99));
    assertEquals(await failing.ended, [1011, "an error of the server"]);
    await witness.roundTrip(2);
    assertEquals(server.links.count, 1);
    witness.link.close(1000, "");
    for (let n = 0; n < 4; n++) await server.nextEnd();
  },
);

quicTest(
  "DatagramEndpoint.renew: open links go on, new clients get the new certificate, the old one opens nothing (SPEC 16.1)",
  async () => {
    await using server = await openDatagramServer();
    const before = server.address;
    const playing = new DatagramClient(before);
    await playing.roundTrip(1);
    await server.endpoint.renew();
    await playing.roundTrip(2);
    const next = new DatagramClient(server.address);
    await next.roundTrip(3);
    assertEquals((await new DatagramClient(before).ended)[0], 1006);
    await playing.roundTrip(4);
    for (const { link } of [playing, next]) link.close(1000, "");
    await server.nextEnd();
    await server.nextEnd();
  },
);
