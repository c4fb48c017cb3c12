import { assertEquals, assertGreater, assertMatch } from "@std/assert";
import { DEFAULT_LIMITS, type Limits } from "../../server/settings/limits.ts";
import { Rooms } from "../../server/rooms.ts";
import { seededSecret } from "../support/seeded_secret.ts";
import { CloseCode, type Hello, PROTOCOL_VERSION } from "../../shared/netcode/wire/messages.ts";
import { ClientMessageEncoder } from "../../shared/netcode/wire/client_messages.ts";
import { ServerMessageDecoder } from "../../shared/netcode/wire/server_messages.ts";
import { counterGame } from "../lab/counter_game.ts";
import { LocalLink } from "../../shared/netcode/simulated_network/local_link.ts";

const HELLO: Hello = {
  type: "hello",
  protocolVersion: PROTOCOL_VERSION,
  gameId: "counter-1",
  room: "AAAA",
  name: "Wren",
  spectate: false,
  bodyStreamMode: "no",
  choices: [],
  resume: undefined,
};

/** Rooms on a clock of the test. A tick takes `tickMs`, as the clock has it. */
function openRooms(limits: Partial<Limits> = {}) {
  const clock = { nowMs: 0, tickMs: 0, now: () => clock.nowMs };
  const refused: number[] = [];
  const rooms = new Rooms({
    games: { counter: counterGame },
    clock,
    npcs: 0,
    secret: seededSecret(5),
    stream: "commands",
    limits: { ...DEFAULT_LIMITS, ...limits },
    log: () => {},
    onGameTicked: () => clock.nowMs += clock.tickMs,
    onHelloRefused: (code) => refused.push(code),
  });
  const run = (ticks: number) => {
    for (let i = 0; i < ticks; i++) rooms.tick(clock.nowMs += 50);
  };
  const join = (addressBlock: string, hello: Partial<Hello> = {}) => {
    const [near, far] = LocalLink.pair(), decoder = new ServerMessageDecoder(counterGame.command);
    const client = { near, resume: "" };
    near.onMessage((bytes) => {
      const message = decoder.decode(bytes);
      if (message.type === "welcome") client.resume = message.resume;
    });
    rooms.admit(far, { link: 1, address: addressBlock, addressBlock });
    near.send(new ClientMessageEncoder(counterGame.command, { ordered: true }).encode({ ...HELLO, ...hello }));
    return client;
  };
  return { rooms, run, join, clock, refused };
}

const roomNamed = (i: number) => `AAA${String.fromCharCode(65 + i)}`;

Deno.test("Rooms: an address opens its share of rooms, and others open theirs (SPEC 14.11)", () => {
  const { rooms, join, run, refused } = openRooms({ roomsPerAddress: 3, rooms: 5 });
  const first = [0, 1, 2].map((i) => join("a", { room: roomNamed(i) }));
  assertEquals(join("a", { room: roomNamed(3) }).near.closeCode, CloseCode.addressFull);
  assertEquals(join("b", { room: roomNamed(3) }).near.closeCode, 0);
  assertEquals(join("a", { room: roomNamed(3) }).near.closeCode, 0, "a room of others is open to all");
  // A room that is left is gone at once, and counts no longer.
  first[0]!.near.close(1000, "left");
  run(1);
  assertEquals(rooms.roomCount, 3);
  assertEquals(join("a", { room: roomNamed(4) }).near.closeCode, 0);
  assertEquals(join("c", { room: roomNamed(5) }).near.closeCode, 0);
  const last = join("d", { room: roomNamed(6) }).near;
  assertEquals(last.closeCode, CloseCode.busy);
  assertMatch(last.closeReason, /try again in 10 s/);
  assertEquals(refused, [CloseCode.addressFull, CloseCode.busy]);
});

Deno.test("Rooms: an address has its share of seats and of spectators in all rooms together (SPEC 14.11)", () => {
  const { join } = openRooms({ seatsPerAddress: 3, watchersPerAddress: 2 });
  const players = [0, 0, 1].map((i) => join("a", { room: roomNamed(i) }));
  assertEquals(players.map(({ near }) => near.closeCode), [0, 0, 0]);
  assertEquals(join("a", { room: roomNamed(2) }).near.closeCode, CloseCode.addressFull);
  for (let i = 0; i < 2; i++) assertEquals(join("a", { room: roomNamed(i), spectate: true }).near.closeCode, 0);
  assertEquals(join("a", { spectate: true }).near.closeCode, CloseCode.addressFull);
  assertEquals(join("b").near.closeCode, 0);
  // Who has a seat returns to it, although the share is full.
  const [{ near, resume }] = [players[0]!];
  assertEquals(join("a", { resume }).near.closeCode, 0);
  assertEquals(near.closeCode, CloseCode.replaced);
});

Deno.test("Rooms: a busy machine takes nobody new, but who has a seat returns to it (SPEC 14.12)", () => {
  const { rooms, join, run, clock } = openRooms({ tickLoad: 0.6 });
  const player = join("a");
  clock.tickMs = 40;
  run(5);
  assertEquals(rooms.tickLoad, 0, "five slow ticks say nothing");
  run(1);
  assertGreater(rooms.tickLoad, 0.6);
  for (const hello of [{}, { spectate: true }, { room: "ELSE" }]) {
    assertEquals(join("b", hello).near.closeCode, CloseCode.busy);
  }
  assertEquals(join("a", { resume: player.resume }).near.closeCode, 0);
  clock.tickMs = 20;
  run(95);
  assertEquals(join("b").near.closeCode, 0);
});
