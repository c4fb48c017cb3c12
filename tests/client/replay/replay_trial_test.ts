/** A file that is played in a worker before a page shows it. */
import { assert, assertEquals, assertMatch, assertStringIncludes, assertThrows } from "@std/assert";
import { LogPlayer } from "../../../client/replay/log_player.ts";
import { checkText } from "../../../client/replay/replay_bar.ts";
import { ReplayTrial, type TrialPort } from "../../../client/replay/trial/replay_trial.ts";
import { TRIAL_WORKER, type TrialProgress } from "../../../client/replay/trial/trial_worker.ts";
import { LogError } from "../../../shared/netcode/match_log/records.ts";
import { replayedLog } from "../../../shared/netcode/match_log/replayed_log.ts";
import { type Trap, TRAP_TICK, trapGame, trapLog } from "../../support/trials/trap_game.ts";

/**
 * The log of a match that has gone on beyond its trap, as a program without the trap has played it.
 */
function logWith(trap: Trap): Uint8Array<ArrayBuffer> {
  return trapLog(trap, { room: "TRAP", ticks: TRAP_TICK + 40 });
}

/** Plays a log in a worker, as a page does. */
async function playedApart(log: Uint8Array): Promise<ReplayTrial> {
  const module = new URL("trap_replay_worker.ts", import.meta.url);
  const worker = new Worker(module, { type: "module", name: TRIAL_WORKER });
  const over = Promise.withResolvers<void>();
  const port: TrialPort = {
    onmessage: null,
    onerror: null,
    postMessage: (bytes) => worker.postMessage(bytes),
    terminate() {
      worker.terminate();
      over.resolve();
    },
  };
  worker.onmessage = (event) => port.onmessage?.(event);
  const trial = new ReplayTrial(log, { port, clock: { now: () => performance.now() } });
  await over.promise;
  await trial.begun;
  return trial;
}

Deno.test("ReplayTrial: a log that is well is played to its end, and a page shows all of it (SPEC 15.40)", async () => {
  const trial = await playedApart(logWith("none"));
  assertEquals([trial.played, trial.fault], [Infinity, ""]);
  const player = new LogPlayer(trapGame, logWith("none"), { trial });
  while (!player.check(64));
  assertEquals([player.lastTick, player.status.error], [TRAP_TICK + 40, undefined]);
});

Deno.test("ReplayTrial: one that throws ends a tick before that, in the worker and on the page, with a sentence (SPEC 15.40)", async () => {
  const trial = await playedApart(logWith("throws"));
  const player = new LogPlayer(trapGame, logWith("throws"), { trial });
  while (!player.check(64));
  assertEquals(player.lastTick, TRAP_TICK - 1);
  assertEquals(
    checkText(player.status, 100).text,
    `a log whose tick ${TRAP_TICK} cannot be played (TypeError: the trap has sprung); ${
      TRAP_TICK - 1
    } ticks equal`,
  );
});

Deno.test("ReplayTrial: a log whose ticks are too slow is shown up to them, and the page plays none more (SPEC 15.40)", async () => {
  const trial = await playedApart(logWith("slow"));
  assert(trial.played >= TRAP_TICK && trial.played < TRAP_TICK + 40, `${trial.played}`);
  const player = new LogPlayer(trapGame, logWith("slow"), { trial });
  while (!player.check(1));
  assertStringIncludes(player.status.error!.message, "its ticks take longer than they last");
  assertEquals(player.lastTick, trial.played);
  player.goTo(TRAP_TICK + 40);
  assertEquals(player.shown.tick, trial.played);
});

/** A worker under the test's control, and the time. */
function hangingTrial() {
  const clock = { nowMs: 0, now: () => clock.nowMs };
  const worker = { isEnded: false };
  const port: TrialPort = {
    onmessage: null,
    onerror: null,
    postMessage() {},
    terminate: () => worker.isEnded = true,
  };
  const trial = new ReplayTrial(logWith("hangs"), { port, clock });
  const hear = (progress: TrialProgress) =>
    port.onmessage?.({ data: progress } as MessageEvent<TrialProgress>);
  const pass = (ms: number, lookMs = 16) => {
    for (let passed = 0; passed < ms; passed += lookMs) {
      clock.nowMs += lookMs;
      trial.advance();
    }
  };
  return { trial, worker, hear, pass };
}

Deno.test("ReplayTrial: a worker that hangs is ended after two seconds; the page says at which tick (SPEC 15.40)", () => {
  const { trial, worker, hear, pass } = hangingTrial();
  pass(3_000);
  assert(!worker.isEnded, "it loads its script first");
  hear({ played: 0, isOver: false, fault: "" });
  hear({ played: TRAP_TICK - 1, isOver: false, fault: "" });
  pass(1_900);
  const player = new LogPlayer(trapGame, logWith("hangs"), { trial });
  assertEquals([player.check(1_000), player.isWaiting, player.checkedTick], [
    false,
    true,
    TRAP_TICK - 1,
  ]);
  pass(200);
  assert(worker.isEnded);
  assert(player.check(1));
  assertMatch(
    player.status.error!.message,
    /^a log whose tick 60 cannot be played \(a step of it takes longer than 2 s\)$/,
  );
  assertEquals(player.lastTick, TRAP_TICK - 1);
  player.goTo(TRAP_TICK);
  assertEquals(player.shown.tick, TRAP_TICK - 1);
});

Deno.test("ReplayTrial: a page that was hidden, or a machine that slept, is no worker that hangs (SPEC 15.40)", () => {
  const { trial, worker, hear, pass } = hangingTrial();
  hear({ played: 1, isOver: false, fault: "" });
  pass(60_000, 60_000);
  hear({ played: 2, isOver: false, fault: "" });
  pass(1_000);
  assertEquals([worker.isEnded, trial.fault, trial.played], [false, "", 2]);
});

Deno.test("replayedLog: whatever a log makes the game throw is an error of the log, with its tick (SPEC 15.40)", () => {
  const { error, replay } = replayedLog(logWith("throws"), { gameOf: () => trapGame });
  assert(error instanceof LogError);
  assertEquals([error.message, replay.tick], [
    `a log whose tick ${TRAP_TICK} cannot be played (TypeError: the trap has sprung)`,
    TRAP_TICK,
  ]);
  const broken = {
    ...trapGame,
    start: () => {
      throw new RangeError("no such choice");
    },
  };
  assertThrows(
    () => replayedLog(logWith("none"), { gameOf: () => broken }),
    LogError,
    "a log whose match cannot begin (RangeError: no such choice)",
  );
});
