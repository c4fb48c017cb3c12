/**
 * Smoke, sparks, embers and rings, in a pool with a fixed size. In a full pool, a new particle
 * replaces the oldest one, because players do not notice one spark less in five hundred.
 *
 *     v *= 1 − drag · Δt,   vy −= gravity · Δt,   size += growth · Δt;   opacity falls from 1 to 0 over the life
 */
import { type Context, traceDisc } from "./canvas.ts";

/**
 * Twelve dragons and twenty fireballs emit about 250 at once, and an eye cannot follow twice that.
 */
export const PARTICLES_MAX = 512;

/**
 * The most figures at once. Each takes as long to draw as twenty sparks, and more would be a crowd
 * in which no eye follows any.
 */
export const FIGURES_MAX = 8;
/** Turns of a figure for each metre that it flies to the side, radians: it rolls with its flight. */
const TUMBLE = 0.9;
/** The share of a figure's life at whose end it fades. */
const FADE_SHARE = 0.3;

/** Draws one figure around the origin, upright, in metres, y upwards. @param colour the burst's */
export type Figure = (context: Context, colour: string) => void;

export type ParticleShape = "puff" | "spark" | "ember" | "ring" | Figure;

/** One particle's initial values. Metres, m/s, ms; y upwards. */
export interface ParticleStart {
  shape: ParticleShape;
  colour: string;
  x: number;
  y: number;
  vx: number;
  vy: number;
  lifeMs: number;
  /** The radius; for a spark half its length, for a ring its first radius; a figure's scale. */
  size: number;
  /** How fast the size grows, m/s; a negative value shrinks it. */
  growth: number;
  /** m/s², downwards positive. */
  gravity: number;
  /** 1/s. */
  drag: number;
}

interface Particle extends ParticleStart {
  /** How long it still lives; at 0 or less the slot is free. */
  leftMs: number;
  /** The key of the event that threw it. */
  key: string;
}

function newParticle(): Particle {
  const numbers = {
    x: 0,
    y: 0,
    vx: 0,
    vy: 0,
    lifeMs: 1,
    size: 0,
    growth: 0,
    gravity: 0,
    drag: 0,
    leftMs: 0,
  };
  return { shape: "puff", colour: "", key: "", ...numbers };
}

export class Particles {
  readonly #pool = Array.from({ length: PARTICLES_MAX }, newParticle);
  #next = 0;
  /** Which share of particles to emit, 0 … 1. Rings and figures are always emitted. */
  share = 1;
  #shareDue = 0;

  /** Living particles. */
  get count(): number {
    return this.#pool.filter(({ leftMs }) => leftMs > 0).length;
  }

  get #figures(): number {
    return this.#pool.filter(({ leftMs, shape }) => leftMs > 0 && typeof shape === "function")
      .length;
  }

  /** Starts a particle; no figure while there are `FIGURES_MAX`. @param key the event that throws it */
  emit(start: ParticleStart, key = ""): void {
    const isFigure = typeof start.shape === "function";
    if (isFigure && this.#figures >= FIGURES_MAX) return;
    this.#shareDue += isFigure || start.shape === "ring" ? 1 : this.share;
    if (this.#shareDue < 1) return;
    this.#shareDue--;
    const particle = Object.assign(this.#pool[this.#next]!, start);
    particle.leftMs = start.lifeMs;
    particle.key = key;
    this.#next = (this.#next + 1) % PARTICLES_MAX;
  }

  /** Fades out all of an event's particles from their present opacity within `withinMs`. */
  fade(key: string, withinMs: number): void {
    for (const particle of this.#pool) {
      if (particle.key !== key || particle.leftMs <= withinMs) continue;
      particle.lifeMs *= withinMs / particle.leftMs;
      particle.leftMs = withinMs;
    }
  }

  /** Begins anew: the next particles are drawn in the same order as those of a new pool. */
  clear(): void {
    for (const particle of this.#pool) particle.leftMs = 0;
    this.#next = 0;
    this.#shareDue = 0;
  }

  /** Moves all particles. @param elapsedMs since the last call, at most 50 */
  advance(elapsedMs: number): void {
    const seconds = elapsedMs / 1000;
    for (const particle of this.#pool) {
      if (particle.leftMs <= 0) continue;
      const kept = Math.max(0, 1 - particle.drag * seconds);
      particle.leftMs -= elapsedMs;
      particle.vx *= kept;
      particle.vy = particle.vy * kept - particle.gravity * seconds;
      particle.x += particle.vx * seconds;
      particle.y += particle.vy * seconds;
      particle.size = Math.max(0, particle.size + particle.growth * seconds);
    }
  }

  /** Draws into a context that measures metres. */
  draw(context: Context): void {
    context.lineCap = "round";
    for (const particle of this.#pool) if (particle.leftMs > 0) drawParticle(context, particle);
    context.globalAlpha = 1;
  }
}

function drawParticle(
  context: Context,
  { shape, colour, x, y, vx, vy, size, leftMs, lifeMs }: Particle,
): void {
  const left = leftMs / lifeMs;
  context.globalAlpha = shape === "puff" ? left * 0.55 : left;
  context.fillStyle = context.strokeStyle = colour;

  if (typeof shape === "function") {
    context.globalAlpha = Math.min(1, left / FADE_SHARE);
    context.save();
    context.translate(x, y);
    context.rotate(-vx * (lifeMs - leftMs) / 1000 * TUMBLE);
    context.scale(size, size);
    shape(context, colour);
    return context.restore();
  }

  switch (shape) {
    case "puff":
      traceDisc(context, x, y, size);
      return context.fill();
    case "ember":
      return context.fillRect(x - size, y - size, size * 2, size * 2);
    case "spark": {
      const length = 2 * size * left / Math.max(0.01, Math.sqrt(vx ** 2 + vy ** 2));
      context.lineWidth = 0.08;
      context.beginPath();
      context.moveTo(x, y);
      context.lineTo(x - vx * length, y - vy * length);
      return context.stroke();
    }
    case "ring":
      context.lineWidth = 0.16 * left;
      traceDisc(context, x, y, size);
      context.stroke();
  }
}
