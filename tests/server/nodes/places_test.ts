import { assertEquals } from "@std/assert";
import type { NodeHeartbeat } from "../../../server/nodes/nodes.ts";
import { Places } from "../../../server/nodes/places.ts";
import { advertisedOf } from "../../../server/nodes/advertised_rooms.ts";

const GAME = "counter-1";
const ONE = "1".repeat(16);
const TWO = "2".repeat(16);

/** The places of one game, from messages of a test. */
class TestPlaces {
  readonly beats = new Map<string, NodeHeartbeat>();
  #hear: (bytes: Uint8Array) => void = () => {};
  readonly places: Places;

  constructor() {
    const { beats } = this;
    const nodes = {
      get: (node: string) => beats.get(node),
      get living() {
        return [...beats.values()];
      },
    };
    const bus = {
      subscribe: (_subject: string, hear: (bytes: Uint8Array) => void) => void (this.#hear = hear),
    };
    this.places = new Places({ nodes, bus, games: [{ id: GAME }] });
    for (const node of [ONE, TWO]) this.heartbeat(node);
  }

  heartbeat(node: string, own: Partial<NodeHeartbeat> = {}): void {
    const url = "http://127.0.0.1:1";
    const load = 0.2;
    const loadMax = 0.6;
    this.beats.set(node, {
      node,
      url,
      leaves: false,
      matches: 1,
      load,
      loadMax,
      region: "eu",
      ...own,
    });
    this.places.update();
  }

  hear(text: string): void {
    this.#hear(new TextEncoder().encode(text));
  }

  say(node: string, rooms: readonly (readonly [string, number])[]): void {
    this.hear(JSON.stringify({ node, games: { [GAME]: rooms } }));
  }

  /** The best company in a region, and its room. */
  best(region = "eu") {
    const open = this.places.of(GAME)!;
    return [open.bestCompany(region), open.drawRoom(region, () => 0)?.code];
  }
}

Deno.test("Places: a node's newest message counts, and what was shown since (SPEC 17.163)", () => {
  const test = new TestPlaces();
  const { places } = test;
  test.say(ONE, [["AAAA", 3], ["BBBB", 2]]);
  assertEquals(test.best(), [3, "AAAA"]);
  places.show({ game: GAME, code: "CCCC", node: ONE, players: 4 });
  assertEquals(test.best(), [4, "CCCC"]);
  test.say(ONE, [["BBBB", 2]]);
  assertEquals(test.best(), [2, "BBBB"]);
  // Another node has taken the match over, and the earlier one says so later.
  test.say(TWO, [["BBBB", 1]]);
  test.say(ONE, []);
  assertEquals(test.best(), [1, "BBBB"]);
  assertEquals(places.nodesOf(GAME), [ONE, TWO]);
});

Deno.test("Places: silent nodes are forgotten with their rooms, and a node that moves takes its rooms along (SPEC 17.163)", () => {
  const test = new TestPlaces();
  const { places } = test;
  test.say(ONE, [["AAAA", 3]]);
  test.heartbeat(ONE, { region: "us" });
  assertEquals([test.best(), test.best("us")], [[undefined, undefined], [undefined, undefined]]);
  test.say(ONE, [["AAAA", 3]]);
  assertEquals([test.best(), test.best("us")], [[undefined, undefined], [3, "AAAA"]]);
  assertEquals([places.of(GAME)!.takesRooms("eu"), places.of(GAME)!.takesRooms("us")], [
    false,
    true,
  ]);
  test.beats.delete(ONE);
  places.update();
  assertEquals([test.best("us"), places.nodesOf(GAME)], [[undefined, undefined], []]);
});

Deno.test("Places: a node that has refused gets nobody before its next beat (SPEC 17.162)", () => {
  const test = new TestPlaces();
  const { places } = test;
  test.say(ONE, [["AAAA", 3]]);
  places.setFull(ONE);
  places.update();
  assertEquals(test.best(), [undefined, undefined]);
  test.heartbeat(ONE);
  assertEquals(test.best(), [3, "AAAA"]);
});

Deno.test("Places: a message of another form, one that is too long, or one of a stranger is dropped whole (SPEC 17.163)", () => {
  const test = new TestPlaces();
  const advertised = (games: unknown, node = ONE) => JSON.stringify({ node, games });
  const evil = [["EVIL", 7]];
  const long = Array.from({ length: 65 }, (_, i) => [i === 0 ? "EVIL" : "MORE", 7]);
  const many = Object.fromEntries(Array.from({ length: 16 }, (_, i) => [`g${i}`, []]));
  const hostile = [
    "",
    "{",
    "[]",
    advertised([]),
    advertised({ [GAME]: [...evil, ["evil", 7]] }),
    advertised({ [GAME]: [...evil, ["MORE", 17]] }),
    advertised({ [GAME]: [...evil, ["LESS", -1]] }),
    advertised({ [GAME]: [...evil, ["HALF", 0.5]] }),
    advertised({ [GAME]: long }),
    advertised({ [GAME]: evil, ...many }),
    advertised({ [GAME]: evil, ["g".repeat(33)]: [] }),
    advertised({ [GAME]: evil }, "f".repeat(16)),
    advertised({ [GAME]: evil }, "one"),
    advertised({ [GAME]: evil }) + " ".repeat(16_384),
  ];
  for (const text of hostile) {
    test.hear(text);
    assertEquals(test.best(), [undefined, undefined], text.slice(0, 80));
  }
  test.hear(advertised({ [GAME]: evil, other: [["AAAA", 7]] }));
  assertEquals(test.best(), [4, "EVIL"]);
});

Deno.test("advertisedOf: 64 rooms with a free seat, those with most players first (SPEC 17.163)", () => {
  const code = (i: number) => `AA${String.fromCharCode(65 + Math.floor(i / 26), 65 + i % 26)}`;
  const rooms = new Map(
    Array.from({ length: 100 }, (_, i) => [code(i), { players: i % 9, seats: 8 }]),
  );
  const advertised = advertisedOf(rooms);
  const players = advertised.map(([, count]) => count);
  assertEquals([advertised.length, advertised[0], players], [
    64,
    [code(7), 7],
    players.toSorted((a, b) => b - a),
  ]);
});
