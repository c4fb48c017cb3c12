import {
  assert,
  assertEquals,
  assertMatch,
  assertNotEquals,
  assertRejects,
  assertStringIncludes,
} from "@std/assert";
import { ListenError } from "../../../server/http/listener.ts";
import { ProxyTrust } from "../../../server/addresses/client_address.ts";
import { HttpServer } from "../../../server/http/server.ts";
import { SiteRules } from "../../../server/http/site_rules.ts";
import { DEFAULT_LIMITS } from "../../../server/settings/limits.ts";
import { openEchoServer } from "../../support/echo_server.ts";
import { SERVER_MARK } from "../../../shared/netcode/link.ts";
import { PROTOCOL_VERSION } from "../../../shared/netcode/wire/messages.ts";
import { RawSocket } from "../../support/sockets/raw_socket.ts";

const FILES = {
  "index.html": "<!DOCTYPE html><title>Wyvern</title>",
  "main-5KJX3TQA.js": `export const wings = "${"flap ".repeat(1000)}";`,
  "style-ABCDEFGH.css": "body { margin: 0 }",
  "plain.js": "export {};",
  "manifest.webmanifest": "{}",
  "secrets.txt": "not for browsers",
};

const NETWORK = {
  proxies: new ProxyTrust([]),
  site: new SiteRules({ origins: [], hosts: [], host: "127.0.0.1", isPublic: false }),
};

Deno.test("HttpServer: / is the page, revalidated each time, with strict headers", async () => {
  await using server = await openEchoServer({ files: FILES });
  const answer = await fetch(server.url);
  assertEquals(await answer.text(), FILES["index.html"]);
  assertEquals(answer.status, 200);
  assertEquals(answer.headers.get("content-type"), "text/html; charset=utf-8");
  assertEquals(answer.headers.get("cache-control"), "no-cache");
  assertEquals(answer.headers.get("x-content-type-options"), "nosniff");
  const policy = answer.headers.get("content-security-policy") ?? "";
  assertStringIncludes(policy, "default-src 'none'");
  assertStringIncludes(policy, "script-src 'self'");
  assert(!policy.includes("unsafe"), policy);
  assertEquals(answer.headers.get("cross-origin-opener-policy"), "same-origin");
});

Deno.test("HttpServer: pages may open sessions at the UDP port of their own name, and nowhere else (SPEC 16.23)", async () => {
  const policyOf = async (server: { url: string }, headers: Record<string, string> = {}) => {
    const answer = await fetch(server.url, { headers });
    await answer.body?.cancel();
    return answer.headers.get("content-security-policy")!.match(/connect-src [^;]*/)![0];
  };
  await using without = await openEchoServer({ files: FILES });
  assertEquals(await policyOf(without), "connect-src 'self'");
  await using server = await openEchoServer({ files: FILES, datagrams: { port: 0 } });
  const { port } = server.datagramOffer!;
  assertNotEquals(port, server.port);
  assertEquals(await policyOf(server), `connect-src 'self' https://127.0.0.1:${port}`);
  // A page that the browser has already gets the policy, too.
  const { headers } = await fetch(server.url, { method: "HEAD" });
  const known = { "If-None-Match": headers.get("etag")! };
  assertEquals(await policyOf(server, known), `connect-src 'self' https://127.0.0.1:${port}`);
});

Deno.test("HttpServer: /play and /watch are the same page, so that an invitation is an address (SPEC 8.11)", async () => {
  await using server = await openEchoServer({ files: FILES });
  for (const path of ["play", "watch"]) {
    const answer = await fetch(server.url + path);
    assertEquals([answer.status, await answer.text()], [200, FILES["index.html"]]);
  }
});

Deno.test("HttpServer: /api/rooms lists the present rooms and is never cached", async () => {
  await using server = await openEchoServer({ files: FILES });
  const answer = await fetch(`${server.url}api/rooms`);
  assertEquals(await answer.json(), { rooms: [{ code: "ECHO", players: 0 }] });
  assertEquals(answer.headers.get("cache-control"), "no-store");
});

Deno.test("HttpServer: /api/games lists the games, and each schema is below it (SPEC 8.14)", async () => {
  const gameSchemas = new Map([["ants-1", '{"id": "ants-1"}'], ["a b/c?", '{"id": "a b/c?"}']]);
  await using server = await openEchoServer({ files: FILES, gameSchemas });
  const list = await fetch(`${server.url}api/games`);
  assertEquals([await list.json(), list.headers.get("cache-control")], [
    { games: [...gameSchemas.keys()] },
    "no-store",
  ]);
  for (const [id, schema] of gameSchemas) {
    const answer = await fetch(`${server.url}api/games/${encodeURIComponent(id)}`);
    assertEquals([answer.status, await answer.text()], [200, schema]);
  }
  const unknown = await fetch(`${server.url}api/games/ants`);
  assertEquals([unknown.status, await unknown.text()], [
    404,
    "There is no such game. /api/games lists the games.\n",
  ]);
});

Deno.test("HttpServer: a file that the browser has is not sent again", async () => {
  await using server = await openEchoServer({ files: FILES });
  const first = await fetch(server.url);
  await first.body?.cancel();
  const etag = first.headers.get("etag")!;
  const second = await fetch(server.url, { headers: { "If-None-Match": etag } });
  assertEquals([second.status, await second.text()], [304, ""]);
  const other = await fetch(server.url, { headers: { "If-None-Match": 'W/"other"' } });
  assertEquals([other.status, await other.text()], [200, FILES["index.html"]]);
});

Deno.test("HttpServer: a file with a hash in its name is cached for ever, any other is not", async () => {
  await using server = await openEchoServer({ files: FILES });
  const expected = [
    ["main-5KJX3TQA.js", "text/javascript; charset=utf-8", "public, max-age=31536000, immutable"],
    ["style-ABCDEFGH.css", "text/css; charset=utf-8", "public, max-age=31536000, immutable"],
    ["plain.js", "text/javascript; charset=utf-8", "no-cache"],
    ["manifest.webmanifest", "application/manifest+json", "no-cache"],
  ] as const;
  for (const [name, type, cache] of expected) {
    const answer = await fetch(`${server.url}${name}?v=1`);
    assertEquals(await answer.text(), FILES[name]);
    assertEquals(answer.headers.get("content-type"), type);
    assertEquals(answer.headers.get("cache-control"), cache);
  }
});

Deno.test("HttpServer: a file is sent in the smallest encoding that the client accepts", async () => {
  await using server = await openEchoServer({ files: FILES });
  const cases: [string, string | null][] = [
    ["identity", null],
    ["gzip", "gzip"],
    ["gzip, deflate, br, zstd", "br"],
    ["br;q=0, GZIP;q=0.5", "gzip"],
    ["gzip;q=0,br;q=0.0", null],
    ["brotli, x-gzip", null],
  ];

  for (const [accepted, expected] of cases) {
    const answer = await fetch(`${server.url}main-5KJX3TQA.js`, {
      headers: { "Accept-Encoding": accepted },
    });
    assertEquals(answer.headers.get("content-encoding"), expected, accepted);
    assertEquals(answer.headers.get("vary"), "Accept-Encoding");
    assertEquals(await answer.text(), FILES["main-5KJX3TQA.js"]);
    const length = Number(answer.headers.get("content-length"));
    assert(expected === null ? length > 5000 : length < 100, `${length} bytes`);
  }
});

Deno.test("HttpServer: HEAD gives the headers of GET and no body", async () => {
  await using server = await openEchoServer({ files: FILES });
  using raw = await RawSocket.connect(server.port);
  await raw.write("HEAD / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
  const answer = new TextDecoder().decode(await raw.readToEnd());
  assertMatch(answer, /^HTTP\/1\.1 200 OK\r\n/);
  assertMatch(answer, new RegExp(`content-length: ${FILES["index.html"].length}\r\n`, "i"));
  assert(answer.endsWith("\r\n\r\n"), answer);
});

Deno.test("HttpServer: an unknown path gets 404 in words, also one that tries to leave the folder", async () => {
  await using server = await openEchoServer({ files: FILES });
  for (
    const path of [
      "/nothing",
      "/secrets.txt",
      "/../deno.json",
      "/%2e%2e/deno.json",
      "//",
      "/index.html/",
    ]
  ) {
    using raw = await RawSocket.connect(server.port);
    await raw.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
    const answer = new TextDecoder().decode(await raw.readToEnd());
    assertMatch(answer, /^HTTP\/1\.1 404 /);
    assertStringIncludes(answer, "There is no such page.");
  }
});

Deno.test("HttpServer: every answer has the server's mark, also a refusal, a page and a probe (SPEC 8.56)", async () => {
  await using server = await openEchoServer({ files: FILES });
  const marked = async (path: string, init: RequestInit = {}) => {
    const answer = await fetch(`${server.url}${path}`, init);
    await answer.body?.cancel();
    return answer.headers.get(SERVER_MARK);
  };
  for (const path of ["", "plain.js", "nothing", "healthz", "api/rooms", "api/games/none"]) {
    assertEquals(await marked(path), String(PROTOCOL_VERSION), path);
  }
  assertEquals(await marked("", { method: "DELETE" }), String(PROTOCOL_VERSION));
});

Deno.test("HttpServer: only GET and HEAD are answered, and no body is read (SPEC 8.13)", async () => {
  await using server = await openEchoServer({ files: FILES });
  for (const method of ["POST", "PUT", "DELETE", "OPTIONS"]) {
    const answer = await fetch(server.url, { method });
    assertEquals([answer.status, answer.headers.get("allow")], [405, "GET, HEAD"]);
    assertStringIncludes(await answer.text(), "Only GET and HEAD");
  }
  using raw = await RawSocket.connect(server.port);
  await raw.write("GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000\r\n\r\n");
  assertMatch(new TextDecoder().decode(await raw.readToEnd()), /^HTTP\/1\.1 400 /);
});

Deno.test("HttpServer: /healthz reports the server's health, with 503 if ticks are late", async () => {
  for (const ok of [true, false]) {
    await using server = await openEchoServer({ ok });
    const answer = await fetch(`${server.url}healthz`);
    assertEquals(answer.status, ok ? 200 : 503);
    assertEquals(answer.headers.get("cache-control"), "no-store");
    assertEquals(await answer.json(), {
      ok,
      tickShare: 1,
      accepts: true,
      rooms: 1,
      clients: 0,
      ticks: 3,
      uptimeSeconds: 4,
    });
  }
});

Deno.test("HttpServer: /metrics is in Prometheus' format and never cached", async () => {
  await using server = await openEchoServer();
  const answer = await fetch(`${server.url}metrics`);
  assertEquals([answer.status, await answer.text()], [200, "links 1\n"]);
  assertEquals(answer.headers.get("content-type"), "text/plain; version=0.0.4; charset=utf-8");
  assertEquals(answer.headers.get("cache-control"), "no-store");
});

Deno.test("HttpServer: half a header gets 408 after the timeout, and a close (SPEC 8.13)", async () => {
  await using server = await openEchoServer({ files: FILES });
  using raw = await RawSocket.connect(server.port);
  await raw.write("GET / HTTP/1.1\r\nHost:");
  assertMatch(new TextDecoder().decode(await raw.readToEnd()), /^HTTP\/1\.1 408 /);
});

Deno.test("HttpServer: an error in an answer ends that request only, and is logged", async () => {
  const logged: string[] = [];
  const server = await HttpServer.open({
    host: "127.0.0.1",
    port: 0,
    limits: DEFAULT_LIMITS,
    ...NETWORK,
    admit() {},
    log: (event) => logged.push(event),
  });
  server.answerWith({
    staticFiles: () => new Map(),
    health: () => {
      throw new Error("planted");
    },
    readiness: () => ({ ready: true, reason: "" }),
    metrics: () => "",
    rooms: () => [],
    gameSchemas: new Map(),
  });

  try {
    await assertRejects(() => fetch(`${server.url}healthz`));
    assertEquals(logged, ["request_failed"]);
    const next = await fetch(`${server.url}nothing`);
    assertEquals([next.status, await next.text()], [404, "There is no such page.\n"]);
  } finally {
    await server.close(1001, "the end of the test");
  }
});

Deno.test("HttpServer.open: a taken port and a foreign host are refused in words, and leave nothing open", async () => {
  await using server = await openEchoServer();
  const options = { limits: DEFAULT_LIMITS, ...NETWORK, admit() {}, log() {} };
  await assertRejects(
    () => HttpServer.open({ ...options, host: "127.0.0.1", port: server.port }),
    ListenError,
    `--port ${server.port} is in use`,
  );
  await assertRejects(
    () => HttpServer.open({ ...options, host: "203.0.113.1", port: 0 }),
    ListenError,
    "--host 203.0.113.1",
  );
});
