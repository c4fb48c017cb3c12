/**
 * Fireballs: a bright core, a rim in the colour of the seat that breathed it, a short tail, and
 * embers.
 */
import type { Fireball } from "../../../../shared/games/dragons/archetypes.ts";
import * as tuning from "../../../../shared/games/dragons/tuning.ts";
import type { SeatId } from "../../../../shared/netcode/game.ts";
import { AROUND, RING } from "../../../presentation/picture/bursts.ts";
import {
  type Context,
  FIRE,
  FIRE_CORE,
  FLAME,
  HOT,
  traceDisc,
} from "../../../presentation/picture/canvas.ts";
import { lookOfSeat } from "../render/palette.ts";
import type { EventRecipes, Presenter, SceneParts, Sprite } from "./presenter.ts";

export interface FireballSprite extends Sprite {
  /** m/s. */
  vx: number;
  vy: number;
  /** The seat that breathed it. */
  seat: SeatId;
}

/** Metres: a third larger than the body, so that players see it in time. */
const RADIUS = tuning.FIREBALL_RADIUS * 4 / 3;
/** The tail reaches back to the place where the fireball was this long ago. */
const TAIL_SECONDS = 0.09;
const TAIL_DISCS = 5;

const EVENTS: EventRecipes = {
  fire: {
    voices: [{ wave: "noise", fromHz: 400, toHz: 1800, ms: 220, gain: 0.4 }],
    answersKey: true,
  },
  burn: {
    bursts: [
      { ...RING, colour: FLAME, lifeMs: 300, growth: 6 },
      {
        shape: "puff",
        colour: FLAME,
        count: 16,
        speed: [1, 5],
        turns: AROUND,
        lifeMs: 520,
        size: 0.28,
        growth: 0.3,
        drag: 3,
      },
      {
        shape: "puff",
        colour: "#57505f",
        count: 10,
        speed: [0.5, 2],
        turns: [0.1, 0.4],
        lifeMs: 1100,
        size: 0.25,
        growth: 0.5,
      },
      {
        shape: "ember",
        colour: HOT,
        count: 16,
        speed: [2, 7],
        turns: AROUND,
        lifeMs: 800,
        size: 0.06,
        gravity: 6,
      },
    ],
    voices: [
      { wave: "noise", fromHz: 1200, toHz: 90, ms: 420, gain: 0.7 },
      { wave: "sine", fromHz: 120, toHz: 40, ms: 320, gain: 0.5 },
    ],
    shake: 1,
    unseats: true,
  },
};

const EMBERS = {
  burst: {
    shape: "ember",
    colour: FLAME,
    count: 1,
    speed: [0.2, 1.2],
    turns: AROUND,
    lifeMs: 420,
    size: 0.07,
    growth: -0.1,
    gravity: -1,
  },
  periodMs: 45,
} as const;

export const fireballPresenter: Presenter<Fireball, FireballSprite> = {
  radius: tuning.FIREBALL_RADIUS,
  entities: visibleFireballs,
  write({ vx, vy, fields }, sprite) {
    sprite.vx = vx;
    sprite.vy = vy;
    sprite.seat = fields.seat;
  },
  painter: () => ({
    draw(fireballs, { context, ownSeat }) {
      for (const fireball of fireballs) {
        drawFireball(context, fireball, lookOfSeat(fireball.seat, ownSeat).fill);
      }
    },
  }),
  events: EVENTS,
  trail: EMBERS,
  isBurning: () => true,
};

/** Scratch of `visibleFireballs`. */
const visible: Fireball[] = [];

/** All fireballs, and those that the own dragon will have breathed by the next tick. */
function visibleFireballs({ simulation, extrapolated, ownSeat }: SceneParts): readonly Fireball[] {
  visible.length = 0;
  visible.push(...simulation.fireballs);
  const newest = visible.at(-1)?.id ?? -1;
  for (const fireball of extrapolated?.fireballs ?? []) {
    if (fireball.id > newest && fireball.fields.seat === ownSeat) visible.push(fireball);
  }
  return visible;
}

function drawFireball(context: Context, { x, y, vx, vy }: FireballSprite, rim: string): void {
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
