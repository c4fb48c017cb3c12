/** Flames on what burns. */
import { type Context, FIRE, FIRE_CORE } from "../../../presentation/picture/canvas.ts";
import type { Drawing } from "../presenters/presenter.ts";

/** Where it burns, and how large: half of the width, metres. Equal ids flicker alike. */
interface Fire {
  readonly id: number;
  readonly x: number;
  readonly y: number;
  readonly half: number;
}

/** Three tongues that flicker out of step. They rise straight up, whatever the angle of what burns. */
export function drawFlames(
  { context, nowMs }: Pick<Drawing, "context" | "nowMs">,
  { id, x: middle, y, half }: Fire,
): void {
  for (let tongue = 0; tongue < 3; tongue++) {
    const phase = nowMs / 90 + tongue * 2.1 + id;
    const x = middle + (tongue - 1) * half * 0.6;
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
