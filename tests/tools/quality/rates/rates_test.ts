/**
 * What new games carry: 20 Hz × 2 with four solver steps, as the templates declare. The checks that
 * fail with one solver step are those of the physics cases of the same names.
 */
import { assert, assertEquals, assertLessOrEqual, assertStringIncludes } from "@std/assert";
import { stageEngine } from "../../engines/stage_engine.ts";
import { heightsOf, measureBounces } from "../measures/bounces.ts";
import { measureClosedBox } from "../measures/closed_box.ts";
import { nameOf, RATE_SCENES, TABLE_RATES } from "./rates.ts";

const BEFORE = { tickHz: 20, substeps: 2 };
const NEW = { ...BEFORE, solverSteps: 4 };

/** They hold at both rates. */
const HOLD = ["stack8", "heavy top", "D14", "marbles", "J6 tilt", "I40 force", "chain"];
/** They hold with four solver steps only. */
const GAINED = ["D9", "D13", "J8", "J13", "J6", "I45"];
/** Limits hold at each rate. */
const LIMITS = ["J1", "I32"];

const sceneOf = (id: string) => RATE_SCENES.find((scene) => scene.id === id)!;

for (const id of HOLD) {
  Deno.test(`rates: ${id} holds at 20×2 and with four solver steps (SPEC 9.94)`, () => {
    const { measure, most } = sceneOf(id);
    for (const rate of [BEFORE, NEW]) assertLessOrEqual(measure(rate), most, nameOf(rate));
  });
}

for (const id of GAINED) {
  Deno.test(`rates: ${id} does not hold at 20×2, and does with four solver steps (SPEC 9.94)`, () => {
    const { measure, most } = sceneOf(id);
    const before = measure(BEFORE);
    assert(before > most, `holds at 20×2 already: ${before}`);
    assertLessOrEqual(measure(NEW), most);
  });
}

for (const id of LIMITS) {
  Deno.test(`rates: ${id} is not over its limits at any rate (SPEC 9.107)`, () => {
    const { measure, most } = sceneOf(id);
    for (const rate of TABLE_RATES) assertLessOrEqual(measure(rate), most, nameOf(rate));
  });
}

Deno.test("rates: with four solver steps nothing gains or loses energy by bounces (SPEC 9.28, 9.95)", () => {
  const { bounces, halfBounces, depthMaxM } = measureBounces(stageEngine, heightsOf(6), [NEW]);
  assertEquals([bounces.above, bounces.below, halfBounces.above, halfBounces.below], [0, 0, 0, 0]);
  assert(bounces.worst <= 1.01 && bounces.lowest >= 0.99, JSON.stringify(bounces));
  assertLessOrEqual(depthMaxM, 0.01);
  const { closedBoxEnergyRange: [least, most] } = measureClosedBox(stageEngine, 30, [NEW]);
  assert(least! >= 0.9 && most! <= 1.02, `${least} to ${most}`);
});

Deno.test("rates: the table has each scene once, and the rate of new games", async () => {
  const ids = RATE_SCENES.map(({ id }) => id);
  assertEquals(new Set(ids).size, ids.length);
  const templates = new URL("../../../../shared/game_kit/templates/", import.meta.url);
  for await (const { name } of Deno.readDir(templates)) {
    const game = await Deno.readTextFile(new URL(`${name}/game.ts`, templates));
    assertStringIncludes(game, "solverSteps: 4,", name);
  }
  assert(TABLE_RATES.map(nameOf).includes(nameOf(NEW)));
});
