/**
 * Draws names above players, an arrow to the own thing, and arrows to things outside the window. In
 * canvas pixels.
 */
import { type Context, HALO } from "../../presentation/picture/canvas.ts";
import {
  drawArrowDown,
  drawWords,
  FONT,
  LABEL_COLOUR,
  labelSizePx,
  OWN_LABEL_COLOUR,
} from "../../presentation/picture/words.ts";
import type { ShownThing } from "../shown_thing.ts";
import type { KitCamera } from "./kit_camera.ts";
import type { PageParts } from "./page_parts.ts";

/** Metres between a thing and its name. */
const GAP = 0.3;
/** How long an arrow points at the own thing after it entered, ms. */
const ARRIVED_MS = 3000;
const NPC_COLOUR = "#bfc3d4";
/** How large an arrow at the edge is, CSS pixels. */
const EDGE_SIZE = 11;

export interface Labels {
  readonly context: Context;
  readonly camera: KitCamera;
  readonly pixelRatio: number;
  /** How high the page's letters are, CSS pixels. */
  readonly letter: number;
  /** Whom a page without a seat follows. */
  readonly followed: ShownThing | undefined;
  /** When the frame is shown, ms on the page's clock. */
  readonly nowMs: number;
  readonly isCalm: boolean;
}

/** @param reach how far the thing reaches from its middle, metres */
export function drawLabel(shown: ShownThing, reach: number, labels: Labels): void {
  const { context, camera, pixelRatio, letter, nowMs, isCalm } = labels;
  const sizePx = labelSizePx(camera.scale, letter * pixelRatio);
  const isFollowed = shown === labels.followed;
  const x = camera.xPx(shown.x), y = camera.yPx(shown.y + reach + GAP);
  context.font = `${isFollowed ? 700 : 600} ${Math.round(sizePx)}px ${FONT}`;
  context.lineWidth = sizePx * 0.28;
  drawWords(context, shown.label, {
    x,
    y,
    colour: isFollowed ? OWN_LABEL_COLOUR : shown.npc ? NPC_COLOUR : LABEL_COLOUR,
  });
  if (!shown.own || nowMs - shown.sinceMs > ARRIVED_MS) return;
  const bob = isCalm ? 0 : Math.sin(nowMs / 140) * sizePx * 0.2;
  drawArrowDown(context, { x, y: y - sizePx * 1.5 + bob, size: sizePx * 0.7 });
}

/**
 * Draws an arrow at the picture's edge, clear of the page's parts, if the thing is outside.
 * @param colour CSS
 */
export function drawEdgeMark(
  { x: worldX, y: worldY }: { readonly x: number; readonly y: number },
  colour: string,
  { context, camera, pixelRatio, parts }: Labels & { readonly parts: PageParts },
): void {
  const { width, height } = context.canvas;
  const size = EDGE_SIZE * pixelRatio;
  const x = camera.xPx(worldX);
  const y = camera.yPx(worldY);

  // A thing at the very edge is visible enough.
  if (x > -size && x < width + size && y > -size && y < height + size) return;
  const seen = parts.seenFrom({ x: x / pixelRatio, y: y / pixelRatio }, EDGE_SIZE);
  const tipX = seen.x * pixelRatio;
  const tipY = seen.y * pixelRatio;
  context.save();
  context.translate(tipX, tipY);
  context.rotate(Math.atan2(y - tipY, x - tipX));
  context.beginPath();
  context.moveTo(size * 0.7, 0);
  context.lineTo(-size * 0.7, -size * 0.8);
  context.lineTo(-size * 0.7, size * 0.8);
  context.closePath();
  context.strokeStyle = HALO;
  context.lineWidth = size * 0.4;
  context.stroke();
  context.fillStyle = colour;
  context.fill();
  context.restore();
}
