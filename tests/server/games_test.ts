/** The real server describes its game to clients in other languages. */
import { dragonGame } from "../../shared/games/dragons/game.ts";
import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { pathToFileURL } from "node:url";
import { GRAVITY_UNITS_PER_MPS2 } from "../../shared/body_list.ts";
import { NPC_NAMES } from "../../shared/games/dragons/declaration.ts";
import { CRATE_HALF } from "../../shared/games/dragons/arena.ts";
import { ARENA_WORDS } from "../../shared/games/dragons/arenas/arenas.ts";
import { MODE_WORDS } from "../../shared/games/dragons/modes/mode.ts";
import { LEDGES } from "../../shared/games/dragons/arenas/ledges.ts";
import {
  ARROW_RADIUS,
  BRIDGE_HALF,
  CHEST_HALF,
  DRAGON_RADIUS,
  EGG_RADIUS,
  FIREBALL_RADIUS,
  GRAVITY,
  LIFT_HALF,
  LOOT_RADIUS,
  PELLET_RADIUS,
  RELIC_RADIUS,
  SUBSTEPS,
  TICK_HZ,
  WYRM_RADIUS,
} from "../../shared/games/dragons/tuning.ts";
import { PLAYER_SEATS, SEATS } from "../../shared/netcode/game.ts";
import type { GameSchema } from "../../shared/netcode/game_schema.ts";
import { SOCKET_PATH } from "../../shared/netcode/link.ts";
import { CloseCode, PROTOCOL_VERSION } from "../../shared/netcode/wire/messages.ts";
import { counterGame } from "../tools/lab/counter_game.ts";
import { RawSocket } from "../support/sockets/raw_socket.ts";
import { ServerProcess } from "../support/servers/server_process.ts";

const COUNTER_SERVER = new URL("../browser/counter/server.ts", import.meta.url);

/** The match's fields: the game's, then the kit's. */
const MATCH_FIELDS = [
  ["arena", "u8", 0],
  ["mode", "u8", 0],
  ["blue", "u8", 0],
  ["orange", "u8", 0],
  ["carrier", "u32", 0],
  ["phase", "u8", 0],
  ["phaseTicksLeft", "u16", -1],
  ["round", "u32", 0],
  ["roundOfSet", "u8", 0],
  ["turn", "u8", 0],
  ["left", "u8", 0],
  ["right", "u8", 0],
  ["suddenDeath", "u8", 0],
  ["setOver", "u8", 0],
  ["kit npcs", "u8", 0],
  ["option arena", "u8", 0],
  ["option mode", "u8", 0],
  ["option rounds", "u8", 0],
  ["option loot", "u8", 0],
  ["kit random", "u32", 0],
  ["kit added npcs", "u16", 0],
  ["kit npc kinds", "u32", 0],
];

/** A crate's and an egg's fields, of which some are the kit's clocks. */
const CRATE_FIELDS = [["burning", "u16", -1]];
const EGG_FIELDS = [
  ["seat", "u8", 0],
  ["age", "u8", 1],
  ["landed", "u8", 0],
  ["hatchSeat", "u8", 0],
];

/** The kinds of an arena's ground, of what a mode adds, of loot, and of joints. */
const SCENERY: readonly string[] = [
  ...ARENA_WORDS,
  "lift",
  "bridge",
  "relic",
  "wyrm",
  "arrow",
  "pellet",
  "chest",
  "loot",
  "rail",
  "hand",
  "rope",
];

/** What NPCs plan for, as a field of the command (SPEC 8.180). */
function plan(name: string, ...answers: string[]) {
  return {
    name,
    type: "number",
    least: 0,
    greatest: answers.length,
    wraps: false,
    neutral: 0,
    held: true,
    unchanged: 3900,
    names: ["", ...answers],
  };
}

/** The keys of a whole schema, in the order of the document. */
const KEYS = [
  "id",
  "protocol",
  "socketPath",
  "tickHz",
  "worldStepsPerTick",
  "seats",
  "units",
  "command",
  "assume",
  "kinds",
  "shapes",
  "ownBody",
  "arena",
  "npcNames",
  "choices",
];

type Kind = NonNullable<GameSchema["kinds"]>[number];

async function schemaOf({ url }: ServerProcess, id: string): Promise<GameSchema> {
  const answer = await fetch(`${url}api/games/${id}`);
  assertEquals([answer.status, answer.headers.get("content-type")], [200, "application/json"]);
  return await answer.json();
}

Deno.test("games: the schema of the dragon game has what a client needs, derived from the game (SPEC 8.14)", async () => {
  await using server = await ServerProcess.start();
  const schema = await schemaOf(server, dragonGame.id);
  const { kinds: _kinds, arena, shapes: _shapes, ...rest } = schema;
  assertEquals(Object.keys(schema), KEYS);
  assertEquals<unknown>(rest, {
    id: dragonGame.id,
    protocol: PROTOCOL_VERSION,
    socketPath: SOCKET_PATH,
    tickHz: TICK_HZ,
    worldStepsPerTick: SUBSTEPS,
    seats: { players: PLAYER_SEATS, npcs: SEATS - PLAYER_SEATS },
    units: {
      perMetre: 256,
      perMetrePerSecond: 64,
      perTurn: 1024,
      perTurnPerSecond: 256,
      perMetrePerSecondSquared: GRAVITY_UNITS_PER_MPS2,
    },
    command: [
      {
        name: "dir",
        type: "direction",
        values: [-1, 0, 1],
        neutral: 0,
        held: true,
        unchanged: 2000,
      },
      { name: "flapHeld", type: "button", values: [0, 1], neutral: 0, held: true, unchanged: 3600 },
      {
        name: "flaps",
        type: "presses",
        values: [0, 1, 2, 3],
        neutral: 0,
        held: false,
        unchanged: 3000,
        onePress: 3900,
      },
      {
        name: "fires",
        type: "presses",
        values: [0, 1, 2, 3],
        neutral: 0,
        held: false,
        unchanged: 3000,
        onePress: 3900,
      },
      plan("if struck", "riseLeft", "riseRight"),
      plan("if dived", "left", "right"),
    ],
    assume: { heldTicks: 4 },
    ownBody: { kind: "dragon", seatField: "seat", scoreField: "score" },
    npcNames: {
      firstSeat: PLAYER_SEATS,
      field: "kit npc kinds",
      words: ["Drifter", "Hunter", "Shadow"],
      names: [...NPC_NAMES],
    },
    choices: [
      { name: "arena", names: ["rotation", ...ARENA_WORDS], values: 5 },
      { name: "mode", names: ["rotation", ...MODE_WORDS], values: 5 },
      { name: "rounds", names: ["3", "1", "5"], values: 3 },
      { name: "loot", names: ["on", "off"], values: 2 },
    ],
  });
  assertEquals(arena, { ground: [] }, "a round's ground is a thing");
});

Deno.test("games: a kind has its motion, shapes and fields as declared, in their order, with types and clocks (SPEC 8.14)", async () => {
  await using server = await ServerProcess.start();
  const { kinds, shapes } = await schemaOf(server, dragonGame.id);
  const moving = kinds!.filter(({ name }) => !SCENERY.includes(name));
  assertEquals(moving.map(({ projectile }) => projectile), [false, false, true, false, false]);
  const { ledges, foundry: _foundry, sky_wells: _wells, cavern: _cavern, ...others } = shapes!;
  assertEquals(ledges!.length, LEDGES.platforms.length + 3, "platforms, walls and ceiling");
  assertEquals(others, {
    dragon: [{ circle: DRAGON_RADIUS }],
    fireball: [{ circle: FIREBALL_RADIUS }],
    crate: [{ box: [CRATE_HALF, CRATE_HALF] }],
    egg: [{ circle: EGG_RADIUS }],
    relic: [{ circle: RELIC_RADIUS }],
    wyrm: [{ circle: WYRM_RADIUS }],
    arrow: [{ circle: ARROW_RADIUS }],
    pellet: [{ circle: PELLET_RADIUS }],
    chest: [{ box: [CHEST_HALF, CHEST_HALF] }],
    loot: [{ circle: LOOT_RADIUS }],
    bridge: [{ box: [...BRIDGE_HALF] }],
    lift: [{ box: [...LIFT_HALF] }],
  });
  assertEquals(moving.map(({ name, moves, turns, gravity }) => [name, moves, turns, gravity]), [
    ["match", false, false, 0],
    ["dragon", true, false, GRAVITY * GRAVITY_UNITS_PER_MPS2],
    ["fireball", true, false, 179],
    ["crate", true, true, GRAVITY * GRAVITY_UNITS_PER_MPS2],
    ["egg", true, true, GRAVITY * GRAVITY_UNITS_PER_MPS2],
  ]);
  const fieldsOf = ({ fields }: Kind) => fields.map(({ name, type, clock }) => [name, type, clock]);
  const [match, dragon, fireball, crate, egg] = moving;
  assertEquals<unknown>(fieldsOf(match!), MATCH_FIELDS);
  assertEquals<unknown>(fieldsOf(fireball!), [["owner", "u32", 0], ["seat", "u8", 0]]);
  assertEquals<unknown>(fieldsOf(crate!), CRATE_FIELDS);
  assertEquals<unknown>(fieldsOf(egg!), EGG_FIELDS);
  assertEquals(
    dragon!.fields.map(({ name }) => name),
    [
      ...Object.keys(dragonGame.declaration.things.dragon.fields ?? {}),
      "seat",
      "seen flaps",
      "seen fires",
    ],
  );
});

Deno.test("games: the list has the server's game, another id is 404 in words, HEAD has no body, other rules are refused (SPEC 8.14, 13.113)", async () => {
  await using server = await ServerProcess.start();
  const list = await fetch(`${server.url}api/games`);
  const { games, rules } = await list.json();
  assertEquals([games, Object.keys(rules)], [[dragonGame.id], [dragonGame.id]]);
  assertEquals([list.status, list.headers.get("cache-control")], [200, "no-store"]);

  for (const id of ["dragons-3", "", "dragons-10/", "..%2Frooms"]) {
    const unknown = await fetch(`${server.url}api/games/${id}`);
    assertEquals([unknown.status, unknown.headers.get("content-type")], [
      404,
      "text/plain; charset=utf-8",
    ], id);
    assertStringIncludes(
      await unknown.text(),
      "There is no such game. /api/games lists the games.",
    );
  }

  // Who was built with other rules does not come in.
  const joined = await Promise.all([rules[dragonGame.id], "0123456789ab"].map(async (rules) => {
    const answer = await fetch(`${server.url}api/rooms/RULE/join`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ game: dragonGame.id, protocol: PROTOCOL_VERSION, rules }),
    });
    return [answer.status, (await answer.json()).code];
  }));
  assertEquals(joined, [[200, undefined], [403, CloseCode.version]]);

  for (const path of ["/api/games", `/api/games/${dragonGame.id}`]) {
    using raw = await RawSocket.connect(server.port);
    await raw.write(`HEAD ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
    assertMatch(
      new TextDecoder().decode(await raw.readToEnd()),
      /^HTTP\/1\.1 200 OK\r\n[^]*content-type: application\/json\r\n[^]*\r\n\r\n$/i,
    );
    const post = await fetch(new URL(path, server.url), { method: "POST" });
    assertEquals([post.status, post.headers.get("allow")], [405, "GET, HEAD"]);
    await post.body?.cancel();
  }
});

Deno.test("games: a game without bodies and description has the other parts of a schema (SPEC 8.14)", async () => {
  const folder = await Deno.makeTempDir();
  try {
    await Deno.mkdir(`${folder}/counter`);
    await Deno.writeTextFile(`${folder}/counter/index.html`, "<!DOCTYPE html>");
    await using server = await ServerProcess.startScript(
      COUNTER_SERVER,
      pathToFileURL(`${folder}/`).href,
    );
    assertEquals(await (await fetch(`${server.url}api/games`)).json(), { games: [counterGame.id] });
    assertEquals<unknown>(await schemaOf(server, counterGame.id), {
      id: counterGame.id,
      protocol: PROTOCOL_VERSION,
      socketPath: SOCKET_PATH,
      tickHz: counterGame.tickHz,
      seats: { players: PLAYER_SEATS, npcs: SEATS - PLAYER_SEATS },
    });
    const other = await fetch(`${server.url}api/games/${dragonGame.id}`);
    assertEquals(other.status, 404);
    await other.body?.cancel();
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
