import { assert, assertAlmostEquals, assertEquals, assertGreater, assertLess } from "@std/assert";
import { CopyLaw } from "../../../../client/session/datagrams/copy_law.ts";
import { Random } from "../../../../shared/random.ts";

const TICK_MS = 50;

/** A law that has seen `ticks` of a line without loss. */
function lawAfter(ticks: number): CopyLaw {
  const law = new CopyLaw(TICK_MS);
  play(law, ticks);
  return law;
}

/**
 * Lets the law see ticks, each with one datagram.
 * @param isLost by the tick's number
 * @param delayMs likewise
 */
function play(
  law: CopyLaw,
  ticks: number,
  { isLost = () => false, delayMs = () => 40 }: {
    isLost?: (tick: number) => boolean;
    delayMs?: (tick: number) => number;
  } = {},
): void {
  for (let i = 0; i < ticks; i++) {
    law.observe({ sent: 1, lost: isLost(i) ? 1 : 0 });
    law.observeArrival(delayMs(i), 0);
  }
}

Deno.test("CopyLaw: a new line has copies, and a clean one has none after ten seconds (SPEC 1.18)", () => {
  const law = new CopyLaw(TICK_MS);
  const { changed, unchanged, reachesBack, isShort } = law.plan;
  assertGreater(changed, 1);
  assertEquals([unchanged, reachesBack, isShort], [1, true, false]);
  play(law, 100);
  assertEquals([law.plan.isShort, law.plan.reachesBack], [true, true]);
  play(law, 100);
  assertEquals(law.plan, { isShort: true, reachesBack: false, changed: 0, unchanged: 0 });
});

Deno.test("CopyLaw: a line that goes bad has copies with the first loss, within a second four of them, and for two minutes (SPEC 1.18)", () => {
  const law = lawAfter(2000);
  play(law, 1, { isLost: () => true });
  assertGreater(law.plan.changed, 0);
  assert(law.plan.reachesBack);
  play(law, 19, { isLost: (i) => i % 10 < 2 });
  assertEquals([law.plan.changed, law.plan.unchanged], [4, 1]);
  play(law, 1000, { isLost: (i) => i % 300 < 3 });
  assertGreater(law.plan.changed, 1);
  play(law, 5000);
  assertEquals(law.plan.changed, 0);
});

Deno.test("CopyLaw: one loss on a clean line costs copies for a few seconds (SPEC 1.18)", () => {
  const law = lawAfter(2000);
  play(law, 1, { isLost: () => true });
  play(law, 60);
  assertEquals(law.plan.changed, 0);
});

Deno.test("CopyLaw: it measures loss and bursts, and longer bursts need more copies (SPEC 1.18) [seed 5]", () => {
  const random = new Random(5);
  const single = new CopyLaw(TICK_MS);
  const inBursts = new CopyLaw(TICK_MS);
  play(single, 4000, { isLost: () => random.chance(0.01) });
  play(inBursts, 4000, { isLost: (i) => i % 300 < 3 });
  assertAlmostEquals(single.lossShare, 0.01, 0.01);
  assertAlmostEquals(single.burst, 1, 0.2);
  assertAlmostEquals(inBursts.burst, 3, 0.3);
  assertLess(single.plan.changed, inBursts.plan.changed);
});

Deno.test("CopyLaw: jitter from one command to the next asks for a copy, a slow drift does not (SPEC 1.18) [seed 6]", () => {
  const random = new Random(6);
  const jittery = lawAfter(1000);
  const drifting = lawAfter(1000);
  play(drifting, 400, { delayMs: (i) => 40 + i % 200 });
  assertEquals(drifting.plan.changed, 0);
  play(jittery, 400, { delayMs: () => 40 + 40 * random.fraction() });
  assertEquals([jittery.plan.changed, jittery.plan.unchanged], [1, 1]);
  play(jittery, 600);
  assertEquals(jittery.plan.changed, 0);
});

Deno.test("CopyLaw: datagrams are full while many are far overtaken (SPEC 1.23)", () => {
  const law = lawAfter(1000);
  for (let i = 0; i < 100; i++) law.observeArrival(40, i % 5 === 0 ? 1 : 0);
  assertEquals(law.plan.isShort, false);
  for (let i = 0; i < 400; i++) law.observeArrival(40, 0);
  assertEquals(law.plan.isShort, true);
});

Deno.test("CopyLaw: copies follow every 15 ms, and end before the next tick (SPEC 1.18)", () => {
  const law = new CopyLaw(TICK_MS);
  assertEquals([1, 2, 4].map((copies) => law.spacingMs(copies)), [15, 15, 10]);
  assertLess(4 * new CopyLaw(1000 / 60).spacingMs(4), 1000 / 60);
});

Deno.test("CopyLaw: after a reset the line is unknown again (SPEC 1.18)", () => {
  const law = lawAfter(2000);
  const { plan } = new CopyLaw(TICK_MS);
  law.reset();
  assertEquals(law.plan, plan);
});
