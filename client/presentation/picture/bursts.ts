/** Bursts of particles as data. `effects.ts` throws them; this file has the parts that several of them share. */
import type { ParticleShape } from "./particles.ts";

/** `count` particles that fly apart. Metres, m/s, ms. Angles are in turns: 0 is right, 0.25 is up. */
export interface Burst {
  readonly shape: ParticleShape;
  /** CSS colour, or "seat": the colour of the event's seat. */
  readonly colour: string;
  readonly count: number;
  readonly speed: readonly [min: number, max: number];
  readonly turns: readonly [from: number, to: number];
  readonly lifeMs: number;
  readonly size: number;
  readonly growth?: number;
  readonly gravity?: number;
  readonly drag?: number;
  /** The burst begins this far below the event's place. */
  readonly below?: number;
}

/** A burst that each sprite of an archetype throws at a steady rate. */
export interface Trail {
  readonly burst: Burst;
  readonly periodMs: number;
}

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
