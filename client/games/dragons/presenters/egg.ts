/**
 * Eggs: speckled, in the colours of the rider inside, so that players see whom an egg would bring
 * back. In the last quarter of its time an egg shows by three signs that it will hatch: it rocks,
 * it cracks, and it glows. Two of them need no motion.
 */
import type { Egg } from "../../../../shared/games/dragons/archetypes.ts";
import { EGG_RADIUS, HATCH_TICKS } from "../../../../shared/games/dragons/tuning.ts";
import type { SeatId } from "../../../../shared/netcode/game.ts";
import { chime, TICK } from "../../../presentation/audio/voices.ts";
import { AROUND, RING } from "../../../presentation/picture/bursts.ts";
import {
  type Context,
  drawFading,
  DUST,
  GOLD,
  HOT,
  OUTLINE,
  OUTLINE_OWN,
  SHELL,
  SMOKE,
  traceDisc,
  TURN,
} from "../../../presentation/picture/canvas.ts";
import { type Look, lookOfSeat } from "../render/palette.ts";
import type { Drawing, EventRecipes, Presenter, Sprite } from "./presenter.ts";

export interface EggSprite extends Sprite {
  /** The seat whose rider it was. */
  seat: SeatId;
  /** Age from 0, just laid, to 1, hatching. */
  ripeness: number;
  /** A rider has taken it, in the prediction only. */
  isTaken: boolean;
}

/** From this ripeness on an egg shows that it will hatch. */
const UNREST_RIPENESS = 0.75;
const TAKEN_OPACITY = 0.4;
/** Radii of the body, which is a disc. The drawn shell is slimmer, and taller at the top. */
const WIDTH = 0.88;
const TOP = 1.18;
const BOTTOM = -0.95;
const GLOW_RADIUS = 2.6;
/** x, y and size of each speckle in radii: all inside the shell, so nothing is clipped. */
// deno-fmt-ignore
const SPECKLES = [
  -0.4, 0.3, 0.14, 0.1, 0.62, 0.1,
  0.45, 0.1, 0.13, -0.1, -0.1, 0.17,
  -0.5, -0.35, 0.1, 0.3, -0.5, 0.15,
];
/** x and y of a zigzag across the shell; it opens from the left. */
const CRACK = [-0.82, 0.22, -0.5, 0.42, -0.3, 0.08, -0.02, 0.4, 0.22, 0.06, 0.5, 0.38, 0.8, 0.14];

const EVENTS: EventRecipes = {
  egg: {
    bursts: [
      { ...RING, colour: SHELL, lifeMs: 350, growth: 2.2 },
      {
        shape: "puff",
        colour: SHELL,
        count: 6,
        speed: [0.6, 2],
        turns: AROUND,
        lifeMs: 420,
        size: 0.12,
        growth: 0.4,
      },
    ],
    voices: [{ wave: "sine", fromHz: 500, toHz: 320, ms: 110, gain: 0.25 }],
    isConfirmedOnly: true,
  },
  take: {
    bursts: [
      { ...RING, colour: GOLD, lifeMs: 320, growth: 4 },
      {
        shape: "spark",
        colour: GOLD,
        count: 12,
        speed: [3, 7],
        turns: [0.05, 0.45],
        lifeMs: 520,
        size: 0.22,
        drag: 3,
      },
      {
        shape: "ember",
        colour: SHELL,
        count: 8,
        speed: [2, 5],
        turns: [0.1, 0.4],
        lifeMs: 600,
        size: 0.06,
        gravity: 12,
      },
    ],
    voices: [chime(660, 0), chime(990, 80)],
    isConfirmedOnly: true,
  },
  hatch: {
    bursts: [
      { ...RING, colour: HOT, lifeMs: 380, growth: 5 },
      {
        shape: "ember",
        colour: SHELL,
        count: 18,
        speed: [3, 7],
        turns: [0.02, 0.48],
        lifeMs: 900,
        size: 0.09,
        gravity: 14,
      },
      {
        shape: "puff",
        colour: SMOKE,
        count: 8,
        speed: [0.8, 2.6],
        turns: AROUND,
        lifeMs: 600,
        size: 0.2,
        growth: 0.6,
        drag: 2,
      },
    ],
    voices: [TICK, { ...TICK, afterMs: 90 }, {
      wave: "sawtooth",
      fromHz: 300,
      toHz: 600,
      ms: 180,
      gain: 0.12,
    }],
    shake: 0.3,
    isConfirmedOnly: true,
  },
  wither: {
    bursts: [
      {
        shape: "puff",
        colour: DUST,
        count: 8,
        speed: [0.3, 1.2],
        turns: [0.1, 0.4],
        lifeMs: 800,
        size: 0.16,
        growth: 0.4,
      },
    ],
    isConfirmedOnly: true,
  },
};

export const eggPresenter: Presenter<Egg, EggSprite> = {
  radius: EGG_RADIUS,
  // An egg shows from the definitive tick that laid it to the one that took it.
  entities: ({ definitive }) => definitive.eggs,
  write({ id, fields }, sprite, { poses }) {
    sprite.seat = fields.seat;
    sprite.ripeness = fields.age / HATCH_TICKS;
    sprite.isTaken = fields.hatchSeat === 0 && poses.head.find(id) === undefined;
  },
  painter: () => ({
    draw(eggs, drawing) {
      for (const egg of eggs) drawFading(drawing.context, egg, (shown) => drawEgg(shown, drawing));
    },
  }),
  events: EVENTS,
};

function drawEgg(egg: EggSprite, { context, nowMs, reducedMotion, ownSeat }: Drawing): void {
  const unrest = Math.max(0, Math.min(1, (egg.ripeness - UNREST_RIPENESS) / (1 - UNREST_RIPENESS)));
  const look = lookOfSeat(egg.seat, ownSeat);
  const isOwn = egg.seat === ownSeat;
  context.save();
  context.translate(egg.x, egg.y);
  context.scale(EGG_RADIUS, EGG_RADIUS);
  if (unrest > 0) drawGlow(context, unrest);
  if (egg.isTaken) context.globalAlpha *= TAKEN_OPACITY;
  context.rotate(egg.angle + (reducedMotion ? 0 : rockingAngle(egg.id, unrest, nowMs)));
  context.lineJoin = "round";
  traceShell(context);
  context.strokeStyle = isOwn ? OUTLINE_OWN : OUTLINE;
  context.lineWidth = isOwn ? 0.5 : 0.36;
  context.stroke();
  context.fillStyle = look.light;
  context.fill();
  drawSpeckles(context, look);
  if (unrest > 0) drawCrack(context, unrest);
  context.restore();
}

/**
 * Radians. Short bouts of rocking get stronger and more frequent with the unrest; each egg has a
 * phase of its own.
 */
function rockingAngle(id: number, unrest: number, nowMs: number): number {
  const bout = Math.max(0, Math.sin(nowMs / (420 - 220 * unrest) + id * 1.7));
  return unrest === 0 ? 0 : (0.1 + 0.2 * unrest) * bout * Math.sin(nowMs / 28 + id);
}

/** A light from within. Few eggs are about to hatch at once, so a gradient for each is cheap. */
function drawGlow(context: Context, unrest: number): void {
  const light = context.createRadialGradient(0, 0, 0.6, 0, 0, GLOW_RADIUS);
  light.addColorStop(0, "rgb(255 241 194 / 70%)");
  light.addColorStop(1, "rgb(255 241 194 / 0%)");
  const opacity = context.globalAlpha;
  context.globalAlpha = opacity * unrest;
  context.fillStyle = light;
  traceDisc(context, 0, 0, GLOW_RADIUS);
  context.fill();
  context.globalAlpha = opacity;
}

function traceShell(context: Context): void {
  context.beginPath();
  context.moveTo(0, TOP);
  context.bezierCurveTo(WIDTH * 0.7, TOP, WIDTH * 1.05, 0.3, WIDTH, -0.15);
  context.bezierCurveTo(WIDTH * 0.95, BOTTOM * 0.8, WIDTH * 0.5, BOTTOM, 0, BOTTOM);
  context.bezierCurveTo(-WIDTH * 0.5, BOTTOM, -WIDTH * 0.95, BOTTOM * 0.8, -WIDTH, -0.15);
  context.bezierCurveTo(-WIDTH * 1.05, 0.3, -WIDTH * 0.7, TOP, 0, TOP);
}

function drawSpeckles(context: Context, look: Look): void {
  context.fillStyle = look.shade;
  context.beginPath();
  for (let i = 0; i < SPECKLES.length; i += 3) {
    context.moveTo(SPECKLES[i]! + SPECKLES[i + 2]!, SPECKLES[i + 1]!);
    context.arc(SPECKLES[i]!, SPECKLES[i + 1]!, SPECKLES[i + 2]!, 0, TURN);
  }
  context.fill();
}

/** A dark zigzag that gets longer with the unrest. */
function drawCrack(context: Context, unrest: number): void {
  const corners = 2 + Math.floor(unrest * (CRACK.length / 2 - 2));
  context.strokeStyle = OUTLINE;
  context.lineWidth = 0.16;
  context.beginPath();
  for (let i = 0; i < corners * 2; i += 2) context.lineTo(CRACK[i]!, CRACK[i + 1]!);
  context.stroke();
}
