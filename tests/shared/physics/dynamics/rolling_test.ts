/** Rolling resistance: how far a ball rolls, on which slopes it stays, and what it leaves alone. */
import { assert, assertAlmostEquals, assertEquals, assertThrows } from "@std/assert";
import {
  archetype,
  type FixtureDef,
  type Shape,
  StageError,
} from "../../../../shared/physics/core/types.ts";
import { Stage } from "../../../../shared/physics/stage/stage.ts";
import { type Rate, STEP_RATES } from "../../../tools/engines/scene.ts";
import { FEATURES } from "../scenes/features.ts";
import { assertSameAfterRollbacks } from "../scenes/rolled_back.ts";

const RADIUS = 0.5;

function stageOf(
  fixture: Partial<FixtureDef>,
  { slope = 0, rate = STEP_RATES[1]!, solverSteps = 1, floor = {} as Partial<FixtureDef> } = {},
) {
  const ball = archetype({
    name: "ball",
    body: { fixtures: [{ shape: { circle: RADIUS }, friction: 1, ...fixture }] },
    fields: {},
  });
  const def = {
    gravity: { x: -10 * Math.sin(slope), y: -10 * Math.cos(slope) },
    ...rate,
    solverSteps,
    features: FEATURES,
    ground: [{ shape: { box: [300, 1] as const, y: -1 }, friction: 1, ...floor }],
    archetypes: [ball],
    fields: {},
  };
  return { stage: new Stage(def), ball, def };
}

function run(stage: Stage, ticks: number): void {
  for (let i = 0; i < ticks; i++) {
    stage.advance();
    stage.endTick();
  }
}

const ROLLERS: readonly Shape[] = [
  { circle: RADIUS },
  { box: [0.1, 0.1], radius: 0.4 },
];

const RATES = [...STEP_RATES, { tickHz: 20, substeps: 1, solverSteps: 4 }, {
  tickHz: 20,
  substeps: 2,
  solverSteps: 4,
}];

for (const { solverSteps = 1, ...rate } of RATES as readonly (Rate & { solverSteps?: number })[]) {
  const name = `${rate.tickHz}x${rate.substeps}x${solverSteps}`;

  Deno.test(`rolling: a disc at 6 m/s comes to rest after v² · 1.5 / (2 · resistance · g), at ${name} (SPEC 9.85)`, () => {
    for (const owner of ["ball", "floor"]) {
      const rolls = { rollingResistance: 0.2 };
      const { stage, ball } = owner === "ball"
        ? stageOf(rolls, { rate, solverSteps })
        : stageOf({}, { rate, solverSteps, floor: rolls });
      const disc = stage.spawn(ball, { x: 0, y: RADIUS, vx: 6, spin: -6 / RADIUS });
      run(stage, 7 * rate.tickHz);
      assertAlmostEquals(disc.x, 6 * 6 * 1.5 / (2 * 0.2 * 10), 0.5);
      assertEquals([disc.awake, disc.vx], [false, 0]);
    }
  });

  Deno.test(`rolling: a disc stays on slopes below its resistance, and rolls down those above, at ${name} (SPEC 9.85)`, () => {
    for (const [steepness, stays] of [[0.15, true], [0.19, true], [0.22, false]] as const) {
      const slope = Math.atan(steepness);
      const { stage, ball } = stageOf({ rollingResistance: 0.2 }, { slope, rate, solverSteps });
      const disc = stage.spawn(ball, { x: 0, y: RADIUS });
      run(stage, 4 * rate.tickHz);
      assert(Math.abs(disc.x) < 0.02 === stays, `${steepness}: rolled ${disc.x} m`);
      assertEquals(disc.awake, !stays);
    }
  });
}

Deno.test("rolling: what does not roll, and a resistance of 0, keep every bit (SPEC 9.85)", () => {
  const after = (fixture: Partial<FixtureDef>) => {
    const { stage, ball } = stageOf(fixture);
    const body = stage.spawn(ball, { x: 0, y: 1, vx: 3, spin: 2 });
    run(stage, 60);
    return [body.x, body.y, body.angle, body.vx, body.spin];
  };
  const box: Partial<FixtureDef> = { shape: { box: [0.4, 0.4] } };
  assertEquals(after({ ...box, rollingResistance: 5 }), after(box));
  assertEquals(after({ rollingResistance: 0 }), after({}));
  for (const shape of ROLLERS) {
    const rolled = after({ shape, rollingResistance: 0.3 })[0]!;
    assert(rolled < after({ shape })[0]! - 0.1);
  }
  assertThrows(() => stageOf({ rollingResistance: -1 }), StageError, "rollingResistance is -1");
  assertThrows(() => stageOf({ rollingResistance: NaN }), StageError, "rollingResistance is NaN");
});

Deno.test("rolling: balls that roll to rest have the same bits after forced rollbacks (SPEC 9.1, 9.85)", () => {
  const { def, ball } = stageOf({ rollingResistance: 0.1, restitution: 0.4 });
  const kick = (stage: Stage, speed: number) => {
    if (stage.tick % 25 !== 0) return;
    for (const body of stage.entities()) stage.setVelocity(body, speed * (body.id % 3 - 1), 2);
  };
  assertSameAfterRollbacks(def, {
    start: (stage) => {
      for (let i = 0; i < 10; i++) stage.spawn(ball, { x: 1.1 * (i % 5), y: 0.5 + i });
    },
    rules: (stage) => kick(stage, 4),
    wrong: (stage) => kick(stage, -3),
    ticks: 300,
  });
});
