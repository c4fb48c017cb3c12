/**
 * Fireballs: a bright core, a rim in the colour of the seat that breathed it, a short tail, and
 * embers.
 */
import * as tuning from "../../../../shared/games/dragons/tuning.ts";
import { type Context, FIRE, FIRE_CORE, traceDisc } from "../../../presentation/picture/canvas.ts";
import { lookOfSeat } from "../render/palette.ts";
import { type Presenter, type Sprite, spriteOf } from "./presenter.ts";

export interface FireballSprite extends Sprite {
  /** m/s. */
  vx: number;
  vy: number;
  /** CSS: the colour of the dragon that breathed it. */
  rim: string;
}

/** Metres: a third larger than the body, so that players see it in time. */
const RADIUS = tuning.FIREBALL_RADIUS * 4 / 3;
/** The tail reaches back to the place where the fireball was this long ago. */
const TAIL_SECONDS = 0.09;
const TAIL_DISCS = 5;

export const fireballPresenter: Presenter<FireballSprite> = {
  sprites: (frame) =>
    frame.things.filter((thing) => thing.name === "fireball").map((fireball) => {
      const { vx, vy, fields } = fireball;
      return { ...spriteOf(fireball), vx, vy, rim: lookOfSeat(frame, fields.seat).fill };
    }),
  painter: () => ({
    draw(fireballs, { context }) {
      for (const fireball of fireballs) drawFireball(context, fireball);
    },
  }),
};

function drawFireball(context: Context, { x, y, vx, vy, rim }: FireballSprite): void {
  for (let disc = TAIL_DISCS; disc > 0; disc--) {
    const back = disc / TAIL_DISCS * TAIL_SECONDS;
    context.globalAlpha = 0.5 * (1 - disc / (TAIL_DISCS + 1));
    fillDisc(context, x - vx * back, y - vy * back, {
      radius: RADIUS * (1.1 - disc * 0.14),
      colour: FIRE,
    });
  }
  context.globalAlpha = 1;
  fillDisc(context, x, y, { radius: RADIUS * 1.25, colour: rim });
  fillDisc(context, x, y, { radius: RADIUS * 0.92, colour: FIRE });
  fillDisc(context, x, y, { radius: RADIUS * 0.55, colour: FIRE_CORE });
}

function fillDisc(
  context: Context,
  x: number,
  y: number,
  options: { radius: number; colour: string },
): void {
  context.fillStyle = options.colour;
  traceDisc(context, x, y, options.radius);
  context.fill();
}
