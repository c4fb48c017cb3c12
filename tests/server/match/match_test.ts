import {
  assert,
  assertEquals,
  assertGreater,
  assertGreaterOrEqual,
  assertLessOrEqual,
} from "@std/assert";
import {
  CLOSE_BYTES,
  CLOSE_TICKS,
  SKIP_BYTES,
  UNREAD_TICKS_MAX,
} from "../../../server/match/clients/send_backlog.ts";
import { INBOX_MESSAGES_MAX } from "../../../server/match/clients/inbox.ts";
import type { MessageHandler } from "../../../shared/netcode/link.ts";
import { CloseCode } from "../../../shared/netcode/wire/messages.ts";
import { ClientMessageEncoder } from "../../../shared/netcode/wire/client_messages.ts";
import { counterGame } from "../../tools/lab/counter_game.ts";
import { LocalLink } from "../../../shared/netcode/simulated_network/local_link.ts";
import { commandWith, JOIN_REQUEST, MatchHarness, type TestClient } from "./match_harness.ts";

Deno.test("Match: the first command for a tick counts; late and far ones do not (SPEC 1.5, 1.6, 1.15, 1.16)", () => {
  const harness = new MatchHarness();
  const client = harness.join();
  harness.run(3);
  client.command(4, commandWith(1));
  client.command(4, commandWith(2));
  client.command(3, commandWith(3));
  client.command(4 + 64, commandWith(3));
  client.command(4 + 63, commandWith(2));
  client.command(2 ** 31 - 1, commandWith(3));
  harness.run(1);
  assertEquals(client.announced(client.seat, 4), [commandWith(1)]);
  assertEquals(client.announced(client.seat, 67), [commandWith(2)]);
  assertEquals(client.newest.announcements.length, 2);
  const { commandsTaken, commandsLate, commandsRefused } = harness.match.stats;
  assertEquals([commandsTaken, commandsLate, commandsRefused], [2, 1, 3]);
  assertEquals(client.link.closeCode, 0);
});

Deno.test("Match: slack is measured against the deadline of the command's own tick (SPEC 5.1)", () => {
  const harness = new MatchHarness();
  const client = harness.join();
  harness.run(3);
  harness.nowMs += 20;
  client.command(5, commandWith(1));
  harness.nowMs -= 20;
  harness.run(1);

  // Tick 5 is due 100 ms after tick 3, and the command came 20 ms after tick 3.
  assertEquals(client.newest.slackMs, 80);

  // Unchanged advice is sent seldom, the slack of a late command at once.
  for (let i = 0; i < 4; i++) {
    client.command(harness.match.tick + 2, commandWith(1));
    harness.run(1);
    assertEquals(client.newest.slackMs, 80);
  }

  client.command(4, commandWith(1));
  harness.run(1);
  assertEquals([harness.match.tick, client.newest.slackMs], [9, -200]);
});

Deno.test("Match: one tick message for every tick, with the state in the first (SPEC 2.1, 2.7)", () => {
  const harness = new MatchHarness({ npcs: 2 });
  harness.run(5);
  const client = harness.join();
  harness.run(20);
  assertEquals(client.ticks.map(({ tick }) => tick), Array.from({ length: 20 }, (_, i) => 6 + i));
  assertEquals(
    client.ticks.map(({ state }) => state !== undefined),
    client.ticks.map((_, i) => i === 0),
  );
  // The announcements in the first message are all that were made before it.
  const ahead = client.ticks[0]!.announcements.filter(({ seat }) => seat === 16).map(({ tick }) =>
    tick
  );
  assertEquals(ahead, Array.from({ length: ahead.length }, (_, i) => 7 + i));
  assertGreater(ahead.length, 0);
});

Deno.test("Match: a new client gets seats, pending presence changes and announcements (SPEC 2.6, 2.7, 4.9, 7.6)", () => {
  const harness = new MatchHarness({ npcs: 2 });
  const players = ["Wren", "Ægir", "Third"].map((name) => harness.join({ name }));
  harness.run(1);

  for (let i = 0; i < 30; i++) {
    players.forEach((player, seat) =>
      player.command(harness.match.tick + 9 + seat, commandWith(seat))
    );
    harness.run(1);
  }

  // One player is about to enter, and one to leave, when the new clients get their first message.
  const coming = harness.join({ name: "Fourth" });
  harness.run(1);
  coming.command(harness.match.tick + 1, commandWith(2));
  players[2]!.link.close(1000, "left");
  harness.run(1);
  const newcomers = [
    harness.join({ name: "late" }),
    harness.join({ spectate: true }),
    harness.joinByDatagram(),
  ];
  harness.run(1);
  const [first] = players;
  const ahead = (entries: readonly { readonly tick: number }[]) =>
    entries.filter(({ tick }) => tick > harness.match.tick);
  const bySeatAndTick = <Entry extends { readonly seat: number; readonly tick: number }>(
    entries: readonly Entry[],
  ) => entries.toSorted((a, b) => a.seat - b.seat || a.tick - b.tick);
  const announced = bySeatAndTick(first!.ticks.flatMap(({ announcements }) => announcements));
  const changes = first!.ticks.flatMap(({ presence }) => presence);
  assertEquals(ahead(changes).length, 2);
  assertGreater(ahead(announced).length, 20);

  for (const { newest } of newcomers) {
    assertEquals(newest.state!.seats.map(({ seat, name }) => [seat, name]), [
      [0, "Wren"],
      [1, "Ægir"],
      [2, "Third"],
      [16, ""],
      [17, ""],
    ]);
    assertEquals(newest.presence, ahead(changes) as typeof changes);
    assertEquals(bySeatAndTick(newest.announcements), ahead(announced) as typeof announced);
  }
});

Deno.test("Match: an entry is announced for a tick that no client has simulated yet (SPEC 3.7, 3.8)", () => {
  const harness = new MatchHarness();
  const slow = harness.join();
  harness.run(1);
  // A client that runs 9 ticks ahead of the ticks it has received.
  for (let i = 0; i < 30; i++) {
    slow.command(slow.newest.tick + 9, commandWith(0));
    harness.run(1);
  }
  const newcomer = harness.join();
  harness.run(1);
  newcomer.command(harness.match.tick + 2, commandWith(0));
  harness.run(1);
  const change = slow.newest.presence[0]!;
  assertEquals([change.seat, change.present], [newcomer.seat, true]);
  assertGreaterOrEqual(change.tick, slow.newest.tick + 9);
});

Deno.test("Match: announced commands are used before a leaving player's seat empties (SPEC 1.7, 3.2, 3.9)", () => {
  const harness = new MatchHarness();
  const stayer = harness.join();
  const leaver = harness.join();
  harness.run(1);
  for (let i = 0; i < 10; i++) {
    stayer.command(harness.match.tick + 1, commandWith(0));
    leaver.command(harness.match.tick + 1, commandWith(0));
    harness.run(1);
  }

  const announced = harness.match.tick + 30;
  leaver.command(announced, commandWith(3));
  harness.run(1);
  leaver.link.close(1000, "left");
  harness.run(1);
  const [leaving] = stayer.newest.presence;
  assert(leaving !== undefined && !leaving.present);
  assertGreater(leaving.tick, announced);

  // Nobody gets the seat before it is free.
  assertEquals(harness.join().seat, 2);
  harness.run(leaving.tick - harness.match.tick);
  assertEquals(harness.join().seat, leaver.seat);
});

Deno.test("Match: a full match refuses (SPEC 7.4)", () => {
  const harness = new MatchHarness();
  for (let i = 0; i < 16; i++) harness.join();
  assertEquals(harness.match.join(LocalLink.pair()[1], JOIN_REQUEST), false);
  assertEquals(harness.match.clientCount, 16);
});

Deno.test("Match: a desynced client gets three states at once, then two a second (SPEC 4.3)", () => {
  const harness = new MatchHarness();
  const client = harness.join();
  harness.run(1);
  let states = 0;
  for (let i = 0; i < 60; i++) {
    client.command(harness.match.tick + 1, commandWith(0), { isDesynced: true });
    harness.run(1);
    if (client.newest.state !== undefined) states++;
  }
  assertEquals(states, 3 + 5);
  assertEquals(
    [harness.match.stats.desyncs, harness.match.stats.statesSent],
    [8, 9],
    "a join is no desync",
  );
});

Deno.test("Match: a desync report from before the last state gets no further state (SPEC 4.10)", () => {
  const harness = new MatchHarness();
  const client = harness.join();
  harness.run(3);
  client.command(harness.match.tick + 1, commandWith(0), { isDesynced: true });
  harness.run(1);
  assert(client.newest.state !== undefined);
  const received = client.newest.tick - 1;
  client.command(harness.match.tick + 1, commandWith(0), { isDesynced: true, received });
  harness.run(1);
  assertEquals(client.newest.state, undefined);
  assertEquals(harness.match.stats.desyncs, 1);
});

/** Acknowledges every tick received. */
const acknowledge = (harness: MatchHarness, client: TestClient) =>
  client.command(harness.match.tick + 1, commandWith(0));

Deno.test("Match: only a slow reader is skipped, until it has read all; then it gets a state (SPEC 4.4, 4.11)", () => {
  const harness = new MatchHarness();
  const slow = harness.join();
  const fast = harness.join();
  harness.run(5);
  slow.serverEnd.bufferedBytes = SKIP_BYTES;
  harness.run(1);
  assertEquals(slow.newest.tick, 6);
  slow.serverEnd.bufferedBytes = SKIP_BYTES + 1;
  harness.run(10);

  // A smaller backlog is not enough: the state would only wait behind old ticks.
  slow.serverEnd.bufferedBytes = 1;
  harness.run(3);
  assertEquals(slow.newest.tick, 6);
  slow.serverEnd.bufferedBytes = 0;
  harness.run(1);
  assertEquals([slow.newest.tick, slow.newest.state !== undefined], [20, true]);
  harness.run(1);
  assertEquals([slow.newest.tick, slow.newest.state], [21, undefined]);
  assertEquals(harness.match.stats.skipped, 13);
  assertEquals(fast.ticks.map(({ tick }) => tick), fast.ticks.map((_, i) => i + 1));
  assertEquals(fast.ticks.length, harness.match.tick);
});

Deno.test("Match: the bytes that a connection holds unread are limited, too (SPEC 4.4)", () => {
  const harness = new MatchHarness({ stream: "state" });
  const slow = harness.join();
  const fast = harness.join();
  const spectator = harness.join({ spectate: true });
  const receivedBytes = () =>
    slow.ticks.reduce((sum, { state }) => sum + state!.snapshot.length, 0);
  harness.run(10);
  acknowledge(harness, slow);
  const before = receivedBytes();
  const acknowledged = slow.newest.tick;

  for (let i = 0; i < 400; i++) {
    // The client sends a command every tick and acknowledges none of the ticks.
    slow.command(harness.match.tick + 1, commandWith(0), { received: acknowledged });
    acknowledge(harness, fast);
    harness.run(1);
  }

  assertGreater(receivedBytes() - before, SKIP_BYTES / 2);
  assertLessOrEqual(receivedBytes() - before, SKIP_BYTES);
  const { length } = slow.ticks;
  acknowledge(harness, slow);
  harness.run(2);
  assertEquals(slow.ticks.slice(length).map(({ tick }) => tick), [
    harness.match.tick - 1,
    harness.match.tick,
  ]);

  // A client that acknowledges misses nothing, nor does one that cannot acknowledge.
  for (const { ticks } of [fast, spectator]) assertEquals(ticks.length, harness.match.tick);
});

Deno.test("Match: only a client that leaves too much unread for too long is closed (SPEC 4.12)", () => {
  for (
    const [bytes, ticks] of [[CLOSE_BYTES + 1, CLOSE_TICKS], [
      SKIP_BYTES + 1,
      UNREAD_TICKS_MAX,
    ]] as const
  ) {
    for (const ordered of [true, false]) {
      const harness = new MatchHarness();
      const spectate = true;
      const fast = harness.join({ spectate });
      const slow = ordered ? harness.join({ spectate }) : harness.joinByDatagram({ spectate });
      harness.run(5);
      slow.serverEnd.bufferedBytes = bytes;
      harness.run(ticks - 1);
      slow.serverEnd.bufferedBytes = SKIP_BYTES;
      harness.run(1);
      slow.serverEnd.bufferedBytes = bytes;
      harness.run(ticks);
      assertEquals(slow.link.closeCode, 0);
      harness.run(1);
      assertEquals([slow.link.closeCode, slow.link.closeReason], [
        CloseCode.tooSlow,
        "reads too slowly",
      ]);
      harness.run(1);
      assertEquals(fast.ticks.length, harness.match.tick);
      assertEquals(harness.match.clientCount, 1);
    }
  }
});

Deno.test("Match: bytes that are no message close that link only (SPEC 8.1)", () => {
  const harness = new MatchHarness();
  const honest = harness.join();
  const wrong: ((client: TestClient) => void)[] = [
    (client) => client.link.send(new Uint8Array(9).fill(0xff)),
    (client) => client.link.send(new Uint8Array(0)),
    (client) => client.command(9, commandWith(0), { received: 1000 }),
    (client) => {
      client.send({
        type: "hello",
        protocolVersion: 2,
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
    const client = harness.join();
    harness.run(1);
    act(client);
    assertEquals(client.link.closeCode, CloseCode.protocol);
    harness.run(1);
  }

  // Too many messages between two ticks: the newest count. A server that stood still finds as many
  // of honest players.
  const flooder = harness.join();
  harness.run(1);
  const next = harness.match.tick + 1;
  for (const presses of [1, 2]) flooder.command(next, commandWith(presses));
  for (let i = 1; i < INBOX_MESSAGES_MAX; i++) flooder.command(next + 1, commandWith(0));
  harness.run(1);
  assertEquals(flooder.link.closeCode, 0);
  assertEquals(flooder.announced(flooder.seat, next), [commandWith(2)]);
  flooder.link.close(1000, "left");
  assertEquals(honest.ticks.length, harness.match.tick);
  assertEquals(harness.match.clientCount, 1);
});

Deno.test("Match: the stats count the bytes sent and received, on both kinds of link", () => {
  const harness = new MatchHarness({ npcs: 2 });
  const clients = [harness.join(), harness.joinByDatagram(), harness.join({ spectate: true })];
  for (let i = 0; i < 20; i++) {
    harness.run(1);
    clients[0]!.command(harness.match.tick + 3, commandWith(i & 3));
    clients[1]!.commands(harness.match.tick + 3, [i & 3], { received: harness.match.tick });
    if (i % 7 === 0) clients[2]!.report();
  }
  const sum = (numbers: number[]) => numbers.reduce((a, b) => a + b, 0);
  const { bytesDown, bytesUp } = harness.match.stats;
  assertEquals(bytesDown, sum(clients.map(({ bytesReceived }) => bytesReceived)));
  assertEquals(bytesUp, sum(clients.map(({ bytesSent }) => bytesSent)));
  assertGreater(Math.min(bytesDown, bytesUp), 100);
});

Deno.test("Match: a message on a link that has ended is ignored", () => {
  const harness = new MatchHarness();
  const player = harness.join();
  const [, serverEnd] = LocalLink.pair();
  let deliver!: MessageHandler;
  let end!: (code: number, reason: string) => void;
  serverEnd.onMessage = (handler) => deliver = handler;
  serverEnd.onClose = (handler) => end = handler;
  assert(harness.match.join(serverEnd, JOIN_REQUEST));
  harness.run(1);
  const command = {
    type: "command",
    tick: 2,
    command: commandWith(1),
    received: 1,
    leadMs: 60,
    isDesynced: false,
  } as const;
  const bytes = new ClientMessageEncoder(counterGame.command, serverEnd).encode(command).slice();
  end(1006, "");
  deliver(bytes, true);
  harness.run(1);
  assertEquals([
    harness.match.stats.bytesUp,
    harness.match.stats.commandsTaken,
    harness.match.clientCount,
  ], [0, 0, 1]);
  assertEquals(player.newest.announcements, []);
});

Deno.test("Match: NPCs' queues reach as far as the neediest client needs, at most 40 ticks (SPEC 6.1, 6.2, 6.5, 6.6)", () => {
  const harness = new MatchHarness({ npcs: 1 });
  const client = harness.join();
  const horizon = () =>
    Math.max(
      ...client.ticks.flatMap(({ announcements }) => announcements.map(({ tick }) => tick)),
    ) -
    client.newest.tick;
  harness.run(5);
  assertEquals(horizon(), 1);

  for (const [ahead, expected] of [[12, 13], [60, 40]] as const) {
    for (let i = 0; i < 5; i++) {
      client.command(client.newest.tick + ahead, commandWith(0));
      harness.run(1);
    }
    const npc = client.ticks.flatMap(({ announcements }) => announcements).filter(({ seat }) =>
      seat === 16
    );
    assertEquals(Math.max(...npc.map(({ tick }) => tick)) - client.newest.tick, expected);
    // Each tick once, without gaps.
    assertEquals(npc.map(({ tick }) => tick), npc.map((_, i) => npc[0]!.tick + i));
  }
});
