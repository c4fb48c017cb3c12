/**
 * What belongs to arena and mode and moves: belts, the lift, lava, the troll's hand, the mist before
 * edges that are one, storms, the golden egg, the Wyrm.
 *
 *     backdrop → scenery behind → sprites → scenery in front
 */
import { type Arena, WRAP_MARGIN } from "../../../../shared/games/dragons/arena.ts";
import { game } from "../../../../shared/games/dragons/game.ts";
import { stormDepth } from "../../../../shared/games/dragons/modes/storm_walls.ts";
import {
  DRAGON_RADIUS,
  HOME_DEPTH,
  LIFT_HALF,
  RELIC_RADIUS,
  WYRM_LEG_TICKS,
  WYRM_RADIUS,
} from "../../../../shared/games/dragons/tuning.ts";
import {
  type Context,
  FIRE,
  GOLD,
  HOT,
  OUTLINE,
  traceDisc,
  TURN,
} from "../../../presentation/picture/canvas.ts";
import type { ReadonlyWyrm } from "../../../../shared/games/dragons/declaration.ts";
import { wyrmPlace } from "../../../../shared/games/dragons/wyrm.ts";
import type { DragonFrame, Drawing } from "../presenters/presenter.ts";

const BELT = "#1f2026";
const BELT_MARK = "#8d7f68";
const RAIL = "#4d4a46";
const LIFT = "#6a6258";
const LIFT_LIT = "#d0b98c";
const LAVA = "#c2451a";
const LAVA_DEEP = "#7a2412";
const HAND = "#3b5140";
const HAND_LIT = "#6f8f68";
const MIST = "#7d98a1";
const STORM = "#232838";
const STREAK = "#b9c4dd";
const WYRM = "#5b7a46";
const WYRM_DARK = "#31462a";
const WYRM_WAY = "#d9f0b0";
const JAWS = "#4a1020";
/** How long it is, in ticks of its way. */
const WYRM_BODY_TICKS = 22;
/** Metres above a carrier's middle. */
const CARRIED_ABOVE = 1.25;

/** Metres. */
const MIST_DEPTH = 1.3;
const BELT_DEPTH = 0.24;
const BELT_MARK_SPACING = 1;
const WAVE_LENGTH = 2.6;
const WAVE_HEIGHT = 0.09;

/** Draws what lies behind dragons. The context measures metres, y upwards. */
export function drawSceneryBehind(frame: DragonFrame, arena: Arena, { context }: Drawing): void {
  for (const platform of arena.platforms) {
    if (platform.belt !== undefined) {
      drawBelt(context, { ...platform, belt: platform.belt }, frame.seconds);
    }
  }

  if (frame.world.match.mode === "capture") drawHomes(context, arena);
  for (const thing of frame.things) {
    if (thing.name === "relic") drawRelic(context, thing, RELIC_RADIUS);
  }

  const { lift } = arena;
  if (lift === undefined) return;
  context.fillStyle = RAIL;
  for (const side of [-1, 1]) {
    context.fillRect(lift.x + side * (LIFT_HALF[0] - 0.3) - 0.06, 1, 0.12, lift.high - 1);
  }
  for (const thing of frame.things) if (thing.name === "lift") drawLift(context, thing);
}

/** Draws what dragons sink into, and what holds them. The context measures metres, y upwards. */
export function drawSceneryInFront(frame: DragonFrame, arena: Arena, drawing: Drawing): void {
  const { context } = drawing;
  for (const { joint, ax, ay, bx, by } of frame.joints) {
    if (joint.definition.name === "hand") drawHand(context, { fromX: ax, fromY: ay, x: bx, y: by });
  }
  if (arena.lava > 0) drawLava(context, arena, drawing.isCalm ? 0 : frame.seconds);
  if (arena.wraps) drawMist(drawing, arena);
  const wyrm = frame.world.one("wyrm");
  if (wyrm !== undefined) drawWyrm(context, wyrm, frame.fraction);

  const { match } = frame.world;
  if (match.mode === "storm_walls") drawStorms(frame, arena, drawing);
  const carrier = frame.things.find(({ id }) => id === match.carrier?.id);
  if (match.mode === "capture" && carrier !== undefined) {
    drawRelic(context, { x: carrier.x, y: carrier.y + CARRIED_ABOVE }, RELIC_RADIUS * 0.8);
  }
}

/**
 * The Wyrm's body lies along the way that it has flown, and dots show the way that it will fly: all
 * ticks that are known.
 */
function drawWyrm(context: Context, wyrm: ReadonlyWyrm, fraction: number): void {
  context.fillStyle = WYRM_WAY;
  for (let tick = 4; tick <= WYRM_LEG_TICKS; tick += 2) {
    const { x, y } = wyrmPlace(wyrm, Math.min(WYRM_LEG_TICKS, tick + fraction));
    context.globalAlpha = 0.75 * (1 - tick / (WYRM_LEG_TICKS + 8));
    traceDisc(context, x, y, 0.11);
    context.fill();
  }
  context.globalAlpha = 1;

  for (const [colour, grow] of [[OUTLINE, 0.12], [WYRM, 0]] as const) {
    context.fillStyle = colour;
    for (let tick = WYRM_BODY_TICKS; tick >= 0; tick--) {
      const { x, y } = wyrmPlace(wyrm, fraction - tick);
      const girth = WYRM_RADIUS * (0.95 - 0.75 * tick / WYRM_BODY_TICKS);
      traceDisc(context, x, y, girth + grow);
      context.fill();
    }
  }

  const head = wyrmPlace(wyrm, fraction);
  const ahead = wyrmPlace(wyrm, fraction + 1);
  const angle = Math.atan2(ahead.y - head.y, ahead.x - head.x);
  context.save();
  context.translate(head.x, head.y);
  context.rotate(angle);
  context.scale(1, Math.cos(angle) < 0 ? -1 : 1);
  context.fillStyle = WYRM_DARK;
  for (const horn of [-0.1, 0.35]) {
    context.beginPath();
    context.moveTo(-0.2 - horn, 0.8);
    context.lineTo(-1.1 - horn, 1.6);
    context.lineTo(-0.7 - horn, 0.7);
    context.fill();
  }
  context.fillStyle = JAWS;
  context.beginPath();
  context.moveTo(WYRM_RADIUS * 1.15, 0.35);
  context.lineTo(0.1, -0.05);
  context.lineTo(WYRM_RADIUS * 1.05, -0.5);
  context.fill();
  context.fillStyle = HOT;
  traceDisc(context, 0.25, 0.45, 0.17);
  context.fill();
  context.restore();
}

/** Each team's edge glows in its colour. */
function drawHomes(context: Context, { width, height }: Arena): void {
  const { blue, orange } = game.declaration.teams!;
  const homes = [[0, HOME_DEPTH, blue], [width, width - HOME_DEPTH, orange]] as const;
  for (const [edge, inner, colour] of homes) {
    const glow = context.createLinearGradient(edge, 0, inner, 0);
    glow.addColorStop(0, `${colour}66`);
    glow.addColorStop(1, `${colour}00`);
    context.fillStyle = glow;
    context.fillRect(Math.min(edge, inner), 0, HOME_DEPTH, height);
  }
}

/** The golden egg. */
function drawRelic(
  context: Context,
  { x, y }: { readonly x: number; readonly y: number },
  radius: number,
): void {
  const light = context.createRadialGradient(x, y, radius * 0.5, x, y, radius * 2.4);
  light.addColorStop(0, `${GOLD}aa`);
  light.addColorStop(1, `${GOLD}00`);
  context.fillStyle = light;
  traceDisc(context, x, y, radius * 2.4);
  context.fill();
  context.beginPath();
  context.ellipse(x, y, radius * 0.85, radius * 1.05, 0, 0, TURN);
  context.fillStyle = GOLD;
  context.fill();
  context.strokeStyle = OUTLINE;
  context.lineWidth = 0.07;
  context.stroke();
}

/** Two walls of wind, with streaks that blow inwards. */
function drawStorms(frame: DragonFrame, arena: Arena, { context, isCalm }: Drawing): void {
  const depth = stormDepth(frame.world, arena);
  if (depth === 0) return;
  const seconds = isCalm ? 0 : frame.seconds;
  for (const [edge, side] of [[0, 1], [arena.width, -1]] as const) {
    const front = edge + side * depth;
    const wall = context.createLinearGradient(edge, 0, front, 0);
    wall.addColorStop(0, `${STORM}e6`);
    wall.addColorStop(1, `${STORM}88`);
    context.fillStyle = wall;
    context.fillRect(Math.min(edge, front), 0, depth, arena.height);
    context.strokeStyle = STREAK;
    context.lineWidth = 0.06;
    context.globalAlpha = 0.45;
    context.beginPath();
    for (let streak = 0; streak < 40; streak++) {
      const length = Math.min(depth, 1 + streak % 4 * 0.6);
      const along = (streak * 0.618 + seconds * (0.5 + streak % 3 * 0.2)) % 1;
      const x = edge + side * along * (depth - length);
      const y = streak * 0.754 % 1 * arena.height;
      context.moveTo(x, y);
      context.lineTo(x + side * length, y + 0.12);
    }
    context.stroke();
    context.globalAlpha = 1;
    context.strokeStyle = STREAK;
    context.lineWidth = 0.08;
    context.beginPath();
    context.moveTo(front, 0);
    context.lineTo(front, arena.height);
    context.stroke();
  }
}

/** Marks on a belt's upper side move as fast as what lies on it. */
function drawBelt(
  context: Context,
  { x, y, width, height, belt }: Required<Arena["platforms"][number]>,
  seconds: number,
): void {
  const left = x - width / 2;
  const top = y + height / 2;
  context.save();
  context.beginPath();
  context.rect(left, top - BELT_DEPTH, width, BELT_DEPTH);
  context.fillStyle = BELT;
  context.fill();
  context.clip();
  context.strokeStyle = BELT_MARK;
  context.lineWidth = 0.07;
  const shift = belt * seconds % BELT_MARK_SPACING;
  const point = Math.sign(belt) * BELT_DEPTH / 2;
  context.beginPath();
  for (let at = left - 1 + shift; at < left + width + 1; at += BELT_MARK_SPACING) {
    context.moveTo(at, top);
    context.lineTo(at + point, top - BELT_DEPTH / 2);
    context.lineTo(at, top - BELT_DEPTH);
  }
  context.stroke();
  context.restore();
}

function drawLift(context: Context, { x, y }: { readonly x: number; readonly y: number }): void {
  const [halfWidth, halfHeight] = LIFT_HALF;
  context.fillStyle = LIFT;
  context.fillRect(x - halfWidth, y - halfHeight, 2 * halfWidth, 2 * halfHeight);
  context.fillStyle = LIFT_LIT;
  context.fillRect(x - halfWidth, y + halfHeight - 0.11, 2 * halfWidth, 0.11);
  context.strokeStyle = OUTLINE;
  context.lineWidth = 0.05;
  context.strokeRect(x - halfWidth, y - halfHeight, 2 * halfWidth, 2 * halfHeight);
}

/** A lake with slow waves. It hides most of what is in it. */
function drawLava(context: Context, { width, lava }: Arena, seconds: number): void {
  const surface = (x: number) =>
    lava + WAVE_HEIGHT * Math.sin(x / WAVE_LENGTH * TURN + seconds * 1.3) +
    WAVE_HEIGHT / 2 * Math.sin(x / WAVE_LENGTH * TURN * 0.37 - seconds * 0.8);
  context.beginPath();
  context.moveTo(0, 0);
  for (let x = 0; x <= width; x += 0.4) context.lineTo(x, surface(x));
  context.lineTo(width, 0);
  context.closePath();
  const depth = context.createLinearGradient(0, lava, 0, 0);
  depth.addColorStop(0, LAVA);
  depth.addColorStop(1, LAVA_DEEP);
  context.globalAlpha = 0.88;
  context.fillStyle = depth;
  context.fill();

  context.globalAlpha = 1;
  context.strokeStyle = FIRE;
  context.lineWidth = 0.08;
  context.beginPath();
  for (let x = 0; x <= width; x += 0.4) context.lineTo(x, surface(x));
  context.stroke();
  context.strokeStyle = HOT;
  context.lineWidth = 0.05;
  context.beginPath();
  for (let x = 0.8; x < width; x += 3.7) {
    const y = surface(x) - 0.45;
    context.moveTo(x, y);
    context.lineTo(x + 0.9, y + 0.04);
  }
  context.globalAlpha = 0.5;
  context.stroke();
  context.globalAlpha = 1;
}

/** An arm out of the lake, and fingers around the dragon. */
function drawHand(
  context: Context,
  { fromX, fromY, x, y }: {
    readonly fromX: number;
    readonly fromY: number;
    readonly x: number;
    readonly y: number;
  },
): void {
  context.lineCap = "round";
  for (const [colour, width] of [[OUTLINE, 0.62], [HAND, 0.46]] as const) {
    context.strokeStyle = colour;
    context.lineWidth = width;
    context.beginPath();
    context.moveTo(fromX, fromY - 0.5);
    context.lineTo(x, y - DRAGON_RADIUS * 0.7);
    context.stroke();
  }
  for (const [colour, width] of [[OUTLINE, 0.3], [HAND_LIT, 0.18]] as const) {
    context.strokeStyle = colour;
    context.lineWidth = width;
    context.beginPath();
    for (const side of [-1, 1]) {
      context.moveTo(x, y - DRAGON_RADIUS * 0.7);
      context.quadraticCurveTo(
        x + side * DRAGON_RADIUS * 1.4,
        y - DRAGON_RADIUS * 0.5,
        x + side * DRAGON_RADIUS * 0.75,
        y + DRAGON_RADIUS * 0.5,
      );
    }
    context.stroke();
  }
  context.lineCap = "butt";
}

/** Mist at both edges hides who is on the way from one to the other. */
function drawMist({ context, camera }: Drawing, { width, height }: Arena): void {
  const beyond = context.canvas.width / camera.scale;
  for (const [edge, side] of [[0, -1], [width, 1]] as const) {
    const inner = edge - side * MIST_DEPTH;
    const mist = context.createLinearGradient(inner, 0, edge + side * WRAP_MARGIN / 2, 0);
    mist.addColorStop(0, `${MIST}00`);
    mist.addColorStop(1, MIST);
    context.fillStyle = mist;
    const left = side < 0 ? -beyond : inner;
    context.fillRect(left, -2, beyond + MIST_DEPTH, height + 4);
  }
}
