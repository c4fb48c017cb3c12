/** Chests on ropes, what was in them, what is shot with it, and the bridge that burns. */
import { burntShare } from "../../../../shared/games/dragons/bridge.ts";
import type { LootWord } from "../../../../shared/games/dragons/loot_words.ts";
import { BRIDGE_HALF, CHEST_HALF, LOOT_RADIUS } from "../../../../shared/games/dragons/tuning.ts";
import {
  type Context,
  drawFading,
  GOLD,
  HALO,
  OUTLINE,
  traceDisc,
  TURN,
} from "../../../presentation/picture/canvas.ts";
import type { DragonFrame, Drawing, ShownAs } from "../presenters/presenter.ts";
import { drawFlames } from "./flames.ts";
import { lookOfSeat } from "./palette.ts";

const ROPE = "#d9b384";
const ROPE_DARK = "#5b4128";
const WOOD = "#8a5a2e";
const PLANK = "#7d6247";
const CHARRED = "#332a24";
/** Metres: an arrow is longer than its body, so that players see it in time. */
const ARROW_LENGTH = 0.9;
const PELLET = 0.12;
const PLANKS = 12;

/** Draws what dragons pass in front of. The context measures metres, y upwards. */
export function drawLoot(frame: DragonFrame, drawing: Drawing): void {
  const { context } = drawing;
  for (const { joint, ax, ay, bx, by } of frame.joints) {
    if (joint.definition.name !== "rope") continue;
    context.beginPath();
    context.moveTo(ax, ay);
    context.lineTo(bx, by);
    strokeTwice(context, [[ROPE_DARK, 0.16], [ROPE, 0.09]]);
  }
  for (const thing of frame.things) {
    if (thing.name === "bridge") drawBridge(frame, thing, drawing);
    else if (thing.name === "chest") drawFading(context, thing, (at) => drawChest(context, at));
    else if (thing.name === "loot") drawPrize(context, thing);
  }
}

/** Draws arrows and pellets, in the colour of whoever shot them. */
export function drawShots(frame: DragonFrame, { context }: Drawing): void {
  context.lineCap = "round";
  for (const thing of frame.things) {
    if (thing.name !== "arrow" && thing.name !== "pellet") continue;
    const { x, y, vx, vy, fields } = thing;
    const { light } = lookOfSeat(frame, fields.seat);
    if (thing.name === "pellet") {
      traceDisc(context, x, y, PELLET);
      context.fillStyle = light;
      context.strokeStyle = HALO;
      context.lineWidth = 0.05;
      context.fill();
      context.stroke();
      continue;
    }
    const length = ARROW_LENGTH / Math.hypot(vx, vy);
    context.beginPath();
    context.moveTo(x, y);
    context.lineTo(x - vx * length, y - vy * length);
    for (const side of [-0.6, 0.6]) {
      context.moveTo(x, y);
      context.lineTo(x - (vx - vy * side) * length / 3, y - (vy + vx * side) * length / 3);
    }
    strokeTwice(context, [[HALO, 0.2], [light, 0.1]]);
  }
  context.lineCap = "butt";
}

/** Draws the sign of what somebody holds. @param size half of its width, metres */
export function drawSign(
  context: Context,
  word: LootWord,
  { x, y, size }: { readonly x: number; readonly y: number; readonly size: number },
): void {
  context.save();
  context.translate(x, y);
  context.scale(size, size);
  context.lineCap = context.lineJoin = "round";
  context.beginPath();
  switch (word) {
    case "bow":
      context.arc(-0.5, 0, 1, -TURN / 5, TURN / 5);
      context.closePath();
      context.moveTo(-0.9, 0);
      context.lineTo(1, 0);
      break;
    case "scatter":
      for (const side of [-1, -0.5, 0, 0.5, 1]) {
        context.moveTo(-0.8, 0);
        context.lineTo(0.9 - Math.abs(side) * 0.3, side);
      }
      break;
    case "shield":
      context.moveTo(-0.8, 0.8);
      context.lineTo(0.8, 0.8);
      context.quadraticCurveTo(0.9, -0.6, 0, -1);
      context.quadraticCurveTo(-0.9, -0.6, -0.8, 0.8);
      break;
    case "boost":
      for (const left of [-0.8, 0]) {
        context.moveTo(left, 0.8);
        context.lineTo(left + 0.8, 0);
        context.lineTo(left, -0.8);
      }
  }
  strokeTwice(context, [[HALO, 0.75], [GOLD, 0.32]]);
  context.restore();
}

/** Strokes a path with its edge and then with its core, each a colour and a width in metres. */
function strokeTwice(
  context: Context,
  strokes: readonly (readonly [colour: string, width: number])[],
): void {
  for (const [colour, width] of strokes) {
    context.strokeStyle = colour;
    context.lineWidth = width;
    context.stroke();
  }
}

function drawChest(context: Context, { x, y, angle }: Pick<ShownAs<"chest">, "x" | "y" | "angle">) {
  const half = CHEST_HALF;
  context.save();
  context.translate(x, y);
  context.rotate(angle);
  context.fillStyle = WOOD;
  context.fillRect(-half, -half, 2 * half, 2 * half);
  context.fillStyle = GOLD;
  context.fillRect(-half, half * 0.1, 2 * half, half * 0.22);
  context.fillRect(-half * 0.2, -half * 0.25, half * 0.4, half * 0.55);
  context.strokeStyle = OUTLINE;
  context.lineWidth = 0.07;
  context.strokeRect(-half, -half, 2 * half, 2 * half);
  context.restore();
}

/** What lies there: its sign in a light. */
function drawPrize(context: Context, { x, y, fields: { holds } }: ShownAs<"loot">): void {
  traceDisc(context, x, y, LOOT_RADIUS * 1.5);
  context.fillStyle = `${GOLD}44`;
  context.fill();
  drawSign(context, holds, { x, y, size: LOOT_RADIUS * 0.9 });
}

/** Planks, which burn from the middle to both ends before they fall. */
function drawBridge(frame: DragonFrame, { x, y }: ShownAs<"bridge">, drawing: Drawing): void {
  const { context } = drawing;
  const [halfWidth, halfHeight] = BRIDGE_HALF;
  const share = burntShare(frame.world);
  const width = 2 * halfWidth / PLANKS;
  context.strokeStyle = OUTLINE;
  context.lineWidth = 0.05;
  for (let plank = 0; plank < PLANKS; plank++) {
    const left = x - halfWidth + plank * width;
    const isBurning = Math.abs(left + width / 2 - x) < 1.2 * share * halfWidth;
    context.fillStyle = isBurning ? CHARRED : PLANK;
    context.fillRect(left, y - halfHeight, width, 2 * halfHeight);
    context.strokeRect(left, y - halfHeight, width, 2 * halfHeight);
    if (isBurning) {
      drawFlames(drawing, { id: plank, x: left + width / 2, y: y + halfHeight * 0.6, half: 0.3 });
    }
  }
}
