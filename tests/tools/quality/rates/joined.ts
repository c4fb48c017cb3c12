/** Joints under load: bridges, cantilevers, cars, hinges at their limits. */
import { archetype, jointDef } from "../../../../shared/physics/core/types.ts";
import type { Entity, Stage } from "../../../../shared/physics/stage/stage.ts";
import { degrees, type RateScene, run, stageAt } from "./rate_scene.ts";

const PLANK_HALF = 0.5;
const PLANK = archetype({
  name: "plank",
  fields: {},
  body: { fixtures: [{ shape: { box: [PLANK_HALF, 0.125] }, density: 20 }] },
});

/** Metres between the two anchors of a joint. */
function gapOf({ ax, ay, bx, by }: { ax: number; ay: number; bx: number; by: number }): number {
  return Math.hypot(bx - ax, by - ay);
}

/** A bridge of planks on hinges that carries a box of 20 kg: its widest gap after 10 s. */
const bridge: RateScene = {
  id: "J8",
  what: "bridge of 30 planks of 1 kg under a crate of 20 kg",
  figure: "widest gap of a hinge, m",
  most: 0.1,
  measure(rate) {
    const count = 30;
    const crate = archetype({
      name: "crate",
      fields: {},
      body: { fixtures: [{ shape: { box: [0.5, 0.5] }, density: 20 }] },
    });
    const pin = jointDef({ name: "pin", type: "revolute", fields: {} });
    const light = archetype({
      name: "light",
      fields: {},
      body: { fixtures: [{ shape: { box: [PLANK_HALF, 0.125] }, density: 4 }] },
    });
    const stage = stageAt(rate, { ground: [], archetypes: [light, crate], joints: [pin] });
    let last: Entity = stage.ground;
    for (let i = 0; i < count; i++) {
      const x = i - count / 2;
      const plank = stage.spawn(light, { x: x + PLANK_HALF, y: 0 });
      stage.joints.add(pin, last, plank, { x, y: 0 });
      last = plank;
    }
    stage.joints.add(pin, last, stage.ground, { x: count / 2, y: 0 });
    stage.spawn(crate, { x: 0, y: 0.7 });
    let widest = 0;
    run(stage, rate, 15, {
      look: (tick) => {
        if (tick < 10 * rate.tickHz) return;
        for (const joint of stage.joints.all(pin)) widest = Math.max(widest, gapOf(joint));
      },
    });
    return widest;
  },
};

/** Eight planks that are welded to each other and, at one end, to the ground. */
const cantilever: RateScene = {
  id: "J13",
  what: "cantilever of 8 welded planks",
  figure: "its tip sags by, m",
  most: 1,
  measure(rate) {
    const weld = jointDef({ name: "weld", type: "weld", fields: {} });
    const stage = stageAt(rate, { ground: [], archetypes: [PLANK], joints: [weld] });
    let last: Entity = stage.ground;
    for (let x = 0; x < 8; x++) {
      const plank = stage.spawn(PLANK, { x: x + PLANK_HALF, y: 0 });
      stage.joints.add(weld, last, plank, { x, y: 0 });
      last = plank;
    }
    run(stage, rate, 10);
    return -last.y;
  },
};

/** What a car does. */
interface Drive {
  /** Metres that a wheel was off its axis at most. */
  readonly off: number;
  /** Degrees that the car leaned at most. */
  readonly tilt: number;
}

/** planck's example Car: over bumps for 8 s at full speed. */
function drive(rate: Parameters<RateScene["measure"]>[0]): Drive {
  const body = archetype({
    name: "body",
    fields: {},
    body: {
      fixtures: [{
        shape: {
          polygon: [[-1.5, -0.5], [1.5, -0.5], [1.5, 0], [0, 0.9], [-1.15, 0.9], [-1.5, 0.2]],
        },
      }],
    },
  });
  const wheel = archetype({
    name: "wheel",
    fields: {},
    body: { fixtures: [{ shape: { circle: 0.4 }, friction: 0.9 }] },
  });
  const axle = jointDef({
    name: "axle",
    type: "wheel",
    spring: { frequencyHz: 4, dampingRatio: 0.7 },
    motor: { speed: -40, torqueMax: 20 },
    fields: {},
  });
  const heights = [0, 0, 0.4, 0, 0.8, 0, 1.2, 0.6, 0, 0.6, 0, 0];
  const ground = [
    { shape: { edge: [-20, 0, 20, 0] as const } },
    ...heights.slice(1).map((y, i) => ({
      shape: { edge: [15 + 5 * i, heights[i]!, 20 + 5 * i, y] as const },
    })),
    { shape: { edge: [70, 0, 300, 0] as const } },
  ];
  const stage = stageAt(rate, { ground, archetypes: [body, wheel], joints: [axle] });
  const car = stage.spawn(body, { x: 0, y: 1 });
  for (const x of [-1, 1]) {
    const place = { x, y: x < 0 ? 0.35 : 0.4 };
    stage.joints.add(axle, car, stage.spawn(wheel, place), { ...place, axis: { x: 0, y: 1 } });
  }
  let off = 0;
  let tilt = 0;
  run(stage, rate, 8, {
    look: () => {
      tilt = Math.max(tilt, Math.abs(degrees(car.angle)));
      for (const { ax, ay, bx, by } of stage.joints.all(axle)) {
        const across = (bx - ax) * Math.cos(car.angle) + (by - ay) * Math.sin(car.angle);
        off = Math.max(off, Math.abs(across));
      }
    },
  });
  return { off, tilt };
}

const carAxis: RateScene = {
  id: "J6",
  what: "car over bumps",
  figure: "a wheel is off its axis by, m",
  most: 0.02,
  measure: (rate) => drive(rate).off,
};

const carTilt: RateScene = {
  id: "J6 tilt",
  what: "the same car",
  figure: "leans at most, degrees",
  most: 50,
  measure: (rate) => drive(rate).tilt,
};

/** A car that lies on a slope is dropped: how far its wheels leave their axes. */
const droppedCar: RateScene = {
  id: "I45",
  what: "tilted car dropped from 2 m",
  figure: "a wheel is off its axis by, m",
  most: 0.03,
  measure(rate) {
    const body = archetype({
      name: "body",
      fields: {},
      body: { fixtures: [{ shape: { box: [1.5, 0.3] } }] },
    });
    const wheel = archetype({
      name: "wheel",
      fields: {},
      body: { fixtures: [{ shape: { circle: 0.4 }, friction: 0.9 }] },
    });
    const axle = jointDef({
      name: "axle",
      type: "wheel",
      spring: { frequencyHz: 4, dampingRatio: 0.7 },
      fields: {},
    });
    const stage = stageAt(rate, {
      ground: [{ shape: { box: [50, 1], y: -1 } }],
      archetypes: [body, wheel],
      joints: [axle],
    });
    const angle = 0.6;
    const cos = Math.cos(angle);
    const sin = Math.sin(angle);
    const car = stage.spawn(body, { x: 0, y: 3.5, angle });
    for (const along of [-1, 1]) {
      const place = { x: along * cos + 0.4 * sin, y: 3.5 + along * sin - 0.4 * cos };
      stage.joints.add(axle, car, stage.spawn(wheel, place), {
        ...place,
        axis: { x: -sin, y: cos },
      });
    }
    let off = 0;
    run(stage, rate, 4, {
      look: () => {
        for (const { ax, ay, bx, by } of stage.joints.all(axle)) {
          const across = (bx - ax) * Math.cos(car.angle) + (by - ay) * Math.sin(car.angle);
          off = Math.max(off, Math.abs(across));
        }
      },
    });
    return off;
  },
};

/** The overshoot of a hinge over its limits of ±`limit`, degrees, at any time. */
function overshoot(
  stage: Stage,
  rate: Parameters<RateScene["measure"]>[0],
  angleOf: () => number,
  { limit, seconds, rules }: {
    readonly limit: number;
    readonly seconds: number;
    readonly rules?: () => void;
  },
): number {
  let over = 0;
  run(stage, rate, seconds, {
    ...rules !== undefined && { rules },
    look: () => {
      over = Math.max(over, Math.abs(angleOf()) - limit);
    },
  });
  return degrees(over);
}

const hinge: RateScene = {
  id: "J1",
  what: "hinge with limits of ±45° under a motor of 10,000 N·m",
  figure: "over the limit, degrees",
  most: 0.01,
  measure(rate) {
    const arm = archetype({
      name: "arm",
      fields: {},
      body: { fixtures: [{ shape: { box: [2, 0.2] }, density: 2 }] },
    });
    const limit = Math.PI / 4;
    const def = jointDef({
      name: "hinge",
      type: "revolute",
      limits: { lower: -limit, upper: limit },
      motor: { speed: Math.PI, torqueMax: 1e4 },
      fields: {},
    });
    const stage = stageAt(rate, { ground: [], archetypes: [arm], joints: [def] });
    const entity = stage.spawn(arm, { x: 2, y: 0 });
    const joint = stage.joints.add(def, stage.ground, entity, { x: 0, y: 0 });
    let tick = 0;
    return overshoot(stage, rate, () => entity.angle, {
      limit,
      seconds: 6,
      rules: () => {
        // Back and forth every 1.5 s
        const speed = Math.floor(tick++ / (1.5 * rate.tickHz)) % 2 === 0 ? 1 : -1;
        stage.joints.setMotor(joint, { speed: speed * Math.PI });
      },
    });
  },
};

const flipper: RateScene = {
  id: "I32",
  what: "flipper of 7 cm and 50 g, driven up and down",
  figure: "over its limits, degrees",
  most: 0.01,
  measure(rate) {
    const arm = archetype({
      name: "arm",
      fields: {},
      body: { fixtures: [{ shape: { box: [0.0355, 0.01] }, density: 35 }] },
    });
    const limit = 0.5;
    const def = jointDef({
      name: "hinge",
      type: "revolute",
      limits: { lower: -limit, upper: limit },
      motor: { speed: 20, torqueMax: 1 },
      fields: {},
    });
    const stage = stageAt(rate, { ground: [], archetypes: [arm], joints: [def] });
    const entity = stage.spawn(arm, { x: 0.0355, y: 0 });
    const joint = stage.joints.add(def, stage.ground, entity, { x: 0, y: 0 });
    let tick = 0;
    return overshoot(stage, rate, () => entity.angle, {
      limit,
      seconds: 6,
      rules: () => {
        const speed = Math.floor(tick++ / (0.5 * rate.tickHz)) % 2 === 0 ? 20 : -20;
        stage.joints.setMotor(joint, { speed });
      },
    });
  },
};

export const JOINED: readonly RateScene[] = [
  bridge,
  cantilever,
  carAxis,
  carTilt,
  droppedCar,
  hinge,
  flipper,
];
