/**
 * Smoke, sparks, embers and rings: a pool of flat arrays, so that a busy second allocates nothing. In a full pool, a
 * new particle replaces the oldest one. Nobody misses one spark in five hundred.
 *
 *     v *= 1 − drag · Δt,   vy −= gravity · Δt,   size += growth · Δt;   opacity falls from 1 to 0 over the life
 */
import { type Context, traceDisc } from "./canvas.ts";

/** Twelve dragons and twenty fireballs emit about 250 at once. Twice that is more than an eye can follow. */
export const PARTICLES_MAX = 512;

export type ParticleShape = "puff" | "spark" | "ember" | "ring";

/** The initial values of one particle. Metres, m/s, ms; y upwards. */
export interface ParticleStart {
  shape: ParticleShape;
  colour: string;
  x: number;
  y: number;
  vx: number;
  vy: number;
  lifeMs: number;
  /** Radius; the half length of a spark; the first radius of a ring. */
  size: number;
  /** m/s by which the size grows; a negative value shrinks it. */
  growth: number;
  /** m/s², downwards positive. */
  gravity: number;
  /** 1/s. */
  drag: number;
}

export class Particles {
  readonly #x = new Float32Array(PARTICLES_MAX);
  readonly #y = new Float32Array(PARTICLES_MAX);
  readonly #vx = new Float32Array(PARTICLES_MAX);
  readonly #vy = new Float32Array(PARTICLES_MAX);
  readonly #lifeMs = new Float32Array(PARTICLES_MAX);
  /** The rest of the life; a place with 0 or less is free. */
  readonly #leftMs = new Float32Array(PARTICLES_MAX);
  readonly #size = new Float32Array(PARTICLES_MAX);
  readonly #growth = new Float32Array(PARTICLES_MAX);
  readonly #gravity = new Float32Array(PARTICLES_MAX);
  readonly #drag = new Float32Array(PARTICLES_MAX);
  readonly #shape: ParticleShape[] = new Array(PARTICLES_MAX).fill("puff");
  readonly #colour: string[] = new Array(PARTICLES_MAX).fill("");
  /** The key of the event that threw it. */
  readonly #key: string[] = new Array(PARTICLES_MAX).fill("");
  #next = 0;
  /** The share of all particles that are emitted, 0 … 1. Rings are always emitted. */
  share = 1;
  #shareDue = 0;

  /** Living particles. */
  get count(): number {
    let count = 0;
    for (let i = 0; i < PARTICLES_MAX; i++) if (this.#leftMs[i]! > 0) count++;
    return count;
  }

  /** Starts a particle. The caller may reuse `start`. @param key the event that throws it */
  emit(start: ParticleStart, key = ""): void {
    this.#shareDue += start.shape === "ring" ? 1 : this.share;
    if (this.#shareDue < 1) return;
    this.#shareDue--;
    this.#key[this.#next] = key;
    const i = this.#next;
    this.#next = (i + 1) % PARTICLES_MAX;
    this.#shape[i] = start.shape;
    this.#colour[i] = start.colour;
    this.#x[i] = start.x;
    this.#y[i] = start.y;
    this.#vx[i] = start.vx;
    this.#vy[i] = start.vy;
    this.#lifeMs[i] = this.#leftMs[i] = start.lifeMs;
    this.#size[i] = start.size;
    this.#growth[i] = start.growth;
    this.#gravity[i] = start.gravity;
    this.#drag[i] = start.drag;
  }

  /** Fades out all particles of an event from their present opacity. They are gone within `withinMs`. */
  fade(key: string, withinMs: number): void {
    for (let i = 0; i < PARTICLES_MAX; i++) {
      if (this.#key[i] !== key || this.#leftMs[i]! <= withinMs) continue;
      this.#lifeMs[i] = this.#lifeMs[i]! * withinMs / this.#leftMs[i]!;
      this.#leftMs[i] = withinMs;
    }
  }

  /** Moves all particles. @param elapsedMs since the last call, at most 50 */
  advance(elapsedMs: number): void {
    const seconds = elapsedMs / 1000;
    for (let i = 0; i < PARTICLES_MAX; i++) {
      if (this.#leftMs[i]! <= 0) continue;
      this.#leftMs[i]! -= elapsedMs;
      const kept = Math.max(0, 1 - this.#drag[i]! * seconds);
      this.#vx[i]! *= kept;
      this.#vy[i] = this.#vy[i]! * kept - this.#gravity[i]! * seconds;
      this.#x[i]! += this.#vx[i]! * seconds;
      this.#y[i]! += this.#vy[i]! * seconds;
      this.#size[i] = Math.max(0, this.#size[i]! + this.#growth[i]! * seconds);
    }
  }

  /** Draws into a context that measures metres. */
  draw(context: Context): void {
    context.lineCap = "round";
    for (let i = 0; i < PARTICLES_MAX; i++) {
      const left = this.#leftMs[i]! / this.#lifeMs[i]!;
      if (!(left > 0)) continue;
      this.#drawOne(context, i, left);
    }
    context.globalAlpha = 1;
  }

  #drawOne(context: Context, i: number, left: number): void {
    const x = this.#x[i]!;
    const y = this.#y[i]!;
    const size = this.#size[i]!;
    const colour = this.#colour[i]!;
    switch (this.#shape[i]!) {
      case "puff":
        context.globalAlpha = left * 0.55;
        context.fillStyle = colour;
        traceDisc(context, x, y, size);
        context.fill();
        return;
      case "ember":
        context.globalAlpha = left;
        context.fillStyle = colour;
        context.fillRect(x - size, y - size, size * 2, size * 2);
        return;
      case "spark": {
        const speed = Math.max(0.01, Math.sqrt(this.#vx[i]! ** 2 + this.#vy[i]! ** 2));
        context.globalAlpha = left;
        context.strokeStyle = colour;
        context.lineWidth = 0.08;
        context.beginPath();
        context.moveTo(x, y);
        context.lineTo(x - this.#vx[i]! / speed * size * left * 2, y - this.#vy[i]! / speed * size * left * 2);
        context.stroke();
        return;
      }
      case "ring":
        context.globalAlpha = left;
        context.strokeStyle = colour;
        context.lineWidth = 0.16 * left;
        traceDisc(context, x, y, size);
        context.stroke();
    }
  }
}
