/**
 * Attackers on the server's port: they pipeline, stay silent, flood, or use up every file
 * descriptor.
 */
import { assert, assertEquals, assertGreater, assertLess, assertMatch } from "@std/assert";
import { Agent, get } from "node:http";
import { ProxyTrust } from "../../../server/addresses/client_address.ts";
import { Listener } from "../../../server/http/listener.ts";
import { DEFAULT_LIMITS } from "../../../server/settings/limits.ts";
import { openEchoServer } from "../../support/echo_server.ts";
import { OPCODE, RawSocket } from "../../support/sockets/raw_socket.ts";
import { builtPage } from "../../support/built_page.ts";

const FILES = { "index.html": "<!DOCTYPE html><title>Wyvern</title>" };
const GET = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n";

async function textOf(raw: RawSocket): Promise<string> {
  return new TextDecoder().decode(await raw.readToEnd());
}

function countOf(text: string, part: string): number {
  return text.split(part).length - 1;
}

Deno.test("HttpServer: requests before the last answer was read end the connection (SPEC 14.3)", async () => {
  await using server = await openEchoServer({ files: FILES });
  using raw = await RawSocket.connect(server.port);
  await raw.write(GET.repeat(500));
  assertLess(countOf(await textOf(raw), "HTTP/1.1 200"), 3);
  assertEquals((await fetch(server.url)).status, 200);
});

Deno.test("Listener: of a thousand requests that arrive together, those behind the third are not even read (SPEC 14.3)", async () => {
  let asked = 0;
  const listener = await Listener.open({
    host: "127.0.0.1",
    port: 0,
    limits: DEFAULT_LIMITS,
    proxies: new ProxyTrust([]),
    log: () => {},
    onRequest: (_, response) => void (asked++, response.end("x")),
  });
  using raw = await RawSocket.connect(Number(new URL(listener.url).port));
  await raw.write(GET.repeat(1_000));
  await raw.readToEnd();
  assertEquals([asked, listener.connections.dropped], [2, 1]);

  // The next connection gets the same parser, and is read as ever.
  assertEquals(await (await fetch(listener.url)).text(), "x");
  const closed = listener.stopAccepting();
  listener.closeConnections();
  await closed;
});

Deno.test("HttpServer: quick clients, whose next request comes with the answer, are answered each time (SPEC 14.3)", async () => {
  await using server = await openEchoServer({ files: FILES });
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const statuses = await Promise.all(
    Array.from({ length: 90 }, () =>
      new Promise<number>((resolve, reject) => {
        get(server.url, { agent }, (answer) => {
          answer.resume();
          resolve(answer.statusCode!);
        }).on("error", reject);
      })),
  );
  agent.destroy();
  assertEquals(statuses, new Array(90).fill(200));
});

Deno.test("HttpServer: requests one after the other share a connection, up to the limit (SPEC 14.3)", async () => {
  await using server = await openEchoServer({ files: FILES, limits: { requestsPerConnection: 3 } });
  using raw = await RawSocket.connect(server.port);
  let answers = "";
  while (countOf(answers, "</title>") < 2) {
    await raw.write(GET);
    const before = countOf(answers, "</title>");
    while (countOf(answers, "</title>") === before) {
      answers += String.fromCharCode((await raw.read(1))[0]!);
    }
  }
  assertEquals(countOf(answers.toLowerCase(), "connection: close"), 0);
  await raw.write(GET);
  assertMatch(await textOf(raw), /connection: close/i);
});

Deno.test("HttpServer: an address has so many requests, and another is not affected (SPEC 14.4)", async () => {
  const limits = { requestsPerAddress: { burst: 4, perSecond: 1 } };
  await using server = await openEchoServer({ files: FILES, limits, proxies: ["127.0.0.1"] });
  const statusOf = async (client: string) => {
    using raw = await RawSocket.connect(server.port);
    await raw.write(
      `GET / HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-For: ${client}\r\nConnection: close\r\n\r\n`,
    );
    const text = await textOf(raw);
    if (text.includes(" 429 ")) assertMatch(text, /retry-after: 1/i);
    return Number(text.split(" ")[1]);
  };
  const statuses: number[] = [];
  for (let i = 0; i < 6; i++) statuses.push(await statusOf("192.0.2.1"));
  assertEquals(statuses.slice(0, 4), [200, 200, 200, 200]);
  assertEquals(statuses.at(-1), 429);
  assertEquals(await statusOf("192.0.2.2"), 200);

  // Probes are not limited.
  for (let i = 0; i < 20; i++) assertEquals((await fetch(`${server.url}healthz`)).status, 200);
});

Deno.test("HttpServer: an address has so many connections (SPEC 14.4)", async () => {
  await using server = await openEchoServer({ files: FILES, limits: { connectionsPerAddress: 5 } });
  const raws: RawSocket[] = [];
  for (let i = 0; i < 5; i++) raws.push(await RawSocket.connect(server.port));
  using sixth = await RawSocket.connect(server.port);
  assertEquals(await textOf(sixth), "");
  for (const raw of raws) raw[Symbol.dispose]();
  for (;;) {
    using raw = await RawSocket.connect(server.port);
    await raw.write("GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n").catch(
      () => {},
    );
    if ((await textOf(raw)).includes("200 OK")) break;
  }
});

Deno.test("HttpServer: a connection that waits for a next request gives its place to another of its address (SPEC 14.30)", async () => {
  await using server = await openEchoServer({ files: FILES, limits: { connectionsPerAddress: 4 } });
  const { raw: socket } = await RawSocket.upgrade(server.port);
  const open = async (request: string) => {
    const raw = await RawSocket.connect(server.port);
    await raw.write(request);
    return raw;
  };
  const unfinished = await open("GET / HTTP/1.1\r\n");
  const silent = await open("");
  const browsers: RawSocket[] = [];

  for (let i = 0; i < 6; i++) {
    const browser = await open(GET);
    let answer = "";
    while (!answer.includes("</title>")) answer += String.fromCharCode((await browser.read(1))[0]!);
    browsers.push(browser);
  }

  // Each browser has ended the connection of the one before; the others stay.
  for (const browser of browsers.slice(0, -1)) assertEquals(await textOf(browser), "");
  await unfinished.write("Host: localhost\r\nConnection: close\r\n\r\n");
  assertMatch(await textOf(unfinished), /200 OK/);
  await socket.frame(new Uint8Array([1, 2, 3]), { opcode: OPCODE.binary });
  assertEquals([...(await socket.read(5)).subarray(2)], [1, 2, 3]);
  for (const raw of [socket, silent, browsers.at(-1)!]) raw[Symbol.dispose]();
});

Deno.test("HttpServer: silent connections lose their places to newcomers; sockets keep theirs (SPEC 14.5)", async () => {
  await using server = await openEchoServer({ files: FILES, limits: { connections: 8 } });
  const { raw: socket } = await RawSocket.upgrade(server.port);
  const silent: RawSocket[] = [];
  for (let i = 0; i < 30; i++) silent.push(await RawSocket.connect(server.port));
  assertEquals((await fetch(server.url)).status, 200);
  // The oldest silent connection was closed, the newest stays, and the socket is served.
  assertEquals(await textOf(silent[0]!), "");
  await socket.frame(new Uint8Array([1, 2, 3]), { opcode: 2 });
  assertEquals([...await socket.read(5)].slice(2), [1, 2, 3]);
  for (const raw of [socket, ...silent]) raw[Symbol.dispose]();
});

Deno.test("HttpServer: only a trusted proxy names the client, by its last hop (SPEC 14.6)", async () => {
  const addressOf = async (proxies: string[], forwarded: string) => {
    await using server = await openEchoServer({ proxies });
    const { raw } = await RawSocket.upgrade(server.port, {
      headers: [`X-Forwarded-For: ${forwarded}`],
    });
    raw[Symbol.dispose]();
    return server.lines.find((line) => line.startsWith("link_opened"))!.match(/address=(\S+)/)![1];
  };
  assertEquals(await addressOf([], "192.0.2.7"), "127.0.0.1");
  assertEquals(await addressOf(["10.0.0.0/8"], "192.0.2.7"), "127.0.0.1");
  assertEquals(await addressOf(["127.0.0.0/8"], "192.0.2.7"), "192.0.2.7");
  assertEquals(await addressOf(["127.0.0.0/8"], "198.51.100.1, 192.0.2.7"), "192.0.2.7");
  assertEquals(
    await addressOf(["127.0.0.0/8", "10.0.0.0/8"], "198.51.100.1, 192.0.2.7, 10.1.2.3"),
    "192.0.2.7",
  );
  assertEquals(await addressOf(["127.0.0.1"], "rubbish"), "127.0.0.1");
  assertEquals(await addressOf(["127.0.0.1"], "192.0.2.7, x"), "127.0.0.1");
});

Deno.test("HttpServer: a request under another name is refused, a probe is not (SPEC 14.7)", async () => {
  await using server = await openEchoServer({ files: FILES });
  const statusOf = async (path: string, host: string) => {
    using raw = await RawSocket.connect(server.port);
    await raw.write(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
    return Number((await textOf(raw)).split(" ")[1]);
  };
  for (const host of ["localhost", "127.0.0.1:80", "[::1]:9", "LOCALHOST:1"]) {
    assertEquals(await statusOf("/", host), 200, host);
  }
  for (
    const host of ["evil.example", "127.0.0.1.evil.example", "localhost.evil.example:80", "a b"]
  ) {
    assertEquals(await statusOf("/", host), 421, host);
  }

  assertEquals(await statusOf("/healthz", "10.0.0.1"), 200);
  const { raw, status } = await RawSocket.upgrade(server.port, { headers: ["Host: evil.example"] });
  raw[Symbol.dispose]();
  assertMatch(status, / 421 /);
});

/** An upgrade that no browser asks for. */
const H2C = [
  "Connection: Upgrade, HTTP2-Settings",
  "Upgrade: h2c",
  "HTTP2-Settings: AAMAAABkAAQCAAAAAAIAAAAA",
];

Deno.test("HttpServer: a request has one name and one target, and asks for a WebSocket or for no upgrade (SPEC 14.50)", async () => {
  await using server = await openEchoServer({ files: FILES });
  const statusOf = async (target: string, ...headers: string[]) => {
    using raw = await RawSocket.connect(server.port);
    await raw.write([`GET ${target} HTTP/1.1`, ...headers, "", ""].join("\r\n"));
    return Number((await textOf(raw)).split(" ")[1]);
  };
  const last = "Connection: close";

  // curl --http2 and Java's client ask for h2c with their first request.
  assertEquals(await statusOf("/", "Host: localhost", ...H2C), 200);
  assertEquals(await statusOf("/healthz", "Host: localhost", ...H2C), 200);
  assertEquals(await statusOf("/socket", "Host: localhost", ...H2C), 426);

  // A proxy before this server may have read the other one.
  for (
    const [first, second] of [["localhost", "evil.example"], ["evil.example", "localhost"], [
      "localhost",
      "localhost",
    ]]
  ) {
    assertEquals(await statusOf("/", `Host: ${first}`, `hOST: ${second}`, last), 400);
  }

  const { raw, status } = await RawSocket.upgrade(server.port, {
    headers: ["Host: localhost", "Host: localhost"],
  });
  raw[Symbol.dispose]();
  assertMatch(status, / 400 /);

  // A whole address counts, and the header does not.
  for (
    const [target, host, expected] of [
      ["http://localhost/", "evil.example", 200],
      [`http://127.0.0.1:${server.port}/?room=ABCD`, "localhost", 200],
      ["HTTP://LOCALHOST?room=ABCD", "localhost", 200],
      ["http://evil.example/", "localhost", 421],
      ["http://evil.example/healthz", "localhost", 200],
      ["http://localhost@evil.example/", "localhost", 400],
      ["http:///", "localhost", 400],
      ["ftp://localhost/", "localhost", 400],
      ["localhost", "localhost", 400],
    ] as const
  ) {
    assertEquals([target, await statusOf(target, `Host: ${host}`, last)], [target, expected]);
  }

  const whole = await RawSocket.upgrade(server.port, {
    path: "http://localhost/socket",
    headers: ["Host: evil.example"],
  });
  whole.raw[Symbol.dispose]();
  assertMatch(whole.status, / 101 /);
});

/** Descriptors that the server may have in the next test. Deno itself needs some thirty. */
const DESCRIPTORS = 120;

Deno.test("the server accepts again after it had no descriptors left (SPEC 14.8)", async () => {
  await builtPage();
  const serve =
    `ulimit -Sn ${DESCRIPTORS} && ulimit -Hn ${DESCRIPTORS} && exec "$0" run -A server/main.ts --port 0 --data off`;
  const child = new Deno.Command("sh", {
    args: ["-c", serve, Deno.execPath()],
    cwd: new URL("../../../", import.meta.url),
    stdout: "piped",
  }).spawn();
  const lines = child.stdout.pipeThrough(new TextDecoderStream());
  let output = "";
  const reading = (async () => {
    for await (const text of lines) output += text;
  })();

  try {
    while (!/listens on \S+/.test(output)) await new Promise((resolve) => setTimeout(resolve, 10));
    const port = Number(output.match(/:(\d+)\//)![1]);
    const silent: RawSocket[] = [];
    for (let i = 0; i < 2 * DESCRIPTORS; i++) silent.push(await RawSocket.connect(port));
    for (const raw of silent) raw[Symbol.dispose]();
    // A connection that waited for the old port is reset when the port is opened again.
    const isAnswered = () =>
      fetch(`http://127.0.0.1:${port}/`).then((answer) => answer.text()).catch(() => "");
    while (!(await isAnswered()).includes("<title>")) {
      assert(!output.includes("stray_error"), output);
    }
    assertGreater(countOf(output, "port_reopened"), 0, output);
  } finally {
    child.kill("SIGTERM");
    await reading;
    await child.status;
  }
});
