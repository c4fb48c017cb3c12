/** Crates of planks. A burning crate is charred and carries flames. */
import { CRATE_HALF } from "../../../../shared/games/dragons/arena.ts";
import {
  type Context,
  drawFading,
  FIRE,
  FIRE_CORE,
  OUTLINE,
} from "../../../presentation/picture/canvas.ts";
import { type Presenter, type Sprite, spriteOf } from "./presenter.ts";

export interface CrateSprite extends Sprite {
  /** Ticks until it has burnt down; 0 if it does not burn. */
  burning: number;
}

const PLANK = "#8a6a4a";
const PLANK_DARK = "#5d452f";
const PLANK_LIGHT = "#a98560";
const CHARRED = "#4a382c";

export const cratePresenter: Presenter<CrateSprite> = {
  sprites: ({ things }) =>
    things.filter((thing) => thing.name === "crate").map((crate) => (
      { ...spriteOf(crate), burning: crate.fields.burning }
    )),
  painter: () => ({
    draw(crates, { context, nowMs }) {
      for (const crate of crates) {
        drawFading(context, crate, (shown) => drawCrate(context, shown, nowMs));
      }
    },
  }),
};

function drawCrate(context: Context, crate: CrateSprite, nowMs: number): void {
  const half = CRATE_HALF;
  const isBurning = crate.burning > 0;
  context.save();
  context.translate(crate.x, crate.y);
  context.rotate(crate.angle);
  context.fillStyle = isBurning ? CHARRED : PLANK;
  context.fillRect(-half, -half, half * 2, half * 2);
  const frame = half * 0.2;
  context.strokeStyle = isBurning ? PLANK_DARK : PLANK_LIGHT;
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
  if (isBurning) drawFlames(context, crate, nowMs);
}

/** Three tongues that flicker out of step. They rise straight up, whatever the crate's angle is. */
function drawFlames(context: Context, crate: CrateSprite, nowMs: number): void {
  const half = CRATE_HALF;
  const y = crate.y - half * 0.2;
  for (let tongue = 0; tongue < 3; tongue++) {
    const phase = nowMs / 90 + tongue * 2.1 + crate.id;
    const x = crate.x + (tongue - 1) * half * 0.6;
    const height = half * (1.5 + 0.5 * Math.sin(phase) - (tongue === 1 ? 0 : 0.4));
    fillFlame(context, {
      x,
      y,
      width: half * 0.42,
      height,
      lean: Math.sin(phase * 0.7) * half * 0.25,
    }, FIRE);
    fillFlame(context, { x, y, width: half * 0.2, height: height * 0.6, lean: 0 }, FIRE_CORE);
  }
}

/**
 * One tongue of fire, metres. `x` and `y` are the middle of its base; `lean` moves its tip to the
 * right.
 */
interface Flame {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly lean: number;
}

function fillFlame(context: Context, { x, y, width, height, lean }: Flame, colour: string): void {
  context.fillStyle = colour;
  context.beginPath();
  context.moveTo(x - width, y);
  context.quadraticCurveTo(x - width, y + height * 0.5, x + lean, y + height);
  context.quadraticCurveTo(x + width, y + height * 0.5, x + width, y);
  context.quadraticCurveTo(x, y - width, x - width, y);
  context.fill();
}
