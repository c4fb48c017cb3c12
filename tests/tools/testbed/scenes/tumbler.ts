/** A drum on a motor tumbles hundreds of boxes and balls. */
import { archetype, type FixtureDef, jointDef } from "../../../../shared/physics/core/types.ts";
import { joints } from "../../../../shared/physics/joints/feature.ts";
import type { Stage } from "../../../../shared/physics/stage/stage.ts";
import { ACTION, LEFT, RIGHT, scene } from "../scene.ts";

/** Metres: from the middle to the inner walls, and half the thickness of a wall. */
const INNER = 5;
const HALF_WALL = 0.25;
/** rad/s. */
const SPEED = 0.5;
const FAST = 1.2;
const FEW = 60;
const MANY = 280;

/** Eight walls around the drum, and four paddles. */
function drumWalls(): FixtureDef[] {
  const reach = INNER + HALF_WALL;
  const halfLength = (INNER + 2 * HALF_WALL) * Math.tan(Math.PI / 8);
  const walls = Array.from({ length: 8 }, (_, i): FixtureDef => {
    const angle = Math.PI * i / 4;
    const x = reach * Math.cos(angle);
    const y = reach * Math.sin(angle);
    return { shape: { box: [HALF_WALL, halfLength], x, y, angle }, density: 5 };
  });
  const paddles = Array.from({ length: 4 }, (_, i): FixtureDef => {
    const angle = Math.PI * i / 2;
    const at = INNER - 0.5;
    return {
      shape: { box: [0.5, 0.12], x: at * Math.cos(angle), y: at * Math.sin(angle), angle },
      density: 5,
    };
  });
  return [...walls, ...paddles];
}

const DRUM = archetype({
  name: "drum",
  body: { fixtures: drumWalls(), allowSleep: false },
  fields: {},
});
const BOX = archetype({
  name: "box",
  body: { fixtures: [{ shape: { box: [0.2, 0.2] } }] },
  fields: {},
});
const BRICK = archetype({
  name: "brick",
  body: { fixtures: [{ shape: { box: [0.34, 0.15] } }] },
  fields: {},
});
const BALL = archetype({
  name: "ball",
  body: { fixtures: [{ shape: { circle: 0.2 }, restitution: 0.3 }] },
  fields: {},
});
const KINDS = [BOX, BRICK, BALL];
const MOTOR = jointDef({
  name: "motor",
  type: "revolute",
  motor: { speed: SPEED, torqueMax: 1e7 },
  fields: {},
});

/** Adds one row of bodies in the middle of the drum, as long as some are left. */
function pour(stage: Stage, target: number): void {
  for (let i = -3; i <= 3 && stage.entityCount <= target; i++) {
    const kind = KINDS[stage.entityCount % KINDS.length]!;
    stage.spawn(kind, { x: 0.8 * i, y: 1.5, angle: 0.3 * i });
  }
}

export const tumbler = scene({
  name: "tumbler",
  title: "Tumbler",
  hint: "Left and right turn the drum faster. Hold Space for more, up to 280 bodies.",
  keys: LEFT | RIGHT | ACTION,
  view: { x: 0, y: 0, height: 12.4 },
  colours: { drum: "slate", box: "gold", brick: "ember", ball: "sky" },
  stage: {
    gravity: 10,
    tickHz: 20,
    substeps: 2,
    features: [joints],
    ground: [],
    archetypes: [DRUM, ...KINDS],
    joints: [MOTOR],
    fields: { target: "u16" },
  },
  start(stage) {
    const drum = stage.spawn(DRUM, { x: 0, y: 0 });
    stage.joints.add(MOTOR, stage.ground, drum, { x: 0, y: 0 });
    stage.fields.target = FEW;
  },
  tick(stage, { keys }) {
    const [motor] = stage.joints.all(MOTOR);
    const speed = keys & LEFT ? FAST : keys & RIGHT ? -FAST : SPEED;
    stage.joints.setMotor(motor!, { speed });
    if (keys & ACTION) stage.fields.target = Math.min(MANY, stage.fields.target + 5);
    if (stage.tick % 6 === 0) pour(stage, stage.fields.target);
  },
  mayGrab: ({ archetype }) => archetype !== DRUM,
  shotTicks: 290,
  proof: {
    claim: "the drum turns at its motor's speed under 280 bodies, and loses none",
    keys: () => ACTION,
    check(stage) {
      const [drum] = stage.all(DRUM);
      const bodies = KINDS.flatMap((kind) => [...stage.all(kind)]);
      const lost = bodies.filter(({ x, y }) =>
        x * x + y * y > (INNER / Math.cos(Math.PI / 8)) ** 2
      ).length;
      const figures = `${bodies.length} bodies, ${lost} lost, spin ${drum!.spin}`;
      if (bodies.length < MANY || lost > 0 || Math.abs(drum!.spin - SPEED) > 0.01) {
        throw new Error(
          figures,
        );
      }
      return figures;
    },
  },
});
