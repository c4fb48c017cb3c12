import { LOCAL_PEER } from "../../../server/match/clients/peer.ts";
import { Links } from "../../../server/links/links.ts";
import { DEFAULT_LIMITS } from "../../../server/settings/limits.ts";
import { assertEquals, assertGreaterOrEqual } from "@std/assert";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { WebSockets } from "../../../server/http/websocket.ts";
import { echo } from "../../support/echo_server.ts";
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
  // Longer than a busy machine keeps a thread waiting: a pong that comes after the next ping is late.
  const sockets = new WebSockets({ links, pingEveryMs: 400 });
  const server = createServer().on(
    "upgrade",
    (request, socket, head) => sockets.handleUpgrade(request, { socket, head, client: LOCAL_PEER }),
  );
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
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
    sockets.stop();
    await links.close(1001, "the end of the test");
    await new Promise((resolve) => server.close(resolve));
  }
});
