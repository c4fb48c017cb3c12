/** Matches of an earlier process: which go on, which are tried again, and which are set aside. */
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import {
  type Attempts,
  BEGUN_MAX,
  failedAgain,
  hopelessnessOf,
  NO_ATTEMPTS,
} from "../../../server/match_log/attempts.ts";
import { FileLogs } from "../../../server/match_log/file_logs.ts";
import { resumeMatches, type ResumeOptions } from "../../../server/rooms/resume_matches.ts";
import { Rooms } from "../../../server/rooms/rooms.ts";
import { hostedGameOf, OwnTrials, type Trials } from "../../../server/trial/trials.ts";
import type { TrialOutcome } from "../../../server/trial/tried_match.ts";
import { headerOf } from "../../../shared/netcode/match_log/replayed_log.ts";
import { CloseCode, PROTOCOL_VERSION } from "../../../shared/netcode/wire/messages.ts";
import { GOING_AWAY, StopReason } from "../../../shared/netcode/wire/stop_reasons.ts";
import { counterGame } from "../../tools/lab/counter_game.ts";
import { MemoryLog, MemoryLogs } from "../../support/logs/memory_logs.ts";
import { TemporaryData } from "../../support/logs/temporary_data.ts";
import { seededSecret } from "../../support/seeded_secret.ts";
import { type Trap, trapGame, trapLog } from "../../support/trials/trap_game.ts";

const clock = { now: () => 0 };
const SLOW: TrialOutcome = { failure: { error: "tick 60 takes too long", isSlow: true, tick: 60 } };

/** Logs of an earlier process, by their rooms. */
function logsOf(traps: Readonly<Record<string, Trap>>): MemoryLogs {
  const logs = new MemoryLogs();
  for (const [room, trap] of Object.entries(traps)) {
    const log = new MemoryLog(room);
    log.append(trapLog(trap, { room }));
    logs.all.push(log);
  }
  return logs;
}

/**
 * A server that starts. `outcomes` are those of trials by room; others are tried in this thread,
 * without deadlines.
 */
function startServer(
  logs: ResumeOptions["logs"],
  { outcomes = {}, ...options }: Partial<ResumeOptions> & {
    outcomes?: Record<string, TrialOutcome[]>;
  } = {},
) {
  const said: string[] = [];
  const ended: string[] = [];
  const tried: string[] = [];
  const log: ResumeOptions["log"] = (event, fields = {}) =>
    void said.push(`${event} ${JSON.stringify(fields)}`);
  const results = {
    addRound() {},
    endMatch: (id: string, reason: string) => void ended.push(`${id} ${reason}`),
  };
  const rooms = new Rooms({
    games: { trap: trapGame },
    clock,
    npcs: 2,
    secret: seededSecret(1),
    stream: "commands",
    logs,
    unixClock: clock,
    log,
    results,
  }) as unknown as Rooms<unknown>;
  const own = new OwnTrials({ gameOf: hostedGameOf([trapGame]), clock, within: (work) => work() });
  const trials: Trials = {
    lanes: 1,
    lost: new Promise<never>(() => {}),
    warm() {},
    close() {},
    try: async (bytes) => {
      const { room } = headerOf(bytes);
      tried.push(room);
      return outcomes[room]?.shift() ?? await own.try(bytes);
    },
  };
  const waits: number[] = [];

  // The bound of the whole never passes here; a back-off does at once.
  const wait = (ms: number) => {
    waits.push(ms);
    return ms < 10_000 ? Promise.resolve() : new Promise<void>(() => {});
  };
  const resuming = resumeMatches({ rooms, logs, trials, wait, log, ...options });
  const refusal = (room: string, resume?: string) =>
    rooms.refusalOf(
      { gameId: trapGame.id, protocolVersion: PROTOCOL_VERSION, room, spectate: false, resume },
      { addressBlock: "a", ticket: undefined },
    );
  return {
    rooms,
    said,
    ended,
    tried,
    waits,
    resuming,
    refusal,
    codes: () => rooms.byGame.get("trap")!.codes(),
  };
}

const TOKEN = "1".repeat(32);

Deno.test("resumeMatches: a match that throws in its trial is set aside at once, named, and all others go on (SPEC 15.37)", async () => {
  const logs = logsOf({ GOOD: "none", TRAP: "throws", WREN: "none" });
  const server = startServer(logs);
  await (await server.resuming).all;
  assertEquals([server.codes(), logs.all.map(({ state }) => state)], [["GOOD", "WREN"], [
    "open",
    "set aside",
    "open",
  ]]);
  const [line] = server.said.filter((each) => each.startsWith("match_set_aside"));
  assertEquals(
    line,
    `match_set_aside {"id":"TRAP-2","room":"TRAP","game":"trap-1","error":"the trap has sprung"}`,
  );
  assertEquals([server.rooms.setAsideCount, server.ended], [1, ["TRAP-2 set aside"]]);
});

Deno.test("resumeMatches: one whose log says nothing is set aside, too (SPEC 15.5, 15.37)", async () => {
  const logs = logsOf({ GOOD: "none", TRAP: "none" });
  logs.all[1]!.truncate(3);
  const server = startServer(logs);
  await server.resuming;
  assertEquals(server.codes(), ["GOOD"]);
  assertStringIncludes(
    server.said.join("\n"),
    `match_set_aside {"id":"TRAP-2","error":"a log without a header"}`,
  );
});

Deno.test("resumeMatches: a trial that takes too long gets a second one after all others; then the match goes on (SPEC 15.37)", async () => {
  const logs = logsOf({ TRAP: "none", GOOD: "none" });
  const server = startServer(logs, { outcomes: { TRAP: [SLOW] } });
  const { all } = await server.resuming;
  await all;
  assertEquals([server.tried, server.codes()], [["TRAP", "GOOD", "TRAP"], ["GOOD", "TRAP"]]);
  assertEquals(server.said.filter((each) => each.startsWith("match_set_aside")), []);
  assertEquals(logs.all[0]!.attempts, { failures: 1, tick: 60, begun: 0 });
});

Deno.test("resumeMatches: the second failure sets a match aside, and its players read why (SPEC 15.37, 15.38)", async () => {
  const logs = logsOf({ TRAP: "none", GOOD: "none" });
  const server = startServer(logs, { outcomes: { TRAP: [SLOW, SLOW] } });
  await (await server.resuming).all;
  assertEquals([server.codes(), server.tried.filter((room) => room === "TRAP").length], [
    ["GOOD"],
    2,
  ]);
  assertEquals(logs.all[0]!.state, "set aside");
  // Its players read why when they come back; its room is free for a new match.
  assertEquals(server.refusal("TRAP", TOKEN)?.code, CloseCode.roomFailed);
  assertMatch(server.refusal("TRAP", TOKEN)!.reason, /^This match could not go on and is over\./);
  assertEquals(server.refusal("TRAP"), undefined);
});

Deno.test("resumeMatches: what the supervisor blames counts as a failure, within 60 s of play (SPEC 15.37)", async () => {
  const blamed = (tick: number) => ({
    faults: [{ matchId: "TRAP-1", tick, phase: "tick" as const }],
  });
  const logs = logsOf({ TRAP: "none", GOOD: "none" });
  const first = startServer(logs, blamed(55));
  await (await first.resuming).all;
  // It comes after all others, but it does go on.
  assertEquals(first.codes(), ["GOOD", "TRAP"]);
  assertEquals(logs.all[0]!.attempts, { failures: 1, tick: 55, begun: 0 });
  const late = startServer(logs, blamed(55 + 60 * counterGame.tickHz + 1));
  await (await late.resuming).all;
  assertEquals(late.codes(), ["GOOD", "TRAP"]);
  const again = startServer(logs, blamed(55 + 60 * counterGame.tickHz + 20));
  await (await again.resuming).all;
  assertEquals([again.codes(), logs.all[0]!.state], [["GOOD"], "set aside"]);
  assertStringIncludes(again.said.join("\n"), "it failed 2 times within 60 s of play");
});

Deno.test("resumeMatches: while a match is tried, its room waits for it (SPEC 15.36)", async () => {
  const held = Promise.withResolvers<void>();
  const logs = logsOf({ TRAP: "none" });
  const server = startServer(logs, {
    wait: () => Promise.resolve(), // the bound of the whole has passed
    trials: {
      lanes: 1,
      lost: new Promise<never>(() => {}),
      warm() {},
      close() {},
      async try(bytes) {
        await held.promise;
        return await new OwnTrials({
          gameOf: hostedGameOf([trapGame]),
          clock,
          within: (work) => work(),
        }).try(bytes);
      },
    },
  });
  const { all } = await server.resuming;
  assertEquals(server.refusal("TRAP"), { code: GOING_AWAY, reason: StopReason.kept });
  assertEquals(server.codes(), ["TRAP"]);
  held.resolve();
  await all;
  assertEquals([server.refusal("TRAP"), server.codes()], [undefined, ["TRAP"]]);
});

Deno.test("resumeMatches: a process that dies in a trial is no failure of the match, unless it dies five times (SPEC 15.37)", async () => {
  let attempts: Attempts = NO_ATTEMPTS;
  for (let i = 1; i < BEGUN_MAX; i++) attempts = { ...attempts, begun: attempts.begun + 1 };
  assertEquals(hopelessnessOf(attempts), undefined);
  assertEquals(
    hopelessnessOf({ ...attempts, begun: BEGUN_MAX }),
    "5 attempts to go on with it came to no end",
  );
  assertEquals(
    failedAgain(failedAgain(NO_ATTEMPTS, { tick: 9, tickHz: 20 }), { tick: 5, tickHz: 20 })
      .failures,
    2,
  );

  using data = await TemporaryData.make();
  const name = "20261127T000000-TRAP-0000000a";
  const options = { folder: data.folder, sync: "off", clock, log: () => {} } as const;
  data.write(`${name}.open`, trapLog("none", { room: "TRAP" }) as Uint8Array<ArrayBuffer>);

  for (let start = 1; start <= BEGUN_MAX; start++) {
    const logs = FileLogs.open(options);
    const [unfinished] = logs.unfinished();
    assertEquals(unfinished!.attempts.begun, start - 1);
    // Each of these processes is killed in the trial.
    void startServer(logs, {
      trials: {
        lanes: 1,
        lost: new Promise<never>(() => {}),
        warm() {},
        close() {},
        try: () => new Promise(() => {}),
      },
    });
    await logs.close();
  }

  const logs = FileLogs.open(options);
  const server = startServer(logs);
  await (await server.resuming).all;
  assertEquals([server.codes(), data.names()], [[], [`${name}.bad`]]);
  await logs.close();
});

Deno.test("FileLogs: attempts are beside the log until it goes on or is over; damaged ones count for none (SPEC 15.37)", async () => {
  using data = await TemporaryData.make();
  const name = "20261127T000000-TRAP-0000000a";
  const options = { folder: data.folder, sync: "off", clock, log: () => {} } as const;
  data.write(`${name}.open`, trapLog("none", { room: "TRAP" }) as Uint8Array<ArrayBuffer>);
  const noted = { failures: 1, tick: 50, begun: 1 };
  let logs = FileLogs.open(options);
  logs.unfinished()[0]!.note(noted);
  await logs.close();
  logs = FileLogs.open(options);
  assertEquals(logs.unfinished()[0]!.attempts, noted);
  logs.unfinished()[0]!.note(NO_ATTEMPTS);
  assertEquals(data.names(), [`${name}.open`]);
  for (const text of ["", "{", `{"failures":"2"}`, `{"failures":-1,"tick":0,"begun":0}`]) {
    data.write(`${name}.tried`, new TextEncoder().encode(text));
    assertEquals(logs.unfinished()[0]!.attempts, NO_ATTEMPTS, text);
  }
  logs.unfinished()[0]!.setAside();
  assertEquals(data.names(), [`${name}.bad`]);
  await logs.close();
  assert(logs.openCount === 0);
});
