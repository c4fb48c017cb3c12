import v8 from "node:v8";
import vm from "node:vm";
import { assert, assertEquals, assertThrows } from "@std/assert";
import { Rooms } from "../../../server/rooms/rooms.ts";
import type { NpcCounts } from "../../../server/settings/settings.ts";
import { seededSecret } from "../../support/seeded_secret.ts";
import { DEFAULT_LIMITS } from "../../../server/settings/limits.ts";
import type { Game } from "../../../shared/netcode/game.ts";
import { CloseCode, type Hello, PROTOCOL_VERSION } from "../../../shared/netcode/wire/messages.ts";
import { ServerMessageDecoder } from "../../../shared/netcode/wire/server_messages.ts";
import { ClientMessageEncoder } from "../../../shared/netcode/wire/client_messages.ts";
import {
  type CounterCommand,
  counterGame,
  type CounterSimulation,
} from "../../tools/lab/counter_game.ts";
import { LocalLink } from "../../../shared/netcode/simulated_network/local_link.ts";
import { LOCAL_PEER, type Peer } from "../../../server/match/clients/peer.ts";

const HELLO: Hello = {
  type: "hello",
  protocolVersion: PROTOCOL_VERSION,
  gameId: "counter-1",
  room: "ABCD",
  name: "Wren",
  spectate: false,
  bodyStreamMode: "no",
  choices: [],
  resume: undefined,
};

/** One address may do all that this machine can do. */
const LIMITS = { ...DEFAULT_LIMITS, roomsPerAddress: 200, seatsPerAddress: 1000 };

function openRooms(
  game: Game<CounterCommand, CounterSimulation> = counterGame,
  npcs: NpcCounts | undefined = game.players === undefined ? 0 : undefined,
) {
  const log: { event: string; fields: Record<string, unknown> }[] = [];
  const clock = { nowMs: 0, now: () => clock.nowMs };
  const rooms = new Rooms({
    games: { counter: game },
    clock,
    npcs,
    secret: seededSecret(5),
    stream: "commands",
    limits: LIMITS,
    log: (event, fields = {}) => log.push({ event, fields }),
  });
  const run = (ticks: number) => {
    for (let i = 0; i < ticks; i++) rooms.tick(clock.nowMs += 50);
  };
  const connect = (hello: Partial<Hello> = {}, peer = LOCAL_PEER) => {
    const [near, far] = LocalLink.pair();
    const ticks: number[] = [];
    const clocks: number[] = [];
    let npcs = -1;
    const decoder = new ServerMessageDecoder(counterGame.command);
    near.onMessage((bytes) => {
      const message = decoder.decode(bytes);
      if (message.type === "tick") ticks.push(message.tick);
      if (message.type === "welcome") npcs = message.npcs;
      if (message.type === "pong") clocks.push(message.serverTicks);
    });
    rooms.admit(far, peer);
    const encoder = new ClientMessageEncoder(counterGame.command, { ordered: true });
    near.send(encoder.encode({ ...HELLO, ...hello }));

    /** @returns the server's clock by its answer, in ticks */
    const ping = () => {
      near.send(encoder.encode({ type: "ping", id: 1 }));
      return clocks.at(-1);
    };

    /**
     * The first command: the player is in the game shortly after it, and then has a seat to lose.
     */
    const play = () => {
      const received = ticks.at(-1)!;
      const command = { presses: 0, dir: 0 };
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
    };
    return { near, far, ticks, ping, play, npcs: () => npcs };
  };
  return { rooms, run, connect, log, clock };
}

Deno.test("Rooms: the log has neither the join of a link that it leaves out, nor the room that such a link opens (SPEC 14.10)", () => {
  const { log, connect, run } = openRooms();
  const unlogged: Peer = { ...LOCAL_PEER, isUnlogged: true };
  const first = connect({}, unlogged);
  run(1);
  connect({ name: "Robin" });
  assertEquals(log.map(({ event, fields }) => [event, fields["name"]]), [["joined", "Robin"]]);
  const second = connect({ room: "EFGH" });
  for (const { near } of [first, second]) near.close(1000, "");
  run(2);
  assertEquals(log.map(({ event, fields }) => [event, fields["room"]]).slice(1), [
    ["room_opened", "EFGH"],
    ["joined", "EFGH"],
    ["room_removed", "EFGH"],
  ]);
});

Deno.test("Rooms: each kind of bad hello is refused with its own code and reason (SPEC 8.2)", () => {
  const { rooms, connect } = openRooms();
  const cases: [Partial<Hello>, number, string][] = [
    [{ protocolVersion: 1 }, CloseCode.version, `protocol ${PROTOCOL_VERSION} is spoken here`],
    [{ gameId: "chess-9" }, CloseCode.game, "counter-1 is played here"],
    [{ room: "ABC" }, CloseCode.roomCode, "four letters"],
    [{ room: "AB1D" }, CloseCode.roomCode, "four letters"],
  ];
  for (const [hello, code, reason] of cases) {
    const { near } = connect(hello);
    assertEquals(near.closeCode, code);
    assert(near.closeReason.includes(reason), near.closeReason);
  }
  assertEquals(rooms.roomCount, 0);
});

Deno.test("Rooms: games of one tick rate run together, others not; limits count the rooms of all (SPEC 7.18, 7.19)", () => {
  const clock = { nowMs: 0, now: () => clock.nowMs };
  const fast = { ...counterGame, id: "fast-1", tickHz: 60 };
  const twin = { ...counterGame, id: "twin-1" };
  const options = {
    clock,
    npcs: 0,
    secret: seededSecret(5),
    stream: "commands",
    limits: LIMITS,
    log: () => {},
  } as const;
  const ticked: string[] = [];
  const games = { counter: counterGame, fast, twin };
  const rooms = new Rooms({ ...options, games, onGameTicked: (game) => ticked.push(game) });
  assertEquals(rooms.tickRates, [20, 60]);
  const join = (gameId: string, room = "SAME") => {
    const [near, far] = LocalLink.pair();
    rooms.admit(far);
    near.send(
      new ClientMessageEncoder(counterGame.command, { ordered: true }).encode({
        ...HELLO,
        gameId,
        room,
      }),
    );
    return near;
  };
  for (const { id } of Object.values(games)) join(id);
  rooms.tick(50, 20);
  assertEquals(ticked, ["counter", "twin"]);
  rooms.tick(50, 60);
  rooms.tick(66, 60);
  assertEquals([...rooms.byGame.values()].map((each) => each.matchOf("SAME")!.tick), [1, 2, 1]);
  assertEquals(rooms.list().map((each) => "game" in each && each.game), [
    "counter",
    "fast",
    "twin",
  ]);
  for (let i = 0; rooms.roomCount < 200; i++) join("fast-1", `AA${letter(i, 26)}${letter(i, 1)}`);
  assertEquals(join("twin-1", "LAST").closeCode, CloseCode.busy);
  assertEquals(join("twin-1").closeCode, 0);
  assertThrows(
    () => new Rooms({ ...options, games: { counter: counterGame, again: counterGame } }),
    RangeError,
    "same id",
  );
});

Deno.test("Rooms.list: the fullest room first, equals by their codes, no empty room (SPEC 8.6)", () => {
  const { rooms, run, connect } = openRooms();
  connect({ room: "LONE" });
  connect({ room: "MANY" });
  connect({ room: "MANY" });
  connect({ room: "MANY", spectate: true });
  connect({ room: "ALSO" });
  const { near } = connect({ room: "GONE" });
  near.close(1000, "left");
  run(1);
  assertEquals(rooms.list(), [
    { code: "MANY", players: 2, seats: 16, playNow: 8, watchers: 1 },
    { code: "ALSO", players: 1, seats: 16, playNow: 8, watchers: 0 },
    { code: "LONE", players: 1, seats: 16, playNow: 8, watchers: 0 },
  ]);
});

Deno.test("Rooms.list: a room's options stand there in words, for games that have some (SPEC 8.6)", () => {
  const choices = [{ name: "map", names: ["oval", "cross"] }, { name: "goals", names: ["3", "5"] }];
  const description = { command: [], assume: { heldTicks: 3 }, choices };
  const { rooms, connect } = openRooms({ ...counterGame, choices: [2, 2], description });
  connect({ room: "MAPS", choices: [1, 0] });
  assertEquals(rooms.list(), [
    {
      code: "MAPS",
      players: 1,
      seats: 16,
      playNow: 8,
      watchers: 0,
      options: { map: "cross", goals: "3" },
    },
  ]);
});

Deno.test("Rooms: a link with another first message, or with none for five seconds, is closed (SPEC 8.2)", () => {
  const { rooms, run } = openRooms();
  const [near, far] = LocalLink.pair();
  const [silent, silentFar] = LocalLink.pair();
  rooms.admit(far);
  rooms.admit(silentFar);
  near.send(
    new ClientMessageEncoder(counterGame.command, { ordered: true }).encode({
      type: "ping",
      id: 1,
    }),
  );
  assertEquals(near.closeCode, CloseCode.protocol);
  run(100);
  assertEquals(silent.closeCode, 0);
  run(1);
  assertEquals(silent.closeCode, CloseCode.helloMissing);
});

Deno.test("Rooms: datagrams that overtake the hello are dropped without further effect (SPEC 5.22)", () => {
  const { rooms, run } = openRooms();
  const [near, far] = LocalLink.pair({ ordered: false });
  const encoder = new ClientMessageEncoder(counterGame.command, { ordered: false });
  const decoder = new ServerMessageDecoder(counterGame.command);
  const kinds: string[] = [];
  near.onMessage((bytes) => kinds.push(decoder.decode(bytes).type));
  rooms.admit(far);
  near.send(encoder.encode({ type: "ping", id: 1 }));
  near.sendReliably(encoder.encode(HELLO));
  near.send(encoder.encode({ type: "ping", id: 2 }));
  run(1);
  assertEquals([near.closeCode, kinds], [0, ["welcome", "pong", "tick"]]);
});

Deno.test("Rooms: a room opened between two ticks has the right clock from the first pong on (SPEC 5.6)", () => {
  const { rooms, run, clock } = openRooms();
  run(3);
  clock.nowMs += 35;
  const [near, far] = LocalLink.pair();
  const encoder = new ClientMessageEncoder(counterGame.command, { ordered: true });
  const decoder = new ServerMessageDecoder(counterGame.command);
  const pongTicks: number[] = [];
  near.onMessage((bytes) => {
    const message = decoder.decode(bytes);
    if (message.type === "pong") pongTicks.push(Math.round(message.serverTicks * 50));
  });
  rooms.admit(far);
  near.send(encoder.encode(HELLO));
  near.send(encoder.encode({ type: "ping", id: 1 }));
  clock.nowMs += 15;
  rooms.tick(clock.nowMs);
  clock.nowMs += 20;
  near.send(encoder.encode({ type: "ping", id: 2 }));

  // The two pings are 35 ms apart.
  assertEquals(pongTicks, [35, 70]);
});

Deno.test("Rooms: codes keep players apart; the seventeenth in one room is refused (SPEC 7.1, 7.4, 7.8)", () => {
  const { rooms, connect, run } = openRooms();
  for (let i = 0; i < 16; i++) connect();
  assertEquals(connect().near.closeCode, CloseCode.roomFull);
  const other = connect({ room: "WXYZ" });
  run(3);
  assertEquals([rooms.roomCount, rooms.clientCount], [2, 17]);
  assertEquals(other.ticks, [1, 2, 3]);
});

Deno.test("Rooms: the clock of a room that was empty has stood still, and goes on from there (SPEC 7.2)", () => {
  const { run, connect, clock } = openRooms();
  const first = connect();
  run(1);
  first.play();
  run(59);
  first.near.close(1006, "lost");
  run(200);
  const second = connect();
  clock.nowMs += 20;
  assertEquals(second.ping(), 60 + Math.floor(20 / 50 * 1024) / 1024);
  clock.nowMs -= 20;
  run(1);
  assertEquals([second.ticks, second.ping()], [[61], 61]);
});

Deno.test("Rooms: an empty room does not tick; it waits a minute for who was cut, and for nobody else (SPEC 7.2, 7.3)", () => {
  const { rooms, connect, run } = openRooms();
  const player = connect();
  run(1);
  player.play();
  run(59);
  player.near.close(1006, "lost");
  run(1000);
  assertEquals(rooms.matchOf("ABCD")!.tick, 60);
  const stranger = connect({ spectate: true });
  run(2);
  assertEquals(stranger.ticks, [61, 62]);
  stranger.near.close(1006, "lost");
  run(1200);
  assertEquals(rooms.roomCount, 1);
  run(1);
  assertEquals(rooms.roomCount, 0);

  // A cut connection that never played holds nothing.
  connect().near.close(1006, "lost");
  run(1);
  assertEquals(rooms.roomCount, 0);
});

Deno.test("Rooms: a room that throws ends alone, logged with its seed and tick (SPEC 7.5, 7.9)", () => {
  let failing = false;
  const game: Game<CounterCommand, CounterSimulation> = {
    ...counterGame,
    start(options, seed) {
      const simulation = counterGame.start(options, seed);
      const step = simulation.step.bind(simulation);
      // The first room starts first.
      const isFirst = started++ === 0;
      simulation.step = (commands) => {
        if (failing && isFirst) throw new Error("a rule went wrong");
        step(commands);
      };
      return simulation;
    },
  };
  let started = 0;
  const { rooms, connect, run, log } = openRooms(game);
  const victim = connect();
  const bystander = connect({ room: "WXYZ" });
  run(5);
  failing = true;
  run(5);
  assertEquals(victim.near.closeCode, CloseCode.roomFailed);
  assertEquals(bystander.ticks.length, 10);
  assertEquals(rooms.roomCount, 1);
  const failure = log.find(({ event }) => event === "room_failed")!;
  assertEquals(failure.fields["tick"], 5);
  assert(String(failure.fields["error"]).includes("a rule went wrong"));
  assert(Number.isInteger(failure.fields["seed"]));
});

Deno.test("Rooms: a room that throws while it broadcasts ends alone, too (SPEC 7.5)", () => {
  const { rooms, connect, run, log } = openRooms();
  const victim = connect();
  const bystander = connect({ room: "WXYZ" });
  run(5);
  victim.far.sendReliably = () => {
    throw new Error("a link failed");
  };
  run(5);
  assertEquals(victim.near.closeCode, CloseCode.roomFailed);
  assertEquals(bystander.ticks.length, 10);
  assertEquals(rooms.roomCount, 1);
  assert(
    log.some(({ event, fields }) =>
      event === "room_failed" && `${fields["error"]}`.includes("a link failed")
    ),
  );
});

Deno.test("Rooms: each of many rooms broadcasts every tick and waits for at most seven others (SPEC 7.7, 7.12)", () => {
  const order: string[] = [];
  let started = 0;
  const game: Game<CounterCommand, CounterSimulation> = {
    ...counterGame,
    start(options, seed) {
      const simulation = counterGame.start(options, seed);
      const step = simulation.step.bind(simulation);
      const room = started++;
      simulation.step = (commands) => {
        order.push(`run ${room}`);
        step(commands);
      };
      return simulation;
    },
  };
  const { connect, run } = openRooms(game);
  const players = Array.from(
    { length: 20 },
    (_, i) => connect({ room: `AAA${String.fromCharCode(65 + i)}` }),
  );
  run(1);
  players.forEach(({ far }, room) => {
    const send = far.sendReliably.bind(far);
    far.sendReliably = (message) => {
      order.push(`broadcast ${room}`);
      send(message);
    };
  });
  order.length = 0;
  run(1);
  const expected = [[0, 8], [8, 16], [16, 20]].flatMap(([from, to]) => {
    const rooms = Array.from({ length: to! - from! }, (_, i) => from! + i);
    return [...rooms.map((room) => `run ${room}`), ...rooms.map((room) => `broadcast ${room}`)];
  });
  assertEquals(order, expected);
  assert(players.every(({ ticks }) => ticks.length === 2));
});

Deno.test("Rooms: every name becomes short and printable (SPEC 8.3)", () => {
  const { connect, log } = openRooms();
  connect({ name: "\u202eevil\u0007\n name that goes on and on and on" });
  connect({ name: "\u200b" });
  assertEquals(log.filter(({ event }) => event === "joined").map(({ fields }) => fields["name"]), [
    "evil name that goes on a",
    "",
  ]);
});

Deno.test("Rooms: two hundred rooms made and left leave nothing behind (SPEC 7.3)", async () => {
  const opened = openRooms();
  const matches = openAndLeaveRooms(opened);
  assertEquals([opened.rooms.roomCount, opened.rooms.clientCount], [0, 0]);
  assertEquals(opened.rooms.byGame.get("counter")!.totals().ticks, 200 * 20);
  await collectGarbage();
  assertEquals(matches.filter((match) => match.deref() !== undefined).length, 0);
});

/**
 * A function of its own, so that no local variable of the test keeps a match alive.
 * @returns references to the matches, which must be collected
 */
function openAndLeaveRooms(
  { rooms, connect, run }: ReturnType<typeof openRooms>,
): WeakRef<WeakKey>[] {
  const codes = Array.from(
    { length: 200 },
    (_, i) => `Z${[676, 26, 1].map((place) => letter(i, place)).join("")}`,
  );
  const players = codes.map((room) => connect({ room }));
  assertEquals(connect({ room: "ONEM" }).near.closeCode, CloseCode.busy);
  run(20);
  assertEquals([rooms.roomCount, rooms.clientCount], [200, 200]);
  const matches = codes.map((code) => new WeakRef(rooms.matchOf(code)!));
  for (const { near } of players) near.close(1000, "left");
  run(1201);
  return matches;
}

function letter(number: number, place: number): string {
  return String.fromCharCode(65 + Math.floor(number / place) % 26);
}

/** A WeakRef keeps its target alive until the next turn of the event loop. */
async function collectGarbage(): Promise<void> {
  v8.setFlagsFromString("--expose-gc");
  const gc = vm.runInNewContext("gc") as () => void;
  await new Promise((resolve) => setTimeout(resolve, 0));
  gc();
}

Deno.test("Rooms: a duel is full at two, is listed so, and has the game's NPCs or the server's (SPEC 7.4, 7.25, 7.26)", () => {
  const duel = { ...counterGame, players: { min: 2, max: 2, playNow: 2, npcs: 3 } };
  const welcomed = (npcs?: NpcCounts) => {
    const { rooms, run, connect } = openRooms(duel, npcs);
    const [first, second, third] = [connect(), connect(), connect()];
    run(1);
    assertEquals([first, second, third].map(({ near }) => near.closeCode), [
      0,
      0,
      CloseCode.roomFull,
    ]);
    assertEquals(rooms.list().map(({ seats, playNow }) => [seats, playNow]), [[2, 2]]);
    return first.npcs();
  };
  assertEquals(welcomed(), 3);
  assertEquals(welcomed({ counter: 1 }), 1);
  assertEquals(welcomed({ other: 1 }), 3);
  assertEquals(welcomed(0), 0);
});
