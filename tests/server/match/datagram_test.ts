import { assert, assertEquals, assertGreater, assertLessOrEqual } from "@std/assert";
import { INBOX_MESSAGES_MAX } from "../../../server/match/clients/inbox.ts";
import {
  CloseCode,
  DATAGRAM_TICKS_MAX,
  PROTOCOL_VERSION,
  SERVER_DATAGRAM_BYTES_MAX,
} from "../../../shared/netcode/wire/messages.ts";
import { ClientMessageEncoder } from "../../../shared/netcode/wire/client_messages.ts";
import { counterGame } from "../../tools/lab/counter_game.ts";
import { commandWith, MatchHarness, type TestClient } from "./match_harness.ts";

const THIRTY_TWO_PRESSES = new Array<number>(32).fill(1);
const tickNumbers = ({ datagram }: TestClient) => datagram.map(({ tick }) => tick);
const range = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, i) => first + i);

Deno.test("Match: a command in repeated datagrams is taken once, or counted late once (SPEC 1.16, 1.17)", () => {
  const harness = new MatchHarness();
  const client = harness.joinByDatagram();
  const other = harness.join();
  harness.run(3);
  client.commands(5, [2, 1, 3]);
  client.commands(5, [0, 0, 0]);
  client.commands(5, [2, 1, 3]);
  harness.run(1);
  for (let i = 0; i < 3; i++) client.commands(5, [2, 1, 3, 3]);
  harness.run(2);
  client.commands(5, [2, 1, 3, 3]);
  harness.run(1);

  // The first command for a tick counts. Ticks 2 and 3 had been run: each is late once.
  assertEquals(range(2, 5).map((tick) => other.announced(client.seat, tick)), [[], [], [
    commandWith(1),
  ], [
    commandWith(2),
  ]]);
  const { commandsTaken, commandsLate, commandsRefused } = harness.match.stats;
  assertEquals([commandsTaken, commandsLate, commandsRefused], [2, 2, 0]);
  assertEquals(client.link.closeCode, 0);
});

Deno.test("Match: slack is measured at a command's first arrival (SPEC 1.17, 5.1)", () => {
  const harness = new MatchHarness();
  const client = harness.joinByDatagram();
  harness.run(3);
  client.commands(5, [1]);
  harness.run(1);
  assertEquals(client.datagram.at(-1)!.slackMs, 100);
  // The later repetition changes nothing. Tick 4, which comes with it, is 40 ms late.
  harness.nowMs += 40;
  client.commands(5, [1, 1]);
  harness.nowMs -= 40;
  harness.run(1);
  assertEquals(client.datagram.at(-1)!.slackMs, -40);
  client.commands(5, [1, 1]);
  harness.run(1);
  assertEquals(client.datagram.at(-1)!.slackMs, -40);
});

Deno.test("Match: a datagram begins after the newest acknowledged tick, for acks in any order (SPEC 2.4)", () => {
  const harness = new MatchHarness({ npcs: 2 });
  harness.run(5);
  const client = harness.joinByDatagram();
  harness.run(1);
  assertEquals([client.newest.tick, client.newest.state !== undefined], [6, true]);
  harness.run(3);
  assertEquals(tickNumbers(client), [7, 8, 9]);
  client.commands(10, [], { received: 8 });
  client.commands(10, [], { received: 7 });
  harness.run(1);
  assertEquals(tickNumbers(client), [9, 10]);
  client.commands(10, [], { received: 6 });
  harness.run(1);
  assertEquals(tickNumbers(client), [9, 10, 11]);

  // The repeated ticks are equal.
  const again = client.datagram[1]!;
  harness.run(1);
  assertEquals(client.datagram[1], again);
  assertEquals(client.ticks.length, 1);
});

Deno.test("Match: a client that acknowledges too little for one datagram gets a state (SPEC 2.5, 2.10)", () => {
  const harness = new MatchHarness({ npcs: 16 });
  const client = harness.joinByDatagram();
  harness.run(1);
  client.commands(0, [], { received: 1 });
  let longest = 0;
  for (let i = 0; i < 100; i++) {
    harness.run(1);
    longest = Math.max(longest, client.datagramBytes);
    assertLessOrEqual(client.datagramBytes, SERVER_DATAGRAM_BYTES_MAX);
  }

  assertGreater(longest, 150);

  // One state at the join and one in flight, no more.
  assertEquals(client.ticks.length, 2);
  const second = client.newest.tick;
  assertGreater(second, DATAGRAM_TICKS_MAX);
  client.commands(0, [], { received: second });
  harness.run(1);

  // Too much is missing even since that state, so another one is sent.
  assertEquals(client.ticks.length, 3);
  client.commands(0, [], { received: client.newest.tick });
  harness.run(1);
  assertEquals(tickNumbers(client), [harness.match.tick]);
});

Deno.test("Match: datagrams are as short as a client's path needs, and another client's stay long (SPEC 16.40)", () => {
  const harness = new MatchHarness({ npcs: 16 });
  const players = Array.from({ length: 13 }, () => harness.join());
  const narrow = harness.joinByDatagram();
  const wide = harness.joinByDatagram();
  harness.run(1);
  for (const client of [narrow, wide]) client.commands(0, [], { received: 1 });
  narrow.serverEnd.datagramBytesMax = 1_000;
  const longest = { narrow: 0, wide: 0 };

  for (let i = 0; i < DATAGRAM_TICKS_MAX; i++) {
    const { tick } = harness.match;
    for (const player of players) {
      for (const ahead of [1, 33]) player.command(tick + ahead, commandWith((tick + ahead) & 3));
    }
    harness.run(1);
    longest.narrow = Math.max(longest.narrow, narrow.datagramBytes);
    longest.wide = Math.max(longest.wide, wide.datagramBytes);
    // Without an acknowledgement both begin at the same tick, and the narrow one holds fewer.
    assertEquals(narrow.datagram[0]!.tick, wide.datagram[0]!.tick);
  }

  assert(longest.narrow > 900 && longest.narrow <= 1_000, `${longest.narrow} bytes`);
  assertGreater(longest.wide, 1_100);
  assertGreater(wide.datagram.length, narrow.datagram.length);
  for (let acknowledgements = 0; acknowledgements < 3; acknowledgements++) {
    narrow.commands(0, [], { received: narrow.datagram.at(-1)!.tick });
    harness.run(1);
  }
  assertEquals(narrow.datagram.at(-1)!.tick, harness.match.tick);
});

Deno.test("Match: a client that can continue without the state in flight gets its missing ticks (SPEC 2.5, 2.10, 2.12)", () => {
  const harness = new MatchHarness({ npcs: 16 });
  const players = Array.from({ length: 15 }, () => harness.join());
  const client = harness.joinByDatagram();
  harness.run(1);
  client.commands(0, [], { received: 1 });
  const play = () => {
    const { tick } = harness.match;
    for (const player of players) {
      for (const ahead of [1, 33]) player.command(tick + ahead, commandWith((tick + ahead) & 3));
    }
    harness.run(1);
  };
  while (client.ticks.length < 2) play();
  const { tick } = client.newest;
  assertLessOrEqual(tick, DATAGRAM_TICKS_MAX);
  client.commands(0, [], { received: 0, isDesynced: true }); // from before its first state, overtaken since
  play();

  // The datagram begins at the client's next tick, though not all ticks fit, and later ones
  // continue as it acknowledges.
  assertEquals(client.datagram[0]!.tick, 2);
  assertGreater(client.datagramBytes, SERVER_DATAGRAM_BYTES_MAX - 100);
  client.commands(0, [], { received: client.datagram.at(-1)!.tick });
  const acknowledged = client.datagram.at(-1)!.tick;
  play();
  assertEquals(tickNumbers(client), range(acknowledged + 1, harness.match.tick));

  // A desynced client needs the ticks after the state.
  client.commands(0, [], { received: acknowledged, isDesynced: true });
  play();
  assertEquals(tickNumbers(client), range(tick + 1, harness.match.tick));
});

Deno.test("Match: a desync report by datagram gets a state on the reliable channel (SPEC 4.2, 4.3, 4.7, 4.10)", () => {
  const harness = new MatchHarness();
  const client = harness.joinByDatagram();
  harness.run(1);
  let states = 0;
  for (let i = 0; i < 60; i++) {
    const { length } = client.ticks;
    client.commands(harness.match.tick + 1, [], { isDesynced: true, received: client.newest.tick });
    // The same report again, and one from before the last state.
    client.commands(harness.match.tick + 1, [], { isDesynced: true, received: client.newest.tick });
    client.commands(harness.match.tick + 1, [], {
      isDesynced: true,
      received: client.newest.tick - 1,
    });
    harness.run(1);
    states += client.ticks.length - length;
  }
  assertEquals(states, 3 + 5);
});

Deno.test("Match: a slow reader of datagrams later gets the skipped ticks, and no state (SPEC 2.4, 4.4, 4.11)", () => {
  const harness = new MatchHarness();
  const slow = harness.joinByDatagram();
  harness.run(3);
  slow.serverEnd.bufferedBytes = 65 * 1024;
  harness.run(5);
  assertEquals(tickNumbers(slow), [2, 3]);
  slow.serverEnd.bufferedBytes = 0;
  harness.run(1);
  assertEquals(tickNumbers(slow), range(2, 9));
  assertEquals([slow.ticks.length, harness.match.stats.statesSent, harness.match.stats.skipped], [
    1,
    1,
    5,
  ]);
});

Deno.test("Match: a spectator's datagrams begin after the tick that it acknowledges (SPEC 7.6, 10.3)", () => {
  const harness = new MatchHarness();
  const spectator = harness.joinByDatagram({ spectate: true });
  harness.run(4);
  assertEquals(tickNumbers(spectator), [2, 3, 4]);
  spectator.commands(0, [], { received: 3 });
  harness.run(1);
  assertEquals(tickNumbers(spectator), [4, 5]);
});

Deno.test("Match: hostile datagrams close that link only; a flood of them is dropped (SPEC 8.1)", () => {
  const harness = new MatchHarness();
  const honest = harness.joinByDatagram();
  const wrong: ((client: TestClient) => void)[] = [
    (client) => client.link.send(new Uint8Array(9).fill(0xff)),
    (client) => client.link.send(new Uint8Array(0)),
    (client) => client.commands(9, [1], { received: 1000 }),
    (client) => {
      client.send({
        type: "hello",
        protocolVersion: PROTOCOL_VERSION,
        gameId: "counter-1",
        room: "ABCD",
        name: "someone",
        spectate: false,
        bodyStreamMode: "no",
        choices: [],
        resume: undefined,
      });
    },
  ];

  for (const act of wrong) {
    const client = harness.joinByDatagram();
    harness.run(1);
    act(client);
    assertEquals(client.link.closeCode, CloseCode.protocol);
    harness.run(1);
  }

  const spectator = harness.joinByDatagram({ spectate: true });
  spectator.commands(1, [1]);
  assertEquals(spectator.link.closeCode, CloseCode.protocol);

  const flooder = harness.joinByDatagram();
  harness.run(40);
  const before = harness.match.stats.commandsTaken;
  for (let i = 0; i <= 2 * INBOX_MESSAGES_MAX; i++) {
    flooder.commands(harness.match.tick + 1 + (i % 60), THIRTY_TWO_PRESSES);
  }
  harness.run(1);
  assertEquals(flooder.link.closeCode, 0);
  assertLessOrEqual(harness.match.stats.commandsTaken - before, 64);

  // Impossible ticks and leads are refused or measured, and do no harm.
  flooder.commands(2 ** 31 - 1, [1, 2]);
  flooder.commands(32, THIRTY_TWO_PRESSES, { leadMs: 4095 });
  honest.commands(0, [], { received: honest.datagram.at(-1)!.tick });
  harness.run(1);
  assert(honest.link.closeCode === 0);
  assertEquals(honest.datagram.at(-1)!.tick, harness.match.tick);
});

Deno.test("Match: the server reports which datagrams have arrived, and ignores one whose reference is not there (SPEC 1.23)", () => {
  const harness = new MatchHarness();
  const client = harness.joinByDatagram();
  harness.run(2);
  const encoder = new ClientMessageEncoder(counterGame.command, { ordered: false });
  const datagram = (tick: number, reference?: number) =>
    encoder.encode({
      type: "commands",
      tick,
      received: 1,
      leadMs: 60,
      isDesynced: false,
      commands: [commandWith(1)],
      ...(reference !== undefined && { reference }),
    }).slice();
  const [lost, sixteenth, seventeenth] = [datagram(8), datagram(16), datagram(17, 8)];
  assertGreater(lost!.length, 0);
  client.link.send(sixteenth!);
  client.link.send(sixteenth!);
  client.link.send(seventeenth!);
  client.commands(18, [1, 1]);
  harness.run(1);
  assertEquals([client.link.closeCode, harness.match.stats.commandsTaken], [0, 3]);
  assertEquals(client.arrivals, {
    newest: 18,
    counts: [1, 0, 2, 0, 0, 0, 0, 0],
    areRead: [true, false, true, false, false, false, false, false],
  });
});
