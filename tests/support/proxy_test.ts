import { assertEquals, assertGreaterOrEqual } from "@std/assert";
import { connect } from "node:net";
import { Proxy } from "./proxy.ts";

/** Echoes the bytes of one connection, until it ends. */
async function echoOnce(listener: Deno.TcpListener): Promise<void> {
  const connection = await listener.accept();
  await connection.readable.pipeTo(connection.writable);
}

async function readExactly(from: Deno.TcpConn, length: number): Promise<number[]> {
  const bytes: number[] = [];
  const chunk = new Uint8Array(length);
  while (bytes.length < length) {
    const count = await from.read(chunk);
    if (count === null) {
      throw new Error(`the connection ended after ${bytes.length} of ${length} bytes`);
    }
    bytes.push(...chunk.subarray(0, count));
  }
  return bytes;
}

Deno.test("proxy: with a network model, bytes take a round trip and keep their order", async () => {
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const echoed = echoOnce(listener);
  const model = { oneWayMs: 30, jitterMs: 10 };
  await using proxy = new Proxy(listener.addr.port, { model, seed: 3 });
  using connection = await Deno.connect({ hostname: "127.0.0.1", port: proxy.port });
  connection.setNoDelay();
  const bytes = Array.from({ length: 20 }, (_, i) => i);
  const beganMs = performance.now();
  for (const byte of bytes) {
    await connection.write(Uint8Array.of(byte));
    await new Promise((resolve) => setTimeout(resolve, 1)); // so that most bytes have a delay of their own
  }
  assertEquals(await readExactly(connection, 1), [0]);

  // The network can be slower than its model, but never faster.
  assertGreaterOrEqual(performance.now() - beganMs, 2 * model.oneWayMs);
  assertEquals(await readExactly(connection, bytes.length - 1), bytes.slice(1));
  await connection.closeWrite();
  await echoed;
});

Deno.test("proxy: it shows the server's bytes when they have passed the network, and holds them while it is stalled", async () => {
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const echoed = echoOnce(listener);
  const seen: number[] = [];
  const watch = () => (bytes: Uint8Array) => void seen.push(...bytes);
  await using proxy = new Proxy(listener.addr.port, {
    model: { oneWayMs: 20, jitterMs: 0 },
    seed: 3,
    watch,
  });
  using connection = await Deno.connect({ hostname: "127.0.0.1", port: proxy.port });
  await connection.write(Uint8Array.of(7));
  assertEquals(seen, []);
  assertEquals([await readExactly(connection, 1), seen], [[7], [7]]);
  proxy.stall();
  await connection.write(Uint8Array.of(8));
  const read = readExactly(connection, 1);
  assertEquals(seen, [7]);
  proxy.unstall();
  assertEquals([await read, seen], [[8], [7, 8]]);
  await connection.closeWrite();
  await echoed;
});

Deno.test("proxy: the bytes that were sent before a reset still arrive", async () => {
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  await using proxy = new Proxy(listener.addr.port, {
    model: { oneWayMs: 30, jitterMs: 0 },
    seed: 1,
  });
  const client = connect({ host: "127.0.0.1", port: proxy.port, noDelay: true });
  const server = await listener.accept();
  const closed = new Promise((resolve) => client.once("close", resolve));
  const bytes = Array.from({ length: 20 }, (_, i) => i);
  for (const byte of bytes) {
    await new Promise((resolve) => client.write(Uint8Array.of(byte), resolve));
  }
  client.resetAndDestroy();
  assertEquals([...await new Response(server.readable).bytes()], bytes);
  await closed;
});
