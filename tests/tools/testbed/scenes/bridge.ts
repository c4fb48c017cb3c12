/** A bridge of planks on pins: heavy crates cross it, and a bridge that bears too much breaks. */
import { archetype, jointDef } from "../../../../shared/physics/core/types.ts";
import { joints } from "../../../../shared/physics/joints/feature.ts";
import type { Stage } from "../../../../shared/physics/stage/stage.ts";
import { ACTION, LEFT, RIGHT, scene } from "../scene.ts";

const PLANKS = 20;
/** Metres. */
const HALF_LENGTH = 0.5;
const HALF_SPAN = PLANKS * HALF_LENGTH;
const LEVEL = 0;
/** N. */
const PUSH = 260;
const CRATE_EVERY_TICKS = 12;
const CRATES_MAX = 24;

const PLANK = archetype({
  name: "plank",
  body: {
    fixtures: [{ shape: { box: [HALF_LENGTH, 0.125] }, density: 20, friction: 0.5 }],
    angularDamping: 0.5,
  },
  fields: {},
});
const ROLLER = archetype({
  name: "roller",
  body: { fixtures: [{ shape: { circle: 0.9 }, density: 24, friction: 0.9 }], linearDamping: 0.1 },
  fields: {},
});
const CRATE = archetype({
  name: "crate",
  body: { fixtures: [{ shape: { box: [0.5, 0.5] }, density: 14 }] },
  fields: {},
});
/** The first and the last plank turn within the cliffs, which are ground. */
const PIN = jointDef({
  name: "pin",
  type: "revolute",
  collide: false,
  breakForce: 26_000,
  fields: {},
});

/** Pins each plank to the last one, and the ends to the cliffs. */
function buildBridge(stage: Stage): void {
  let last = stage.ground;
  for (let i = 0; i < PLANKS; i++) {
    const left = -HALF_SPAN + 2 * HALF_LENGTH * i;
    const plank = stage.spawn(PLANK, { x: left + HALF_LENGTH, y: LEVEL });
    stage.joints.add(PIN, last, plank, { x: left, y: LEVEL });
    last = plank;
  }
  stage.joints.add(PIN, last, stage.ground, { x: HALF_SPAN, y: LEVEL });
}

export const bridge = scene({
  name: "bridge",
  title: "Bridge",
  hint: "Left and right push the roller across. Space drops crates, until a pin breaks.",
  keys: LEFT | RIGHT | ACTION,
  view: { x: 0, y: 0.2, height: 18.4 },
  colours: { plank: "wood", roller: "sky", crate: "gold" },
  stage: {
    gravity: 10,
    tickHz: 20,
    substeps: 4,
    features: [joints],
    ground: [
      { shape: { box: [10, 4], x: -HALF_SPAN - 10, y: LEVEL - 3.875 } },
      { shape: { box: [10, 4], x: HALF_SPAN + 10, y: LEVEL - 3.875 } },
      { shape: { box: [40, 10], y: -17.5 } },
      { shape: { box: [0.3, 1.5], x: -HALF_SPAN - 6, y: LEVEL + 1.6 } },
      { shape: { box: [0.3, 1.5], x: HALF_SPAN + 6, y: LEVEL + 1.6 } },
    ],
    archetypes: [PLANK, ROLLER, CRATE],
    joints: [PIN],
    fields: { cratesLeft: "u8", ticksToCrate: "u8" },
  },
  start(stage) {
    buildBridge(stage);
    stage.spawn(ROLLER, { x: -HALF_SPAN - 2, y: LEVEL + 1.03 });
    stage.fields.cratesLeft = CRATES_MAX;
  },
  tick(stage, { keys }) {
    const [roller] = stage.all(ROLLER);
    if (keys & RIGHT) stage.applyForce(roller!, PUSH, 0);
    if (keys & LEFT) stage.applyForce(roller!, -PUSH, 0);
    if (stage.fields.ticksToCrate > 0) stage.fields.ticksToCrate--;
    else if (keys & ACTION && stage.fields.cratesLeft > 0) {
      stage.spawn(CRATE, { x: stage.fields.cratesLeft % 5 - 2, y: 7, angle: 0.2 });
      stage.fields.cratesLeft--;
      stage.fields.ticksToCrate = CRATE_EVERY_TICKS;
    }
  },
  marks(stage, draw) {
    for (const { force, bx, by } of stage.joints.all(PIN)) {
      if (force > 0.6 * PIN.breakForce!) {
        draw.circle(bx, by, 0.3, force > 0.8 * PIN.breakForce! ? "ember" : "gold");
      }
    }
    draw.text(0, 6.8, `${stage.fields.cratesLeft} crates left`, "snow");
  },
  shotTicks: 72,
  proof: {
    claim: "the roller crosses under falling crates, and all pins hold",
    keys: (tick) => RIGHT | (tick > 20 && tick < 110 ? ACTION : 0),
    check(stage) {
      const [roller] = stage.all(ROLLER);
      const pins = stage.joints.all(PIN).length;
      if (roller!.x < HALF_SPAN || pins !== PLANKS + 1) {
        throw new Error(`x ${roller!.x}, ${pins} pins`);
      }
      return `the roller is at ${roller!.x.toFixed(1)} m, all ${pins} pins hold`;
    },
  },
});
