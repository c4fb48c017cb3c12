import { dragonGame } from "../../../shared/games/dragons/game.ts";
import { assert, assertEquals, assertLessOrEqual, assertStringIncludes } from "@std/assert";
import { MatchArchive } from "../../../server/match_log/match_archive.ts";
import { unpackedLog } from "../../../shared/netcode/match_log/packed_log.ts";
import { openEchoServer } from "../../support/echo_server.ts";
import { compactedLog, packedLog, playedLog } from "../../tools/lab/logs/played_log.ts";
import { logWithHeader } from "../../support/logs/log_with_header.ts";
import { TemporaryData } from "../../support/logs/temporary_data.ts";

const { bytes, lastTick } = playedLog({ seed: 93, seconds: 6 });
const GAMES = { dragons: { id: dragonGame.id, tickHz: 20 }, puck: { id: "puck-2", tickHz: 20 } };
const idOf = (i: number) => `20261125T${String(100_000 + i)}-CROW-0123abcd`;

function archiveOf({ folder }: { folder: string }, pauses = { count: 0 }) {
  const pause = () => {
    pauses.count++;
    return Promise.resolve();
  };
  return new MatchArchive({ folders: [folder], games: GAMES, pause });
}

Deno.test("MatchArchive: the newest matches that are over, the newest first, at most fifty (SPEC 15.11) [seed 93]", async () => {
  using data = await TemporaryData.make();
  for (let i = 0; i < 55; i++) data.write(`${idOf(i)}.log`, bytes);
  for (const name of [`${idOf(70)}.open`, `${idOf(71)}.bad`, "notes.log", "lock"]) {
    data.write(name, bytes);
  }
  data.write(`${idOf(60)}.log`, bytes.subarray(0, 20));
  const archive = archiveOf(data);
  const list = await archive.list();
  assert(list.status === 200);
  assertEquals(
    list.matches.length,
    49,
    "the damaged one is among the newest fifty, and is no match",
  );
  assertEquals(list.matches[0], {
    id: idOf(54),
    game: "dragons",
    room: "LABS",
    startedAt: 0,
    ticks: lastTick,
    tickHz: 20,
    players: 2,
  });
  assertEquals(await archive.list("dragons"), list);
  assertEquals(await archive.list("puck"), { status: 200, matches: [] });
  for (const game of ["ants", "constructor", ""]) {
    assertEquals((await archive.list(game)).status, 404);
  }
});

Deno.test("MatchArchive: a log comes without what it repeats; that of a running match ends where it is now (SPEC 15.10, 15.11) [seed 93]", async () => {
  using data = await TemporaryData.make();
  data.write(`${idOf(1)}.log`, bytes);
  data.write(`${idOf(2)}.open`, bytes);
  const archive = archiveOf(data);
  const log = await archive.log(idOf(1));
  assert(log.status === 200);
  assertEquals(unpackedLog(log.bytes, Infinity), compactedLog(bytes));

  // Of a match that goes on, each answer has all that is whole by then.
  data.write(`${idOf(2)}.open`, bytes.subarray(0, bytes.length - 3));
  const running = await archive.log(idOf(2));
  assert(running.status === 200);
  const soFar = unpackedLog(running.bytes, Infinity);
  assertLessOrEqual(soFar.length, compactedLog(bytes).length);
  assertEquals(soFar, compactedLog(bytes).subarray(0, soFar.length));
  running.release!();
  data.write(`${idOf(2)}.open`, bytes);
  const later = await archive.log(idOf(2));
  assert(later.status === 200);
  assertEquals(unpackedLog(later.bytes, Infinity), compactedLog(bytes));

  assertEquals(await archive.log(idOf(3)), { status: 404, reason: "There is no such match." });
});

Deno.test("MatchArchive: a log that everybody has sent gives its memory back, unless it is the newest one (SPEC 15.11) [seed 93]", async () => {
  using data = await TemporaryData.make();
  for (const i of [1, 2]) data.write(`${idOf(i)}.log`, bytes);
  const archive = archiveOf(data);
  const serve = async (i: number) => {
    const log = await archive.log(idOf(i));
    assert(log.status === 200 && log.release !== undefined);
    return { bytes: log.bytes, release: log.release };
  };
  const first = await serve(1);
  const again = await serve(1);
  first.release();
  assertEquals(first.bytes, packedLog(bytes), "the second answer is still being sent");
  const other = await serve(2);
  assertEquals(again.bytes, packedLog(bytes));
  again.release();
  assertEquals(again.bytes.length, 0);
  other.release();
  assertEquals((await serve(2)).bytes, packedLog(bytes), "the newest one may be wanted again");
});

Deno.test("MatchArchive: a match of older rules is listed with their id, and one of no game here is not (SPEC 15.11) [seed 93]", async () => {
  using data = await TemporaryData.make();
  data.write(`${idOf(1)}.log`, logWithHeader(bytes, { gameId: "dragons-1" }));
  data.write(`${idOf(2)}.log`, logWithHeader(bytes, { gameId: "ants-1" }));
  data.write(`${idOf(3)}.log`, bytes);
  const list = await archiveOf(data).list("dragons");
  assert(list.status === 200);
  assertEquals(list.matches.map(({ id, otherRules }) => [id, otherRules]), [
    [idOf(3), undefined],
    [idOf(1), "dragons-1"],
  ]);
});

Deno.test("MatchArchive: a match of a private room is in no list, and has no log there (SPEC 14.23, 15.11) [seed 93]", async () => {
  using data = await TemporaryData.make();
  data.write(`${idOf(1)}.log`, bytes);
  data.write(`${idOf(2)}.log`, logWithHeader(bytes, { key: "0123456789abcdef0123456789abcdef" }));
  data.write(`${idOf(3)}.log`, bytes.subarray(0, 20));
  data.write(`${idOf(4)}.open`, logWithHeader(bytes, { key: "0123456789abcdef0123456789abcdef" }));
  const archive = archiveOf(data);
  const list = await archive.list();
  assertEquals(list.status === 200 && list.matches.map(({ id }) => id), [idOf(1)]);
  for (const i of [2, 3, 4]) {
    assertEquals(await archive.log(idOf(i)), { status: 404, reason: "There is no such match." });
  }
});

Deno.test("MatchArchive: no id names another file (SPEC 15.11)", async () => {
  using data = await TemporaryData.make();
  using other = await TemporaryData.make();
  data.write("secret.log", bytes);
  other.write(`${idOf(1)}.log`, bytes);
  const archive = archiveOf(data);
  const away = other.folder.replace("data/", "");

  for (
    const id of [
      "secret",
      "lock",
      "",
      ".",
      "..",
      `../${away}/${idOf(1)}`,
      `..%2F${away}%2F${idOf(1)}`,
      `${idOf(1)}\0`,
      `${idOf(1)}\n`,
    ]
  ) {
    assertEquals(await archive.log(id), { status: 404, reason: "There is no such match." }, id);
  }
});

Deno.test("MatchArchive: all who want the list at once get one, and ticks run between long files (SPEC 15.11) [seed 94]", async () => {
  using data = await TemporaryData.make();
  data.write(`${idOf(1)}.log`, playedLog({ seed: 94, seconds: 120 }).bytes);
  const single = { count: 0 };
  const shared = { count: 0 };
  await archiveOf(data, single).list();
  const archive = archiveOf(data, shared);
  const answers = await Promise.all(Array.from({ length: 40 }, () => archive.list()));
  assertEquals(answers.filter(({ status }) => status === 200).length, 40);
  assertLessOrEqual(1, shared.count);
  assertEquals(shared.count, single.count);
});

Deno.test("HttpServer: /api/matches lists matches, and the log of each is below it (SPEC 15.11) [seed 93]", async () => {
  using data = await TemporaryData.make();
  data.write(`${idOf(1)}.log`, bytes);
  await using server = await openEchoServer({ files: {}, matches: archiveOf(data) });
  const get = async (path: string, headers = {}) =>
    await fetch(`${server.url}api/matches${path}`, { headers });
  const list = await get("?game=dragons");
  assertEquals((await list.json()).matches.map(({ id }: { id: string }) => id), [idOf(1)]);
  assertEquals(list.headers.get("cache-control"), "no-store");
  const log = await get(`/${idOf(1)}/log`);
  assertEquals(await log.bytes(), packedLog(bytes));
  assertEquals(log.headers.get("content-type"), "application/octet-stream");
  assertStringIncludes(log.headers.get("cache-control")!, "immutable");

  // A cache that kept the log of a match that goes on would have the past end there.
  data.write(`${idOf(4)}.open`, bytes.subarray(0, bytes.length - 3));
  const running = await get(`/${idOf(4)}/log`);
  assertEquals([running.status, running.headers.get("cache-control")], [200, "no-store"]);
  await running.body!.cancel();

  for (
    const path of [
      "/",
      `/${idOf(1)}`,
      `/${idOf(2)}/log`,
      `/${idOf(1)}/log/`,
      "/%2e%2e/log",
      "?game=ants",
    ]
  ) {
    const answer = await get(path);
    assertEquals([answer.status, answer.headers.get("content-type")], [
      404,
      "text/plain; charset=utf-8",
    ], path);
    await answer.text();
  }

  await using without = await openEchoServer({ files: {} });
  const answer = await fetch(`${without.url}api/matches`);
  assertEquals([answer.status, await answer.text()], [404, "This server keeps no matches.\n"]);
});
