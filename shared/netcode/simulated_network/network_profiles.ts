/**
 * Networks that players use, by name: round trip, the jitter's standard deviation in each
 * direction, and loss. Together they show everything that a command queue must handle: width,
 * tails, bursts, drifts and steps.
 */
import type { NetworkModel } from "./network_model.ts";

const SECOND_MS = 1000;

function networkModel(roundTripMs: number, jitterMs: number, lossPercent: number): NetworkModel {
  return { oneWayMs: roundTripMs / 2, jitterMs, loss: lossPercent / 100 };
}

/** When `reroute` takes its longer path, unless the caller gives the run's length, ms. */
const REROUTE_AT_MS = 60 * SECOND_MS;

const PROFILES = {
  lan: networkModel(2, 0.3, 0),
  cable: networkModel(40, 5, 0),
  wifi: {
    ...networkModel(60, 5, 0.5),
    pauses: { everyMs: [0.5 * SECOND_MS, 2 * SECOND_MS], lengthMs: [20, 80] },
  },
  "4g": networkModel(100, 20, 1),
  far: networkModel(200, 5, 1),
  awful: networkModel(200, 50, 1),
  switching: {
    ...networkModel(100, 20, 0),
    regimes: { factors: [0.3, 1, 0.3, 2], eachMs: 20 * SECOND_MS },
  },
  asymmetric: { ...networkModel(100, 15, 0), upLongerMs: 30 },
  bloat: {
    ...networkModel(40, 5, 0),
    bloat: { everyMs: 20 * SECOND_MS, riseMs: 5 * SECOND_MS, byMs: 150 },
  },
  reroute: { ...networkModel(60, 5, 0), reroute: { atMs: REROUTE_AT_MS, byMs: 60 } },
} as const satisfies Record<string, NetworkModel>;

/** Networks that never served to tune a law. They only judge (DESIGN 12.5). */
const HELD_ASIDE = {
  dsl: {
    ...networkModel(30, 2, 0),
    upLongerMs: 10,
    bloat: { everyMs: 12 * SECOND_MS, riseMs: 3 * SECOND_MS, byMs: 80 },
  },
  // A new satellite every quarter of a minute, at another distance.
  satellite: {
    ...networkModel(45, 8, 0.5),
    regimes: { factors: [1, 2.5, 0.6, 1.6], eachMs: 15 * SECOND_MS },
  },
  train: {
    ...networkModel(80, 15, 0.8),
    pauses: { everyMs: [4 * SECOND_MS, 10 * SECOND_MS], lengthMs: [100, 300] },
  },
  hotel: networkModel(130, 30, 2),
  overseas: networkModel(280, 8, 0.3),
} as const satisfies Record<string, NetworkModel>;

export type ProfileName = keyof typeof PROFILES | keyof typeof HELD_ASIDE;

/** In the order of table rows. */
export const PROFILE_NAMES = Object.keys(PROFILES) as readonly ProfileName[];
export const HELD_ASIDE_NAMES = Object.keys(HELD_ASIDE) as readonly ProfileName[];

/**
 * Returns a profile's model.
 * @param options.runMs the run's length, at half of which `reroute` takes its longer path
 */
export function networkModelOf(
  name: ProfileName,
  options: { correlated?: boolean; runMs?: number } = {},
): NetworkModel {
  const { correlated = false, runMs } = options;
  const model: NetworkModel = { ...{ ...PROFILES, ...HELD_ASIDE }[name], correlated };
  if (model.reroute === undefined || runMs === undefined) return model;
  return { ...model, reroute: { ...model.reroute, atMs: runMs / 2 } };
}
