import { assert, assertAlmostEquals, assertEquals, assertRejects, assertThrows } from "@std/assert";
import type { PracticeMatch } from "../../../client/package/session.ts";
import { practise } from "../../../client/package/session_node.ts";
import { PacedClock } from "../../../client/solo/paced_clock.ts";
import type { TypesOf } from "../../../shared/game_kit/game_kit.ts";
import { game } from "../../../shared/game_kit/templates/top/game.ts";

type Practice = PracticeMatch<TypesOf<typeof game>>;

const newWorker = (script: string) =>
  new Worker(new URL(script, import.meta.url), { type: "module" });

/** Composes frames until something is so. */
async function until(match: Practice, isSo: () => boolean): Promise<void> {
  while (!isSo()) {
    match.frame();
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

Deno.test("practise: a match in a worker, without a server, is predicted and proven (SPEC 22.1)", async () => {
  const worker = newWorker("practice_worker.ts");
  const network = { rttMs: 150, jitterMs: 60 };
  const match = await practise({ game, worker, npcs: 3, name: "Ash", network });
  assertEquals(match.room, "");
  await until(match, () => match.players.length === 4);
  assertEquals(match.players.map(({ npc }) => npc), [false, true, true, true]);

  // Its car goes where the keys say, over a line that makes commands late
  const { x } = match.frame().own!;
  let turns = 0;
  await until(match, () => {
    match.setInput({ dx: x > 0 ? -1 : 1, dy: turns++ % 20 < 10 ? 1 : -1 });
    return Math.abs(match.frame().own!.x - x) > 2 && match.stats.rollbacks > 3;
  });
  assertEquals([match.stats.desyncs, match.stats.isInSync], [0, true]);

  // Time stands still, and goes on
  match.pace = 0;
  const ticks = match.stats.ticks;
  let frames = 0;
  await until(match, () => ++frames > 60);
  assert(match.stats.ticks <= ticks + 3);
  match.pace = 1;
  await until(match, () => match.stats.ticks > ticks + 10);
  assertEquals(match.stats.desyncs, 0);
  assertThrows(() => match.pace = 2, RangeError, "the pace 2 is not 0 … 1");

  match.leave();
  assertEquals(match.status.phase, "ended");
});

Deno.test("practise: a worker that fails ends the attempt with a sentence", async () => {
  const worker = newWorker("no_such_worker.ts");
  const error = await assertRejects(() => practise({ game, worker }), Error);
  assertEquals(error.message, "The practice match does not run on this page.");
});

Deno.test("practise: a match whose rules do not end any more is over, and its worker ends (SPEC 22.6)", async () => {
  const match = await practise({ game, worker: newWorker("stuck_worker.ts") });
  await until(match, () => match.status.phase === "ended");
  assertEquals(match.status.text, "The practice match does not run on this page.");
});

Deno.test("practise: a number of NPCs that no match has is an author's mistake", async () => {
  for (const npcs of [-1, 17, 2.5]) {
    const worker = newWorker("practice_worker.ts");
    await assertRejects(() => practise({ game, worker, npcs }), TypeError, `npcs is ${npcs}`);
    worker.terminate();
  }
});

Deno.test("PacedClock: stands still, goes slowly, and never goes back (SPEC 22.2)", () => {
  const real = { nowMs: 1000, now: () => real.nowMs, lagMs: () => 8 };
  const clock = new PacedClock(real);
  const began = clock.now();
  const after = (ms: number, pace: number) => {
    clock.pace = pace;
    real.nowMs += ms;
    return clock.now() - began;
  };
  assertAlmostEquals(after(100, 1), 100);
  assertAlmostEquals(after(100, 0.25), 125);
  assertAlmostEquals(clock.lagMs(), 2);
  assertAlmostEquals(clock.realMs(clock.now() + 25), real.nowMs + 100);
  assertAlmostEquals(after(5000, 0), 125);
  assertEquals(clock.realMs(clock.now() + 1), Infinity);
  assertAlmostEquals(after(10, 1), 135);
});
