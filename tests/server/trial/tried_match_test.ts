/** Matches that are tried apart: in this thread, and in threads of their own. */
import { dragonGame } from "../../../shared/games/dragons/game.ts";
import { assert, assertEquals, assertGreater, assertLess, assertMatch } from "@std/assert";
import { DeadlineError, withDeadline } from "../../../server/trial/deadline.ts";
import {
  outcomeOf,
  STEP_MS_MAX,
  type TrialFailure,
  TRIED_TICKS,
  triedMatchOf,
} from "../../../server/trial/tried_match.ts";
import { TrialThreads } from "../../../server/trial/trial_threads.ts";
import { hostedGameOf, OwnTrials } from "../../../server/trial/trials.ts";
import { resumedMatchOf } from "../../../server/match_log/resume_match.ts";
import { clock, systemScheduler } from "../../../server/ground/ticker.ts";
import { playedLog } from "../../tools/lab/logs/played_log.ts";
import { type Trap, trapGame, trapLog } from "../../support/trials/trap_game.ts";

const gameOf = hostedGameOf([trapGame, dragonGame]);
const module = new URL("../../support/trials/trapped_threads.ts", import.meta.url);

function openThreads(
  { module: program = module, log = [] as string[], cores = 4 } = {},
): TrialThreads & Disposable {
  const threads = new TrialThreads({
    program: { module: program, reads: [] },
    games: ["trap"],
    otherwise: new OwnTrials({ gameOf, clock }),
    scheduler: systemScheduler,
    log: (event, fields = {}) => void log.push(`${event} ${JSON.stringify(fields)}`),
  }, cores);
  return Object.assign(threads, { [Symbol.dispose]: () => threads.close() });
}

async function failureOf(threads: TrialThreads, trap: Trap): Promise<TrialFailure> {
  const outcome = await threads.try(trapLog(trap, { room: "TRAP" }));
  assert("failure" in outcome, trap);
  return outcome.failure;
}

Deno.test("withDeadline: ends an endless loop wherever it is, and passes on what the work returns or throws (SPEC 15.35)", () => {
  const newError = () => new DeadlineError(7, "too long");
  assertEquals(withDeadline(1_000, () => 5, newError), 5);
  const endless = () => {
    try {
      for (;;);
    } finally {
      for (;;);
    }
  };

  try {
    withDeadline(30, endless, newError);
    throw new Error("it has ended");
  } catch (error) {
    assert(error instanceof DeadlineError);
    assertEquals(error.tick, 7);
  }

  const own = new TypeError("own");
  assertEquals(
    outcomeOf(() =>
      withDeadline(1_000, () => {
        throw own;
      }, newError)
    ),
    { failure: { error: "own", isSlow: false, tick: undefined } },
  );
});

Deno.test("triedMatchOf: a match that is tried is the one that its log ends with (SPEC 15.35) [seed 94]", () => {
  const { bytes } = playedLog({ seed: 94, seconds: 13 });
  const log = bytes.subarray(0, bytes.length - 40);
  const tried = triedMatchOf(log, { gameOf, clock });
  const resumed = resumedMatchOf(log, gameOf);
  assertEquals(tried, resumed);
  assertGreater(tried.steppedTicks, 40);
});

Deno.test("triedMatchOf: it runs forty ticks beyond the log, and meets what the state leads to (SPEC 15.35)", () => {
  const ticks: number[] = [];
  const log = trapLog("throws", { room: "TRAP", ticks: 10 });
  const within = <Result>(work: () => Result, tick: number) => {
    ticks.push(tick);
    return work();
  };
  triedMatchOf(log, { gameOf, clock, within });
  assertEquals(ticks.at(-1), 10 + TRIED_TICKS);
  // Fifty ticks before a trap that springs at tick 60.
  const outcome = outcomeOf(() =>
    triedMatchOf(trapLog("throws", { room: "TRAP", ticks: 30 }), { gameOf, clock })
  );
  assertEquals(outcome, {
    failure: { error: "the trap has sprung", isSlow: false, tick: undefined },
  });
});

Deno.test("TrialThreads: a match that throws, hangs, is too slow or hoards memory fails, and the next one passes (SPEC 15.35, 15.36)", async () => {
  using threads = openThreads();
  const throws = await failureOf(threads, "throws");
  assertEquals([throws.isSlow, throws.error], [false, "the trap has sprung"]);
  const slow = await failureOf(threads, "slow");
  assert(slow.isSlow);
  assertMatch(slow.error, /^after tick 50, 40 ticks took \d+ ms, which is longer than they last$/);
  const hangs = await failureOf(threads, "hangs");
  assertEquals(hangs, {
    error: `tick 60 takes longer than ${STEP_MS_MAX} ms`,
    isSlow: true,
    tick: 60,
  });
  const hoards = await failureOf(threads, "hoards");
  assertEquals(hoards, {
    error: "tick 60 takes the trial's memory beyond 256 MiB",
    isSlow: true,
    tick: 60,
  });
  const outcome = await threads.try(trapLog("none", { room: "GOOD" }));
  assert("match" in outcome);
  assertEquals([outcome.match.header.room, outcome.match.state.tick], ["GOOD", 50]);
});

Deno.test("TrialThreads: many matches at once wait for each other, and all come to an end (SPEC 15.35)", async () => {
  using threads = openThreads({ cores: 2 });
  const traps: Trap[] = ["none", "throws", "none", "hangs", "none", "throws", "none"];
  const outcomes = await Promise.all(
    traps.map((trap) => threads.try(trapLog(trap, { room: "TRAP" }))),
  );
  assertEquals(outcomes.map((outcome) => "match" in outcome), traps.map((trap) => trap === "none"));
  assertEquals(threads.lanes, 2);
});

Deno.test("TrialThreads: this thread goes on while a match hangs in another one (SPEC 15.35)", async () => {
  using threads = openThreads();
  await threads.try(trapLog("none", { room: "GOOD" }));
  let turns = 0;
  let isOver = false;
  const hanging = threads.try(trapLog("hangs", { room: "TRAP" })).finally(() => isOver = true);
  for (; !isOver; turns++) await new Promise((resolve) => setTimeout(resolve, 5));
  await hanging;
  assertGreater(turns, 20);
});

Deno.test("TrialThreads: where no thread can be started, matches are tried here, and one line says so (SPEC 15.35)", async () => {
  const log: string[] = [];
  using threads = openThreads({ module: new URL("no_such_module.ts", import.meta.url), log });
  for (let i = 0; i < 2; i++) {
    assert("match" in await threads.try(trapLog("none", { room: "GOOD" })));
  }
  const hanging = await failureOf(threads, "hangs");
  assert(hanging.isSlow);
  assertEquals(log.length, 1);
  assertMatch(log[0]!, /^trial_thread_failed /);
});

Deno.test("TrialThreads: a closed one gives every trial an end (SPEC 15.35)", async () => {
  const threads = openThreads();
  const trial = threads.try(trapLog("none", { room: "GOOD" }));
  threads.close();
  const outcome = await trial;
  assert("match" in outcome || outcome.failure.isSlow);
  assertLess(threads.lanes, 5);
});
