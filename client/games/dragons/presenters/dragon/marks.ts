/**
 * Marks around a dragon: shield, stars, charges, and the heights of two lances. All are drawn in
 * metres.
 */
import {
  CHARGES_MAX,
  DRAGON_RADIUS,
  LANCE_LEAD,
} from "../../../../../shared/games/dragons/tuning.ts";
import {
  type Context,
  FIRE_CORE,
  FLAME,
  GOLD,
  HALO,
  traceDisc,
  TURN,
} from "../../../../presentation/picture/canvas.ts";
import { drawSign } from "../../render/loot.ts";
import type { Drawing } from "../presenter.ts";
import { type DragonSprite, isNear, ownOf } from "./sprite.ts";

const SHIELD = "#dff4ff";
const STAR = "#fff3b8";
const CHARGE_SPENT = "#3b3a4d";

/** Radii: height of the lance above the dragon's middle, as `shapes.ts` draws it. */
const LANCE_HEIGHT = 0.74;

/** A bubble that pulses while nothing can hurt the dragon. It fades during the last half second. */
export function drawShield(sprite: DragonSprite, { context, nowMs, isCalm }: Drawing): void {
  const pulse = isCalm ? 0.5 : 0.5 + 0.5 * Math.sin(nowMs / 110);
  const fading = Math.min(1, sprite.invulnerableTicks / 10);
  context.globalAlpha = fading * (0.1 + 0.08 * pulse);
  context.fillStyle = SHIELD;
  traceDisc(context, sprite.x, sprite.y + DRAGON_RADIUS * 0.2, DRAGON_RADIUS * (2 + 0.08 * pulse));
  context.fill();
  context.globalAlpha = fading * (0.45 + 0.4 * pulse);
  context.strokeStyle = SHIELD;
  context.lineWidth = 0.07;
  context.stroke();
  context.globalAlpha = 1;
}

/** Three stars that circle above a stunned dragon. */
export function drawStars(sprite: DragonSprite, { context, nowMs, isCalm }: Drawing): void {
  context.fillStyle = STAR;
  for (let star = 0; star < 3; star++) {
    const angle = (isCalm ? 0 : nowMs / 260) + star * TURN / 3;
    const x = sprite.x + Math.cos(angle) * DRAGON_RADIUS * 1.1;
    const y = sprite.y + DRAGON_RADIUS * (1.75 + Math.sin(angle) * 0.3);
    traceStar(context, x, y, DRAGON_RADIUS * 0.3);
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

/** The sign of what a dragon holds under it, and a dot for each time that it can use that. */
export function drawHeld(context: Context, { x, y, holds, shots }: DragonSprite): void {
  if (holds === "none") return;
  const below = y - DRAGON_RADIUS * 1.36;
  const left = x - shots * DRAGON_RADIUS * 0.16;
  drawSign(context, holds, { x: left, y: below, size: DRAGON_RADIUS * 0.4 });
  context.fillStyle = GOLD;
  context.strokeStyle = HALO;
  context.lineWidth = 0.06;
  for (let shot = 1; shot <= shots; shot++) {
    traceDisc(context, left + DRAGON_RADIUS * (0.35 + 0.36 * shot), below, DRAGON_RADIUS * 0.14);
    context.stroke();
    context.fill();
  }
}

/** Three small flames under the dragon, one for each fireball that it can still breathe. */
export function drawCharges(context: Context, sprite: DragonSprite): void {
  context.strokeStyle = HALO;
  context.lineWidth = 0.06;

  for (let charge = 0; charge < CHARGES_MAX; charge++) {
    const x = sprite.x + (charge - 1) * DRAGON_RADIUS * 0.5;
    const y = sprite.y - DRAGON_RADIUS * 1.36;
    const isLeft = charge < sprite.charges;
    drawFlamelet(context, {
      x,
      y,
      size: DRAGON_RADIUS * 0.2,
      colour: isLeft ? FLAME : CHARGE_SPENT,
    });
    context.stroke();
    if (isLeft) {
      drawFlamelet(context, {
        x,
        y: y - DRAGON_RADIUS * 0.04,
        size: DRAGON_RADIUS * 0.1,
        colour: FIRE_CORE,
      });
    }
  }
}

/** A drop that stands on its round end. */
function drawFlamelet(
  context: Context,
  options: { x: number; y: number; size: number; colour: string },
): void {
  const { x, y, size } = options;
  context.beginPath();
  context.arc(x, y, size, Math.PI, TURN);
  context.quadraticCurveTo(x + size, y + size, x, y + size * 2.2);
  context.quadraticCurveTo(x - size, y + size, x - size, y);
  context.fillStyle = options.colour;
  context.fill();
}

/** Metres. Two lances are compared this near to each other. */
const LANCE_HEIGHTS_DISTANCE = 3;

/**
 * The comparison of two lances that a frame shows. It is one of simulated heights, as the joust
 * itself.
 */
export interface LanceMark {
  readonly own: DragonSprite;
  readonly rival: DragonSprite;
  /**
   * 1 if the own lance would win a joust now, -1 if the rival's would, 0 if the two would only
   * clash.
   */
  readonly winner: -1 | 0 | 1;
  /**
   * Whether the winner is the same for every height that the rival may have. The mark is hollow
   * otherwise.
   */
  readonly isSolid: boolean;
}

/**
 * The marks of a frame: one between the own dragon and each rival near it; none while the own
 * dragon has no rider.
 */
export function lanceMarksOf(dragons: readonly DragonSprite[]): LanceMark[] {
  const own = ownOf(dragons);
  const marks: LanceMark[] = [];
  const y = own?.lance?.y;
  if (own === undefined || y === undefined) return marks;
  for (const rival of dragons) {
    const { lance } = rival;
    if (rival.own || lance === undefined || !isNear(rival, own, LANCE_HEIGHTS_DISTANCE)) continue;
    const isSolid = winnerOf(y - lance.lowest) === winnerOf(y - lance.highest);
    marks.push({ own, rival, winner: winnerOf(y - lance.y), isSolid });
  }
  return marks;
}

function winnerOf(lead: number): LanceMark["winner"] {
  return lead >= LANCE_LEAD ? 1 : lead <= -LANCE_LEAD ? -1 : 0;
}

/**
 * Compares the lances of two dragons between them: a dash at each lance's height, and a thin line
 * for the difference. An arrow points up at the lance that would win a joust now. Without an arrow
 * the two would only clash. A hollow mark has an empty arrow and pale dashes.
 */
export function drawLanceMark(context: Context, { own, rival, winner, isSolid }: LanceMark): void {
  const ownColour = own.look.light;
  const rivalColour = rival.look.light;
  const side = rival.x < own.x ? -1 : 1;
  const x = (own.x + rival.x) / 2;
  const ownY = own.lance!.y + DRAGON_RADIUS * LANCE_HEIGHT;
  const rivalY = rival.lance!.y + DRAGON_RADIUS * LANCE_HEIGHT;
  context.lineCap = "round";
  context.globalAlpha = isSolid ? 1 : 0.5;

  for (const halo of [true, false]) {
    context.lineWidth = halo ? 0.26 : 0.11;
    drawDash(context, { x, y: ownY, end: x - side * DASH }, halo ? HALO : ownColour);
    drawDash(context, { x, y: rivalY, end: x + side * DASH }, halo ? HALO : rivalColour);
    context.lineWidth = halo ? 0.16 : 0.05;
    context.beginPath();
    context.moveTo(x, ownY);
    context.lineTo(x, rivalY);
    context.stroke();
  }

  context.globalAlpha = 1;
  if (winner === 0) return;
  const colour = winner > 0 ? ownColour : rivalColour;
  drawArrowUp(context, {
    x: x - side * winner * DASH * 0.55,
    y: Math.max(ownY, rivalY) + 0.2,
    isSolid,
  }, colour);
}

/** Metres: the length of a dash. */
const DASH = 0.5;

function drawDash(
  context: Context,
  { x, y, end }: { x: number; y: number; end: number },
  colour: string,
): void {
  context.strokeStyle = colour;
  context.beginPath();
  context.moveTo(x, y);
  context.lineTo(end, y);
  context.stroke();
}

function drawArrowUp(
  context: Context,
  { x, y, isSolid }: { x: number; y: number; isSolid: boolean },
  colour: string,
): void {
  context.beginPath();
  context.moveTo(x - 0.24, y);
  context.lineTo(x, y + 0.34);
  context.lineTo(x + 0.24, y);
  context.closePath();
  context.strokeStyle = HALO;
  context.lineWidth = 0.14;
  context.stroke();
  context.fillStyle = context.strokeStyle = colour;
  context.lineWidth = 0.06;
  if (isSolid) context.fill();
  else context.stroke();
}
