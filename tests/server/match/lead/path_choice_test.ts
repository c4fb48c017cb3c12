import { assert, assertAlmostEquals, assertEquals, assertGreater, assertLess } from "@std/assert";
import { PathChoice } from "../../../../server/match/lead/path_choice.ts";
import { Random } from "../../../../shared/random.ts";

const TICK_MS = 50;

/**
 * Commands over an ordered line: jitter of so many ms, and each `stallEvery` ticks a stall, behind
 * which all wait.
 */
function observe(
  choice: PathChoice,
  { seconds, leadMs, jitterMs, stallEvery = Infinity, stallMs = 250 }: {
    seconds: number;
    leadMs: number;
    jitterMs: number;
    stallEvery?: number;
    stallMs?: number;
  },
): void {
  const random = new Random(4);
  let newestMs = 0;
  for (let tick = 0; tick < seconds * 20; tick++) {
    const isStalled = tick % stallEvery === stallEvery - 1;
    const delayMs = 100 + random.fraction() * jitterMs;
    newestMs = Math.max(newestMs, tick * TICK_MS + delayMs + (isStalled ? stallMs : 0));
    choice.observe({ leadMs, slackMs: leadMs - (newestMs - tick * TICK_MS), atMs: newestMs });
  }
}

Deno.test("PathChoice: a line with stalls gains what its lead covers beyond the jitter, after 15 s (SPEC 16.10)", () => {
  const choice = new PathChoice();
  observe(choice, { seconds: 14, leadMs: 260, jitterMs: 8, stallEvery: 100 });
  assert(!choice.wouldGain);
  observe(choice, { seconds: 10, leadMs: 260, jitterMs: 8, stallEvery: 100 });
  assert(choice.wouldGain);
  assertGreater(choice.gainMs, 90);
  choice.reset();
  assert(!choice.wouldGain);
});

Deno.test("PathChoice: neither jitter alone nor a long way alone gains, nor a lead without stalls (SPEC 16.10)", () => {
  for (const [leadMs, jitterMs] of [[150, 20], [125, 5], [110, 0], [300, 0]] as const) {
    const choice = new PathChoice();
    observe(choice, { seconds: 60, leadMs, jitterMs });
    assert(!choice.wouldGain, `${leadMs} ${jitterMs}: ${choice.gainMs}`);
  }
});

Deno.test("PathChoice: commands that a busy page sends together are not held back by its line (SPEC 5.30, 16.10)", () => {
  const choice = new PathChoice();
  for (let burst = 0; burst < 400; burst++) {
    // The lead of a command that goes out late is shorter.
    for (let i = 0; i < 3; i++) {
      choice.observe({ leadMs: 200 - 50 * i, slackMs: 90 - 50 * i, atMs: burst * 150 });
    }
  }
  assert(!choice.wouldGain);
});

/**
 * A client on its datagrams for three minutes and more.
 * @param line.copiesOf of a tick's datagram
 */
function judge({ lostOf, copiesOf = () => 0 }: {
  lostOf: (tick: number) => boolean;
  copiesOf?: (tick: number) => number;
}): PathChoice {
  const choice = new PathChoice();
  for (let tick = 1000; tick < 1000 + 4000; tick++) {
    for (let copy = 0; copy <= copiesOf(tick); copy++) {
      if (!lostOf(tick)) choice.observeDatagram(tick);
    }
    // Another one is overtaken.
    if (tick % 7 === 0) choice.observeDatagram(tick - 3);
  }
  return choice;
}

Deno.test("PathChoice: a path is not needed after three minutes in which hardly a datagram was lost (SPEC 16.14)", () => {
  assert(judge({ lostOf: () => false }).isGood);
  assert(judge({ lostOf: (tick) => tick === 1500 || tick === 2500 }).isGood);
  // The copies of a line that is not known yet.
  assert(judge({ lostOf: () => false, copiesOf: (tick) => tick < 1200 ? 1 : 0 }).isGood);
  const lossy = judge({ lostOf: (tick) => tick % 400 === 1 });
  assert(!lossy.isGood);
  assertAlmostEquals(lossy.lostShare, 0.0025, 0.002);
});

Deno.test("PathChoice: a client that sends copies needs its path, although they hide its losses (SPEC 16.14)", () => {
  assert(!judge({ lostOf: () => false, copiesOf: () => 1 }).isGood);
});

Deno.test("PathChoice: a pause of a client is no loss, and too few datagrams say nothing (SPEC 16.14)", () => {
  const choice = new PathChoice();
  for (let tick = 0; tick < 3000; tick++) choice.observeDatagram(tick);
  assertEquals(choice.isGood, false);
  for (let tick = 5000; tick < 8700; tick++) choice.observeDatagram(tick);
  assertEquals(choice.isGood, true);
  assertLess(choice.lostShare, 0.001);
});
