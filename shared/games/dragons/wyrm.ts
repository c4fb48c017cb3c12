/**
 * The Wyrm comes at 60 s of a round, flies through everything, and unseats whoever it touches. Only
 * a rider who meets its jaws head-on kills it.
 *
 * Its way is known long before: a chain of points a, b, c, d, e, of which a new one is drawn every
 * `WYRM_LEG_TICKS`. In the leg that is flown now, u goes from 0 to 1:
 *
 *     behind it  s(a, b, c, u)        now  s(b, c, d, u)        next  s(c, d, e, u)
 *     s(p, q, r, u) = ½ · ( (1 − u)² · p + (1 + 2u − 2u²) · q + u² · r )
 *
 * So all pages know where it will be for as many ticks, without a message.
 */
import type { Arena, Point } from "./arena.ts";
import type { Dragon, DragonWorld, ReadonlyWyrm, Wyrm } from "./declaration.ts";
import { facingOf } from "./flight.ts";
import { loseRider } from "./joust.ts";
import { takesBlow } from "./loot.ts";
import {
  ROUND_TICKS,
  TICK_HZ,
  WYRM_FRONT,
  WYRM_LEG_TICKS,
  WYRM_SCORE,
  WYRM_TICK,
} from "./tuning.ts";

/** Metres from the edges, the floor and the ceiling that its points keep. */
const MARGIN = 3;
/** How finely its points are drawn across their part of the arena. */
const PLACES = 1024;

/** Where it is so many ticks from now: at most `WYRM_LEG_TICKS`, at least their negative. Metres. */
export function wyrmPlace({ fields }: ReadonlyWyrm, ticks: number): Point {
  const at = WYRM_LEG_TICKS - fields.legTicksLeft + ticks;
  const { ax, ay, bx, by, cx, cy, dx, dy, ex, ey } = fields;
  if (at < 0) {
    const u = at / WYRM_LEG_TICKS + 1;
    return { x: spline(ax, bx, cx, u), y: spline(ay, by, cy, u) };
  }
  if (at <= WYRM_LEG_TICKS) {
    const u = at / WYRM_LEG_TICKS;
    return { x: spline(bx, cx, dx, u), y: spline(by, cy, dy, u) };
  }
  const u = at / WYRM_LEG_TICKS - 1;
  return { x: spline(cx, dx, ex, u), y: spline(cy, dy, ey, u) };
}

function spline(p: number, q: number, r: number, u: number): number {
  return ((1 - u) * (1 - u) * p + (1 + 2 * u - 2 * u * u) * q + u * u * r) / 2;
}

/**
 * m/s: many times as fast as it ever is. A state from elsewhere may have it far from its way, and a
 * stage refuses a body that is faster than 10,000.
 */
const SPEED_MAX = 1000;

/** Brings the Wyrm in when it is time, and moves it on. Runs after physics while a round is played. */
export function tickWyrm(world: DragonWorld, arena: Arena): void {
  if (world.match.phaseTicksLeft === ROUND_TICKS - WYRM_TICK) comeIn(world, arena);
  for (const wyrm of world.all("wyrm")) {
    const { fields } = wyrm;
    // The clock counts before the next tick
    if (fields.legTicksLeft === 0) {
      drawNext(world, arena, wyrm);
      fields.legTicksLeft = WYRM_LEG_TICKS;
    }
    const next = wyrmPlace(wyrm, 1);
    world.setVelocity(wyrm, speedTo(next.x - wyrm.x), speedTo(next.y - wyrm.y));
  }
}

/** @returns m/s along one axis that lead over `metres` in a tick, if a body may be so fast */
function speedTo(metres: number): number {
  return Math.max(-SPEED_MAX, Math.min(SPEED_MAX, metres * TICK_HZ));
}

/** The Wyrm and a dragon touch. */
export function meetWyrm(world: DragonWorld, wyrm: Wyrm, dragon: Dragon): void {
  const { fields } = dragon;
  if (fields.dead > 0 || fields.invulnerable > 0) return;
  if (isHeadOn(wyrm, dragon)) {
    fields.score += WYRM_SCORE;
    world.emit("slay", dragon, wyrm);
    world.despawn(wyrm);
  } else if (!takesBlow(world, dragon)) {
    loseRider(world, dragon);
    world.emit("devour", dragon, wyrm);
  }
}

/** Whether the dragon is before the Wyrm's jaws, and its lance points at them. */
function isHeadOn(wyrm: ReadonlyWyrm, dragon: Dragon): boolean {
  const dx = dragon.x - wyrm.x;
  const dy = dragon.y - wyrm.y;
  const distance = Math.sqrt(dx * dx + dy * dy);
  const speed = Math.sqrt(wyrm.vx * wyrm.vx + wyrm.vy * wyrm.vy);
  const isBefore = dx * wyrm.vx + dy * wyrm.vy > WYRM_FRONT * distance * speed;
  return isBefore && facingOf(dragon) * dx < 0;
}

function comeIn(world: DragonWorld, arena: Arena): void {
  const points = [0, 1, 2, 3, 4].map((index) => pointOf(world, arena, index));
  const [a, b, c, d, e] = points as [Point, Point, Point, Point, Point];
  world.spawn("wyrm", {
    x: (b.x + c.x) / 2,
    y: (b.y + c.y) / 2,
    fields: {
      ax: a.x,
      ay: a.y,
      bx: b.x,
      by: b.y,
      cx: c.x,
      cy: c.y,
      dx: d.x,
      dy: d.y,
      ex: e.x,
      ey: e.y,
      legs: points.length,
      legTicksLeft: WYRM_LEG_TICKS,
    },
  });
  world.emit("wyrm", { x: arena.width / 2, y: arena.height / 2 });
}

/** Each point becomes the one before it, and a new one is drawn. */
function drawNext(world: DragonWorld, arena: Arena, { fields }: Wyrm): void {
  fields.ax = fields.bx;
  fields.ay = fields.by;
  fields.bx = fields.cx;
  fields.by = fields.cy;
  fields.cx = fields.dx;
  fields.cy = fields.dy;
  fields.dx = fields.ex;
  fields.dy = fields.ey;
  const { x, y } = pointOf(world, arena, fields.legs);
  fields.ex = x;
  fields.ey = y;
  fields.legs++;
}

/** A random point, left and right by turns, so that it always crosses the arena. */
function pointOf(world: DragonWorld, { width, height }: Arena, index: number): Point {
  const across = MARGIN + world.random(PLACES) / PLACES * (width / 3 - MARGIN);
  const up = MARGIN + world.random(PLACES) / PLACES * (height - 2 * MARGIN);
  return { x: index % 2 === 0 ? across : width - across, y: up };
}
