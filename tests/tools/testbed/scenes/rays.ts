/**
 * Rays: a lamp asks the world what it sees, what is nearest, and whether its way is free; so it
 * never bumps.
 */
import { cos, sin } from "../../../../shared/physics/core/math.ts";
import { archetype, type Shape } from "../../../../shared/physics/core/types.ts";
import type { Entity, Stage } from "../../../../shared/physics/stage/stage.ts";
import { queries } from "../../../../shared/physics/stage/queries.ts";
import { LEFT, RIGHT, scene } from "../scene.ts";

/** Metres: the arena, the lamp, and how far the lamp sees and looks ahead. */
const HALF_WIDTH = 11.5;
const HALF_HEIGHT = 6.2;
const RADIUS = 0.35;
const SIGHT = 30;
const AHEAD = 3.2;
const NEAR = 2.6;
/** m/s; radians a tick; the number of rays around. */
const SPEED = 3.5;
const TURN = 0.22;
const RAYS = 120;

const SHAPES: readonly (readonly [name: string, shape: Shape])[] = [
  ["ball", { circle: 0.8 }],
  ["box", { box: [0.9, 0.6] }],
  ["triangle", { polygon: [[-0.9, -0.7], [0.9, -0.7], [0, 0.95]] }],
  ["hexagon", {
    polygon: [[0.8, 0], [0.4, 0.7], [-0.4, 0.7], [-0.8, 0], [-0.4, -0.7], [0.4, -0.7]],
  }],
];
const OBSTACLES = SHAPES.map(([name, shape]) =>
  archetype({ name, body: { fixtures: [{ shape, restitution: 1, friction: 0 }] }, fields: {} })
);
const LAMP = archetype({
  name: "lamp",
  body: { fixtures: [{ shape: { circle: RADIUS }, friction: 0 }], fixedRotation: true },
  fields: { heading: "f32", bumps: "u16", metres: "f32" },
});

const wall = (x: number, y: number, halfWidth: number, halfHeight: number) =>
  ({ shape: { box: [halfWidth, halfHeight], x, y }, friction: 0, restitution: 1 }) as const;

function lampOf(stage: Stage) {
  return stage.all(LAMP)[0]!;
}

/**
 * The room ahead of the lamp in a direction: a circle, a little larger than the lamp, goes that
 * way. 0 … 1.
 */
function roomAhead({ queries }: Stage, lamp: Entity, angle: number): number {
  const to = { x: lamp.x + AHEAD * cos(angle), y: lamp.y + AHEAD * sin(angle) };
  return queries.castShape({ circle: RADIUS + 0.3 }, lamp, to, { except: lamp })?.fraction ?? 1;
}

/** The turn that leads where the most room is. */
function turnToRoom(stage: Stage, lamp: Entity, heading: number): number {
  let best = 0;
  let most = roomAhead(stage, lamp, heading);
  for (let step = 1; step <= 12 && most < 1; step++) {
    for (const side of [-1, 1]) {
      const room = roomAhead(stage, lamp, heading + side * step * TURN);
      if (room > most + 0.1) [best, most] = [side * step * TURN, room];
    }
  }
  return best;
}

/**
 * How far the ends of all rays are from the fixtures that they hit, metres: the largest of them.
 */
function errorOfRays(stage: Stage): number {
  const lamp = lampOf(stage);
  let worst = 0;
  for (let i = 0; i < RAYS; i++) {
    const angle = 2 * Math.PI * i / RAYS;
    const to = { x: lamp.x + SIGHT * cos(angle), y: lamp.y + SIGHT * sin(angle) };
    const hit = stage.queries.rayCast(lamp, to, { except: lamp });
    if (hit === undefined) return Infinity;
    worst = Math.max(worst, stage.queries.closest(hit, 1, { except: lamp })?.distance ?? Infinity);
  }
  return worst;
}

export const rays = scene({
  name: "rays",
  title: "Rays",
  hint:
    "The lamp looks ahead with a moving circle, and turns away. Left and right steer it. Throw things in its way.",
  keys: LEFT | RIGHT,
  view: { x: 0, y: 0, height: 13.4 },
  colours: { lamp: "snow", ball: "sky", box: "ember", triangle: "violet", hexagon: "mint" },
  stage: {
    gravity: 0,
    tickHz: 20,
    substeps: 2,
    features: [queries],
    ground: [
      wall(0, HALF_HEIGHT + 0.5, HALF_WIDTH + 1, 0.5),
      wall(0, -HALF_HEIGHT - 0.5, HALF_WIDTH + 1, 0.5),
      wall(HALF_WIDTH + 0.5, 0, 0.5, HALF_HEIGHT),
      wall(-HALF_WIDTH - 0.5, 0, 0.5, HALF_HEIGHT),
    ],
    archetypes: [LAMP, ...OBSTACLES],
    fields: {},
  },
  start(stage) {
    stage.spawn(LAMP, { x: -9, y: 0 });
    for (let i = 0; i < 8; i++) {
      const kind = OBSTACLES[i % OBSTACLES.length]!;
      const slow = 0.2 + 0.08 * i;
      const place = { x: -5 + 4.4 * (i % 4), y: i < 4 ? 2.7 : -2.7, angle: i };
      stage.spawn(kind, {
        ...place,
        vx: slow * cos(2 * i),
        vy: slow * sin(2 * i),
        spin: 0.2 * (i % 3 - 1),
      });
    }
  },
  tick(stage, { keys }) {
    const lamp = lampOf(stage);
    const { fields } = lamp;
    const steered = (keys & LEFT ? TURN : 0) - (keys & RIGHT ? TURN : 0);
    const turn = steered === 0 ? turnToRoom(stage, lamp, fields.heading) : steered;
    fields.heading += Math.max(-2 * TURN, Math.min(2 * TURN, turn));
    // In a narrow place it goes slowly.
    const speed = SPEED * Math.max(0.05, roomAhead(stage, lamp, fields.heading) - 0.1);
    stage.setVelocity(lamp, speed * cos(fields.heading), speed * sin(fields.heading));
    fields.metres += speed / 20;
  },
  afterStep(stage) {
    const lamp = lampOf(stage);
    lamp.fields.bumps += stage.contactEvents.filter(({ a, b, began }) =>
      began && (a === lamp || b === lamp)
    ).length;
  },
  marks(stage, draw) {
    const lamp = lampOf(stage);
    const { x, y, fields: { heading, bumps, metres } } = lamp;
    const except = lamp;

    for (let i = 0; i < RAYS; i++) {
      const angle = 2 * Math.PI * i / RAYS;
      const to = { x: x + SIGHT * cos(angle), y: y + SIGHT * sin(angle) };
      const hit = stage.queries.rayCast(lamp, to, { except });
      if (hit === undefined) continue;
      draw.glow(x, y, hit.x, hit.y);
      draw.arrow(hit.x, hit.y, hit.x + 0.3 * hit.nx, hit.y + 0.3 * hit.ny, "mint");
    }

    const ahead = { x: x + AHEAD * cos(heading), y: y + AHEAD * sin(heading) };
    const hit = stage.queries.castShape({ circle: RADIUS + 0.3 }, lamp, ahead, { except });
    draw.circle(
      hit?.x ?? ahead.x,
      hit?.y ?? ahead.y,
      RADIUS + 0.3,
      hit === undefined ? "snow" : "ember",
    );
    draw.circle(x, y, NEAR, "slate");
    const nearest = stage.queries.closest(lamp, NEAR, { except });
    if (nearest !== undefined) draw.line(x, y, nearest.x, nearest.y, "rose");
    const near = stage.queries.overlap({ circle: NEAR }, lamp, { except }).length;
    draw.text(x, y - NEAR - 0.4, `${near} near`, "snow");
    draw.text(0, HALF_HEIGHT - 0.5, `${metres.toFixed(0)} m, ${bumps} bumps`, "snow");
  },
  shotTicks: 70,
  proof: {
    claim: "the lamp goes 20 m by its rays without a bump, and each of 120 rays ends on a surface",
    check(stage) {
      const { metres, bumps } = lampOf(stage).fields;
      const error = errorOfRays(stage);
      const figures = `${metres.toFixed(1)} m, ${bumps} bumps, rays ${error} m off`;
      if (metres < 20 || bumps > 0 || error > 1e-3) throw new Error(figures);
      return figures;
    },
  },
});
