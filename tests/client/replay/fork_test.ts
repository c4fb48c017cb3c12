import { dragonGame } from "../../../shared/games/dragons/game.ts";
import { assertEquals, assertGreater, assertLessOrEqual, assertNotEquals } from "@std/assert";
import { Fork } from "../../../client/replay/fork.ts";
import { LogPlayer } from "../../../client/replay/log_player.ts";
import { dragonView as view } from "../../../client/games/dragons/view.ts";
import { RandomDragonControls } from "../../tools/lab/random_controls.ts";
import { compactedLog, playedLog } from "../../tools/lab/logs/played_log.ts";

const FRAME_MS = 16;
const log = playedLog({ seed: 92, seconds: 20 });

/** A fork at a tick, on a clock of its own. */
function forkAt(tick: number, seat: number) {
  let nowMs = 5000;
  const player = new LogPlayer(dragonGame, compactedLog(log.bytes));
  const clock = { now: () => nowMs };
  player.goTo(tick);
  const fork = new Fork(dragonGame, view, {
    header: player.header,
    state: player.shown.state,
    seat,
    name: "Me",
    clock,
    commandSource: new RandomDragonControls(7),
  });
  const run = (seconds: number) => {
    for (const untilMs = nowMs + 1000 * seconds; nowMs < untilMs; nowMs += FRAME_MS) fork.advance();
  };
  return { player, fork, run, skip: (seconds: number) => nowMs += 1000 * seconds };
}

Deno.test("Fork: its S(T) is the log's, bit by bit, and what was announced beyond T stands (SPEC 15.14) [seed 92]", () => {
  for (const tick of [0, 1, 133, 200, log.lastTick - 5]) {
    const { player, fork } = forkAt(tick, 0);
    const { shown } = player;
    const { recordedState } = fork.match;
    assertEquals(fork.match.tick, tick);
    assertEquals(recordedState.state.snapshot, shown.snapshot.bytes());
    assertEquals(recordedState.state.seats, shown.state.seats);
    assertEquals(recordedState.presence, shown.state.presence);
    for (const announcement of shown.state.announcements) {
      const { seat, tick, command } = announcement;
      const stands = recordedState.announcements.find((each) =>
        each.seat === seat && each.tick === tick
      );
      assertEquals(stands?.command, command);
    }
  }
});

Deno.test("Fork: the player takes over the followed seat, NPCs play the others, and nobody's seat is freed (SPEC 15.14) [seed 92]", () => {
  const { fork, run } = forkAt(150, 1);
  const { session } = fork.presenter;
  const names = () => [0, 1].map((seat) => session.names.get(seat)).sort();
  run(1);
  assertEquals([session.phase, session.seat, session.isResumed], ["playing", 1, true]);
  assertEquals(names(), ["Ash", "Wren"]);
  run(45);
  assertEquals([session.phase, session.stats.desyncs], ["playing", 0]);
  assertEquals(
    fork.match.recordedState.players.map(({ seat }) => seat),
    [0, 1],
    "also that of who never comes back",
  );
  assertGreater(fork.match.tick, 150 + 45 * 20);
  fork.close();
  assertEquals(session.phase, "closed");
});

Deno.test("Fork: a player who follows nobody gets a free seat, under their own name (SPEC 15.14) [seed 92]", () => {
  for (const seat of [-1, 16]) {
    const { fork, run } = forkAt(100, seat);
    const { session } = fork.presenter;
    run(2);
    assertEquals([session.phase, session.seat, session.names.get(2)], ["playing", 2, "Me"]);
    assertNotEquals(session.simulation!.world.player(2), undefined);
  }
});

Deno.test("Fork: after a gap it drops ticks, as a server does, and plays on (SPEC 15.14) [seed 92]", () => {
  const { fork, run, skip } = forkAt(100, 0);
  run(1);
  const before = fork.match.tick;
  skip(60);
  run(0.01);
  assertLessOrEqual(fork.match.tick, before + 5);
  run(3);
  assertEquals([fork.presenter.session.phase, fork.presenter.session.isInSync], ["playing", true]);
});
