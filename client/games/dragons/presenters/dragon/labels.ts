/**
 * Words and arrows that belong to a dragon. They are drawn in canvas pixels: in metres, letters
 * would be upside down.
 */
import { DRAGON_RADIUS } from "../../../../../shared/games/dragons/tuning.ts";
import { HALO } from "../../../../presentation/picture/canvas.ts";
import {
  drawArrowDown,
  drawWords,
  FONT,
  LABEL_COLOUR,
  labelSizePx,
  OWN_LABEL_COLOUR,
} from "../../../../presentation/picture/words.ts";
import type { Drawing } from "../presenter.ts";
import { type DragonAnimation, SCORE_POP_MS } from "./animation.ts";
import type { DragonSprite } from "./sprite.ts";

/**
 * The name above a dragon and the points that it has just won. An arrow points at the own dragon
 * while its player may be searching for it: when it has just arrived, and while it is dead.
 */
export function drawLabel(
  sprite: DragonSprite,
  animation: DragonAnimation,
  drawing: Drawing,
): void {
  const { context, camera, nowMs, isCalm, pixelRatio, letter } = drawing;
  const sizePx = labelSizePx(camera.scale, letter * pixelRatio);
  const x = camera.xPx(sprite.x);
  const y = camera.yPx(sprite.y + DRAGON_RADIUS * (sprite.stunnedTicks > 0 ? 2.45 : 2.05));
  context.font = `${sprite.isFollowed ? 700 : 600} ${Math.round(sizePx)}px ${FONT}`;
  context.lineWidth = sizePx * 0.28;
  if (!sprite.dead || sprite.own) {
    const colour = sprite.isFollowed ? OWN_LABEL_COLOUR : LABEL_COLOUR;
    drawWords(context, sprite.name, { x, y, colour });
  }
  const share = animation.popAgeMs / SCORE_POP_MS;
  if (sprite.own && (sprite.dead || animation.hasJustArrived) && share >= 1) {
    const bob = isCalm ? 0 : Math.sin(nowMs / 140) * sizePx * 0.2;
    drawArrowDown(context, { x, y: y - sizePx * 1.5 + bob, size: sizePx * 0.7 });
  }

  if (share < 1) {
    context.globalAlpha = Math.min(1, 2 - share * 2);
    context.font = `800 ${Math.round(sizePx * 1.5)}px ${FONT}`;
    const rise = sizePx * (1.3 + share * 2);
    drawWords(context, `+${animation.popPoints}`, { x, y: y - rise, colour: sprite.look.light });
    context.globalAlpha = 1;
  }
}

/** An arrow in the dragon's colour at the side of the window beyond which a living dragon is. */
export function drawEdgeMark(sprite: DragonSprite, { context, camera }: Drawing): void {
  const { width } = context.canvas;
  const x = camera.xPx(sprite.x);
  const side = x > 0 ? 1 : -1;
  const size = camera.scale * 0.45;
  const y = camera.yPx(sprite.y);
  const tip = x > 0 ? width : 0;

  // A dragon at the very edge is visible enough.
  if ((x > -size && x < width + size) || sprite.dead) return;
  context.beginPath();
  context.moveTo(tip - side * size * 0.3, y);
  context.lineTo(tip - side * size * 1.5, y - size);
  context.lineTo(tip - side * size * 1.5, y + size);
  context.closePath();
  context.strokeStyle = HALO;
  context.lineWidth = size * 0.4;
  context.stroke();
  context.fillStyle = sprite.look.fill;
  context.fill();
}
