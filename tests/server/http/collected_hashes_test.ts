/** `/same-bits/results` of a real server: what it takes, refuses and shows. */
import { assertEquals } from "@std/assert";
import { HASH_ROWS_MAX } from "../../../server/http/collected_hashes.ts";
import type { Collection, HashReport } from "../../../shared/hash_reports.ts";
import { openEchoServer } from "../../support/echo_server.ts";

const REPORT: HashReport = {
  engine: "Firefox 140",
  processor: "ARM",
  ticks: 2000,
  hash: "c8b63140",
};

function post(url: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(`${url}same-bits/results`, {
    method: "POST",
    headers,
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
}

async function rowsOf(url: string): Promise<Collection> {
  return await (await fetch(`${url}same-bits/results`)).json();
}

async function statusOf(answer: Promise<Response>): Promise<number> {
  const { status, body } = await answer;
  await body?.cancel();
  return status;
}

Deno.test("/same-bits/results: equal reports are one row, without an address (SPEC 21.10)", async () => {
  await using server = await openEchoServer({ collectsHashes: true });
  assertEquals(await rowsOf(server.url), { collects: true, rows: [] });
  await statusOf(post(server.url, { ...REPORT, hash: "00000000" }));
  await statusOf(post(server.url, REPORT));
  const answer = await post(server.url, { ...REPORT, address: "192.0.2.1" });
  const expected = {
    collects: true,
    rows: [{ ...REPORT, count: 2 }, { ...REPORT, hash: "00000000", count: 1 }],
  };
  assertEquals(await answer.json(), expected);
  assertEquals(await rowsOf(server.url), expected);
});

Deno.test("/same-bits/results: a server without --collect-hashes takes none, and says so (SPEC 21.11)", async () => {
  await using server = await openEchoServer({});
  assertEquals(await statusOf(post(server.url, REPORT)), 404);
  assertEquals(await rowsOf(server.url), { collects: false, rows: [] });
});

Deno.test("/same-bits/results: hostile reports are refused in words, and the table stays (SPEC 21.12)", async () => {
  await using server = await openEchoServer({ collectsHashes: true });
  const hostile: readonly (readonly [unknown, number])[] = [
    ["{", 400],
    ["null", 400],
    ["[]", 400],
    ["", 400],
    [{ ...REPORT, engine: "<img src=x>" }, 400],
    [{ ...REPORT, engine: "x".repeat(100) }, 400],
    [{ ...REPORT, engine: ["Firefox 140"] }, 400],
    [{ ...REPORT, processor: "__proto__" }, 400],
    [{ ...REPORT, ticks: 1e9 }, 400],
    [{ ...REPORT, ticks: "2000" }, 400],
    [{ ...REPORT, ticks: 0.5 }, 400],
    [{ ...REPORT, hash: "C8B63140" }, 400],
    [{ ...REPORT, hash: "c8b631400" }, 400],
    [{ ...REPORT, more: "x".repeat(600) }, 413],
  ];
  for (const [body, status] of hostile) {
    assertEquals(await statusOf(post(server.url, body)), status, JSON.stringify(body));
  }
  assertEquals(
    await statusOf(post(server.url, REPORT, { Origin: "http://elsewhere.example" })),
    403,
  );
  assertEquals(
    await statusOf(fetch(`${server.url}same-bits/results`, { method: "DELETE" })),
    405,
  );
  assertEquals(await rowsOf(server.url), { collects: true, rows: [] });
});

Deno.test("/same-bits/results: the table has a bound, and its rarest row makes room (SPEC 21.13)", async () => {
  const limits = { requestsPerAddress: { burst: 10_000, perSecond: 10_000 } };
  await using server = await openEchoServer({ collectsHashes: true, limits });
  await statusOf(post(server.url, REPORT));
  await statusOf(post(server.url, REPORT));
  const invented = (i: number) => ({ ...REPORT, hash: i.toString(16).padStart(8, "0") });
  for (let i = 0; i < HASH_ROWS_MAX; i++) await statusOf(post(server.url, invented(i)));
  const { rows } = await rowsOf(server.url);
  assertEquals(rows.length, HASH_ROWS_MAX);
  assertEquals(rows[0], { ...REPORT, count: 2 });
  // The oldest of the rarest is gone, and the newest is there.
  assertEquals(rows.filter(({ hash }) => hash === "00000000"), []);
  assertEquals(rows.some(({ hash }) => hash === invented(HASH_ROWS_MAX - 1).hash), true);
});
