/** Crates and fireballs. Contexts measure metres, y upwards. */
import * as tuning from "../../../../shared/games/dragons/tuning.ts";
import type { CrateSprite, FireballSprite } from "../scene.ts";

type Context = CanvasRenderingContext2D;

const PLANK = "#8a6a4a";
const PLANK_DARK = "#5d452f";
const PLANK_LIGHT = "#a98560";
const CHARRED = "#4a382c";
const OUTLINE = "#0d1020";
const FLAME = "#ff8a2b";
const FLAME_CORE = "#ffe9a8";

/** @param options.half metres: half a crate's side */
export function drawCrate(context: Context, crate: CrateSprite, options: { half: number; nowMs: number }): void {
  const { half } = options;
  const burning = crate.burning > 0;
  context.save();
  context.translate(crate.x, crate.y);
  context.rotate(crate.angle);
  context.fillStyle = burning ? CHARRED : PLANK;
  context.fillRect(-half, -half, half * 2, half * 2);
  const frame = half * 0.2;
  context.strokeStyle = burning ? PLANK_DARK : PLANK_LIGHT;
  context.lineWidth = frame;
  context.beginPath();
  context.moveTo(-half + frame, -half + frame);
  context.lineTo(half - frame, half - frame);
  context.stroke();
  context.strokeRect(-half + frame / 2, -half + frame / 2, half * 2 - frame, half * 2 - frame);
  context.strokeStyle = PLANK_DARK;
  context.lineWidth = half * 0.07;
  context.beginPath();
  for (let plank = -1; plank <= 1; plank++) {
    context.moveTo(-half + frame, plank * half * 0.4);
    context.lineTo(half - frame, plank * half * 0.4);
  }
  context.stroke();
  context.strokeStyle = OUTLINE;
  context.strokeRect(-half, -half, half * 2, half * 2);
  context.restore();
  if (burning) drawFlames(context, crate, options);
}

/** Three tongues that flicker out of step; flames rise whatever way the crate lies. */
function drawFlames(context: Context, crate: CrateSprite, options: { half: number; nowMs: number }): void {
  const { half } = options;
  for (let tongue = 0; tongue < 3; tongue++) {
    const phase = options.nowMs / 90 + tongue * 2.1 + crate.id;
    const x = crate.x + (tongue - 1) * half * 0.6;
    const height = half * (1.5 + 0.5 * Math.sin(phase) - (tongue === 1 ? 0 : 0.4));
    flame(context, {
      x,
      y: crate.y - half * 0.2,
      width: half * 0.42,
      height,
      lean: Math.sin(phase * 0.7) * half * 0.25,
    }, FLAME);
    flame(context, { x, y: crate.y - half * 0.2, width: half * 0.2, height: height * 0.6, lean: 0 }, FLAME_CORE);
  }
}

interface Tongue {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly lean: number;
}

function flame(context: Context, { x, y, width, height, lean }: Tongue, colour: string): void {
  context.fillStyle = colour;
  context.beginPath();
  context.moveTo(x - width, y);
  context.quadraticCurveTo(x - width, y + height * 0.5, x + lean, y + height);
  context.quadraticCurveTo(x + width, y + height * 0.5, x + width, y);
  context.quadraticCurveTo(x, y - width, x - width, y);
  context.fill();
}

/** Metres: a third larger than what hits, so that it is seen in time. */
const FIREBALL_RADIUS = tuning.FIREBALL_RADIUS * 4 / 3;
/** A fireball at 12 m/s draws a tail of this length behind it. */
const TAIL_SECONDS = 0.09;
const TAIL_DISCS = 5;

/** @param rim the colour of who breathed it, around the fire */
export function drawFireball(context: Context, fireball: FireballSprite, rim: string): void {
  for (let disc = TAIL_DISCS; disc > 0; disc--) {
    const back = disc / TAIL_DISCS * TAIL_SECONDS;
    context.globalAlpha = 0.5 * (1 - disc / (TAIL_DISCS + 1));
    fillDisc(context, fireball.x - fireball.vx * back, fireball.y - fireball.vy * back, {
      radius: FIREBALL_RADIUS * (1.1 - disc * 0.14),
      colour: FLAME,
    });
  }
  context.globalAlpha = 1;
  fillDisc(context, fireball.x, fireball.y, { radius: FIREBALL_RADIUS * 1.25, colour: rim });
  fillDisc(context, fireball.x, fireball.y, { radius: FIREBALL_RADIUS * 0.92, colour: FLAME });
  fillDisc(context, fireball.x, fireball.y, { radius: FIREBALL_RADIUS * 0.55, colour: FLAME_CORE });
}

function fillDisc(context: Context, x: number, y: number, options: { radius: number; colour: string }): void {
  context.fillStyle = options.colour;
  context.beginPath();
  context.arc(x, y, options.radius, 0, Math.PI * 2);
  context.fill();
}
