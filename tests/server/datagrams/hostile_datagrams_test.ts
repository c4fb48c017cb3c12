/**
 * Clients of QUIC that break HTTP/3, or do nothing at all. Each loses its own connection, and an
 * honest one sees nothing.
 */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { ControlStreams } from "../../../server/datagrams/control_streams.ts";
import { Http3Code, Http3Error } from "../../../server/datagrams/http3/http3_error.ts";
import { frameOf } from "../../../server/datagrams/http3/frame_reader.ts";
import { openQuicEndpoint } from "../../../server/datagrams/quic.ts";
import { systemScheduler } from "../../../server/ground/ticker.ts";
import { DatagramClient, quicTest } from "../../support/datagrams/datagram_client.ts";
import { HTTP3_VIOLATIONS } from "../../support/datagrams/http3_violations.ts";
import { openDatagramServer } from "../../support/datagrams/datagram_server.ts";
import { CONTROL_STREAM, MESSAGES_MARK, RawQuic } from "../../support/datagrams/raw_quic.ts";
import { RECORDED } from "./http3/recorded.ts";

const REQUEST = RECORDED.find(({ name }) => name === "Deno")!.request;

/** Time runs ten times faster, so that nobody waits for three seconds. */
const scheduler = {
  now: systemScheduler.now,
  after: (delayMs: number, action: () => void) => systemScheduler.after(delayMs / 10, action),
};

quicTest(
  "DatagramEndpoint: clients that break HTTP/3 are closed with its code, and nobody else is disturbed (SPEC 16.3, 16.5, 16.24)",
  async () => {
    await using server = await openDatagramServer({ scheduler });
    const honest = new DatagramClient(server.address);
    await honest.roundTrip(1);
    const request = {
      authority: new URL(server.address.url).host,
      path: "/socket",
      origin: undefined,
    };

    for (const [what, { commit, code }] of Object.entries(HTTP3_VIOLATIONS)) {
      const quic = await RawQuic.connect(server.address);
      commit(quic, request).catch(() => {});
      assertEquals((await quic.ended).closeCode, code, what);
      await honest.roundTrip(2);
    }

    assertEquals({
      links: server.links.count,
      opening: server.endpoint.counts.opening,
      admitted: server.admitted,
    }, {
      links: 1,
      opening: 0,
      admitted: 1,
    });
    honest.link.close(1000, "");
    await server.nextEnd();
  },
);

quicTest(
  "DatagramLink: hostile frames after the answer, and datagrams of no session (SPEC 16.3)",
  async () => {
    await using server = await openDatagramServer();
    const open = async () => {
      const quic = await RawQuic.connect(server.address);
      await quic.openControl(CONTROL_STREAM);
      const request = await quic.openStream(REQUEST);
      await quic.openStream(MESSAGES_MARK);
      while (server.links.count === 0) await new Promise((resolve) => setTimeout(resolve, 5));
      return { quic, request };
    };
    const attacks: readonly [what: string, bytes: Uint8Array<ArrayBuffer>, code: number][] = [
      ["headers again", frameOf(1, [0, 0]), Http3Code.frameUnexpected],
      ["a long frame of data", frameOf(0, new Uint8Array(5_000)), Http3Code.excessiveLoad],
      ["a close without a code", frameOf(0, frameOf(0x2843, [1])), Http3Code.message],
      [
        "made-up frames without end",
        frameOf(0x21, new Uint8Array(17_000)),
        Http3Code.excessiveLoad,
      ],
    ];

    for (const [what, bytes, code] of attacks) {
      const { quic, request } = await open();
      for (const datagram of [[], [0x40], [9, 1, 2], [0xff]]) {
        await quic.sendDatagram(
          Uint8Array.from(datagram),
        );
      }
      request.write(bytes).catch(() => {});
      assertEquals((await quic.ended).closeCode, code, what);
      assertEquals(await server.nextEnd(), "closed 1002 server", what);
    }
  },
);

quicTest(
  "DatagramEndpoint: at most sixteen connections of one address open at once, and others come in (SPEC 16.5, 16.20)",
  async () => {
    await using server = await openDatagramServer();
    const silent = await Promise.all(
      Array.from({ length: 16 }, () => RawQuic.connect(server.address)),
    );
    while (server.endpoint.counts.opening < 16) {
      await new Promise((resolve) => setTimeout(resolve, 5));
    }

    // It ends before the handshake of TLS.
    await assertRejects(() => RawQuic.connect(server.address));
    assertEquals(server.endpoint.counts.handshakes.address_full, 1);
    const elsewhere = openQuicEndpoint({ hostname: "127.0.0.7", port: 0 });
    const other = await RawQuic.connect(server.address, elsewhere);
    while (server.endpoint.counts.opening < 17) {
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    other.close();
    for (const quic of silent) quic.close();
    while (server.endpoint.counts.opening > 0) {
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    const next = new DatagramClient(server.address);
    await next.roundTrip(1);
    next.link.close(1000, "");
    await server.nextEnd();
  },
);

quicTest(
  "DatagramEndpoint: a client whose process is killed has ended six seconds later, and the server lives (SPEC 16.7)",
  async () => {
    await using server = await openDatagramServer();
    const { url, certificateHash } = server.address;
    const script = `
    const value = Uint8Array.fromHex("${certificateHash!.toHex()}");
    const session = new WebTransport("${url}", { serverCertificateHashes: [{ algorithm: "sha-256", value }] });
    await session.ready;
    const { writable } = await session.createBidirectionalStream();
    await writable.getWriter().write(Uint8Array.of(0, 0, 0, 0));
    console.log("open");
    await new Promise((resolve) => setTimeout(resolve, 60_000));`;
    const child = new Deno.Command(Deno.execPath(), {
      args: ["eval", "--unstable-net", script],
      stdout: "piped",
    })
      .spawn();
    const { value } = await child.stdout.getReader().read();
    assert(value !== undefined);
    while (server.links.count === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    child.kill("SIGKILL");
    await child.status;
    assertEquals(await server.nextEnd(), "closed 1006 peer");
    assertEquals(server.admitted, 0);
    const next = new DatagramClient(server.address);
    await next.roundTrip(1);
    next.link.close(1000, "");
    await server.nextEnd();
  },
);

/** A stream of bytes, as those of QUIC are. */
function streamOf(bytes: Uint8Array<ArrayBuffer>): ReadableStream<Uint8Array<ArrayBuffer>> {
  return new ReadableStream({
    type: "bytes",
    start(controller) {
      controller.enqueue(bytes);
      controller.close();
    },
  });
}

Deno.test("ControlStreams: the seventeenth stream is refused, although each of them has ended (SPEC 16.3)", async () => {
  const made = Array.from({ length: 17 }, () => streamOf(Uint8Array.of(0x21)));
  const { broken } = new ControlStreams({
    incomingUnidirectionalStreams: ReadableStream.from(made),
  });
  const error = await assertRejects(() => broken, Http3Error, "too many streams");
  assertEquals(error.code, Http3Code.excessiveLoad);
});
