/**
 * What each kind of happening looks like: a table of bursts, one row per kind. A kind without a row shows nothing. `effects.ts`
 * throws what stands here into the particle pool.
 */
import type { ParticleShape } from "./particles.ts";

/** `count` particles thrown between two angles. Metres, m/s, ms; angles in turns, 0 is right, 0.25 is up. */
export interface Burst {
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

export interface Recipe {
  readonly bursts: readonly Burst[];
  /** 0 … 1: how hard the own picture shakes if it happens to the player or next to him. */
  readonly shake: number;
  /** It happens to all: where nobody is named it is shown in the middle of the arena. */
  readonly everywhere?: true;
}

const AROUND = [0, 1] as const;
const SMOKE = "#c9c5d3";
const DUST = "#a39caf";
const HOT = "#fff1c2";
export const FLAME = "#ff9a3d";
const GOLD = "#ffd76a";
const SHELL = "#efe6d2";

const RING: Burst = {
  shape: "ring",
  colour: "seat",
  count: 1,
  speed: [0, 0],
  turns: AROUND,
  lifeMs: 550,
  size: 0.3,
  growth: 4,
};

/** To the right; the other side is its mirror. */
const LANDING: Burst = {
  ...{ shape: "puff", colour: DUST, count: 4, speed: [1, 2.6], turns: [0.02, 0.1], lifeMs: 420 },
  ...{ size: 0.1, growth: 0.5, below: 0.5 },
};

const ARRIVAL: Recipe = {
  bursts: [
    RING,
    { ...RING, colour: HOT, lifeMs: 400, growth: 2.4 },
    { shape: "spark", colour: "seat", count: 14, speed: [2, 5], turns: AROUND, lifeMs: 500, size: 0.2, drag: 3 },
  ],
  shake: 0,
};

export const RECIPES: Readonly<Record<string, Recipe>> = {
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
  land: { bursts: [LANDING, { ...LANDING, turns: [0.4, 0.48] }], shake: 0 },
  joust: {
    bursts: [
      { ...RING, colour: HOT, lifeMs: 300, growth: 7 },
      { shape: "spark", colour: HOT, count: 18, speed: [5, 12], turns: AROUND, lifeMs: 420, size: 0.3, drag: 4 },
      {
        shape: "puff",
        colour: "seat",
        count: 14,
        speed: [1, 5],
        turns: AROUND,
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
      { shape: "ember", colour: HOT, count: 16, speed: [2, 7], turns: AROUND, lifeMs: 800, size: 0.06, gravity: 6 },
    ],
    shake: 1,
  },
  clash: {
    bursts: [
      { shape: "spark", colour: "#ffffff", count: 16, speed: [4, 11], turns: AROUND, lifeMs: 320, size: 0.28, drag: 3 },
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
        turns: AROUND,
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
  egg: {
    bursts: [
      { ...RING, colour: SHELL, lifeMs: 350, growth: 2.2 },
      { shape: "puff", colour: SHELL, count: 6, speed: [0.6, 2], turns: AROUND, lifeMs: 420, size: 0.12, growth: 0.4 },
    ],
    shake: 0,
  },
  take: {
    bursts: [
      { ...RING, colour: GOLD, lifeMs: 320, growth: 4 },
      { shape: "spark", colour: GOLD, count: 12, speed: [3, 7], turns: [0.05, 0.45], lifeMs: 520, size: 0.22, drag: 3 },
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
    shake: 0,
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
    shake: 0.3,
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
    shake: 0,
  },
  round: {
    bursts: [
      { ...RING, colour: GOLD, lifeMs: 700, growth: 8 },
      { shape: "spark", colour: GOLD, count: 28, speed: [4, 11], turns: AROUND, lifeMs: 900, size: 0.3, drag: 2.5 },
      {
        shape: "ember",
        colour: "seat",
        count: 28,
        speed: [4, 10],
        turns: [0.1, 0.4],
        lifeMs: 1600,
        size: 0.09,
        gravity: 9,
      },
    ],
    shake: 0,
    everywhere: true,
  },
  start: {
    bursts: [
      { ...RING, colour: HOT, lifeMs: 600, growth: 16 },
      { shape: "spark", colour: HOT, count: 24, speed: [8, 16], turns: AROUND, lifeMs: 500, size: 0.4, drag: 3 },
    ],
    shake: 0,
    everywhere: true,
  },
};

/** What falls off a fireball on its way. */
export const EMBER: Burst = {
  shape: "ember",
  colour: "seat",
  count: 1,
  speed: [0.2, 1.2],
  turns: AROUND,
  lifeMs: 420,
  size: 0.07,
  growth: -0.1,
  gravity: -1,
};
