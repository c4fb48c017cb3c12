/** A server whose ports are open and whose start is not over, for as long as a test likes. */
import { assertEquals, assertMatch } from "@std/assert";
import { openEchoServer } from "../../support/echo_server.ts";
import { quicTest } from "../../support/datagrams/datagram_client.ts";
import { RawSession } from "../../support/datagrams/raw_session.ts";
import { HANDSHAKE, RawSocket } from "../../support/sockets/raw_socket.ts";

Deno.test("HttpServer: while it starts, people and programs read so at every path, and when to come again (SPEC 14.46)", async () => {
  await using server = await openEchoServer({
    files: { "index.html": "<title>Wyvern</title>" },
    isStarting: true,
  });
  const forPrograms = {
    ready: false,
    reason: "starting",
    code: 1001,
    error: "The server is starting. Try again in a second.",
    retryAfterSeconds: 1,
  };

  for (
    const path of [
      "healthz",
      "readyz",
      "api/rooms",
      "api/rooms/CROW/join",
      "api/play",
      "api/results/best",
    ]
  ) {
    const method = path.endsWith("join") ? "POST" : "GET";
    const answer = await fetch(server.url + path, { method });
    assertEquals([answer.status, answer.headers.get("retry-after")], [503, "1"]);
    assertEquals([answer.headers.get("content-type"), await answer.json()], [
      "application/json",
      forPrograms,
    ]);
  }

  for (const path of ["", "metrics", "replay", "socket", "main.js", "nothing"]) {
    const answer = await fetch(server.url + path);
    assertEquals([answer.status, answer.headers.get("retry-after")], [503, "1"]);
    assertEquals(await answer.text(), "The server is starting. Try again in a second.\n");
  }

  server.answer();
  const page = await fetch(server.url);
  assertEquals([page.status, await page.text()], [200, "<title>Wyvern</title>"]);
  const health = await fetch(`${server.url}healthz`);
  assertEquals([health.status, (await health.json()).ok], [200, true]);
});

Deno.test("HttpServer: a socket that comes while it starts gets 503 and takes no place; later ones open (SPEC 14.46)", async () => {
  await using server = await openEchoServer({ isStarting: true, limits: { socketsPerAddress: 1 } });
  for (let i = 0; i < 3; i++) {
    using raw = await RawSocket.connect(server.port);
    await raw.write(
      ["GET /socket HTTP/1.1", `Host: 127.0.0.1:${server.port}`, ...HANDSHAKE, "", ""].join("\r\n"),
    );
    assertMatch(
      new TextDecoder().decode(await raw.readToEnd()),
      /^HTTP\/1\.1 503 Service Unavailable\r\n(.*\r\n)*Retry-After: 1\r\n/,
    );
  }

  assertEquals([server.links.length, server.counted], [0, new Array(3).fill("refused starting")]);

  server.answer();
  const { raw, status } = await RawSocket.upgrade(server.port);
  assertEquals(status, "HTTP/1.1 101 Switching Protocols");
  assertEquals(server.links.length, 1);
  raw[Symbol.dispose]();
});

quicTest(
  "HttpServer: a session of datagrams that comes while it starts gets 503; later ones open (SPEC 14.46)",
  async () => {
    await using server = await openEchoServer({ isStarting: true, datagrams: { port: 0 } });
    const { port, certificateHash } = server.datagramOffer!;
    const url = `https://127.0.0.1:${port}/socket`;
    const address = { url, certificateHash: Uint8Array.fromHex(certificateHash!) };
    const early = await RawSession.open(address);
    assertEquals([early.status, server.links.length, server.counted], [503, 0, [
      "refused starting",
    ]]);
    early.close();

    server.answer();
    const later = await RawSession.open(address);
    assertEquals(later.status, 200);
    later.close();
  },
);
