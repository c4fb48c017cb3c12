/**
 * Particle bursts as data. `effects.ts` throws them; this file holds what several of them share.
 */
import type { ParticleShape } from "./particles.ts";

/**
 * `count` particles that fly apart. Metres, m/s, ms. Angles are in turns: 0 is right, 0.25 is up.
 */
export interface Burst {
  /** Each particle's look; a function draws a figure of your own, which tumbles. */
  readonly shape: ParticleShape;
  /** CSS colour, or "seat" for the colour of the event's seat. */
  readonly colour: string;
  /** How many particles. */
  readonly count: number;
  /** m/s. */
  readonly speed: readonly [min: number, max: number];
  /**
   * The directions they fly in, in turns. They are mirrored where the event's other thing is to the
   * right, so that what a blow throws to the right flies away from who dealt it.
   */
  readonly turns: readonly [from: number, to: number];
  /** How long each is visible. */
  readonly lifeMs: number;
  /** Metres at first. */
  readonly size: number;
  /** How fast the size grows, m/s; default 0. */
  readonly growth?: number;
  /** m/s² downwards; default 0. */
  readonly gravity?: number;
  /** 1/s; default 0. */
  readonly drag?: number;
  /** How far below the event's place the burst begins. */
  readonly below?: number;
}

/** All directions, for `Burst.turns`. */
export const AROUND = [0, 1] as const;

/** A ring that grows. */
export const RING: Burst = {
  shape: "ring",
  colour: "seat",
  count: 1,
  speed: [0, 0],
  turns: AROUND,
  lifeMs: 550,
  size: 0.3,
  growth: 4,
};
