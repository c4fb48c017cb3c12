import { assertEquals } from "@std/assert";
import {
  LIST_KEPT_MS,
  listAnswer,
  ListedRooms,
  listSubject,
} from "../../../server/nodes/listed_rooms.ts";
import type { NodeHeartbeat } from "../../../server/nodes/nodes.ts";
import type { RoomListing } from "../../../server/messages/room_listing.ts";
import type { Rooms } from "../../../server/rooms/rooms.ts";

const room = (code: string, players: number): RoomListing => ({
  code,
  players,
  seats: 16,
  playNow: 8,
  watchers: 0,
});

/** Nodes of two games, each with its rooms; they ask each other. */
function newNodes(all: Readonly<Record<string, Readonly<Record<string, readonly RoomListing[]>>>>) {
  const clock = { nowMs: 0, now: () => clock.nowMs };
  const asked: string[] = [];
  const silent = new Set<string>();
  const living = Object.keys(all).map((node) => ({ node }) as NodeHeartbeat);
  const bus = {
    async request(subject: string) {
      const node = Object.keys(all).find((each) => listSubject(each) === subject)!;
      asked.push(node);
      return await Promise.resolve(silent.has(node) ? undefined : listAnswer(own[node]!));
    },
  };
  const nodes: Record<string, ListedRooms> = {};
  const own: Record<string, Pick<Rooms<unknown>, "byGame">> = {};

  for (const [node, games] of Object.entries(all)) {
    const byGame = new Map(
      Object.entries(games).map(([name, rooms]) => [
        name,
        { game: { id: `${name}-1` }, list: () => [...rooms] },
      ]),
    );
    const rooms = own[node] = { byGame } as unknown as Pick<Rooms<unknown>, "byGame">;
    nodes[node] = new ListedRooms({
      own: { node, rooms },
      nodes: () => living,
      games: Object.fromEntries(Object.keys(games).map((name) => [name, { id: `${name}-1` }])),
      bus,
      keptMs: LIST_KEPT_MS,
      clock,
    });
  }

  return { nodes, clock, asked, silent };
}

Deno.test("ListedRooms: any node lists the rooms of all, the fullest first, and asks once a second (SPEC 8.6, 17.165)", async () => {
  const { nodes, clock, asked, silent } = newNodes({
    a: { jousts: [room("CROW", 1)], puck: [room("WREN", 2)] },
    b: { jousts: [room("HAWK", 3), room("CROW", 0)], puck: [] },
    c: { jousts: [room("DOVE", 1)] },
  });
  const all = [
    { game: "jousts", ...room("HAWK", 3) },
    { game: "puck", ...room("WREN", 2) },
    { game: "jousts", ...room("CROW", 1) },
    { game: "jousts", ...room("DOVE", 1) },
  ];
  assertEquals(await nodes["a"]!.list(undefined), all);
  assertEquals(await nodes["a"]!.list("puck"), [room("WREN", 2)]);
  assertEquals(await nodes["a"]!.list("chess"), undefined);

  // It hosts one game, and knows no other.
  assertEquals(await nodes["c"]!.list(undefined), [
    room("HAWK", 3),
    room("DOVE", 1),
    room("CROW", 0),
  ]);
  assertEquals(asked, ["b", "c", "a", "b"]);
  silent.add("b");
  clock.nowMs = 1_000;
  assertEquals(await nodes["a"]!.list("jousts"), [room("CROW", 1), room("DOVE", 1)]);
  assertEquals(asked.slice(4), ["b", "c"]);
});

Deno.test("ListedRooms: a node names a hundred rooms, and drops an answer of another form (SPEC 17.165)", async () => {
  const codes = Array.from(
    { length: 150 },
    (_, i) => `AA${String.fromCharCode(65 + Math.floor(i / 26), 65 + i % 26)}`,
  );
  const { nodes } = newNodes({
    a: { jousts: codes.map((code, i) => room(code, i)) },
    b: { jousts: [] },
  });
  const rooms = await nodes["b"]!.list(undefined);
  assertEquals([rooms!.length, rooms![0]!.players, rooms!.at(-1)!.players], [100, 149, 50]);
  const bad = newNodes({
    a: { jousts: [room("not a code", 1)] },
    b: { jousts: [room("CROW", 1)] },
  });
  assertEquals(await bad.nodes["b"]!.list(undefined), [room("CROW", 1)]);
});
