/**
 * How people ride. Only published figures of human timing went into these numbers; no client was
 * tuned to them, and they were tuned to no client.
 *
 * Reaction: a simple visual reaction takes 180 to 200 ms in the mean, one with a choice longer.
 * Simple reactions took 220 ms where recognition took 384 ms (Laming 1968). Both are in Kosinski,
 * "A Literature Review on Reaction Time" (Clemson University). Players of action games choose
 * faster by a tenth or more (Dye, Green, Bavelier, "Increasing Speed of Processing With Action
 * Video Games", 2009). The styles have medians of 180 to 260 ms.
 *
 * Cadence: a comfortable tapping tempo has its most frequent values near 250 ms. The fastest group
 * of people taps every 265 ms (Hammerschmidt and others, "Spontaneous Motor Tempo", Frontiers in
 * Psychology 12, 2021). A finger cannot tap faster than every 150 to 200 ms for long (Repp,
 * "Sensorimotor synchronization", 2005).
 *
 * Tap: typists hold a key for about 0.1 s (Dhakal and others, "Observations on Typing from 136
 * Million Keystrokes", 2018).
 */
import type { Spread } from "../spread.ts";

/** The likes of a rider. Distances are in metres. */
export interface Temper {
  /** They approach a rival from this much higher. */
  readonly perchMetres: number;
  /** They flee from a rival who is within this distance and not lower. */
  readonly fleeMetres: number;
  /** They hunt rivals within this distance, and fly in circles otherwise. */
  readonly huntMetres: number;
  /** They leave everything for an egg within this distance. */
  readonly eggMetres: number;
  /** They breathe fire at a rival in front of them within this distance. */
  readonly fireMetres: number;
  /** They climb with the flap key held down instead of tapping it. */
  readonly holdsFlap: boolean;
}

export interface RiderStyle extends Temper {
  readonly name: string;
  /** From the picture to the hand. */
  readonly reaction: Spread;
  /** From one flap to the next in a climb. */
  readonly cadence: Spread;
  /** From one change of direction to the next, at the least. */
  readonly turning: Spread;
  /** The time for which a tapped key is down. */
  readonly tap: Spread;
  /** The standard deviation of their judgement of heights, metres. */
  readonly aimMetres: number;
  /** Moments in which they only look, and how long those last. */
  readonly pausesPerMinute: number;
  readonly pause: Spread;
}

const spread = (medianMs: number, deviation: number): Spread => ({ medianMs, deviation });

const ANYBODY = {
  turning: spread(350, 0.3),
  tap: spread(95, 0.25),
  aimMetres: 0.3,
  pausesPerMinute: 4,
  pause: spread(500, 0.4),
  perchMetres: 1.2,
  fleeMetres: 2.5,
  huntMetres: 12,
  eggMetres: 4,
  fireMetres: 5,
  holdsFlap: false,
} satisfies Partial<RiderStyle>;

/** Climbs high above a rival and drops on them. */
const SWOOPER: RiderStyle = {
  ...ANYBODY,
  name: "swooper",
  reaction: spread(205, 0.16),
  cadence: spread(290, 0.18),
  perchMetres: 2.4,
  fleeMetres: 2,
  huntMetres: 40,
  eggMetres: 2,
  fireMetres: 0,
};

/** Circles, hunts nobody who is far, and flees early. */
const RUNNER: RiderStyle = {
  ...ANYBODY,
  name: "runner",
  reaction: spread(240, 0.2),
  cadence: spread(330, 0.22),
  aimMetres: 0.4,
  fleeMetres: 5,
  huntMetres: 5,
  eggMetres: 5,
  fireMetres: 4,
  pausesPerMinute: 7,
};

/** Stays level with rivals and fires. */
const GUNNER: RiderStyle = {
  ...ANYBODY,
  name: "gunner",
  reaction: spread(220, 0.18),
  cadence: spread(300, 0.2),
  perchMetres: 0.5,
  fleeMetres: 1.5,
  huntMetres: 40,
  eggMetres: 3,
  fireMetres: 11,
};

/** Goes for eggs wherever they lie. */
const COLLECTOR: RiderStyle = {
  ...ANYBODY,
  name: "collector",
  reaction: spread(255, 0.2),
  cadence: spread(350, 0.25),
  aimMetres: 0.45,
  eggMetres: 40,
  huntMetres: 9,
  turning: spread(420, 0.3),
  pausesPerMinute: 6,
};

/** Holds the flap key, flees nobody, and flies straight at the nearest rival. */
const CHARGER: RiderStyle = {
  ...ANYBODY,
  name: "charger",
  reaction: spread(185, 0.15),
  cadence: spread(240, 0.2),
  holdsFlap: true,
  perchMetres: 0.8,
  fleeMetres: 0,
  huntMetres: 40,
  eggMetres: 1,
  fireMetres: 3,
  pausesPerMinute: 2,
};

/** Taps fast, turns often, dodges at the last moment. */
const DANCER: RiderStyle = {
  ...ANYBODY,
  name: "dancer",
  reaction: spread(195, 0.16),
  cadence: spread(210, 0.25),
  aimMetres: 0.2,
  turning: spread(230, 0.3),
  perchMetres: 1.6,
  fleeMetres: 3,
  huntMetres: 15,
  fireMetres: 7,
};

/** The styles that clients may be tuned on. */
export const FITTED: readonly RiderStyle[] = [SWOOPER, RUNNER, GUNNER, COLLECTOR];

/**
 * The styles that only judge. No constant of a client, a law or a model may be chosen by their
 * figures.
 */
export const JUDGING: readonly RiderStyle[] = [CHARGER, DANCER];

/** The `index`-th of a list of styles that repeats for ever. */
export function styleAt(styles: readonly RiderStyle[], index: number): RiderStyle {
  return styles[index % styles.length]!;
}
