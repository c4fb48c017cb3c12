/**
 * One real server hosts two games: addresses, rooms, refusals, log and metrics, over real sockets.
 */
import { dragonGame } from "../../shared/games/dragons/game.ts";
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import type { Game } from "../../shared/netcode/game.ts";
import { headerOf } from "../../shared/netcode/match_log/replayed_log.ts";
import { ClientMessageEncoder } from "../../shared/netcode/wire/client_messages.ts";
import { CloseCode, type Hello, PROTOCOL_VERSION } from "../../shared/netcode/wire/messages.ts";
import { ServerMessageDecoder } from "../../shared/netcode/wire/server_messages.ts";
import { counterGame } from "../tools/lab/counter_game.ts";
import { TemporaryData } from "../support/logs/temporary_data.ts";
import { ServerProcess } from "../support/servers/server_process.ts";
import { TwoGames } from "../support/two_games.ts";

const HELLO: Omit<Hello, "gameId"> = {
  type: "hello",
  protocolVersion: PROTOCOL_VERSION,
  room: "SAME",
  name: "Wren",
  spectate: false,
  bodyStreamMode: "no",
  choices: [],
  resume: undefined,
};

/** A socket that has said hello. `types` has the messages that have arrived. */
async function connect<Command>(url: string, game: Game<Command>, hello: Partial<Hello> = {}) {
  const socket = new WebSocket(`${url.replace("http", "ws")}socket`);
  const types: string[] = [];
  socket.binaryType = "arraybuffer";
  const decoder = new ServerMessageDecoder(game.command);
  const closed = new Promise<CloseEvent>((resolve) => socket.onclose = resolve);
  const ticked = Promise.withResolvers<void>();
  ticked.promise.catch(() => {});
  void closed.then(({ code, reason }) => ticked.reject(new Error(`closed: ${code} ${reason}`)));
  socket.onmessage = ({ data }) => {
    const { type } = decoder.decode(new Uint8Array(data));
    types.push(type);
    if (type === "tick") ticked.resolve();
  };
  await new Promise<unknown>((resolve) => socket.onopen = socket.onerror = resolve);
  const encoder = new ClientMessageEncoder(game.command, { ordered: true });
  socket.send(encoder.encode({ ...HELLO, gameId: game.id, ...hello }).slice());
  return { socket, closed, ticked: ticked.promise, types };
}

const textAt = async (url: string) => await (await fetch(url)).text();
const jsonAt = async (url: string) => await (await fetch(url)).json();
/** A list of rooms without the ids of their matches, which have times in them. */
const withoutMatches = ({ rooms }: { readonly rooms: readonly object[] }) => ({
  rooms: rooms.map((room) => ({ ...room, match: undefined })).map(({ match: _, ...room }) => room),
});

Deno.test("several games: each has its own rooms, whatever their codes, and lists, log and metrics name the game (SPEC 7.16, 7.18, 7.20, 8.6)", async () => {
  await using games = await TwoGames.open("--npcs", "2", "--seed", "7");
  const { url, server } = games;
  assertStringIncludes(
    server.stdout,
    "(games: counter, dragons; room codes are four letters; seed 7)",
  );
  const wren = await connect(url, dragonGame);
  const ash = await connect(url, counterGame);
  const watcher = await connect(url, counterGame, { spectate: true });
  await Promise.all([wren.ticked, ash.ticked, watcher.ticked]);
  const room = { code: "SAME", players: 1, seats: 16, playNow: 8 };
  const ofDragons = {
    ...room,
    watchers: 0,
    options: { arena: "rotation", mode: "rotation", rounds: "3", loot: "on" },
  };
  assertEquals(await jsonAt(`${url}api/rooms`), {
    rooms: [{ game: "counter", ...room, watchers: 1 }, { game: "dragons", ...ofDragons }],
  });
  assertEquals(await jsonAt(`${url}api/rooms?game=dragons`), { rooms: [ofDragons] });
  const unknown = await fetch(`${url}api/rooms?game=chess`);
  assertEquals([unknown.status, await unknown.text()], [404, "There is no such game.\n"]);
  assertEquals(await jsonAt(`${url}api/games`), { games: [counterGame.id, dragonGame.id] });
  for (const { id } of [counterGame, dragonGame]) {
    assertEquals((await jsonAt(`${url}api/games/${id}`)).id, id);
  }
  const metrics = await textAt(`${url}metrics`);
  for (const line of ['wyvern_rooms{game="counter"} 1', 'wyvern_clients{game="counter"} 2']) {
    assertStringIncludes(metrics, `\n${line}\n`);
  }
  assertMatch(metrics, /\nwyvern_commands_total\{game="dragons",verdict="late"\} \d+\n/);
  assertMatch(metrics, /\nwyvern_tick_duration_seconds_count\{game="dragons"\} [1-9]\d*\n/);
  assertEquals(metrics.match(/^# TYPE wyvern_rooms gauge$/gm)?.length, 1);
  assertEquals(Object.keys(await jsonAt(`${url}healthz`)), [
    "ok",
    "tickShare",
    "accepts",
    "rooms",
    "clients",
    "ticks",
    "uptimeSeconds",
  ]);
  await server.waitForOutput(/room_opened game=counter room=SAME seed=\d+/);
  await server.waitForOutput(/joined game=dragons room=SAME name=Wren/);
  for (const { socket } of [wren, ash, watcher]) socket.close();
  await Promise.all([wren.closed, ash.closed, watcher.closed]);
});

Deno.test("several games: / lists them, each has its page below its name, a missing slash is added, and a wrong id is refused with those that are hosted (SPEC 7.17, 8.2, 8.11)", async () => {
  await using games = await TwoGames.open();
  const { url } = games;
  const { closed } = await connect(url, counterGame, { gameId: "chess-1" });
  const { code, reason } = await closed;
  assertEquals([code, reason], [CloseCode.game, "counter-1, dragons-10 are played here"]);
  const list = await fetch(url);
  assertEquals([list.status, list.headers.get("content-type")], [200, "text/html; charset=utf-8"]);
  assert(list.headers.get("etag") !== null);
  const text = await list.text();

  for (
    const part of [
      'href="/counter/"',
      'href="/dragons/"',
      "Press and drift.",
      "the higher lance wins.",
    ]
  ) {
    assertStringIncludes(text, part);
  }

  assert(text.indexOf("/counter/") < text.indexOf("/dragons/"), "the registry's order");

  for (const [game, title] of [["counter", "Counter"], ["dragons", "Wyvern: joust on dragons"]]) {
    for (const path of ["", "play", "watch"]) {
      assertStringIncludes(await textAt(`${url}${game}/${path}`), `<title>${title}</title>`);
    }
    const [, script] = (await textAt(`${url}${game}/`)).match(/src="(main-[0-9A-Z]{8}\.js)"/)!;
    const answer = await fetch(`${url}${game}/${script}`, { headers: { "Accept-Encoding": "br" } });
    assertEquals([answer.status, answer.headers.get("cache-control")], [
      200,
      "public, max-age=31536000, immutable",
    ]);
    await answer.body?.cancel();
    const bare = await fetch(`${url}${game}?rtt=9`, { redirect: "manual" });
    assertEquals([bare.status, bare.headers.get("location")], [308, `/${game}/?rtt=9`]);
    await bare.body?.cancel();
  }

  for (const path of ["play", "watch", "chess/", "chess", "counter/list_item.part", "_list/"]) {
    const answer = await fetch(url + path);
    assertEquals([answer.status, await answer.text()], [404, "There is no such page.\n"], path);
  }
});

Deno.test("several games: one game alone has the addresses, metrics and JSON keys of a server without --games, and logs with its rules (SPEC 7.16, 7.17, 15.51)", async () => {
  const seen = [];
  const logged = [];
  for (const flags of [[], ["--games", "dragons"]]) {
    using data = await TemporaryData.make();
    await using server = await ServerProcess.start("--seed", "3", "--data", data.folder, ...flags);
    const { url } = server;
    const wren = await connect(url, dragonGame);
    await wren.ticked;
    const metrics = (await textAt(`${url}metrics`)).replaceAll(/ [\d.e-]+$/gm, "");
    logged.push(headerOf(data.only()).rules);
    const { rooms: [{ match }] } = await jsonAt(`${url}api/rooms`);
    assertMatch(match, /^\d{8}T\d{6}-SAME-[0-9a-f]{8}$/, "the log of a match has this id");
    seen.push({
      ready: server.stdout.split("\n")[0]!.replace(/:\d+/, ""),
      page: await textAt(url),
      same: await Promise.all(["play", "watch"].map((path) => textAt(url + path))),
      rooms: withoutMatches(await jsonAt(`${url}api/rooms`)),
      byName: withoutMatches(await jsonAt(`${url}api/rooms?game=dragons`)),
      games: await jsonAt(`${url}api/games`),
      metrics: metrics.replaceAll(/^wyvern_closes_total.*\n/gm, ""),
    });
    const below = await fetch(`${url}dragons/`);
    assertEquals(below.status, 404);
    await below.body?.cancel();
    wren.socket.close();
    await wren.closed;
  }

  assertEquals(seen[0], seen[1]);
  const { page, same, rooms, byName, metrics, games } = seen[0]!;
  assertEquals(same, [page, page]);
  assertEquals(rooms, {
    rooms: [{
      code: "SAME",
      players: 1,
      seats: 16,
      playNow: 8,
      watchers: 0,
      options: { arena: "rotation", mode: "rotation", rounds: "3", loot: "on" },
    }],
  });
  assertEquals(byName, rooms);
  assertEquals(games.games, ["dragons-10"]);
  assertMatch(games.rules["dragons-10"], /^[0-9a-f]{12}$/);
  assertEquals(Object.keys(games), ["games", "rules"]);
  assertEquals(logged, [games.rules["dragons-10"], games.rules["dragons-10"]]);
  assert(!metrics.includes("game="), "a game alone needs no label");
});
