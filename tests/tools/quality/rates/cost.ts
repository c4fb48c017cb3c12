/**
 * What a rate costs: the time of a tick of three crowds, relative to the same tick at 20 Hz × 2. The
 * rates take turns, and the fastest of all passes counts for each turn: other load on the machine
 * only ever adds to it.
 */
import { CROWDS, RATE } from "../../bench/physics/crowds/scenes.ts";
import { stageEngine, type StageWorld } from "../../engines/stage_engine.ts";
import type { Rate } from "../../engines/scene.ts";

/** Boxes, joints and circles. */
const SCENES = ["pyramid190", "ragdolls100", "pit500"] as const;
/** Seconds of one turn, and turns: nothing falls asleep so soon. */
const TURN_S = 0.25;
const TURNS = 4;

/** By scene: the time of a tick, relative to that of the first rate. */
export type CostReport = Readonly<Record<string, readonly number[]>>;

/** @returns milliseconds of a tick in the mean over a turn of the scene */
function timeTurn(world: StageWorld, { tickHz }: Rate): number {
  const ticks = TURN_S * tickHz;
  const begin = performance.now();
  for (let tick = 0; tick < ticks; tick++) world.tick();
  return (performance.now() - begin) / ticks;
}

/** @param scene its turns begin at the same second of the scene at each rate */
function costsOf(
  scene: typeof SCENES[number],
  rates: readonly Rate[],
  passes: number,
): number[] {
  const fastest = rates.map(() => Array.from({ length: TURNS }, () => Infinity));
  for (let pass = 0; pass < passes; pass++) {
    const worlds = rates.map((rate) => {
      const world = stageEngine.build(CROWDS[scene].scene, rate);
      const leadS = CROWDS[scene].leadTicks / RATE.tickHz;
      for (let tick = 0; tick < leadS * rate.tickHz; tick++) world.tick();
      return world;
    });
    for (let turn = 0; turn < TURNS; turn++) {
      worlds.forEach((world, i) => {
        fastest[i]![turn] = Math.min(fastest[i]![turn]!, timeTurn(world, rates[i]!));
      });
    }
  }
  const totals = fastest.map((turns) => turns.reduce((sum, time) => sum + time));
  return totals.map((total) => Number((total / totals[0]!).toFixed(2)));
}

/**
 * @param rates the first one is what the others are relative to
 * @param passes how often each scene is built and timed; the first pass warms the compiler up
 */
export function measureCosts(rates: readonly Rate[], passes: number): CostReport {
  return Object.fromEntries(
    SCENES.map((scene) => {
      costsOf(scene, rates, 1);
      return [scene, costsOf(scene, rates, passes)];
    }),
  );
}
