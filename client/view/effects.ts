/**
 * What each kind of happening looks like: a table of bursts, one row per kind, and the few lines that throw a burst into the
 * particle pool. A kind without a row shows nothing.
 */
import { Random } from "../../shared/random.ts";
import type { Camera } from "./camera.ts";
import type { Particles, ParticleShape, ParticleStart } from "./particles.ts";
import type { EffectSprite, FireballSprite } from "../scene.ts";

/** `count` particles thrown between two angles. Metres, m/s, ms; angles in turns, 0 is right, 0.25 is up. */
interface Burst {
  readonly shape: ParticleShape;
  /** CSS colour, or "seat": the colour of whom it happened to. */
  readonly colour: string;
  readonly count: number;
  readonly speed: readonly [min: number, max: number];
  readonly turns: readonly [from: number, to: number];
  readonly lifeMs: number;
  readonly size: number;
  readonly growth?: number;
  readonly gravity?: number;
  readonly drag?: number;
  /** How far below the middle of whom it happened to it begins. */
  readonly below?: number;
}

interface Recipe {
  readonly bursts: readonly Burst[];
  /** 0 … 1: how hard the own picture shakes if it happens to the player or next to him. */
  readonly shake: number;
}

const ALL_AROUND = [0, 1] as const;
const SMOKE = "#c9c5d3";
const DUST = "#a39caf";
const HOT = "#fff1c2";
const FLAME = "#ff9a3d";

const RING: Burst = {
  shape: "ring",
  colour: "seat",
  count: 1,
  speed: [0, 0],
  turns: ALL_AROUND,
  lifeMs: 550,
  size: 0.3,
  growth: 4,
};

const ARRIVAL: Recipe = {
  bursts: [
    RING,
    { ...RING, colour: HOT, lifeMs: 400, growth: 2.4 },
    { shape: "spark", colour: "seat", count: 14, speed: [2, 5], turns: ALL_AROUND, lifeMs: 500, size: 0.2, drag: 3 },
  ],
  shake: 0,
};

const RECIPES: Readonly<Record<string, Recipe>> = {
  flap: {
    bursts: [
      {
        shape: "puff",
        colour: SMOKE,
        count: 4,
        speed: [1, 2.4],
        turns: [0.6, 0.9],
        lifeMs: 320,
        size: 0.1,
        growth: 0.5,
        below: 0.5,
      },
    ],
    shake: 0,
  },
  land: {
    bursts: [
      {
        shape: "puff",
        colour: DUST,
        count: 4,
        speed: [1, 2.6],
        turns: [0.02, 0.1],
        lifeMs: 420,
        size: 0.1,
        growth: 0.5,
        below: 0.5,
      },
      {
        shape: "puff",
        colour: DUST,
        count: 4,
        speed: [1, 2.6],
        turns: [0.4, 0.48],
        lifeMs: 420,
        size: 0.1,
        growth: 0.5,
        below: 0.5,
      },
    ],
    shake: 0,
  },
  joust: {
    bursts: [
      { ...RING, colour: HOT, lifeMs: 300, growth: 7 },
      { shape: "spark", colour: HOT, count: 18, speed: [5, 12], turns: ALL_AROUND, lifeMs: 420, size: 0.3, drag: 4 },
      {
        shape: "puff",
        colour: "seat",
        count: 14,
        speed: [1, 5],
        turns: ALL_AROUND,
        lifeMs: 700,
        size: 0.2,
        growth: 0.4,
        drag: 3,
      },
      {
        shape: "ember",
        colour: "seat",
        count: 16,
        speed: [3, 8],
        turns: [0.05, 0.45],
        lifeMs: 900,
        size: 0.07,
        gravity: 14,
      },
    ],
    shake: 1,
  },
  burn: {
    bursts: [
      { ...RING, colour: FLAME, lifeMs: 300, growth: 6 },
      {
        shape: "puff",
        colour: FLAME,
        count: 16,
        speed: [1, 5],
        turns: ALL_AROUND,
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
      { shape: "ember", colour: HOT, count: 16, speed: [2, 7], turns: ALL_AROUND, lifeMs: 800, size: 0.06, gravity: 6 },
    ],
    shake: 1,
  },
  clash: {
    bursts: [
      {
        shape: "spark",
        colour: "#ffffff",
        count: 16,
        speed: [4, 11],
        turns: ALL_AROUND,
        lifeMs: 320,
        size: 0.28,
        drag: 3,
      },
      { ...RING, colour: "#ffffff", lifeMs: 200, growth: 5 },
    ],
    shake: 0.6,
  },
  crush: {
    bursts: [
      {
        shape: "puff",
        colour: DUST,
        count: 12,
        speed: [1, 4],
        turns: ALL_AROUND,
        lifeMs: 600,
        size: 0.18,
        growth: 0.6,
        drag: 2,
      },
      {
        shape: "ember",
        colour: "#c08a55",
        count: 10,
        speed: [2, 6],
        turns: [0.05, 0.45],
        lifeMs: 700,
        size: 0.07,
        gravity: 16,
      },
    ],
    shake: 0.8,
  },
  respawn: ARRIVAL,
  enter: ARRIVAL,
};

/** An ember falls off each fireball this often. */
const EMBER_PERIOD_MS = 45;
/** Farther from the player than this, nothing shakes the picture. Metres. */
const SHAKE_DISTANCE = 3;

export class Effects {
  readonly #particles: Particles;
  readonly #random = new Random(1);
  readonly #start: ParticleStart = {
    shape: "puff",
    colour: "",
    x: 0,
    y: 0,
    vx: 0,
    vy: 0,
    lifeMs: 1,
    size: 0,
    growth: 0,
    gravity: 0,
    drag: 0,
  };
  #emberDebtMs = 0;

  constructor(particles: Particles) {
    this.#particles = particles;
  }

  /** Throws what belongs to one happening. @param colour of the seat it happened to */
  show(effect: EffectSprite, colour: string): void {
    const recipe = RECIPES[effect.kind];
    if (recipe === undefined) return;
    for (const burst of recipe.bursts) this.#throw(burst, effect, colour);
  }

  /** Shakes the picture if the player at `own` feels it: it happened to him, or to another one next to him. */
  shake(
    effect: EffectSprite,
    own: { seat: number; x: number; y: number },
    how: { camera: Camera; nowMs: number },
  ): void {
    const strength = RECIPES[effect.kind]?.shake ?? 0;
    const near = effect.seat >= 0 && (effect.x - own.x) ** 2 + (effect.y - own.y) ** 2 <= SHAKE_DISTANCE ** 2;
    if (strength > 0 && (near || effect.seat === own.seat)) how.camera.shake(strength, how.nowMs);
  }

  /** Embers fall off fireballs at a steady rate, however often pictures are drawn. @param elapsedMs since the last one */
  trail(fireballs: readonly FireballSprite[], elapsedMs: number): void {
    this.#emberDebtMs += elapsedMs;
    while (this.#emberDebtMs >= EMBER_PERIOD_MS) {
      this.#emberDebtMs -= EMBER_PERIOD_MS;
      for (const fireball of fireballs) this.#throw(EMBER, fireball, FLAME);
    }
  }

  #throw(burst: Burst, at: { x: number; y: number }, seatColour: string): void {
    const start = this.#start;
    start.shape = burst.shape;
    start.colour = burst.colour === "seat" ? seatColour : burst.colour;
    start.growth = burst.growth ?? 0;
    start.gravity = burst.gravity ?? 0;
    start.drag = burst.drag ?? 0;
    start.x = at.x;
    start.y = at.y - (burst.below ?? 0);
    for (let i = 0; i < burst.count; i++) {
      const angle = this.#between(burst.turns) * Math.PI * 2;
      const speed = this.#between(burst.speed);
      start.vx = Math.cos(angle) * speed;
      start.vy = Math.sin(angle) * speed;
      start.lifeMs = burst.lifeMs * (0.7 + 0.3 * this.#random.fraction());
      start.size = burst.size * (0.7 + 0.6 * this.#random.fraction());
      this.#particles.emit(start);
    }
  }

  #between(range: readonly [number, number]): number {
    return range[0] + (range[1] - range[0]) * this.#random.fraction();
  }
}

const EMBER: Burst = {
  shape: "ember",
  colour: "seat",
  count: 1,
  speed: [0.2, 1.2],
  turns: ALL_AROUND,
  lifeMs: 420,
  size: 0.07,
  growth: -0.1,
  gravity: -1,
};
