/** Crates of planks. A burning crate is charred and carries flames. */
import { CRATE_HALF } from "../../../../shared/games/dragons/arena.ts";
import { type Context, drawFading, OUTLINE } from "../../../presentation/picture/canvas.ts";
import { drawFlames } from "../render/flames.ts";
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
  if (isBurning) {
    drawFlames({ context, nowMs }, { id: crate.id, x: crate.x, y: crate.y - half * 0.2, half });
  }
}
