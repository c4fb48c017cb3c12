/**
 * What has failed once is tried again: the port that could not be opened again, and the
 * certificate.
 */
import { assertEquals, assertNotEquals } from "@std/assert";
import { Server as NetServer } from "node:net";
import { ProxyTrust } from "../../../server/addresses/client_address.ts";
import { Listener } from "../../../server/http/listener.ts";
import { DEFAULT_LIMITS } from "../../../server/settings/limits.ts";
import { openDatagramServer } from "../../support/datagrams/datagram_server.ts";
import { quicTest } from "../../support/datagrams/datagram_client.ts";
import { VirtualTime } from "../../support/virtual_time.ts";

const MINUTE_MS = 60_000;
const CERTIFICATE_DAYS = 13;

/** The server of the next port that is opened in this process. */
function nextServer(): Promise<NetServer> {
  const { listen } = NetServer.prototype;
  const found = Promise.withResolvers<NetServer>();
  NetServer.prototype.listen = function (this: NetServer, ...args: Parameters<typeof listen>) {
    NetServer.prototype.listen = listen;
    found.resolve(this);
    return listen.apply(this, args);
  } as typeof listen;
  return found.promise;
}

Deno.test("Listener: a port that another program has meanwhile is opened again when it is free (SPEC 14.47)", async () => {
  const lines: string[] = [];
  let wake = () => {};
  const log = (event: string) => {
    lines.push(event);
    wake();
  };
  const server = nextServer();
  const listener = await Listener.open({
    host: "127.0.0.1",
    port: 0,
    limits: DEFAULT_LIMITS,
    proxies: new ProxyTrust([]),
    log,
    onRequest: (_, response) => void response.end("x"),
  });
  const { url, port } = listener;

  // As after a lack of descriptors: the port was closed, and somebody else has it.
  NetServer.prototype.close.call(await server);
  const other = Deno.listen({ hostname: "127.0.0.1", port });
  while (lines.filter((event) => event === "server_failed").length < 2) {
    await new Promise<void>((resolve) => wake = resolve);
  }
  assertEquals([listener.url, listener.port], [url, port], "its address is known all the time");
  other.close();
  await new Promise<void>((resolve) => void server.then((each) => each.once("listening", resolve)));
  assertEquals(await (await fetch(url)).text(), "x");
  const closed = listener.stopAccepting();
  listener.closeConnections();
  await closed;
});

quicTest(
  "DatagramEndpoint: a certificate that cannot be renewed is tried again every minute (SPEC 14.48)",
  async () => {
    const scheduler = new VirtualTime();
    const { generateKey } = crypto.subtle;
    const server = await openDatagramServer({ scheduler });
    const { certificateHash } = server.endpoint.offer;
    crypto.subtle.generateKey = () => Promise.reject<never>(new Error("planted"));

    try {
      await scheduler.pass(CERTIFICATE_DAYS / 2 * 24 * 60 * MINUTE_MS);
      await scheduler.pass(2 * MINUTE_MS);
      assertEquals(server.lines.filter((line) => line.includes("certificate_failed")).length, 3);
      assertEquals(server.endpoint.offer.certificateHash, certificateHash);
    } finally {
      crypto.subtle.generateKey = generateKey;
    }

    await scheduler.pass(MINUTE_MS);
    while (server.endpoint.offer.certificateHash === certificateHash) {
      await new Promise((resolve) => setTimeout(resolve));
    }
    assertNotEquals(server.endpoint.offer.certificateHash, certificateHash);
    const closed = server[Symbol.asyncDispose]();
    await scheduler.pass(MINUTE_MS);
    await closed;
  },
);
