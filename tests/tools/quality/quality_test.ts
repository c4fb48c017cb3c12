/**
 * The quality of physics in small; `deno task bench quality` alone measures all heights and a whole
 * minute.
 */
import { assert, assertEquals, assertLessOrEqual } from "@std/assert";
import { runTask } from "../../support/task.ts";

Deno.test("quality: every engine's figures are measured, in one JSON object", async () => {
  const { code, stdout, stderr } = await runTask(
    "bench",
    "quality",
    "--heights",
    "2",
    "--seconds",
    "2",
    "--rooms",
    "1",
    "--json",
  );
  assertEquals(code, 0, stderr);
  const { others, rooms, ...stage } = JSON.parse(stdout.trim().split("\n").at(-1)!);
  assertEquals(Object.keys(others), ["planck", "box2dWasm", "rapier"]);
  for (const engine of [stage, ...Object.values(others)]) {
    assertEquals(Object.keys(engine), Object.keys(others.planck));
  }
  assertEquals(stage.bounces.tried, 2 * 3 * 2);
  assert(stage.stands.includes("stack8"), stdout);
  assertEquals(rooms, { tried: 1, left: 0 });
  const { scenes, worstM, planckWorstM } = stage.sinking;
  assertEquals([scenes, planckWorstM], [
    others.planck.sinking.scenes,
    others.planck.sinking.worstM,
  ]);
  assertLessOrEqual(worstM, 0.01);
});

Deno.test("quality: no bounce of the stage gains or loses energy, and nothing ends a tick deep inside, or leaves (SPEC 9.26, 9.28, 9.29)", async () => {
  const args = [
    "--engines",
    "stage",
    "--heights",
    "6",
    "--seconds",
    "15",
    "--rooms",
    "15",
    "--json",
  ];
  const { code, stdout, stderr } = await runTask("bench", "quality", ...args);
  assertEquals(code, 0, stderr);
  const stage = JSON.parse(stdout.trim().split("\n").at(-1)!);
  const { bounces, halfBounces, closedBoxEnergyRange: [least, most] } = stage;
  assertEquals([bounces.tried, bounces.above, bounces.below], [6 * 3 * 2, 0, 0], stdout);
  assertEquals([halfBounces.above, halfBounces.below], [0, 0], stdout);
  assertLessOrEqual(
    Math.max(stage.depthMaxM, stage.closedBoxDepthMaxM, stage.sinking.worstM),
    0.01,
  );
  assertLessOrEqual(stage.sinking.planckWorstM, 0.01);
  assertEquals(stage.rooms, { tried: 15, left: 0 }, stderr);
  assert(least >= 0.8 && most <= 1.02, stdout);
  assertLessOrEqual(stage.chainStretchM, 0.5);
  const stands = ["stack8", "stack12", "stack16", "stack8Bouncy", "pyramid10", "pyramid19"];
  assertEquals(stage.stands, stands, stdout);
  assertEquals([stage.bulletsThrough, stage.tumblerEscaped, stage.loopEscaped], [0, 0, 0], stdout);
  const { ball, ballOnHills, crate, slipperyCrate } = stage.chain;
  assertLessOrEqual(Math.max(ball.hopM, ballOnHills.hopM, crate.hopM, slipperyCrate.hopM), 0.005);
  assertEquals([ball.wentM, ballOnHills.wentM, crate.wentM, slipperyCrate.wentM], [
    115,
    115,
    50,
    115,
  ], stdout);
});
