/** A crane: a trolley on a rail, a magnet on two ropes, and a weld as long as the magnet holds. */
import { archetype, jointDef } from "../../../../shared/physics/core/types.ts";
import { joints } from "../../../../shared/physics/joints/feature.ts";
import type { Stage } from "../../../../shared/physics/stage/stage.ts";
import { ACTION, DOWN, LEFT, RIGHT, scene, UP } from "../scene.ts";

/** Metres. */
const RAIL_Y = 6;
const REACH = 9.5;
const FLOOR_Y = -5;
const START_X = -6;
const SHELF_X = 7;
const LENGTH_MIN = 1.5;
const LENGTH_MAX = 10.2;
const START_LENGTH = 5;
/** m/s, N, and metres a tick. */
const SPEED = 4;
const FORCE = 6000;
const WINCH = 0.15;

const TROLLEY = archetype({
  name: "trolley",
  body: { fixtures: [{ shape: { box: [1, 0.3] }, density: 30, mask: 0 }] },
  fields: {},
});
const MAGNET = archetype({
  name: "magnet",
  body: {
    fixtures: [{ shape: { box: [0.8, 0.2] }, density: 25 }],
    linearDamping: 0.3,
    angularDamping: 1,
  },
  fields: {},
});
const CRATE = archetype({
  name: "crate",
  body: { fixtures: [{ shape: { box: [0.5, 0.5] }, density: 6 }] },
  fields: {},
});
const BRICK = archetype({
  name: "brick",
  body: { fixtures: [{ shape: { box: [0.3, 0.3] } }] },
  fields: {},
});

const RAIL = jointDef({
  name: "rail",
  type: "prismatic",
  limits: { lower: -REACH - START_X, upper: REACH - START_X },
  motor: { speed: 0, forceMax: FORCE },
  fields: {},
});
const ROPE = jointDef({ name: "rope", type: "rope", collide: true, fields: {} });
const HOLD = jointDef({ name: "hold", type: "weld", fields: {} });

function build(stage: Stage): void {
  const trolley = stage.spawn(TROLLEY, { x: START_X, y: RAIL_Y });
  const magnet = stage.spawn(MAGNET, { x: START_X, y: RAIL_Y - START_LENGTH });
  stage.joints.add(RAIL, stage.ground, trolley, { x: START_X, y: RAIL_Y, axis: { x: 1, y: 0 } });
  for (const side of [-0.65, 0.65]) {
    const x = START_X + side;
    const top = RAIL_Y - 0.2;
    const bottom = RAIL_Y - START_LENGTH + 0.2;
    stage.joints.add(ROPE, trolley, magnet, { x, y: top, bx: x, by: bottom });
  }
}

/** Holds what touches the magnet, or lets go. */
function useMagnet(stage: Stage, isOn: boolean): void {
  const [magnet] = stage.all(MAGNET);
  const [held] = stage.joints.all(HOLD);
  if (held !== undefined && !isOn) stage.joints.remove(held);
  if (held !== undefined || !isOn) return;
  const touched = stage.touchingNow(magnet!).find((each) => each.archetype === CRATE);
  if (touched !== undefined) {
    stage.joints.add(HOLD, magnet!, touched, { x: magnet!.x, y: magnet!.y - 0.2 });
  }
}

export const crane = scene({
  name: "crane",
  title: "Crane",
  hint:
    "Arrows move the trolley and the magnet. Hold Space to hold a crate, and swing it at the tower.",
  keys: LEFT | RIGHT | UP | DOWN | ACTION,
  view: { x: 0, y: 0.4, height: 14 },
  colours: { trolley: "slate", magnet: "ember", crate: "gold", brick: "wood" },
  stage: {
    gravity: 10,
    tickHz: 20,
    substeps: 4,
    features: [joints],
    ground: [
      { shape: { box: [40, 10], y: FLOOR_Y - 10 } },
      { shape: { box: [REACH + 1.5, 0.12], y: RAIL_Y + 0.42 } },
      { shape: { box: [1.5, 0.2], x: SHELF_X, y: -2.2 } },
      { shape: { box: [0.2, 1.4], x: SHELF_X, y: -3.6 } },
    ],
    archetypes: [TROLLEY, MAGNET, CRATE, BRICK],
    joints: [RAIL, ROPE, HOLD],
    fields: {},
  },
  start(stage) {
    build(stage);
    for (let i = 0; i < 4; i++) {
      stage.spawn(CRATE, { x: START_X - 3.8 + 1.9 * i, y: FLOOR_Y + 0.52 });
    }
    for (let i = 0; i < 18; i++) {
      stage.spawn(BRICK, { x: 1 + 0.62 * (i % 3), y: FLOOR_Y + 0.31 + 0.61 * Math.floor(i / 3) });
    }
  },
  tick(stage, { keys }) {
    const [rail] = stage.joints.all(RAIL);
    const direction = (keys & RIGHT ? 1 : 0) - (keys & LEFT ? 1 : 0);
    stage.joints.setMotor(rail!, { speed: SPEED * direction });
    const winch = (keys & DOWN ? WINCH : 0) - (keys & UP ? WINCH : 0);
    for (const rope of stage.joints.all(ROPE)) {
      stage.joints.setLength(rope, Math.max(LENGTH_MIN, Math.min(LENGTH_MAX, rope.length + winch)));
    }
    useMagnet(stage, (keys & ACTION) !== 0);
  },
  marks(stage, draw) {
    const [held] = stage.joints.all(HOLD);
    const ropes = stage.joints.all(ROPE);
    const load = ropes.reduce((sum, { force }) => sum + force, 0) / 10;
    draw.text(ropes[0]!.ax + 0.65, RAIL_Y - 0.75, `${Math.round(load)} kg`, "snow");
    if (held !== undefined) draw.circle(held.b.x, held.b.y, 0.85, "mint");
  },
  shotTicks: 150,
  proof: {
    claim: "the magnet lifts a crate, carries it over the tower, and lays it on the shelf",
    ticks: 360,
    keys(tick) {
      const isOn = tick < 290 ? ACTION : 0;
      if (tick <= 42) return isOn | DOWN;
      if (tick <= 92) return isOn | UP;
      if (tick <= 157) return isOn | RIGHT;
      if (tick > 200 && tick <= 228) return isOn | DOWN;
      return isOn | (tick > 295 ? UP : 0);
    },
    check(stage) {
      const laid = stage.all(CRATE).filter(({ x, y }) =>
        Math.abs(x - SHELF_X) < 1.5 && Math.abs(y + 1.5) < 0.1
      );
      const figures = stage.all(CRATE).map(({ x, y }) => `(${x.toFixed(2)}, ${y.toFixed(2)})`).join(
        " ",
      );
      if (laid.length !== 1) throw new Error(figures);
      return figures;
    },
  },
});
