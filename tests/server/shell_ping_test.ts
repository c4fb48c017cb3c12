import { assertEquals, assertGreaterOrEqual } from "@std/assert";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Sockets } from "../../server/socket.ts";
import { echo } from "../support/echo_front.ts";
import { OPCODE, RawSocket } from "../support/raw_socket.ts";

Deno.test("Sockets: a peer that answers no ping is given up, one that does stays", async () => {
  const ends: string[] = [];
  const sockets = new Sockets({
    pingEveryMs: 30,
    log() {},
    admit(link) {
      link.onClose((_code, reason) => ends.push(reason));
      echo(link);
    },
  });
  const server = createServer().on("upgrade", (request, socket, head) => sockets.take(request, socket, head));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  try {
    const living = new WebSocket(`ws://127.0.0.1:${port}/socket`);
    await new Promise((resolve) => living.onopen = resolve);
    const { raw } = await RawSocket.upgrade(port);
    using _ = raw;
    const pings = (await raw.rest()).filter((byte) => (byte & 15) === OPCODE.ping).length;
    assertGreaterOrEqual(pings, 2); // the first may have come with the handshake
    assertEquals(ends, ["no answer to pings"]);
    const answer = new Promise((resolve) => living.onmessage = resolve);
    living.send(new Uint8Array(3));
    await answer;
    assertEquals(sockets.count, 1);
  } finally {
    await sockets.close(1001, "the end of the test");
    await new Promise((resolve) => server.close(resolve));
  }
});
