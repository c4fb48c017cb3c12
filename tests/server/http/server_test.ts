import { assert, assertEquals, assertMatch, assertRejects, assertStringIncludes } from "@std/assert";
import { Front, ListenError } from "../../../server/http/server.ts";
import { openEchoFront } from "../../support/echo_front.ts";
import { RawSocket } from "../../support/raw_socket.ts";

const FILES = {
  "index.html": "<!DOCTYPE html><title>Wyvern</title>",
  "main-5KJX3TQA.js": `export const wings = "${"flap ".repeat(1000)}";`,
  "style-ABCDEFGH.css": "body { margin: 0 }",
  "plain.js": "export {};",
  "secrets.txt": "not for browsers",
};

Deno.test("Front: / is the page, asked for anew each time, with strict headers", async () => {
  await using front = await openEchoFront({ files: FILES });
  const answer = await fetch(front.url);
  assertEquals(await answer.text(), FILES["index.html"]);
  assertEquals(answer.status, 200);
  assertEquals(answer.headers.get("content-type"), "text/html; charset=utf-8");
  assertEquals(answer.headers.get("cache-control"), "no-cache");
  assertEquals(answer.headers.get("x-content-type-options"), "nosniff");
  const policy = answer.headers.get("content-security-policy") ?? "";
  assertStringIncludes(policy, "default-src 'none'");
  assertStringIncludes(policy, "script-src 'self'");
  assert(!policy.includes("unsafe"), policy);
});

Deno.test("Front: /play and /watch are the same page, so that an invitation is an address", async () => {
  await using front = await openEchoFront({ files: FILES });
  for (const path of ["play", "watch"]) {
    const answer = await fetch(front.url + path);
    assertEquals([answer.status, await answer.text()], [200, FILES["index.html"]]);
  }
});

Deno.test("Front: /api/rooms tells what runs now, and is never kept", async () => {
  await using front = await openEchoFront({ files: FILES });
  const answer = await fetch(`${front.url}api/rooms`);
  assertEquals(await answer.json(), { rooms: [{ code: "ECHO", players: 0 }] });
  assertEquals(answer.headers.get("cache-control"), "no-store");
});

Deno.test("Front: what the browser already has is not sent again", async () => {
  await using front = await openEchoFront({ files: FILES });
  const first = await fetch(front.url);
  await first.body?.cancel();
  const etag = first.headers.get("etag")!;
  const second = await fetch(front.url, { headers: { "If-None-Match": etag } });
  assertEquals([second.status, await second.text()], [304, ""]);
  const other = await fetch(front.url, { headers: { "If-None-Match": 'W/"other"' } });
  assertEquals([other.status, await other.text()], [200, FILES["index.html"]]);
});

Deno.test("Front: a file with a hash in its name is cached for ever, any other is not", async () => {
  await using front = await openEchoFront({ files: FILES });
  const expected = [
    ["main-5KJX3TQA.js", "text/javascript; charset=utf-8", "public, max-age=31536000, immutable"],
    ["style-ABCDEFGH.css", "text/css; charset=utf-8", "public, max-age=31536000, immutable"],
    ["plain.js", "text/javascript; charset=utf-8", "no-cache"],
  ] as const;
  for (const [name, type, cache] of expected) {
    const answer = await fetch(`${front.url}${name}?v=1`);
    assertEquals(await answer.text(), FILES[name]);
    assertEquals(answer.headers.get("content-type"), type);
    assertEquals(answer.headers.get("cache-control"), cache);
  }
});

Deno.test("Front: the script is sent compressed to whoever can read that, and as it is to others", async () => {
  await using front = await openEchoFront({ files: FILES });
  const url = `${front.url}main-5KJX3TQA.js`;
  const packed = await fetch(url, { headers: { "Accept-Encoding": "gzip" } });
  assertEquals(packed.headers.get("content-encoding"), "gzip");
  assertEquals(await packed.text(), FILES["main-5KJX3TQA.js"]);
  const plain = await fetch(url, { headers: { "Accept-Encoding": "identity" } });
  assertEquals(plain.headers.get("content-encoding"), null);
  assertEquals(await plain.text(), FILES["main-5KJX3TQA.js"]);
  assert(Number(packed.headers.get("content-length")) < Number(plain.headers.get("content-length")) / 10);
});

Deno.test("Front: HEAD gives the headers of GET and no body", async () => {
  await using front = await openEchoFront({ files: FILES });
  using raw = await RawSocket.connect(front.port);
  await raw.write("HEAD / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
  const answer = new TextDecoder().decode(await raw.rest());
  assertMatch(answer, /^HTTP\/1\.1 200 OK\r\n/);
  assertMatch(answer, new RegExp(`content-length: ${FILES["index.html"].length}\r\n`, "i"));
  assert(answer.endsWith("\r\n\r\n"), answer);
});

Deno.test("Front: what is not there is 404 in words, whatever the path tries", async () => {
  await using front = await openEchoFront({ files: FILES });
  for (const path of ["/nothing", "/secrets.txt", "/../deno.json", "/%2e%2e/deno.json", "//", "/index.html/"]) {
    using raw = await RawSocket.connect(front.port);
    await raw.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
    const answer = new TextDecoder().decode(await raw.rest());
    assertMatch(answer, /^HTTP\/1\.1 404 /);
    assertStringIncludes(answer, "There is no such page.");
  }
});

Deno.test("Front: only GET and HEAD are answered, and no body is read", async () => {
  await using front = await openEchoFront({ files: FILES });
  for (const method of ["POST", "PUT", "DELETE", "OPTIONS"]) {
    const answer = await fetch(front.url, { method });
    assertEquals([answer.status, answer.headers.get("allow")], [405, "GET, HEAD"]);
    assertStringIncludes(await answer.text(), "Only GET and HEAD");
  }
  using raw = await RawSocket.connect(front.port);
  await raw.write("GET / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n\r\n");
  assertMatch(new TextDecoder().decode(await raw.rest()), /^HTTP\/1\.1 400 /);
});

Deno.test("Front: /healthz says how the server is, with 503 where it is not well", async () => {
  for (const ok of [true, false]) {
    await using front = await openEchoFront({ ok });
    const answer = await fetch(`${front.url}healthz`);
    assertEquals(answer.status, ok ? 200 : 503);
    assertEquals(answer.headers.get("cache-control"), "no-store");
    assertEquals(await answer.json(), { ok, rooms: 1, clients: 0, ticks: 3, uptimeSeconds: 4 });
  }
});

Deno.test("Front: /metrics is what Prometheus reads, never cached", async () => {
  await using front = await openEchoFront();
  const answer = await fetch(`${front.url}metrics`);
  assertEquals([answer.status, await answer.text()], [200, "links 1\n"]);
  assertEquals(answer.headers.get("content-type"), "text/plain; version=0.0.4; charset=utf-8");
  assertEquals(answer.headers.get("cache-control"), "no-store");
});

Deno.test("Front: half a header is answered with a timeout and closed", async () => {
  await using front = await openEchoFront({ files: FILES });
  using raw = await RawSocket.connect(front.port);
  await raw.write("GET / HTTP/1.1\r\nHost:");
  assertMatch(new TextDecoder().decode(await raw.rest()), /^HTTP\/1\.1 408 /);
});

Deno.test("Front: a throw while answering costs that request only, and is logged", async () => {
  const front = await Front.open({
    host: "127.0.0.1",
    port: 0,
    pages: new Map(),
    health: () => {
      throw new Error("planted");
    },
    metrics: () => "",
    rooms: () => [],
    admit() {},
    log: (event) => logged.push(event),
  });
  const logged: string[] = [];
  try {
    await assertRejects(() => fetch(`${front.url}healthz`));
    assertEquals(logged, ["request_failed"]);
    const next = await fetch(`${front.url}nothing`);
    assertEquals([next.status, await next.text()], [404, "There is no such page.\n"]);
  } finally {
    await front.close(1001, "the end of the test");
  }
});

Deno.test("Front.open: a taken port and a foreign host are refused in words, and leave nothing open", async () => {
  await using front = await openEchoFront();
  const options = {
    pages: new Map(),
    health: () => Promise.reject() as never,
    metrics: () => "",
    rooms: () => [],
    admit() {},
    log() {},
  };
  await assertRejects(
    () => Front.open({ ...options, host: "127.0.0.1", port: front.port }),
    ListenError,
    `--port ${front.port} is in use`,
  );
  await assertRejects(
    () => Front.open({ ...options, host: "203.0.113.1", port: 0 }),
    ListenError,
    "--host 203.0.113.1",
  );
});
