import { assertEquals, assertGreater, assertMatch } from "@std/assert";
import { DEFAULT_LIMITS, type Limits } from "../../server/settings/limits.ts";
import { Rooms } from "../../server/rooms/rooms.ts";
import { seededSecret } from "../support/seeded_secret.ts";
import { CloseCode, type Hello, PROTOCOL_VERSION } from "../../shared/netcode/wire/messages.ts";
import { ClientMessageEncoder } from "../../shared/netcode/wire/client_messages.ts";
import { ServerMessageDecoder } from "../../shared/netcode/wire/server_messages.ts";
import { counterGame } from "../tools/lab/counter_game.ts";
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
    const [near, far] = LocalLink.pair();
    const decoder = new ServerMessageDecoder(counterGame.command);
    const encoder = new ClientMessageEncoder(counterGame.command, { ordered: true });
    let received = 0;
    const client = {
      near,
      resume: "",
      /** Sends a command. @param dir as long as it is the same, nobody plays */
      command(dir: -1 | 0 | 1) {
        const command = { presses: 0, dir };
        near.send(
          encoder.encode({
            type: "command",
            tick: received + 3,
            command,
            leadMs: 0,
            received,
            isDesynced: false,
          }),
        );
      },
    };
    near.onMessage((bytes) => {
      const message = decoder.decode(bytes);
      if (message.type === "welcome") client.resume = message.resume;
      if (message.type === "tick") received = message.tick;
    });
    rooms.admit(far, { link: 1, address: addressBlock, addressBlock });
    near.send(encoder.encode({ ...HELLO, ...hello }));
    return client;
  };

  /** Lets 31 s pass. Those of `active` play, and those of `idle` hold one key. */
  const playOn = (
    { active = [], idle = [] }: { active?: readonly Player[]; idle?: readonly Player[] },
  ) => {
    for (let second = 0; second < 31; second++) {
      for (const player of active) player.command(second % 2 === 0 ? 1 : 0);
      for (const player of idle) player.command(1);
      run(20);
    }
  };
  return { rooms, run, join, playOn, clock, refused };
}

/** A client that can send commands. */
interface Player {
  command(dir: -1 | 0 | 1): void;
}

const codesOf = (clients: readonly { readonly near: LocalLink }[]) =>
  clients.map(({ near }) => near.closeCode);

const roomNamed = (i: number) => `AAA${String.fromCharCode(65 + i)}`;

Deno.test("Rooms: an address opens its share of rooms, and others open theirs (SPEC 14.11)", () => {
  const { rooms, join, run, refused } = openRooms({ roomsPerAddress: 3, rooms: 5 });
  const first = [0, 1, 2].map((i) => join("a", { room: roomNamed(i) }));
  assertEquals(join("a", { room: roomNamed(3) }).near.closeCode, CloseCode.addressFull);
  assertEquals(join("b", { room: roomNamed(3) }).near.closeCode, 0);
  assertEquals(
    join("a", { room: roomNamed(3) }).near.closeCode,
    0,
    "a room of others is open to all",
  );

  // A room that is left is gone at once, and counts no longer.
  first[0]!.near.close(1000, "left");
  run(1);
  assertEquals(rooms.roomCount, 3);
  assertEquals(join("a", { room: roomNamed(4) }).near.closeCode, 0);
  assertEquals(join("c", { room: roomNamed(5) }).near.closeCode, 0);
  const last = join("c", { room: roomNamed(6) }).near;
  assertEquals(last.closeCode, 0, "in place of a room of the address that has three");
  const further = join("c", { room: roomNamed(7) }).near;
  assertEquals(further.closeCode, CloseCode.busy, "nobody has two rooms more than this address");
  assertMatch(further.closeReason, /try again in 10 s/);
  assertEquals(refused, [CloseCode.addressFull, CloseCode.busy]);
});

Deno.test("Rooms: an address has its share of seats and of spectators in all rooms together (SPEC 14.11)", () => {
  const { join } = openRooms({ seatsPerAddress: 3, watchersPerAddress: 2 });
  const players = [0, 0, 1].map((i) => join("a", { room: roomNamed(i) }));
  assertEquals(players.map(({ near }) => near.closeCode), [0, 0, 0]);
  assertEquals(join("a", { room: roomNamed(2) }).near.closeCode, CloseCode.addressFull);
  for (let i = 0; i < 2; i++) {
    assertEquals(join("a", { room: roomNamed(i), spectate: true }).near.closeCode, 0);
  }
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

Deno.test("Rooms: in a full server an idle room goes before one that is played, and the largest network loses it (SPEC 14.42)", () => {
  const { rooms, join, playOn } = openRooms({ rooms: 6 });
  // Three /64 of one /56 hold four rooms, another network two.
  const holders = ["2001:db8:0:1", "2001:db8:0:2", "2001:db8:0:3", "2001:db8:0:3", "b", "b"];
  const players = holders.map((block, i) => join(block, { room: roomNamed(i) }));
  const [first, ...others] = players;
  playOn({ active: [first!], idle: others });
  const newcomers = ["c", "d"].map((block, i) => join(block, { room: roomNamed(7 + i) }));
  assertEquals(codesOf(newcomers), [0, 0]);
  assertEquals(codesOf(players), [0, CloseCode.displaced, CloseCode.displaced, 0, 0, 0]);
  assertEquals(join("2001:db8:0:9", { room: roomNamed(9) }).near.closeCode, 0);
  assertEquals(
    codesOf(players).slice(3),
    [CloseCode.displaced, 0, 0],
    "the idle one of its own /56, which has two",
  );
  assertEquals(join("2001:db8:0:a", { room: roomNamed(10) }).near.closeCode, CloseCode.busy);
  assertEquals(rooms.roomCount, 6);
});

Deno.test("Rooms: a room with more active players than its network has rooms beyond the newcomer's stays (SPEC 14.42)", () => {
  const { join, playOn } = openRooms({ rooms: 4 });
  const hall = [0, 0, 0, 0, 1, 1, 1, 2, 2].map((i) => join("a", { room: roomNamed(i) }));
  const alone = join("b", { room: roomNamed(3) });
  playOn({ active: [...hall, alone] });

  // Three rooms for none: the room of two may go, those of three and four stay, and so does the
  // only one of "b".
  assertEquals(join("c", { room: roomNamed(4) }).near.closeCode, 0);
  assertEquals(codesOf([...hall, alone]), [
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    CloseCode.displaced,
    CloseCode.displaced,
    0,
  ]);
  assertEquals(join("d", { room: roomNamed(5) }).near.closeCode, CloseCode.busy);
});

Deno.test("Rooms: a room in which guests play goes after those of its opener alone (SPEC 14.42)", () => {
  const { join, playOn } = openRooms({ rooms: 4 });
  const openers = [0, 1, 2, 3].map((i) => join("a", { room: roomNamed(i) }));
  const guest = join("b", { room: roomNamed(0) });
  openers[0]!.near.close(1000, "left");
  playOn({ active: [...openers.slice(1), guest] });
  assertEquals(join("c", { room: roomNamed(4) }).near.closeCode, 0);
  assertEquals(codesOf([...openers.slice(1), guest]), [CloseCode.displaced, 0, 0, 0]);
});

Deno.test("Rooms: a busy machine lets a player in for an idle client of a larger network, and none for who plays (SPEC 14.42)", () => {
  const { join, playOn, run, clock } = openRooms({ tickLoad: 0.6 });
  const player = join("b");
  const watchers = [0, 1, 2].map(() => join("a", { spectate: true }));
  playOn({ active: [player] });
  clock.tickMs = 40;
  run(6);
  const newcomers = ["c", "d", "e", "f"].map((block) => join(block));
  assertEquals(codesOf(newcomers), [0, 0, 0, CloseCode.busy]);
  assertEquals(codesOf([player, ...watchers]), [0, ...new Array(3).fill(CloseCode.displaced)]);
});

Deno.test("Rooms: a client that comes and goes on a busy machine displaces only a few (SPEC 14.42)", () => {
  const { join, playOn, run, clock } = openRooms({ tickLoad: 0.6 });
  const player = join("b");
  const watchers = Array.from({ length: 20 }, () => join("a", { spectate: true }));
  playOn({ active: [player] });
  clock.tickMs = 40;
  run(6);
  for (let i = 0; i < 12; i++) join("c").near.close(1000, "left");
  assertEquals(codesOf(watchers).filter((code) => code === CloseCode.displaced).length, 4);
});

Deno.test("Rooms: in a full room a spectator takes the place of one of a larger network, a player that of an idle one (SPEC 14.43)", () => {
  const { join, playOn, run } = openRooms();
  const players = Array.from({ length: 16 }, (_, i) => join(i < 4 ? "a" : `b${i}`));
  const watchers = Array.from({ length: 32 }, () => join("a", { spectate: true }));
  assertEquals(join("c", { spectate: true }).near.closeCode, 0);
  assertEquals(codesOf(watchers).filter((code) => code === CloseCode.displaced).length, 1);
  assertEquals(join("c").near.closeCode, CloseCode.roomFull, "all of them may play");
  playOn({ active: players.slice(1), idle: players.slice(0, 1) });
  const early = join("c").near;
  assertEquals([early.closeCode, early.closeReason.includes("gets free in a moment")], [
    CloseCode.busy,
    true,
  ]);
  assertEquals(codesOf(players), [CloseCode.displaced, ...new Array(15).fill(0)]);
  run(20);
  assertEquals(join("c").near.closeCode, 0);
});

Deno.test("Rooms: a spectator opens no room, and one without a player closes after half a minute (SPEC 7.22, 7.23)", () => {
  const { rooms, join, run, refused } = openRooms();
  const early = join("a", { spectate: true }).near;
  assertEquals([early.closeCode, early.closeReason], [
    CloseCode.noRoom,
    "nobody plays in room AAAA",
  ]);
  assertEquals([rooms.roomCount, refused], [0, [CloseCode.noRoom]]);
  const player = join("b");
  const watcher = join("a", { spectate: true });
  run(20);
  player.near.close(1000, "left");
  run(600);
  assertEquals([watcher.near.closeCode, rooms.roomCount], [0, 1]);
  run(2);
  assertEquals([watcher.near.closeCode, rooms.roomCount], [CloseCode.noRoom, 0]);
  assertMatch(watcher.near.closeReason, /nobody plays in room AAAA any more/);
});

Deno.test("Rooms: a reserved seat is a player while it is reserved; who comes back keeps the room (SPEC 7.23)", () => {
  const { rooms, join, run } = openRooms();
  const player = join("b");
  const watcher = join("a", { spectate: true });
  for (let second = 0; second < 40; second++) {
    player.command(1);
    run(20);
  }
  player.near.close(1006, "lost");
  run(29 * 20);
  const back = join("b", { resume: player.resume });
  run(40 * 2);
  assertEquals([codesOf([watcher, back]), rooms.roomCount], [[0, 0], 1]);
  back.near.close(1006, "lost");
  run(30 * 20 + 2);
  assertEquals(
    [watcher.near.closeCode, rooms.roomCount],
    [0, 1],
    "the seat has just been given away",
  );
  run(30 * 20);
  assertEquals([watcher.near.closeCode, rooms.roomCount], [CloseCode.noRoom, 0]);
});
