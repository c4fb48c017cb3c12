import { assert, assertEquals, assertGreater, assertLess } from "@std/assert";
import { FINAL_CODES } from "../../../client/net/final_codes.ts";
import { Attempts, retryDelayMs } from "../../../client/net/retry_delay.ts";
import { TokenBucket } from "../../../server/addresses/token_bucket.ts";
import { DEFAULT_LIMITS } from "../../../server/settings/limits.ts";
import { CloseCode } from "../../../shared/netcode/wire/messages.ts";
import { Random } from "../../../shared/random.ts";

const PLAYERS = 200;
const CUT = 1006;
const GOING_AWAY = 1001;

Deno.test("retryDelayMs: at once, after 0.25 and 0.5 s, then each second for half a minute, then every 4 s, each by up to a half more or less (SPEC 8.8)", () => {
  const waits = (random: number, closeCode: number = CUT) =>
    [0, 1, 2, 3, 32, 33, 50].map((failedAttempts) =>
      retryDelayMs(failedAttempts, { closeCode, random })
    );
  assertEquals(waits(0.5), [0, 250, 500, 1000, 1000, 4000, 4000]);
  assertEquals([waits(0), waits(1)], [[0, 125, 250, 500, 500, 2000, 2000], [
    0,
    375,
    750,
    1500,
    1500,
    6000,
    6000,
  ]]);
  for (const code of [CloseCode.busy, CloseCode.noRoom]) {
    assertEquals(waits(0.5, code), Array(7).fill(10_000));
  }
});

Deno.test("Attempts: the wait counts from the attempt's begin, and an event that promises a network ends it (SPEC 8.8, 8.53)", () => {
  const attempts = new Attempts();
  const cut = { closeCode: CUT, random: 0.5 };
  attempts.begin(0);
  attempts.succeeded();
  attempts.ended(60_000, cut);
  assertEquals(attempts.dueMs, 60_000, "at once after a connection that was lost");

  for (const waitMs of [250, 500, 1_000, 1_000]) {
    const beganMs = attempts.dueMs;
    attempts.begin(beganMs);
    attempts.ended(beganMs + 10, cut);
    assertEquals(attempts.dueMs, beganMs + waitMs);
  }

  attempts.begin(100_000);
  attempts.ended(106_000, cut);
  assertEquals([attempts.dueMs, attempts.failed], [106_000, 6], "it has waited while it hung");

  attempts.begin(200_000);
  attempts.ended(200_010, cut);
  attempts.hurry(200_020);
  assertEquals(attempts.dueMs, 200_250, "no closer together");
  attempts.begin(300_000);
  attempts.hurry(300_100);
  assertEquals(attempts.dueMs, Infinity, "one is under way");
  attempts.ended(300_100, { closeCode: CloseCode.busy, random: 0.5 });
  attempts.hurry(300_200);
  assertEquals(attempts.dueMs, 310_000, "a full server gains nothing");
});

Deno.test("Attempts: each state that does not come in time makes the next attempt wait longer for it (SPEC 8.64)", () => {
  const attempts = new Attempts();
  const end = { closeCode: CUT, random: 0.5 };
  const patience = [attempts.patience];
  for (const endedIn of ["state", "open", "tick", "state", "state", "state"] as const) {
    attempts.ended(0, { ...end, endedIn });
    patience.push(attempts.patience);
  }
  assertEquals(patience, [1, 2, 2, 2, 4, 8, 8]);
});

Deno.test("FINAL_CODES: a client tries again unless it would only meet the same refusal (SPEC 8.12)", () => {
  const retried = Object.entries(CloseCode).filter(([, code]) => !FINAL_CODES.has(code)).map((
    [name],
  ) => name);
  assertEquals(retried, ["tooSlow", "helloMissing", "busy", "noRoom"]);
  assert([1001, CUT, 1011].every((code) => !FINAL_CODES.has(code)));
});

/**
 * Pages of one address lose their server, which listens again after `downMs`.
 * @returns when the last one is back, ms
 */
function lastBackMs(seed: number, downMs: number): number {
  const random = new Random(seed);
  const bucket = new TokenBucket(DEFAULT_LIMITS.upgradesPerAddress, downMs);
  const waitMs = (failedAttempts: number, closeCode: number) =>
    retryDelayMs(failedAttempts, { closeCode, random: random.fraction() });
  let attempts = Array.from(
    { length: PLAYERS },
    () => ({ atMs: waitMs(0, GOING_AWAY), failed: 1 }),
  );
  let lastMs = 0;
  while (attempts.length > 0) {
    attempts = attempts.toSorted((a, b) => a.atMs - b.atMs);
    const { atMs, failed } = attempts.shift()!;
    if (atMs >= downMs && bucket.take(atMs)) lastMs = atMs;
    else attempts.push({ atMs: atMs + waitMs(failed, CUT), failed: failed + 1 });
  }
  return lastMs;
}

Deno.test("retryDelayMs: 200 pages of one address are admitted within 10 s of a restart, by the default limits (SPEC 8.28)", () => {
  for (const downMs of [150, 500, 1000]) {
    for (let seed = 1; seed <= 20; seed++) {
      const ms = lastBackMs(seed, downMs);
      assertGreater(ms, 1000, "a hundred of them wait");
      // The rest is for the join on a busy machine.
      assertLess(ms, 8_000, `seed ${seed}, ${downMs} ms`);
    }
  }
});
