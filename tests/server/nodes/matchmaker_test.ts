import { assert, assertEquals, assertLessOrEqual } from "@std/assert";
import { openSubject } from "../../../server/nodes/matchmaker.ts";
import { candidatesFor } from "../../../server/nodes/rendezvous.ts";
import { REGIONS_MAX, WAIT_MS } from "../../../server/nodes/placement.ts";
import { seatSubject } from "../../../server/nodes/seat_reservations.ts";
import { PLAYER_COUNTS } from "../../../shared/netcode/game.ts";
import { CloseCode } from "../../../shared/netcode/wire/messages.ts";
import { GAME, PlayCluster, type PlayNode } from "./play_cluster.ts";

const WAIT = { waitMs: WAIT_MS };

/** The room of an answer. @throws AssertionError for one without */
async function roomOf(
  answer: ReturnType<PlayNode["play"]>,
): Promise<{ room: string; server: string }> {
  const found = await answer;
  assert("room" in found, JSON.stringify(found));
  return found;
}

Deno.test("Matchmaker: players who press the button at three nodes in the same moment meet in one room [seeds 1 to 20] (SPEC 17.160)", async () => {
  for (let seed = 1; seed <= 20; seed++) {
    const { nodes } = new PlayCluster(["eu", "eu", "eu"], seed);
    const found = await Promise.all(nodes.map((node) => roomOf(node.play({ game: GAME }))));
    assertEquals(
      new Set(found.map(({ room, server }) => `${server} ${room}`)).size,
      1,
      `seed ${seed}`,
    );
  }
});

Deno.test("Matchmaker: nobody gets a seat that another one has, and rooms fill up before new ones open [seed 3] (SPEC 17.160)", async () => {
  const cluster = new PlayCluster(["eu", "eu", "us"], 3);
  const { nodes, random } = cluster;
  const seated = new Map<string, number>();
  const trips = { eu: 20, us: 25 };

  for (let wave = 0; wave < 20; wave++) {
    const asks = Array.from(
      { length: 6 },
      () => roomOf(nodes[random.below(3)]!.play({ game: GAME, roundTripsMs: trips })),
    );
    for (const { room, server } of await Promise.all(asks)) {
      seated.set(room, (seated.get(room) ?? 0) + 1);
      // Half of them come in at once, and the others are pending.
      const node = nodes.find(({ url }) => url === server)!;
      if (random.chance(0.5)) node.players.set(room, (node.players.get(room) ?? 0) + 1);
    }
    cluster.nowMs += 200;
    cluster.say();
  }

  for (const [room, players] of seated) assertLessOrEqual(players, PLAYER_COUNTS.playNow, room);

  // 120 players fill 15 rooms. Half full is lively enough, so a few more are open.
  assertLessOrEqual(seated.size, 24);
});

Deno.test("Matchmaker: those who do not come leave their seat to others (SPEC 17.160)", async () => {
  const cluster = new PlayCluster(["eu"], 1);
  const [node] = cluster.nodes;
  const codes = new Set<string>();
  for (let i = 0; i < PLAYER_COUNTS.playNow; i++) {
    codes.add((await roomOf(node!.play({ game: GAME }))).room);
  }
  assertEquals(codes.size, 1);
  const [code] = codes;
  node!.players.set(code!, 1);
  assertEquals(
    (await roomOf(node!.play({ game: GAME }))).room === code,
    false,
    "seven are on their way",
  );
  cluster.nowMs += 5_000;
  cluster.say();
  assertEquals((await roomOf(node!.play({ game: GAME }))).room, code);
});

Deno.test("Matchmaker: a player gets a room near them, and a farther one while all nearer nodes are full (SPEC 17.161, 17.162)", async () => {
  const cluster = new PlayCluster(["a", "b"], 1);
  const [a, b] = cluster.nodes;
  const near = { a: 150, b: 20 };
  assertEquals((await roomOf(a!.play({ game: GAME, roundTripsMs: near }))).server, b!.url);
  assertEquals(
    (await roomOf(a!.play({ game: GAME }))).server,
    a!.url,
    "a page that has measured nothing",
  );
  b!.load = 0.7;
  cluster.say();
  assertEquals(await a!.play({ game: GAME, roundTripsMs: near, waitedMs: 1_700 }), WAIT);
  assertEquals(
    (await roomOf(a!.play({ game: GAME, roundTripsMs: near, waitedMs: 1_800 }))).server,
    a!.url,
  );

  // It has measured its own region alone.
  assertEquals(await a!.play({ game: GAME, roundTripsMs: { b: 20 }, waitedMs: 4_000 }), WAIT);
  assertEquals(
    (await roomOf(a!.play({ game: GAME, roundTripsMs: { b: 20 }, waitedMs: 4_300 }))).server,
    a!.url,
  );
});

Deno.test("Matchmaker: a node that has become full refuses, and another one gives the seat (SPEC 17.162)", async () => {
  const cluster = new PlayCluster(["eu", "eu", "eu"], 2);
  const { nodes } = cluster;
  nodes[0]!.players.set("FULL", 4);
  cluster.say();
  cluster.isDeaf = true;
  nodes[0]!.load = 0.7;
  const { room, server } = await roomOf(nodes[1]!.play({ game: GAME }));
  assertEquals([room === "FULL", server === nodes[0]!.url], [false, false]);
  for (const node of nodes) node.load = 0.7;
  assertEquals(await nodes[1]!.play({ game: GAME }), WAIT);
});

Deno.test("Matchmaker: a stale hint is answered with the room that its node has now (SPEC 17.160)", async () => {
  const cluster = new PlayCluster(["eu", "us"], 4);
  const [near, far] = cluster.nodes;
  const trips = { eu: 60, us: 20 };
  far!.players.set("GONE", 4);
  cluster.say();
  cluster.isDeaf = true;
  far!.players.delete("GONE");
  far!.players.set("THER", 2);
  const { room, server } = await roomOf(near!.play({ game: GAME, roundTripsMs: trips }));
  assertEquals([room, server], ["THER", far!.url]);
});

Deno.test("Matchmaker: if the node that opens rooms does not answer, or a room's node, another one does (SPEC 17.160)", async () => {
  const cluster = new PlayCluster(["eu", "eu", "eu"], 6);
  const { nodes } = cluster;
  for (const { name } of nodes) cluster.silent.add(openSubject(name));
  for (const node of nodes) await roomOf(node.play({ game: GAME }));
  for (const { name } of nodes) cluster.silent.add(seatSubject(name));
  const servers = await Promise.all(nodes.map((node) => roomOf(node.play({ game: GAME }))));
  assertEquals(servers.map(({ server }) => server), nodes.map(({ url }) => url));
});

Deno.test("Matchmaker: players at two nodes meet also if the node that opens rooms does not answer (SPEC 17.160)", async () => {
  const { nodes, silent } = new PlayCluster(["eu", "eu", "eu", "eu"], 7);
  const [opener] = candidatesFor(`open ${GAME}`, nodes.map(({ name }) => name));
  silent.add(openSubject(opener!));
  const others = nodes.filter(({ name }) => name !== opener);
  const found = await Promise.all(others.map((node) => roomOf(node.play({ game: GAME }))));
  assertEquals(new Set(found.map(({ room, server }) => `${server} ${room}`)).size, 1);
});

Deno.test("Matchmaker: a node that has just begun to hear the others opens no room (SPEC 17.160)", async () => {
  const cluster = new PlayCluster(["eu"], 8);
  const [node] = cluster.nodes;
  // Its connection was cut for a second.
  cluster.nowMs += 1_000;
  assertEquals(await node!.play({ game: GAME }), WAIT, "it hears nobody");
  cluster.live(1_600);
  assertEquals(await node!.play({ game: GAME }), WAIT);
  cluster.live(200);
  await roomOf(node!.play({ game: GAME }));
});

Deno.test("Matchmaker: nodes that stop or went silent get nobody (SPEC 17.162)", async () => {
  const cluster = new PlayCluster(["eu", "eu"], 1);
  const [here, there] = cluster.nodes;
  there!.players.set("THER", 4);
  cluster.say();
  assertEquals((await roomOf(here!.play({ game: GAME }))).room, "THER");
  there!.leaves = true;
  cluster.say();
  assertEquals((await roomOf(here!.play({ game: GAME }))).server, here!.url);
  there!.leaves = false;
  cluster.say();
  for (let heartbeat = 0; heartbeat < 6; heartbeat++) {
    cluster.nowMs += 200;
    here!.say();
  }
  assertEquals((await roomOf(here!.play({ game: GAME }))).server, here!.url);
});

Deno.test("Matchmaker: one node for each region is measured, this one in its own (SPEC 17.161)", () => {
  const cluster = new PlayCluster(["us", "eu", "us", "eu"], 1);
  const [, , third, last] = cluster.nodes;
  assertEquals(last!.regions[0], { name: "eu", url: last!.url });
  assertEquals(third!.regions.map(({ name }) => name), ["us", "eu"]);
  last!.leaves = true;
  cluster.say();
  assertEquals(third!.regions[1], { name: "eu", url: cluster.nodes[1]!.url });
});

Deno.test("Matchmaker: what is no request is refused (SPEC 17.160)", async () => {
  const cluster = new PlayCluster(["eu"], 1);
  const [node] = cluster.nodes;
  const many: Record<string, number> = {};
  for (let i = 0; i <= REGIONS_MAX; i++) many[`r${i}`] = 1;
  const wrong = [undefined, 7, [], { game: 7 }, { game: GAME, waitedMs: -1 }, {
    game: GAME,
    roundTripsMs: many,
  }];

  for (
    const body of [...wrong, { game: GAME, roundTripsMs: { "a b": 1 } }, {
      game: GAME,
      roundTripsMs: { eu: "1" },
    }]
  ) {
    const answer = await node!.play(body);
    assertEquals("code" in answer && answer.code, CloseCode.protocol, JSON.stringify(body));
  }

  for (const body of [{}, { game: "other" }]) {
    const answer = await node!.play(body, { name: "other" });
    assertEquals("code" in answer && answer.code, CloseCode.game);
  }
  await roomOf(node!.play({}, { name: "counter" }));
});

Deno.test("SeatReservations: seats that several nodes want in the same moment are in one room, one after another (SPEC 17.160)", async () => {
  const cluster = new PlayCluster(["eu"], 1);
  const subject = seatSubject(cluster.nodes[0]!.name);
  const answers = await Promise.all(
    Array.from(
      { length: PLAYER_COUNTS.playNow + 1 },
      () => cluster.ask(subject, JSON.stringify({ game: GAME })),
    ),
  );
  const seats = answers.map((answer) =>
    JSON.parse(answer!).seat as { code: string; players: number }
  );
  assertEquals(seats.map(({ players }) => players), [1, 2, 3, 4, 5, 6, 7, 8, 1]);
  assertEquals(new Set(seats.map(({ code }) => code)).size, 2);
  assertEquals(await cluster.ask(subject, JSON.stringify({ game: GAME, hint: "evil" })), "{}");

  for (const text of ["", "{", "[]", "{}", `{"game":"other"}`]) {
    assertEquals(await cluster.ask(subject, text), "{}", text);
    assertEquals(
      await cluster.ask(openSubject(cluster.nodes[0]!.name), text),
      JSON.stringify(WAIT),
      text,
    );
  }
});

Deno.test("Matchmaker: one address gets 64 rooms at once and 8 a second, and others are not in its way (SPEC 17.160)", async () => {
  const cluster = new PlayCluster(["eu"], 1);
  const [node] = cluster.nodes;
  const one = { addressBlock: "192.0.2.1" };
  const gets = async (requests: number) => {
    const answers = await Promise.all(
      Array.from({ length: requests }, () => node!.play({ game: GAME }, one)),
    );
    return answers.filter((answer) => "room" in answer).length;
  };
  assertEquals(await gets(80), 64);
  cluster.live(1_000);
  assertEquals(await gets(80), 8);
  await roomOf(node!.play({ game: GAME }));
});
