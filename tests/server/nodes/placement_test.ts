import { assert, assertEquals, assertGreater, assertLess } from "@std/assert";
import { OpenRooms, ROOMS_MAX } from "../../../server/nodes/open_rooms.ts";
import {
  CAP_MARGIN_MS,
  CAP_MS_MAX,
  CAP_MS_MIN,
  CAP_MS_PER_SECOND,
  leastBusy,
  placeFor,
  REGIONS_MAX,
  roomAtNode,
  roundTripCapMs,
  type Taker,
} from "../../../server/nodes/placement.ts";
import { Random } from "../../../shared/random.ts";

const IDLE = { load: 0.1, loadMax: 0.6, isDraining: false };
const FULL = { ...IDLE, load: 0.7 };
const random = new Random(1);
const draw = () => random.fraction();

/** A node of each region, named after it. */
function roomsIn(...regions: string[]): OpenRooms {
  const rooms = new OpenRooms();
  for (const region of regions) rooms.setNode(region, { ...IDLE, region });
  return rooms;
}

function place(rooms: OpenRooms, roundTripsMs: Record<string, number>, waitedMs = 0) {
  return placeFor({ roundTripsMs: new Map(Object.entries(roundTripsMs)), waitedMs }, {
    rooms,
    draw,
  });
}

Deno.test("placeFor: a lively room with a free seat nearby comes first, then a new room nearby", () => {
  const rooms = roomsIn("eu", "us");
  assertEquals(place(rooms, { eu: 20, us: 70 }), { kind: "new room", node: "eu" });
  rooms.setRoom("AAAA", { node: "eu", players: 3, seats: 16 });
  rooms.setRoom("BBBB", { node: "eu", players: 9, seats: 16 });
  rooms.setRoom("CCCC", { node: "eu", players: 16, seats: 16 });
  assertEquals(place(rooms, { eu: 20, us: 70 }), { kind: "room", code: "BBBB", node: "eu" });
  rooms.setRoom("BBBB", { node: "eu", players: 16, seats: 16 });
  assertEquals(place(rooms, { eu: 20, us: 70 }), { kind: "room", code: "AAAA", node: "eu" });
  rooms.removeRoom("AAAA");
  assertEquals(place(rooms, { us: 70, eu: 20 }), { kind: "new room", node: "eu" });
});

Deno.test("placeFor: people are worth a longer way, but not any", () => {
  const rooms = roomsIn("eu", "us");
  rooms.setRoom("FARR", { node: "us", players: 12, seats: 16 });
  rooms.setRoom("NEAR", { node: "eu", players: 1, seats: 16 });
  assertEquals(
    place(rooms, { eu: 20, us: 50 }).kind === "room" && place(rooms, { eu: 20, us: 50 }),
    {
      kind: "room",
      code: "FARR",
      node: "us",
    },
  );
  assertEquals(place(rooms, { eu: 20, us: 79 }), { kind: "room", code: "NEAR", node: "eu" });
  rooms.removeRoom("NEAR");
  assertEquals(place(rooms, { eu: 20, us: 81 }), { kind: "new room", node: "eu" });
});

Deno.test("placeFor: full and stopping nodes get nobody; the cap relaxes while all within it are full", () => {
  const rooms = roomsIn("eu", "us", "asia");
  rooms.setRoom("AAAA", { node: "eu", players: 5, seats: 16 });
  rooms.setNode("eu", { ...FULL, region: "eu" });
  const far = { eu: 20, us: 100, asia: 240 };
  assertEquals(place(rooms, far), { kind: "wait" });
  assertEquals(place(rooms, far, 499), { kind: "wait" });
  assertEquals(place(rooms, far, 500), { kind: "new room", node: "us" });
  rooms.setNode("us", { ...IDLE, region: "us", isDraining: true });
  assertEquals(place(rooms, far, 3900), { kind: "wait" });
  assertEquals(place(rooms, far, 4000), { kind: "new room", node: "asia" });
  rooms.setNode("eu", { ...IDLE, region: "eu" });
  assertEquals(place(rooms, far, 4000), { kind: "room", code: "AAAA", node: "eu" });
  rooms.removeNode("eu");
  assertEquals(place(rooms, far), { kind: "wait" });
});

Deno.test("roundTripCapMs: it grows from near the best region to a bound, and never leaves the best region out", () => {
  assertEquals(roundTripCapMs(20, 0), CAP_MS_MIN);
  assertEquals(roundTripCapMs(20, 1500), CAP_MS_MIN + 1.5 * CAP_MS_PER_SECOND);
  assertEquals(roundTripCapMs(20, 60_000), CAP_MS_MAX);
  assertEquals(roundTripCapMs(150, 0), 150 + CAP_MARGIN_MS);
  assertEquals(roundTripCapMs(700, 60_000), 700 + CAP_MARGIN_MS);
});

Deno.test("placeFor: a page's nonsense gets no place, and only the first regions that it names count", () => {
  const rooms = roomsIn("eu");
  for (const claims of [{}, { eu: NaN }, { eu: Infinity }, { nowhere: 1 }]) {
    assertEquals(place(rooms, claims as Record<string, number>), { kind: "wait" });
  }
  const many = Object.fromEntries(
    Array.from({ length: REGIONS_MAX }, (_, i) => [`region ${i}`, 10]),
  );
  assertEquals(place(rooms, { ...many, eu: 10 }), { kind: "wait" });
});

Deno.test("roomAtNode: a player whose room has filled up gets the fullest other room of the node, then a new one", () => {
  const own = new Map(
    [["AAAA", 3], ["BBBB", 15], ["CCCC", 16], ["DDDD", 9]].map(([code, players]) => (
      [code as string, { players: players as number, seats: 16 }] as const
    )),
  );
  assertEquals(roomAtNode("AAAA", own), "AAAA");
  for (const hint of ["CCCC", "GONE", undefined]) assertEquals(roomAtNode(hint, own), "BBBB");
  assertEquals(roomAtNode("CCCC", new Map([["CCCC", { players: 16, seats: 16 }]])), undefined);
  assertEquals(roomAtNode(undefined, new Map()), undefined);
});

Deno.test("OpenRooms: new rooms go to the less busy of two nodes, so all get some and the idle most", () => {
  const rooms = new OpenRooms();
  const counts = new Map<string, number>();
  for (let i = 0; i < 10; i++) rooms.setNode(`n${i}`, { ...IDLE, region: "eu", load: i / 20 });
  for (let i = 0; i < 10_000; i++) {
    const node = rooms.drawNode("eu", draw)!;
    counts.set(node, (counts.get(node) ?? 0) + 1);
  }
  // 19 % and 1 % of all draws.
  assertLess(Math.abs(counts.get("n0")! - 1900), 200);
  assertGreater(counts.get("n9")!, 50);
});

Deno.test("OpenRooms: rooms with half of their seats taken are equally good, and those of less busy nodes come first", () => {
  const rooms = roomsIn("eu");
  const counts = { HALF: 0, LAST: 0, BUSY: 0, FEWW: 0 };
  rooms.setNode("eu-2", { ...IDLE, region: "eu", load: 0.5 });
  rooms.setRoom("HALF", { node: "eu", players: 8, seats: 16 });
  rooms.setRoom("LAST", { node: "eu", players: 15, seats: 16 });
  rooms.setRoom("BUSY", { node: "eu-2", players: 12, seats: 16 });
  rooms.setRoom("FEWW", { node: "eu", players: 7, seats: 16 });
  for (let i = 0; i < 9000; i++) counts[rooms.drawRoom("eu", draw)!.code as keyof typeof counts]++;
  for (
    const [code, share] of [["HALF", 4 / 9], ["LAST", 4 / 9], ["BUSY", 1 / 9], ["FEWW", 0]] as const
  ) {
    assertLess(Math.abs(counts[code] / 9000 - share), 0.03, code);
  }
});

Deno.test("OpenRooms: a node near its limit is not offered, before it refuses", () => {
  const rooms = roomsIn("eu");
  rooms.setRoom("AAAA", { node: "eu", players: 5, seats: 16 });
  for (const [load, isOffered] of [[0.54, true], [0.55, false], [0.53, true]] as const) {
    rooms.setNode("eu", { ...IDLE, region: "eu", load });
    assertEquals([rooms.takesRooms("eu"), rooms.bestCompany("eu")], [
      isOffered,
      isOffered ? 5 : undefined,
    ]);
  }
});

Deno.test("OpenRooms: rooms beyond its bound are not offered, and those within it go on changing", () => {
  const rooms = roomsIn("eu");
  for (let i = 0; i <= ROOMS_MAX; i++) {
    rooms.setRoom(`${i}`, { node: "eu", players: i === ROOMS_MAX ? 15 : 1, seats: 16 });
  }
  assertEquals(rooms.bestCompany("eu"), 1);
  rooms.setRoom("7", { node: "eu", players: 9, seats: 16 });
  assertEquals(rooms.drawRoom("eu", draw), { code: "7", node: "eu" });
});

Deno.test("OpenRooms: after 20,000 random changes it offers what a plain search offers [seed 5]", () => {
  const chance = new Random(5);
  const rooms = new OpenRooms();
  const nodes = new Map<string, { region: string; load: number }>();
  const known = new Map<string, { node: string; players: number }>();
  const offered = (region: string) => {
    const free = [...known.values()].filter(({ node, players }) => {
      const { region: own, load } = nodes.get(node)!;
      return own === region && load <= 0.54 && players < 16;
    });
    return free.length === 0
      ? undefined
      : Math.min(8, Math.max(...free.map(({ players }) => players)));
  };

  for (let step = 0; step < 20_000; step++) {
    const name = `n${chance.below(6)}`;
    const code = `C${chance.below(40)}`;
    const region = `r${Number(name[1]) % 2}`;
    const players = chance.below(17);
    if (chance.chance(0.3)) {
      nodes.set(name, { region, load: chance.fraction() });
      rooms.setNode(name, { ...IDLE, ...nodes.get(name)! });
    } else if (chance.chance(0.02)) {
      rooms.removeNode(name);
      nodes.delete(name);
      for (const [each, { node }] of known) if (node === name) known.delete(each);
    } else if (chance.chance(0.2)) {
      rooms.removeRoom(code);
      known.delete(code);
    } else if (nodes.has(name)) {
      rooms.setRoom(code, { node: name, players, seats: 16 });
      known.set(code, { node: name, players });
    }
    for (const each of ["r0", "r1"]) {
      const most = offered(each);
      const room = rooms.drawRoom(each, () => chance.fraction());
      const found = room && known.get(room.code)!;
      assertEquals([rooms.bestCompany(each), found && Math.min(8, found.players), found?.node], [
        most,
        most,
        room?.node,
      ]);
      assertEquals(
        rooms.takesRooms(each),
        [...nodes.values()].some((node) => node.region === each && node.load <= 0.54),
      );
    }
  }
});

Deno.test("leastBusy: the process with the least load, of equal ones that with fewer matches, then the first", () => {
  const [many, few, busy] = [[0.1, 9], [0.12, 2], [0.3, 1]].map(([load, matches]) => ({
    load: load!,
    matches: matches!,
  })) as [Taker, Taker, Taker];
  const exact = { equalLoad: 0 };
  const rough = { equalLoad: 0.05 };
  assertEquals(leastBusy([busy, few, many], exact), many);
  assertEquals([leastBusy([busy, few, many], rough), leastBusy([many, few, busy], rough)], [
    few,
    few,
  ]);
  const twin = { ...few };
  assert(leastBusy([few, twin], exact) === few && leastBusy([twin, few], rough) === twin);
  assertEquals(leastBusy([], exact), undefined);
});

Deno.test("leastBusy: matches that are handed over one after the other spread by load, and a restarted node gets most", () => {
  const loads = new Map([["new", 0], ["old 1", 0.5], ["old 2", 0.45]]);
  for (let match = 0; match < 60; match++) {
    const takers = Array.from(loads, ([name, load]) => ({ name, load, matches: 0 }));
    const { name } = leastBusy(takers, { equalLoad: 0 })!;
    loads.set(name, loads.get(name)! + 0.01);
  }
  for (const load of loads.values()) assertLess(Math.abs(load - 1.55 / 3), 0.01);
});
