import { Links } from "../../../server/links/links.ts";
import { DEFAULT_LIMITS } from "../../../server/settings/limits.ts";
import { assertEquals, assertGreaterOrEqual } from "@std/assert";
import { echo } from "../../support/echo_server.ts";
import { LinkServer } from "../../support/sockets/link_server.ts";
import { OPCODE, RawSocket } from "../../support/sockets/raw_socket.ts";

Deno.test("WebSockets: a peer that answers no ping is closed, one that answers stays", async () => {
  const ends: string[] = [];
  const links = new Links({
    ...DEFAULT_LIMITS,
    log() {},
    admit(link) {
      link.onClose((_code, reason) => ends.push(reason));
      echo(link);
    },
  });

  // Longer than a busy machine keeps a thread waiting: a pong that comes after the next ping is
  // late.
  await using server = await LinkServer.open({ links, pingEveryMs: 400 });
  const { port } = server;

  try {
    // After a long message ws reads the connection, its pongs, too.
    const responsive = await Promise.all([3, 200].map(async (length) => {
      const socket = new WebSocket(`ws://127.0.0.1:${port}/socket`);
      await new Promise((resolve) => socket.onopen = resolve);
      const roundTrip = () =>
        new Promise((resolve) => (socket.onmessage = resolve, socket.send(new Uint8Array(length))));
      await roundTrip();
      return { roundTrip };
    }));
    const { raw } = await RawSocket.upgrade(port);
    using _ = raw;
    const pings = (await raw.readToEnd()).filter((byte) => (byte & 15) === OPCODE.ping).length;
    assertGreaterOrEqual(pings, 2); // the first may have come with the handshake
    assertEquals(ends, ["no answer to pings"]);
    for (const { roundTrip } of responsive) await roundTrip();
    assertEquals(links.count, 2);
  } finally {
    await links.close(1001, "the end of the test");
  }
});
