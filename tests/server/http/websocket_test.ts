import { assert, assertEquals, assertGreater, assertLessOrEqual, assertMatch } from "@std/assert";
import type { Link } from "../../../shared/netcode/link.ts";
import { DEFAULT_LIMITS } from "../../../server/settings/limits.ts";
import { CLIENT_MESSAGE_BYTES_MAX } from "../../../shared/netcode/wire/messages.ts";
import { echo, openEchoServer } from "../../support/echo_server.ts";
import { HANDSHAKE, OPCODE, RawSocket } from "../../support/sockets/raw_socket.ts";

interface CloseInfo {
  readonly code: number;
  readonly reason: string;
}

/** A well-behaved client. */
async function connect(server: { readonly url: string }) {
  const socket = new WebSocket(`${server.url.replace("http", "ws")}socket`);
  socket.binaryType = "arraybuffer";
  const ended = new Promise<CloseInfo>((resolve) =>
    socket.onclose = ({ code, reason }) => resolve({ code, reason })
  );
  await new Promise<unknown>((resolve) => socket.onopen = socket.onerror = resolve);
  const next = () =>
    new Promise<Uint8Array>((resolve) =>
      socket.onmessage = ({ data }) => resolve(new Uint8Array(data as ArrayBuffer))
    );
  return {
    socket,
    ended,
    next,
    roundTrip(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
      const answer = next();
      socket.send(bytes);
      return answer;
    },
  };
}

function numbered(n: number, length = 20): Uint8Array<ArrayBuffer> {
  return new Uint8Array(length).fill(n);
}

Deno.test("WebSockets: a page of another site is refused before the upgrade", async () => {
  await using server = await openEchoServer();
  const { raw, status } = await RawSocket.upgrade(server.port, {
    headers: ["Origin: http://evil.example"],
  });
  using _ = raw;
  assertEquals(status, "HTTP/1.1 403 Forbidden");
  await raw.readToEnd();
  assertEquals(server.links.length, 0);
});

Deno.test("WebSockets: our own page and a bot without Origin are admitted", async () => {
  await using server = await openEchoServer();
  for (const headers of [[`Origin: http://127.0.0.1:${server.port}`], []]) {
    const { raw, status } = await RawSocket.upgrade(server.port, { headers });
    using _ = raw;
    assertEquals(status, "HTTP/1.1 101 Switching Protocols");
  }
  assertEquals(server.links.length, 2);
});

Deno.test("WebSockets: an upgrade elsewhere is 404, a plain request to /socket 426, a bad handshake 400 (SPEC 8.13)", async () => {
  await using server = await openEchoServer();
  const { raw, status } = await RawSocket.upgrade(server.port, { path: "/" });
  using _ = raw;
  assertEquals(status, "HTTP/1.1 404 Not Found");
  const plain = await fetch(`${server.url}socket`);
  await plain.body?.cancel();
  assertEquals(plain.status, 426);
  using bad = await RawSocket.connect(server.port);
  await bad.write(
    "GET /socket HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n",
  );
  assertMatch(new TextDecoder().decode(await bad.readToEnd()), /^HTTP\/1\.1 4\d\d /);
  assertEquals(server.links.length, 0);
});

Deno.test("WebSockets: an address at its limit is refused until one of its sockets is closed", async () => {
  const gone = Promise.withResolvers<void>();
  await using server = await openEchoServer({
    admit: (link) => link.onClose(() => gone.resolve()),
    limits: { socketsPerAddress: 20 },
  });
  const open = await Promise.all(Array.from({ length: 20 }, () => RawSocket.upgrade(server.port)));
  assert(open.every(({ status }) => status === "HTTP/1.1 101 Switching Protocols"));
  const refused = await RawSocket.upgrade(server.port);
  assertEquals(refused.status, "HTTP/1.1 503 Service Unavailable");
  open[0]!.raw[Symbol.dispose]();
  await gone.promise;
  const next = await RawSocket.upgrade(server.port);
  assertEquals(next.status, "HTTP/1.1 101 Switching Protocols");
  for (const { raw } of [...open.slice(1), refused, next]) raw[Symbol.dispose]();
});

Deno.test("WebSockets: too many requests get 429 in words, are counted, and are logged a few times only", async () => {
  await using server = await openEchoServer({
    limits: { upgradesPerAddress: { burst: 2, perSecond: 0 } },
  });
  const upgrades = await Promise.all(
    Array.from({ length: 50 }, () => RawSocket.upgrade(server.port)),
  );
  const refused = upgrades.filter(({ status }) => status === "HTTP/1.1 429 Too Many Requests");
  assertEquals(refused.length, 48);
  assertMatch(
    new TextDecoder().decode(await refused[0]!.raw.readToEnd()),
    /^too many new connections from your address/,
  );
  for (const { raw } of upgrades) raw[Symbol.dispose]();
  assertEquals(server.counted.filter((what) => what === "refused rate").length, 48);
  const logged = server.lines.filter((line) => line.startsWith("refused "));
  assertEquals(logged[0], "refused cause=rate status=429 address=127.0.0.1 unlogged=0");
  assert(logged.length >= 20 && logged.length < 30, `${logged.length} lines`);
});

Deno.test("Link: messages of 0 to 1,024 bytes arrive whole, in order, and the receiver may keep them", async () => {
  const kept: Uint8Array[] = [];
  await using server = await openEchoServer({
    admit(link) {
      link.onMessage((message) => {
        kept.push(message);
        if (message.length === 0) link.send(message);
      });
    },
  });
  const { socket, next } = await connect(server);
  const answered = next();
  for (let n = 1; n <= 64; n++) socket.send(numbered(n, n * 16));
  socket.send(new Uint8Array());
  await answered;
  assertEquals(
    kept.slice(0, 64),
    Array.from({ length: 64 }, (_, i) => numbered(i + 1, (i + 1) * 16)),
  );
  assert(
    kept.every(({ buffer, length }) => buffer.byteLength === length),
    "no view on a buffer that others use",
  );
});

Deno.test("Link.send: the bytes may be reused at once, also while the peer does not read", async () => {
  const sent = Promise.withResolvers<void>();
  await using server = await openEchoServer({
    admit(link) {
      const scratch = new Uint8Array(100_000);
      for (let n = 1; n <= 80; n++) link.send(scratch.fill(n));
      scratch.fill(255);
      assertGreater(link.bufferedBytes, 1_000_000);
      sent.resolve();
    },
  });
  const { raw } = await RawSocket.upgrade(server.port);
  using _ = raw;
  await sent.promise;
  for (let n = 1; n <= 80; n++) {
    const frame = await raw.read(10 + 100_000);
    assert(frame.subarray(10).every((byte) => byte === n), `message ${n}`);
  }
});

Deno.test("Link.send: messages of every kind of length arrive whole", async () => {
  const lengths = [0, 1, 125, 126, 127, 0xffff, 0x10000, 0x10001];
  await using server = await openEchoServer({
    admit: (link) => link.onMessage(([i]) => link.send(numbered(i!, lengths[i!]))),
  });
  const { roundTrip } = await connect(server);
  for (const [i, length] of lengths.entries()) {
    assertEquals(await roundTrip(new Uint8Array([i])), numbered(i, length), `${length} bytes`);
  }
});

Deno.test("Link: a message over 1,024 bytes closes 1009, in one frame or in fragments", async () => {
  await using server = await openEchoServer();
  const { socket, ended } = await connect(server);
  socket.send(new Uint8Array(CLIENT_MESSAGE_BYTES_MAX + 1));
  assertEquals((await ended).code, 1009);
  const { raw } = await RawSocket.upgrade(server.port);
  using _ = raw;
  await raw.frame(numbered(1, 600), { opcode: OPCODE.binary, last: false });
  await raw.frame(numbered(1, 600), { opcode: OPCODE.continuation, last: false });
  assertEquals(await raw.closeCode(), 1009);
});

Deno.test("Link: endless empty fragments of a message close 1008", async () => {
  await using server = await openEchoServer();
  const { raw } = await RawSocket.upgrade(server.port);
  using _ = raw;
  await raw.frame(new Uint8Array(), { opcode: OPCODE.binary, last: false });
  for (let i = 0; i < 40; i++) {
    await raw.frame(new Uint8Array(), { opcode: OPCODE.continuation, last: false });
  }
  assertEquals(await raw.closeCode(), 1008);
});

Deno.test("Link: text closes 1003, and later messages are not read", async () => {
  let received = 0;
  await using server = await openEchoServer({ admit: (link) => link.onMessage(() => received++) });
  const { socket, ended } = await connect(server);
  socket.send("hello");
  socket.send(numbered(1));
  assertEquals(await ended, { code: 1003, reason: "binary messages only" });
  assertEquals(received, 0);
});

Deno.test("Link: the messages of a ten-second stall are accepted at once, a flood closes 4006", async () => {
  let received = 0;
  await using server = await openEchoServer({
    admit: (link) =>
      link.onMessage((message) => {
        received++;
        if (message[0] === 2) link.send(message);
      }),
  });
  const { socket, ended, roundTrip } = await connect(server);
  for (let i = 0; i < 220; i++) socket.send(numbered(1, 1));
  await roundTrip(numbered(2, 1));
  assertEquals(received, 221);
  for (let i = 0; i < 2_500; i++) socket.send(numbered(1, 1));
  assertEquals(await ended, { code: 4006, reason: "too many messages" });

  // The bucket fills a little while the messages arrive. No run takes 10 s for 2,500 messages.
  assertLessOrEqual(
    received,
    DEFAULT_LIMITS.messagesPerLink.burst + 10 * DEFAULT_LIMITS.messagesPerLink.perSecond,
  );
});

Deno.test("Link: a flood of pings closes 4006, too", async () => {
  await using server = await openEchoServer();
  const { raw } = await RawSocket.upgrade(server.port);
  using _ = raw;
  let answer: number = OPCODE.pong;
  for (let i = 0; i < 1_000 && answer === OPCODE.pong; i++) {
    await raw.frame(new Uint8Array(), { opcode: OPCODE.ping });
    answer = (await raw.read(2))[0]! & 15;
  }
  assertEquals(answer, OPCODE.close);
  assertEquals(new DataView((await raw.read(2)).buffer).getUint16(0), 4006);
});

Deno.test("WebSockets: each close is logged and counted by code and initiator, also if ws closes", async () => {
  const cut = Promise.withResolvers<void>();
  await using server = await openEchoServer({
    admit: (link) => link.onClose((code) => code === 1006 && cut.resolve()),
  });
  const text = await connect(server);
  text.socket.send("hello");
  await text.ended;
  const long = await connect(server);
  long.socket.send(new Uint8Array(CLIENT_MESSAGE_BYTES_MAX + 1));
  await long.ended;
  const leaver = await connect(server);
  leaver.socket.close(4999, "gone to tea");
  await leaver.ended;
  const { raw } = await RawSocket.upgrade(server.port);
  raw[Symbol.dispose]();
  await cut.promise;
  await server.close();
  assertEquals(server.counted, [
    "closed 1003 server",
    "closed 1009 server",
    "closed 4999 peer",
    "closed 1006 peer",
  ]);
  assertEquals(server.lines.filter((line) => line.startsWith("link_opened")).length, 4);
  assertEquals(server.lines.filter((line) => line.startsWith("link_closed")), [
    'link_closed link=1 address=127.0.0.1 transport=websocket code=1003 by=server reason="binary messages only"',
    'link_closed link=2 address=127.0.0.1 transport=websocket code=1009 by=server reason="Max payload size exceeded"',
    'link_closed link=3 address=127.0.0.1 transport=websocket code=4999 by=peer reason="gone to tea"',
    'link_closed link=4 address=127.0.0.1 transport=websocket code=1006 by=peer reason=""',
  ]);
});

Deno.test("Link.close: the peer gets code and reason, the handler runs once, later sends do nothing", async () => {
  const ends: CloseInfo[] = [];
  await using server = await openEchoServer({
    admit(link) {
      link.onClose((code, reason) => ends.push({ code, reason }));
      link.onMessage(() => {
        link.close(4003, `room full ${"ü".repeat(200)}`);
        link.close(4004, "a second time");
        link.send(numbered(1));
      });
    },
  });
  const { socket, ended } = await connect(server);
  socket.onmessage = () => {
    throw new Error("sent after close");
  };
  socket.send(numbered(1));
  const { code, reason } = await ended;
  assertEquals(code, 4003);
  assertMatch(reason, /^room full ü{50,56}$/u);
  await server.close();
  assertEquals(ends.length, 1);
  assertEquals(ends[0]!.code, 4003);
  server.links[0]!.send(numbered(1)); // no effect
});

Deno.test("Link: the peer's close reaches the handler with its code", async () => {
  const end = Promise.withResolvers<CloseInfo>();
  await using server = await openEchoServer({
    admit: (link) => link.onClose((code, reason) => end.resolve({ code, reason })),
  });
  const { socket, ended } = await connect(server);
  socket.close(4999, "gone to tea");
  assertEquals(await end.promise, { code: 4999, reason: "gone to tea" });
  await ended;
});

Deno.test("Link: a connection that is cut reaches the handler as 1006", async () => {
  const end = Promise.withResolvers<number>();
  await using server = await openEchoServer({
    admit: (link) => link.onClose((code) => end.resolve(code)),
  });
  const { raw } = await RawSocket.upgrade(server.port);
  raw[Symbol.dispose]();
  assertEquals(await end.promise, 1006);
});

Deno.test("WebSockets: an error while admitting one link, or in its handlers, does not affect others", async () => {
  let admitted = 0;
  await using server = await openEchoServer({
    admit(link) {
      admitted++;
      if (admitted === 2) throw new Error("planted in admit");
      if (admitted === 3) link.onMessage(() => fail("planted in a message\nstray_line"));
      else echo(link);
      if (admitted === 4) link.onClose(() => fail("planted in a close"));
    },
  });
  const first = await connect(server);
  assertEquals(await first.roundTrip(numbered(1)), numbered(1));
  assertEquals((await (await connect(server)).ended).code, 1011);
  const third = await connect(server);
  third.socket.send(numbered(3));
  assertEquals((await third.ended).code, 1011);
  const fourth = await connect(server);
  fourth.socket.close();
  await fourth.ended;
  assertEquals(await first.roundTrip(numbered(2)), numbered(2));
  await server.close();
  assertEquals(server.lines.filter((line) => line.startsWith("link_failed")), [
    'link_failed error="Error: planted in admit"',
    'link_failed error="Error: planted in a message\\nstray_line"',
    'link_failed error="Error: planted in a close"',
  ]);
});

function fail(message: string): never {
  throw new Error(message);
}

Deno.test("Link.bufferedBytes: grows while the peer does not read, and delays neither others nor close", async () => {
  await using server = await openEchoServer();
  const { raw } = await RawSocket.upgrade(server.port);
  using _ = raw;
  const other = await connect(server);
  const [stuck, reading] = server.links as [Link, Link];
  let sent = 0;
  while (stuck.bufferedBytes < 1_000_000 && sent < 50_000_000) {
    stuck.send(new Uint8Array(100_000));
    sent += 100_000;
    await other.roundTrip(numbered(1)); // a turn of the event loop
  }
  assertGreater(stuck.bufferedBytes, 999_999);
  assertLessOrEqual(stuck.bufferedBytes, sent + 10 * (sent / 100_000));
  assertEquals(reading.bufferedBytes, 0);
  await server.close();
  assertEquals((await other.ended).code, 1001);
});

Deno.test("HttpServer.close: every peer gets 1001 and the port is free", async () => {
  const server = await openEchoServer();
  const clients = [await connect(server), await connect(server)];
  await server.close();
  for (const { ended } of clients) {
    assertEquals(await ended, { code: 1001, reason: "the server stops" });
  }
  Deno.listen({ hostname: "127.0.0.1", port: server.port }).close();
});

Deno.test("WebSockets: messages before and after a ping arrive in order", async () => {
  const received: number[] = [];
  const all = Promise.withResolvers<void>();
  await using server = await openEchoServer({
    admit: (link) =>
      link.onMessage((message) => {
        if (received.push(message[0]!) === 5) all.resolve();
      }),
  });
  const { raw } = await RawSocket.upgrade(server.port);
  using _ = raw;
  const message = (n: number) => [0x82, 0x81, 0, 0, 0, 0, n];
  const ping = [0x89, 0x80, 0, 0, 0, 0];
  for (
    const chunk of [[...message(1), ...message(2), ...message(3)], message(4), ping, message(5)]
  ) {
    await raw.write(Uint8Array.from(chunk));
  }

  await all.promise;
  assertEquals(received, [1, 2, 3, 4, 5]);
});

Deno.test("WebSockets: messages that arrive with the upgrade request, one in part, are received first", async () => {
  const received: number[] = [];
  const all = Promise.withResolvers<void>();
  await using server = await openEchoServer({
    admit: (link) =>
      link.onMessage((message) => {
        if (received.push(...message) === 4) all.resolve();
      }),
  });
  using raw = await RawSocket.connect(server.port);
  const request = ["GET /socket HTTP/1.1", `Host: 127.0.0.1:${server.port}`, ...HANDSHAKE, "", ""]
    .join("\r\n");
  const frames = [0x82, 0x81, 0, 0, 0, 0, 1, 0x82, 0x83, 0, 0, 0, 0, 2, 3, 4];
  await raw.write(Uint8Array.from([...new TextEncoder().encode(request), ...frames.slice(0, -2)]));
  await raw.write(Uint8Array.from(frames.slice(-2)));
  await all.promise;
  assertEquals(received, [1, 2, 3, 4]);
});
