import { assert, assertEquals, assertGreater, assertNotEquals } from "@std/assert";
import { MatchRecorder } from "../../../../server/match/match_recorder.ts";
import { RESTORED_TEXT } from "../../../../server/match/seats/player.ts";
import { resumedMatchOf } from "../../../../server/match_log/resume_match.ts";
import { CloseCode } from "../../../../shared/netcode/wire/messages.ts";
import { MemoryLogs } from "../../../support/logs/memory_logs.ts";
import { counterGame } from "../../../tools/lab/counter_game.ts";
import { commandWith, MatchHarness, type TestClient } from "../match_harness.ts";

const LOST = 1006;
/** Who has played so long keeps the seat as long as a seat can be kept: 30 s. */
const LONG_TICKS = 650;

/** Two clients join and play until both are in the game. */
function joinTwoPlayers(harness: MatchHarness, { ticks = 10 } = {}): [TestClient, TestClient] {
  const pair: [TestClient, TestClient] = [
    harness.join({ name: "stays" }),
    harness.join({ name: "goes" }),
  ];
  harness.run(1);
  for (let i = 0; i < ticks; i++) playTick(harness, pair);
  return pair;
}

/** Each client sends a command for the next tick. */
function playTick(harness: MatchHarness, clients: readonly TestClient[]): void {
  for (const client of clients) client.command(harness.match.tick + 1, commandWith(2));
  harness.run(1);
}

/** Ticks for which `observer` has received commands of `seat`, in order of arrival. */
function announcedTicks(observer: TestClient, seat: number): number[] {
  return observer.ticks.flatMap(({ announcements }) => announcements).filter((each) =>
    each.seat === seat
  )
    .map(({ tick }) => tick);
}

Deno.test("Match: a player whose first command is for a later tick enters with it, not with an assumed one (SPEC 3.8)", () => {
  const harness = new MatchHarness();
  const early = harness.join({ name: "early" });
  harness.run(1);
  const first = harness.match.tick + 60;
  early.command(first, commandWith(2));
  harness.run(80);
  const entries = early.ticks.flatMap(({ presence }) => presence);
  assertEquals(entries.map(({ seat, tick, present }) => [seat, tick, present]), [[
    early.seat,
    first,
    true,
  ]]);
});

Deno.test("Match: a player whose command for the tick of the entry is lost enters with the one before it (SPEC 3.8) [once the kit page on a busy machine]", () => {
  const harness = new MatchHarness();
  const alone = harness.join({ name: "alone" });
  harness.run(1);
  const first = harness.match.tick + 1;
  alone.command(first, commandWith(2));
  harness.run(40);
  const { tick } = alone.ticks.flatMap(({ presence }) => presence).find(({ seat }) =>
    seat === alone.seat
  )!;
  assertGreater(tick, first);
  assertEquals(announcedTicks(alone, alone.seat), [first, tick]);
  assertEquals(alone.announced(alone.seat, tick), [commandWith(2)]);
});

Deno.test("Match: an NPC takes over a disconnected player's seat after a second, announced ahead (SPEC 3.3, 3.10, 3.11)", () => {
  const harness = new MatchHarness();
  const [stayer, leaver] = joinTwoPlayers(harness, { ticks: LONG_TICKS });
  const lostAt = harness.match.tick;
  leaver.link.close(LOST, "cut");
  harness.run(60);
  const botTicks = announcedTicks(stayer, leaver.seat).filter((tick) => tick > lostAt);
  assertEquals(botTicks[0], lostAt + 20);

  // Without a gap, and always ahead of the message's tick.
  assertEquals(botTicks, botTicks.map((_, i) => botTicks[0]! + i));
  assertGreater(botTicks.at(-1)!, harness.match.tick);
  for (const { tick, announcements } of stayer.ticks) {
    for (const each of announcements) {
      if (each.seat === leaver.seat && tick > lostAt) assertGreater(each.tick, tick);
    }
  }

  // The seat never left the game.
  assertEquals(
    stayer.ticks.flatMap(({ presence }) => presence).filter(({ present }) => !present),
    [],
  );
});

Deno.test("Match: a returning player has the seat after the NPC's announced commands (SPEC 3.4, 3.12)", () => {
  const harness = new MatchHarness();
  const [stayer, leaver] = joinTwoPlayers(harness, { ticks: LONG_TICKS });
  leaver.link.close(LOST, "cut");
  harness.run(100);
  const back = harness.join({ name: "whatever", resume: leaver.resume });
  assertEquals(back.seat, leaver.seat);
  harness.run(1);
  assert(back.newest.state !== undefined);
  const lastAnnounced = Math.max(...announcedTicks(stayer, leaver.seat));
  // One command for the last announced tick, which does not count, and one beyond it.
  back.command(lastAnnounced, commandWith(3));
  back.command(lastAnnounced + 1, commandWith(3));
  harness.run(lastAnnounced + 1 - harness.match.tick);
  assertEquals(stayer.announced(leaver.seat, lastAnnounced).length, 1);
  assertEquals(stayer.announced(leaver.seat, lastAnnounced + 1), [commandWith(3)]);
  harness.run(40);
  assertEquals(Math.max(...announcedTicks(stayer, leaver.seat)), lastAnnounced + 1);
});

Deno.test("Match: each use of a token makes a new one; the old one counts until the new one's owner plays (SPEC 3.16)", () => {
  const harness = new MatchHarness();
  const [stayer, first] = joinTwoPlayers(harness, { ticks: LONG_TICKS });
  const tokens = [first.resume];
  // Every welcome is lost on its way, so the first token is used again and again.
  for (let i = 0; i < 4; i++) {
    const back = harness.join({ resume: tokens[0] });
    assertEquals(back.seat, first.seat);
    tokens.push(back.resume);
    harness.run(1);
  }
  assertEquals(new Set(tokens).size, 5);
  const player = harness.join({ resume: tokens[4] });
  for (let i = 0; i < 30; i++) playTick(harness, [stayer, player]);
  assertEquals(player.seat, first.seat);
  for (const stolen of tokens) assertNotEquals(harness.join({ resume: stolen }).seat, first.seat);
  assertEquals(player.link.closeCode, 0);
  assertEquals(harness.join({ resume: player.resume }).seat, first.seat);
});

Deno.test("Match: a seat is reserved for thirty seconds, then free; a wrong token counts as none (SPEC 3.3, 3.5, 3.13)", () => {
  const harness = new MatchHarness();
  const [stayer, leaver] = joinTwoPlayers(harness, { ticks: LONG_TICKS });
  leaver.link.close(LOST, "cut");
  harness.run(600);
  const stranger = harness.join({ resume: "ffffffffffffffffffffffffffffffff" });
  assertEquals(stranger.seat, 2);
  harness.run(60);
  const [leaving] = stayer.ticks.flatMap(({ presence }) => presence).filter(({ present }) =>
    !present
  );
  assertEquals(leaving!.seat, leaver.seat);
  assertGreater(leaving!.tick, Math.max(...announcedTicks(stayer, leaver.seat)));
  assertEquals(harness.join({ resume: leaver.resume }).seat, leaver.seat);
});

Deno.test("Match: who has played for a short time is waited for no longer; who has not played, not at all (SPEC 3.2)", () => {
  const harness = new MatchHarness();
  const [stayer, brief] = joinTwoPlayers(harness, { ticks: 100 });
  const stranger = harness.join();
  playTick(harness, [stayer]);
  stranger.link.close(LOST, "cut");
  playTick(harness, [stayer]);
  assertEquals(harness.join().seat, stranger.seat);
  brief.link.close(LOST, "cut");
  for (let i = 0; i < 90; i++) playTick(harness, [stayer]);
  const isLeaving = () =>
    stayer.ticks.some(({ presence }) => presence.some(({ present }) => !present));
  assertEquals(isLeaving(), false);
  for (let i = 0; i < 20; i++) playTick(harness, [stayer]);
  assertEquals(isLeaving(), true);
});

Deno.test("Match: a seat that is not played is closed: a first command in ten seconds, then one that differs in three minutes (SPEC 3.15)", () => {
  const harness = new MatchHarness({ idleSeconds: 180 });
  const [player, quiet] = joinTwoPlayers(harness);
  const silent = harness.join();
  const watcher = harness.join({ spectate: true });
  let presses = 0;

  /** One player presses something new, and the other one sends what it has always sent. */
  const play = (ticks: number) => {
    for (let i = 0; i < ticks; i++) {
      player.command(harness.match.tick + 1, commandWith(presses++ & 3));
      playTick(harness, [quiet]);
    }
  };
  play(199);
  assertEquals(silent.link.closeCode, 0);

  // The state is small, and gives it a few ticks more.
  play(6);
  assertEquals([silent.link.closeCode, silent.link.closeReason], [
    CloseCode.idle,
    "this seat was not played",
  ]);
  play(3384);
  assertEquals(quiet.link.closeCode, 0);
  play(12);
  assertEquals([player, quiet, watcher].map(({ link }) => link.closeCode), [0, CloseCode.idle, 0]);
});

Deno.test("Match: another link is no input: a player who comes back and does nothing loses the seat all the same (SPEC 3.15)", () => {
  const harness = new MatchHarness({ idleSeconds: 60 });
  const [player] = joinTwoPlayers(harness);
  let idle = player;
  let presses = 0;
  for (let second = 0; second < 59; second++) {
    // Its counter goes on from the NPC's, which plays after 20 s.
    if (second % 25 === 24) idle = harness.join({ resume: idle.resume });
    for (let i = 0; i < 20; i++) {
      if (second % 25 === 24 && i === 0) presses++;
      idle.command(harness.match.tick + 1, commandWith(presses));
      harness.run(1);
    }
  }
  assertEquals(idle.link.closeCode, 0);
  for (let i = 0; i < 40; i++) playTick(harness, [idle]);
  assertEquals(idle.link.closeCode, CloseCode.idle);
});

Deno.test("Match: no seat is reserved for a player who leaves, or who violates the protocol (SPEC 3.2)", () => {
  const finalCloses: ((client: TestClient) => void)[] = [
    (client) => client.link.close(1000, "left"),
    (client) => client.link.send(new Uint8Array(9).fill(0xff)),
  ];
  for (const leave of finalCloses) {
    const harness = new MatchHarness();
    const [stayer, leaver] = joinTwoPlayers(harness);
    leave(leaver);
    harness.run(1);
    assertEquals(stayer.newest.presence.map(({ seat, present }) => [seat, present]), [[
      leaver.seat,
      false,
    ]]);
  }
});

Deno.test("Match: a player's newest link has the seat, the older one is closed (SPEC 3.6, 3.14)", () => {
  const harness = new MatchHarness();
  const [stayer, leaver] = joinTwoPlayers(harness);
  const again = harness.join({ resume: leaver.resume });
  assertEquals(leaver.link.closeCode, CloseCode.replaced);
  assertEquals(again.seat, leaver.seat);
  for (let i = 0; i < 30; i++) {
    again.command(harness.match.tick + 1, commandWith(1));
    harness.run(1);
  }
  assertEquals(harness.match.clientCount, 2);
  // The player was never disconnected: no NPC took over, and nothing was announced.
  assertEquals(
    stayer.ticks.flatMap(({ presence }) => presence).filter(({ present }) => !present),
    [],
  );
  assertEquals(announcedTicks(stayer, leaver.seat).filter((tick) => tick > harness.match.tick), []);
});

Deno.test("Match: spectators get the same stream without a seat, and may send no command (SPEC 7.6, 7.10)", () => {
  const harness = new MatchHarness();
  const [stayer] = joinTwoPlayers(harness);
  const spectator = harness.join({ spectate: true });
  assertEquals(spectator.seat, -1);
  harness.run(10);
  assertEquals(
    spectator.ticks.slice(1).map(({ tick, hash }) => [tick, hash]),
    stayer.ticks.slice(-9).map(({ tick, hash }) => [tick, hash]),
  );
  assert(spectator.newest.state === undefined);
  spectator.report();
  harness.run(1);
  assert(spectator.newest.state !== undefined);
  spectator.command(harness.match.tick + 1, commandWith(1));
  assertEquals(spectator.link.closeCode, CloseCode.protocol);
});

Deno.test("Match: sixteen play and thirty-two watch; one more of either is refused (SPEC 7.4)", () => {
  const harness = new MatchHarness();
  for (let i = 0; i < 16; i++) harness.join();
  assertEquals(harness.tryJoin({}), false);
  for (let i = 0; i < 32; i++) harness.join({ spectate: true });
  assertEquals(harness.tryJoin({ spectate: true }), false);
});

Deno.test("Match: a player in a resumed match reads so over each link until a command has arrived, and then never again (SPEC 15.22)", () => {
  const logs = new MemoryLogs();
  const { command, tickHz, id: gameId } = counterGame;
  const header = {
    gameId,
    rules: undefined,
    room: "CROW",
    npcs: 0,
    seed: 1,
    choices: [],
    key: undefined,
    startedAt: 0,
    isOrdered: false,
  };
  const log = logs.create("CROW");
  const recorder = new MatchRecorder(command, { log, header, tickHz, deflate: undefined });
  recorder.begin();
  const killed = new MatchHarness({ recorder });
  const [, { resume }] = joinTwoPlayers(killed, { ticks: LONG_TICKS });

  const { state } = resumedMatchOf(logs.all[0]!.bytes.slice(), () => counterGame);
  const resumed = new MatchHarness({ from: state });
  resumed.run(1);
  const cut = resumed.join({ resume });
  cut.link.close(LOST, "before its first command");
  const back = resumed.join({ resume: cut.resume });
  resumed.run(1);
  playTick(resumed, [back]);
  resumed.run(1);
  back.link.close(LOST, "after a command");
  const again = resumed.join({ resume: back.resume });
  resumed.run(1);

  assertEquals([cut.seat, back.seat, again.seat], [1, 1, 1]);
  assertEquals(
    [cut, back, again].map(({ notices }) => notices),
    [[RESTORED_TEXT], [RESTORED_TEXT], []],
  );
});
