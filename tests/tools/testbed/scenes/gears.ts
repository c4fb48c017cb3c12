/** Gears: two toothed wheels turn against each other, and the second one lifts a rack. */
import { archetype, type FixtureDef, jointDef } from "../../../../shared/physics/core/types.ts";
import { joints } from "../../../../shared/physics/joints/feature.ts";
import type { Stage } from "../../../../shared/physics/stage/stage.ts";
import { DOWN, LEFT, RIGHT, scene, UP } from "../scene.ts";

/** Radii where the teeth meet, metres. */
const SMALL = 1.2;
const LARGE = 2.4;
/** Metres: the length of a tooth, and the distance of two along the pitch circle. */
const TOOTH = 0.3;
const PITCH = SMALL * Math.PI / 6;
const RACK_HALF = 3.6;
/** rad/s and N·m. */
const SPEED = 2.5;
const TORQUE = 900;
/** The wheels and the rack are for the eye: they touch nothing, and the gear joints move them. */
const NOTHING = 0;

/** A disc with teeth around it. */
function toothed(radius: number): FixtureDef[] {
  const count = Math.round(2 * Math.PI * radius / PITCH);
  const teeth = Array.from({ length: count }, (_, i): FixtureDef => {
    const angle = 2 * Math.PI * i / count;
    const x = radius * Math.cos(angle);
    const y = radius * Math.sin(angle);
    return { shape: { box: [TOOTH / 2, PITCH / 4], x, y, angle }, mask: NOTHING, density: 0.5 };
  });
  return [...teeth, { shape: { circle: radius - TOOTH / 3 }, mask: NOTHING, density: 0.5 }];
}

const PINION = archetype({
  name: "pinion",
  body: { fixtures: toothed(SMALL), angularDamping: 0.2 },
  fields: {},
});
const WHEEL = archetype({
  name: "wheel",
  body: { fixtures: toothed(LARGE), angularDamping: 0.2 },
  fields: {},
});
const RACK = archetype({
  name: "rack",
  body: {
    fixtures: [
      { shape: { box: [0.25, RACK_HALF] }, mask: NOTHING },
      ...Array.from({ length: Math.floor(2 * RACK_HALF / PITCH) }, (_, i): FixtureDef => ({
        shape: { box: [TOOTH / 2, PITCH / 4], x: -0.25, y: PITCH * (i + 0.5) - RACK_HALF },
        mask: NOTHING,
      })),
      // The tray carries what lies on it.
      { shape: { box: [1.5, 0.12], x: 1.75, y: -1.6 } },
      { shape: { box: [0.12, 0.3], x: 3.2, y: -1.3 } },
    ],
  },
  fields: {},
});
const CRATE = archetype({
  name: "crate",
  body: { fixtures: [{ shape: { box: [0.4, 0.4] }, density: 4 }] },
  fields: {},
});

const MOTOR = jointDef({
  name: "motor",
  type: "revolute",
  motor: { speed: 0, torqueMax: TORQUE },
  fields: {},
});
const AXLE = jointDef({ name: "axle", type: "revolute", fields: {} });
const RAIL = jointDef({
  name: "rail",
  type: "prismatic",
  limits: { lower: -1.9, upper: 1.9 },
  fields: {},
});
/** Wheels in mesh: angle of the pinion + LARGE / SMALL · angle of the wheel stays. */
const MESH = jointDef({ name: "mesh", type: "gear", ratio: LARGE / SMALL, fields: {} });
/** The rack on the right of the wheel rises as the wheel turns: angle - height / LARGE stays. */
const LIFT = jointDef({ name: "lift", type: "gear", ratio: -1 / LARGE, fields: {} });

function build(stage: Stage): void {
  const mesh = PITCH / 2 / SMALL;
  const pinion = stage.spawn(PINION, { x: -SMALL - LARGE, y: 0, angle: mesh });
  const wheel = stage.spawn(WHEEL, { x: 0, y: 0 });
  const rack = stage.spawn(RACK, { x: LARGE + 0.25 + TOOTH / 2, y: PITCH / 2 });
  const motor = stage.joints.add(MOTOR, stage.ground, pinion, { x: pinion.x, y: 0 });
  const axle = stage.joints.add(AXLE, stage.ground, wheel, { x: 0, y: 0 });
  const rail = stage.joints.add(RAIL, stage.ground, rack, {
    x: rack.x,
    y: 0,
    axis: { x: 0, y: 1 },
  });
  stage.joints.addGear(MESH, motor, axle);
  stage.joints.addGear(LIFT, axle, rail);
}

/** How far the coordinates of both gears have left their ratios: radians. */
function slipOf(stage: Stage): readonly [mesh: number, lift: number] {
  const [motor] = stage.joints.all(MOTOR);
  const [axle] = stage.joints.all(AXLE);
  const [rail] = stage.joints.all(RAIL);
  return [motor!.angle + axle!.angle * LARGE / SMALL, axle!.angle - rail!.translation / LARGE];
}

export const gears = scene({
  name: "gears",
  title: "Gears",
  hint:
    "Left and right turn the pinion. Turn the wheel or pull the rack by hand: the others follow.",
  keys: LEFT | RIGHT,
  view: { x: 0.4, y: 0, height: 12.6 },
  colours: { pinion: "ember", wheel: "gold", rack: "sky", crate: "wood" },
  stage: {
    gravity: 10,
    tickHz: 20,
    substeps: 3,
    features: [joints],
    ground: [{ shape: { box: [40, 10], y: -15.6 } }],
    archetypes: [PINION, WHEEL, RACK, CRATE],
    joints: [MOTOR, AXLE, RAIL, MESH, LIFT],
    fields: {},
  },
  start(stage) {
    build(stage);
    for (let i = 0; i < 3; i++) stage.spawn(CRATE, { x: 4.3 + 0.1 * i, y: -0.5 + 0.85 * i });
  },
  tick(stage, { keys }) {
    const [motor] = stage.joints.all(MOTOR);
    const direction = (keys & (LEFT | DOWN) ? 1 : 0) - (keys & (RIGHT | UP) ? 1 : 0);
    stage.joints.setMotor(motor!, { speed: SPEED * direction });
  },
  marks(stage, draw) {
    const degrees = (angle: number) => `${Math.round(angle * 180 / Math.PI)}°`;
    const [motor] = stage.joints.all(MOTOR);
    const [axle] = stage.joints.all(AXLE);
    const [rail] = stage.joints.all(RAIL);
    draw.text(-SMALL - LARGE, -SMALL - 0.8, degrees(motor!.angle), "snow");
    draw.text(0, -LARGE - 0.7, degrees(axle!.angle), "snow");
    draw.text(rail!.bx + 1.2, rail!.by + 2.4, `${rail!.translation.toFixed(2)} m`, "snow");
  },
  shotTicks: 26,
  proof: {
    claim:
      "the pinion lifts the loaded rack, and both gears keep their ratios within half a degree",
    keys: (tick) => tick % 120 < 40 ? RIGHT : tick % 120 < 80 ? LEFT : 0,
    check(stage) {
      const [mesh, lift] = slipOf(stage);
      const figures = `mesh ${mesh}, lift ${lift}`;
      if (Math.max(Math.abs(mesh), Math.abs(lift)) > Math.PI / 360) throw new Error(figures);
      return figures;
    },
  },
});
