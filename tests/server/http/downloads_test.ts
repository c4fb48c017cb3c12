/**
 * Logs of matches are megabytes: their requests take turns, and nobody waits for a client that
 * reads nothing.
 */
import { assertEquals, assertLessOrEqual } from "@std/assert";
import type { HttpAnswers } from "../../../server/http/server.ts";
import { openEchoServer } from "../../support/echo_server.ts";
import { RawSocket } from "../../support/sockets/raw_socket.ts";

const LOG = "20261125T100000-CROW-0123abcd";

/** Matches whose logs are ready when the test says so. */
class GatedMatches implements NonNullable<HttpAnswers["matches"]> {
  readonly #bytes: Uint8Array<ArrayBuffer>;
  readonly asked: string[] = [];
  #gates: PromiseWithResolvers<void>[] = [];
  #isOpen = false;

  constructor(bytes = new Uint8Array(1_000)) {
    this.#bytes = bytes;
  }

  list() {
    return Promise.resolve({ status: 200, matches: [] } as const);
  }

  /** @param id the test's name for the request */
  async log(id: string) {
    this.asked.push(id);
    const gate = Promise.withResolvers<void>();
    this.#gates.push(gate);
    if (!this.#isOpen) await gate.promise;
    return { status: 200, bytes: this.#bytes } as const;
  }

  /** Lets all logs be ready. */
  open(): void {
    this.#isOpen = true;
    for (const gate of this.#gates) gate.resolve();
  }

  async untilAsked(count: number): Promise<void> {
    while (this.asked.length < count) await new Promise((resolve) => setTimeout(resolve, 1));
  }
}

/** A server, and requests for logs by the addresses that a proxy names. */
async function openDownloads(matches: GatedMatches) {
  const server = await openEchoServer({ matches, proxies: ["127.0.0.1"] });
  const request = async (client: string, path: string) => {
    const answer = await fetch(`${server.url}api/matches${path}`, {
      headers: { "x-forwarded-for": client },
    });
    const { length } = await answer.bytes();
    return { status: answer.status, length, retryAfter: answer.headers.get("retry-after") };
  };

  /** Requests a log, and reads nothing of it. */
  const stall = async (client: string, id: string) => {
    const raw = await RawSocket.connect(server.port);
    await raw.write(
      `GET /api/matches/${id}/log HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-For: ${client}\r\n\r\n`,
    );
    return raw;
  };
  return {
    server,
    stall,
    list: (client: string) => request(client, ""),
    log: (client: string, id: string) => request(client, `/${id}/log`),
  };
}

Deno.test("HttpServer: logs go round the networks, and lists wait for none of them (SPEC 15.33)", async () => {
  const matches = new GatedMatches();
  const { server, list, log } = await openDownloads(matches);
  await using _ = server;
  const hogs = ["a1", "a2", "a3", "a4"].map((id) => log("192.0.2.1", id));
  await matches.untilAsked(1);
  const neighbours = ["b1", "b2"].map((id) => log("192.0.2.2", id));
  await Promise.all(Array.from({ length: 20 }, (_, i) => list(`203.0.113.${i}`)));
  const other = log("198.51.100.1", "c1");
  // All have arrived when the newest connection has been answered.
  assertEquals((await list("203.0.113.99")).status, 200);
  matches.open();
  const answers = await Promise.all([...hogs, ...neighbours, other]);
  assertEquals(answers.map(({ status, length }) => [status, length]), Array(7).fill([200, 1_000]));
  assertLessOrEqual(matches.asked.indexOf("c1"), 2, `${matches.asked}`);
  assertLessOrEqual(matches.asked.indexOf("b1"), 4, `${matches.asked}`);
});

Deno.test("HttpServer: few logs of one address wait, and all of them in a full queue make room for another network (SPEC 15.33)", async () => {
  const matches = new GatedMatches();
  const { server, log } = await openDownloads(matches);
  await using _ = server;
  const first = log("192.0.2.1", LOG);
  await matches.untilAsked(1);
  const many = Array.from({ length: 12 }, (_, i) => log("192.0.2.1", `a${i}`));

  // Sixteen addresses of one network fill the queue.
  const crowd = Array.from({ length: 160 }, (_, i) => log(`198.51.100.${1 + i % 20}`, `c${i}`));
  const refused = await Promise.race([...many, ...crowd]);
  assertEquals([refused.status, refused.retryAfter], [503, "5"]);
  const other = log("203.0.113.1", "other");
  const early = await Promise.race([other, Promise.any(crowd)]);
  assertEquals(early.status, 503, "one of the crowd goes, not the newcomer");
  matches.open();
  assertEquals([(await first).status, (await other).status], [200, 200]);
  const statuses = (await Promise.all([...many, ...crowd])).map(({ status }) => status);
  assertEquals(statuses.slice(0, 12).filter((status) => status === 200).length, 8);
  assertLessOrEqual(statuses.filter((status) => status === 200).length, 128);
});

Deno.test("HttpServer: a client that reads nothing of its log loses its place to one that waits (SPEC 15.34)", async () => {
  const matches = new GatedMatches(new Uint8Array(1 << 24));
  const { server, stall, log } = await openDownloads(matches);
  await using _ = server;
  matches.open();
  using _stalled = await stall("192.0.2.1", "stalled");
  await matches.untilAsked(1);
  const { status, length } = await log("198.51.100.1", "read");
  assertEquals([status, length], [200, 1 << 24]);
  assertEquals(matches.asked, ["stalled", "read"]);
});

Deno.test("HttpServer: a client that leaves the queue has no turn, and HEAD has no log (SPEC 15.33)", async () => {
  const matches = new GatedMatches();
  const { server, stall, log } = await openDownloads(matches);
  await using _ = server;
  const first = log("192.0.2.1", "first");
  await matches.untilAsked(1);
  const gone = await stall("198.51.100.1", "gone");
  const next = log("203.0.113.1", "next");
  gone[Symbol.dispose]();
  matches.open();
  assertEquals([(await first).status, (await next).status], [200, 200]);
  const head = await fetch(`${server.url}api/matches/${LOG}/log`, { method: "HEAD" });
  assertEquals([head.status, head.headers.get("content-length"), (await head.bytes()).length], [
    200,
    "1000",
    0,
  ]);
});
