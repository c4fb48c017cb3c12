/** Quality over minutes: stacks stand still, and nothing leaves an arena. */
import { assert, assertAlmostEquals } from "@std/assert";
import { StageScene } from "../../../../client/same_bits/stage_scene.ts";
import { FULL } from "../../../../client/same_bits/full_scene.ts";
import { CRATE, run, yard } from "../scenes/yard.ts";

const MINUTE_TICKS = 1_200;
/** Ticks until the parts of a stack have sunk to their resting places. */
const WARM_UP_TICKS = 40;
const DRIFT_MAX_M = 1e-3;

/**
 * The same for a stack that may not sleep. The solver's slop lets parts rest 8 to 18 mm apart, and
 * they rise slowly.
 */
const WARM_UP_AWAKE_TICKS = 1_000;

for (
  const [sleeps, warmUpTicks] of [[true, WARM_UP_TICKS], [false, WARM_UP_AWAKE_TICKS]] as const
) {
  const name = `a stack of eight that ${sleeps ? "may sleep" : "is kept awake"}`;
  Deno.test(`stage: ${name} stands for a minute without drifting by 1 mm (SPEC 9.12)`, () => {
    const stage = yard();
    const crates = Array.from(
      { length: 8 },
      (_, i) => stage.spawn(CRATE, { x: 3, y: 0.41 + i * 0.81 }),
    );
    let before: { x: number; y: number; angle: number }[] = [];

    for (let i = 0; i <= warmUpTicks + MINUTE_TICKS; i++) {
      if (!sleeps) stage.applyForce(crates[7]!, 0, 1e-9);
      run(stage, 1);
      if (i === warmUpTicks) before = crates.map(({ x, y, angle }) => ({ x, y, angle }));
      for (const [k, was] of before.entries()) {
        for (const what of ["x", "y", "angle"] as const) {
          assertAlmostEquals(
            crates[k]![what],
            was[what],
            DRIFT_MAX_M,
            `${what} of crate ${k}, tick ${i}`,
          );
        }
      }
    }

    assert(crates.every((crate) => crate.awake !== sleeps));
  });
}

/** Metres. A dragon at the wall shoots from inside of it; the wall is 1 m thick. */
const INTO_WALL_MAX_M = 0.35;

Deno.test("stage: nothing leaves the full scene's arena in 10,000 ticks (SPEC 9.26)", () => {
  const scene = new StageScene(FULL);
  const { stage } = scene;
  const staying = FULL.dragons + FULL.loot;
  let seen = 0;

  for (let tick = 0; tick < 10_000; tick++) {
    scene.step();
    // Each tick spawns one projectile. None lives longer than 40 ticks.
    for (
      let id = 1;
      id <= staying + tick + 1;
      id = id === staying ? Math.max(id + 1, staying + tick - 45) : id + 1
    ) {
      const entity = stage.get(id);
      if (entity === undefined) continue;
      seen++;
      const { x, y } = entity;
      const out = Math.max(-x, x - 40, -y, y - 24);
      assert(out < INTO_WALL_MAX_M, `tick ${tick}: ${id} ${entity.archetype.name} is at ${x} ${y}`);
    }
  }

  assert(seen > 10_000 * staying, `${seen} places seen`);
});
