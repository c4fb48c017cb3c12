import { assertEquals } from "@std/assert";
import { Drain, type DrainedMatch, stopNotice } from "../../../server/rooms/drain.ts";
import { StopReason } from "../../../shared/netcode/wire/stop_reasons.ts";

/** A server of several matches on a clock of the test, whose time passes while the drain waits. */
function openDrain(graceSeconds: number, onTime: (ms: number) => void = () => {}) {
  const first = Promise.withResolvers<string>();
  const second = Promise.withResolvers<string>();
  const clock = { nowMs: 0, now: () => clock.nowMs };
  const said: string[] = [];
  const matches: FakeMatch[] = [];
  const drain = new Drain();
  const wait = async (ms: number) => {
    await Promise.resolve();
    clock.nowMs += ms;
    onTime(clock.nowMs);
  };
  const log = (event: string, fields = {}) => void said.push(`${event} ${JSON.stringify(fields)}`);
  const run = drain.run({
    matches: () => matches,
    signals: { first: first.promise, second: second.promise },
    graceMs: graceSeconds * 1000,
    clock,
    wait,
    log,
  });
  return { drain, run, first, second, clock, said, matches };
}

class FakeMatch implements DrainedMatch {
  clientCount = 2;
  isLogged = true;
  isBetweenRounds: boolean | undefined = false;
  readonly notices: string[] = [];
  closed = "";

  constructor(more: Partial<Pick<FakeMatch, "clientCount" | "isLogged" | "isBetweenRounds">> = {}) {
    Object.assign(this, more);
  }

  announce(text: string): number {
    this.notices.push(text);
    return this.clientCount;
  }

  close(code: number, reason: string): void {
    this.closed = `${code} ${reason}`;
  }
}

Deno.test("Drain: with nobody connected it ends at once (SPEC 15.20)", async () => {
  const { drain, run, first, clock, said, matches } = openDrain(60);
  matches.push(new FakeMatch({ clientCount: 0 }));
  assertEquals(drain.isStopping, false);
  first.resolve("SIGTERM");
  await run;
  assertEquals([drain.isStopping, clock.nowMs], [true, 0]);
  assertEquals(said, [
    'stopping {"signal":"SIGTERM","graceSeconds":60,"matches":0}',
    'drained {"why":"nobody is connected","seconds":0,"kept":0,"lost":0,"cut":0}',
  ]);
});

Deno.test("Drain: it waits for the end of the last round; a match whose round is over stands still (SPEC 15.21)", async () => {
  const { drain, run, first, clock, said, matches } = openDrain(60, (ms) => {
    if (ms >= 5_000) matches[0]!.isBetweenRounds = true;
    if (ms >= 12_000) matches[1]!.isBetweenRounds = true;
  });
  matches.push(new FakeMatch(), new FakeMatch());
  assertEquals(
    drain.holds(new FakeMatch({ isBetweenRounds: true })),
    false,
    "before the signal it plays on",
  );
  first.resolve("SIGTERM");
  await run;
  assertEquals(clock.nowMs, 12_000);
  assertEquals(
    said[1],
    'drained {"why":"every round is over","seconds":12,"kept":2,"lost":0,"cut":0}',
  );
  assertEquals(matches.map(({ closed }) => closed), [
    `1001 ${StopReason.kept}`,
    `1001 ${StopReason.kept}`,
  ]);
  assertEquals(matches[0]!.notices, [
    "The server stops when this round is over, in 60 s at most. The match goes on when it is back.",
    "This round is over. The server stops in 55 s at most. The match goes on when it is back.",
  ]);
  assertEquals(
    matches[1]!.notices.at(-1),
    stopNotice(new FakeMatch(), { isHeld: false, seconds: 50 }),
  );
});

Deno.test("Drain: no round is cut before the grace is over, and none delays the end beyond it (SPEC 15.21)", async () => {
  const { run, first, clock, said, matches } = openDrain(25);
  matches.push(
    new FakeMatch(),
    new FakeMatch({ isLogged: false }),
    new FakeMatch({ isBetweenRounds: true }),
  );
  first.resolve("SIGTERM");
  await run;
  assertEquals(clock.nowMs, 25_000);
  assertEquals(
    said[1],
    'drained {"why":"the grace is over","seconds":25,"kept":2,"lost":1,"cut":2}',
  );
  assertEquals(matches[1]!.closed, `1001 ${StopReason.over}`);
  assertEquals(
    matches[1]!.notices,
    [25, 15, 5].map((seconds) => (
      `The server stops when this round is over, in ${seconds} s at most. This match ends with it.`
    )),
  );
});

Deno.test("Drain: a game without rounds goes on in the next process at once, and without a log it gets the grace (SPEC 15.21)", async () => {
  const kept = openDrain(60);
  kept.matches.push(new FakeMatch({ isBetweenRounds: undefined }));
  kept.first.resolve("SIGTERM");
  await kept.run;
  assertEquals([kept.clock.nowMs, kept.matches[0]!.closed], [0, `1001 ${StopReason.kept}`]);

  const lost = openDrain(9);
  lost.matches.push(new FakeMatch({ isBetweenRounds: undefined, isLogged: false }));
  lost.first.resolve("SIGTERM");
  await lost.run;
  assertEquals([lost.clock.nowMs, lost.matches[0]!.closed], [9_000, `1001 ${StopReason.over}`]);
  assertEquals(lost.matches[0]!.notices, ["The server stops in 9 s. This match ends with it."]);
});

Deno.test("Drain: a second signal ends it at once, and so does the last player who leaves (SPEC 15.20)", async () => {
  const twice = openDrain(60, (ms) => {
    if (ms === 1_000) twice.second.resolve("SIGTERM");
  });
  twice.matches.push(new FakeMatch());
  twice.first.resolve("SIGTERM");
  await twice.run;
  assertEquals(twice.clock.nowMs <= 1_050, true, `${twice.clock.nowMs} ms`);
  assertEquals(twice.said[1]!.includes('"why":"a second signal"'), true);

  const left = openDrain(60, (ms) => {
    if (ms === 2_000) left.matches[0]!.clientCount = 0;
  });
  left.matches.push(new FakeMatch());
  left.first.resolve("SIGTERM");
  await left.run;
  assertEquals([left.clock.nowMs, left.matches[0]!.closed], [2_000, ""]);
});
