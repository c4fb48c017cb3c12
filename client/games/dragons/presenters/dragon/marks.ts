/**
 * What is drawn about a dragon and is not dragon: shield, stars, flames, the heights of two lances, and the words above it.
 * Signs are drawn in metres; words in canvas pixels, because a context that measures metres would draw letters upside down.
 */
import { CHARGES_MAX, LANCE_LEAD } from "../../../../../shared/games/dragons/tuning.ts";
import type { Camera } from "../../render/camera.ts";
import type { DragonAnimation } from "./animation.ts";
import { SCORE_POP_MS } from "./animation.ts";
import type { Look } from "../../render/palette.ts";
import type { DragonSprite } from "../../scene.ts";

type Context = CanvasRenderingContext2D;

const STAR = "#fff3b8";
const FIRE = "#ff9a3d";
const FIRE_CORE = "#ffe9a8";
const FIRE_SPENT = "#3b3a4d";
const HALO = "#0b0e1c";
const LABEL_COLOUR = "#f1eee6";
const OWN_LABEL_COLOUR = "#bfe6ff";

const FONT = `"Avenir Next", "Segoe UI", Ubuntu, Cantarell, "Noto Sans", "Liberation Sans", system-ui, sans-serif`;
/** Radii: where a lance is carried above a dragon's middle, as `dragon_shapes.ts` draws it. */
const LANCE_HEIGHT = 0.74;
/** Heights of lances matter this near, metres. */
export const LANCE_HEIGHTS_DISTANCE = 3;
const TURN = Math.PI * 2;

/** What all marks of one picture share. */
export interface MarkStyle {
  /** Metres. */
  readonly radius: number;
  readonly nowMs: number;
  /** Nothing pulses or bobs for who asked for less motion. */
  readonly reducedMotion: boolean;
}

/** A bubble that pulses while nothing can hurt the dragon, and fades with the last half second. */
export function drawShield(context: Context, sprite: DragonSprite, style: MarkStyle): void {
  const pulse = style.reducedMotion ? 0.5 : 0.5 + 0.5 * Math.sin(style.nowMs / 110);
  const fading = Math.min(1, sprite.invulnerableTicks / 10);
  context.globalAlpha = fading * (0.1 + 0.08 * pulse);
  context.fillStyle = "#dff4ff";
  context.beginPath();
  context.arc(sprite.x, sprite.y + style.radius * 0.2, style.radius * (2 + 0.08 * pulse), 0, TURN);
  context.fill();
  context.globalAlpha = fading * (0.45 + 0.4 * pulse);
  context.strokeStyle = "#dff4ff";
  context.lineWidth = 0.07;
  context.stroke();
  context.globalAlpha = 1;
}

/** Three stars circle above a head that cannot think. */
export function drawStars(context: Context, sprite: DragonSprite, style: MarkStyle): void {
  context.fillStyle = STAR;
  for (let star = 0; star < 3; star++) {
    const angle = (style.reducedMotion ? 0 : style.nowMs / 260) + star * TURN / 3;
    const x = sprite.x + Math.cos(angle) * style.radius * 1.1;
    const y = sprite.y + style.radius * (1.75 + Math.sin(angle) * 0.3);
    traceStar(context, x, y, style.radius * 0.3);
    context.fill();
  }
}

function traceStar(context: Context, x: number, y: number, size: number): void {
  context.beginPath();
  for (let corner = 0; corner < 10; corner++) {
    const radius = corner % 2 === 0 ? size : size * 0.45;
    const angle = (corner / 10 + 0.25) * TURN;
    context.lineTo(x + Math.cos(angle) * radius, y + Math.sin(angle) * radius);
  }
  context.closePath();
}

/** Three small flames under the dragon: what it may still breathe. */
export function drawCharges(context: Context, sprite: DragonSprite, radius: number): void {
  context.strokeStyle = HALO;
  context.lineWidth = 0.06;
  for (let charge = 0; charge < CHARGES_MAX; charge++) {
    const x = sprite.x + (charge - 1) * radius * 0.5, y = sprite.y - radius * 1.36;
    const hasIt = charge < sprite.charges;
    flamelet(context, { x, y, size: radius * 0.2, colour: hasIt ? FIRE : FIRE_SPENT });
    context.stroke();
    if (hasIt) flamelet(context, { x, y: y - radius * 0.04, size: radius * 0.1, colour: FIRE_CORE });
  }
}

/** A drop that stands on its round end. */
function flamelet(context: Context, options: { x: number; y: number; size: number; colour: string }): void {
  const { x, y, size } = options;
  context.beginPath();
  context.arc(x, y, size, Math.PI, TURN);
  context.quadraticCurveTo(x + size, y + size, x, y + size * 2.2);
  context.quadraticCurveTo(x - size, y + size, x - size, y);
  context.fillStyle = options.colour;
  context.fill();
}

/**
 * The heights of two lances, side by side between two dragons that are near each other: a dash for either, a thin line for the
 * gap, and an arrow over the one that would win a joust now. No arrow: they would only clash.
 */
export function drawLanceHeights(
  context: Context,
  own: DragonSprite,
  rival: DragonSprite,
  options: LanceDrawing,
): void {
  const side = rival.x < own.x ? -1 : 1;
  const x = (own.x + rival.x) / 2;
  const ownY = own.y + options.radius * LANCE_HEIGHT;
  const rivalY = rival.y + options.radius * LANCE_HEIGHT;
  const winner = ownY - rivalY >= LANCE_LEAD ? 1 : rivalY - ownY >= LANCE_LEAD ? -1 : 0;
  context.lineCap = "round";
  for (const halo of [true, false]) {
    context.lineWidth = halo ? 0.26 : 0.11;
    dash(context, { x, y: ownY, end: x - side * DASH }, halo ? HALO : options.ownLook.light);
    dash(context, { x, y: rivalY, end: x + side * DASH }, halo ? HALO : options.rivalLook.light);
    context.lineWidth = halo ? 0.16 : 0.05;
    context.beginPath();
    context.moveTo(x, ownY);
    context.lineTo(x, rivalY);
    context.stroke();
  }
  if (winner === 0) return;
  const look = winner > 0 ? options.ownLook : options.rivalLook;
  arrowUp(context, { x: x - side * winner * DASH * 0.55, y: Math.max(ownY, rivalY) + 0.2 }, look.light);
}

/** Metres. */
const DASH = 0.5;

export interface LanceDrawing {
  /** Metres. */
  readonly radius: number;
  readonly ownLook: Look;
  readonly rivalLook: Look;
}

function dash(context: Context, { x, y, end }: { x: number; y: number; end: number }, colour: string): void {
  context.strokeStyle = colour;
  context.beginPath();
  context.moveTo(x, y);
  context.lineTo(end, y);
  context.stroke();
}

function arrowUp(context: Context, { x, y }: { x: number; y: number }, colour: string): void {
  context.beginPath();
  context.moveTo(x - 0.24, y);
  context.lineTo(x, y + 0.34);
  context.lineTo(x + 0.24, y);
  context.closePath();
  context.strokeStyle = HALO;
  context.lineWidth = 0.14;
  context.stroke();
  context.fillStyle = colour;
  context.fill();
}

/**
 * The name above a dragon, the points it has just won, and an arrow over the own one while its player may be looking for it:
 * when it has just come, and while it tumbles without him. Context in canvas pixels.
 */
export function drawLabel(context: Context, sprite: DragonSprite, options: LabelDrawing): void {
  const { camera, style } = options;
  const sizePx = Math.max(11 * options.pixelRatio, Math.min(15 * options.pixelRatio, camera.scale * 0.36));
  const x = camera.xPx(sprite.x);
  const y = camera.yPx(sprite.y + style.radius * (sprite.stunnedTicks > 0 ? 2.45 : 2.05));
  context.font = `${sprite.own ? 700 : 600} ${Math.round(sizePx)}px ${FONT}`;
  context.lineWidth = sizePx * 0.28;
  if (!sprite.dead || sprite.own) {
    drawText(context, sprite.name, { x, y, colour: sprite.own ? OWN_LABEL_COLOUR : LABEL_COLOUR });
  }
  const share = options.animation.popAgeMs / SCORE_POP_MS;
  if (sprite.own && (sprite.dead || options.animation.hasJustArrived) && share >= 1) {
    const bob = style.reducedMotion ? 0 : Math.sin(style.nowMs / 140) * sizePx * 0.2;
    pointDown(context, { x, y: y - sizePx * 1.5 + bob, size: sizePx * 0.7 });
  }
  if (share < 1) {
    context.globalAlpha = Math.min(1, 2 - share * 2);
    context.font = `800 ${Math.round(sizePx * 1.5)}px ${FONT}`;
    const rise = sizePx * (1.3 + share * 2);
    drawText(context, `+${options.animation.popPoints}`, { x, y: y - rise, colour: options.look.light });
    context.globalAlpha = 1;
  }
}

export interface LabelDrawing {
  readonly camera: Camera;
  readonly animation: DragonAnimation;
  readonly look: Look;
  readonly style: MarkStyle;
  /** Canvas pixels per CSS pixel. */
  readonly pixelRatio: number;
}

function drawText(context: Context, text: string, options: { x: number; y: number; colour: string }): void {
  context.strokeStyle = HALO;
  context.strokeText(text, options.x, options.y);
  context.fillStyle = options.colour;
  context.fillText(text, options.x, options.y);
}

function pointDown(context: Context, { x, y, size }: { x: number; y: number; size: number }): void {
  context.beginPath();
  context.moveTo(x - size, y - size);
  context.lineTo(x + size, y - size);
  context.lineTo(x, y);
  context.closePath();
  context.strokeStyle = HALO;
  context.stroke();
  context.fillStyle = OWN_LABEL_COLOUR;
  context.fill();
}

/** Where a dragon is beyond the picture's side: an arrow in its colour at that side. Context in canvas pixels. */
export function drawEdgeMark(
  context: Context,
  sprite: DragonSprite,
  options: { camera: Camera; colour: string },
): void {
  const { camera, colour } = options, { width } = context.canvas, x = camera.xPx(sprite.x);
  const side = x > 0 ? 1 : -1, size = camera.scale * 0.45, y = camera.yPx(sprite.y), tip = x > 0 ? width : 0;
  // Of a nearer one enough is to be seen.
  if ((x > -size && x < width + size) || sprite.dead) return;
  context.beginPath();
  context.moveTo(tip - side * size * 0.3, y);
  context.lineTo(tip - side * size * 1.5, y - size);
  context.lineTo(tip - side * size * 1.5, y + size);
  context.closePath();
  context.strokeStyle = HALO;
  context.lineWidth = size * 0.4;
  context.stroke();
  context.fillStyle = colour;
  context.fill();
}
