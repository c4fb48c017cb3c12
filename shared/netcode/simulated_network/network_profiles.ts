/**
 * The lines that players have, by name: round trip, deviation of the jitter in each direction, loss. Between them they hold
 * everything that a command queue has to cope with: width, tails, bursts, drifts and steps.
 */
import type { NetworkModel } from "./network_model.ts";

const SECOND_MS = 1000;

function networkModel(roundTripMs: number, jitterMs: number, lossPercent: number): NetworkModel {
  return { oneWayMs: roundTripMs / 2, jitterMs, loss: lossPercent / 100 };
}

/** When a line of profile `reroute` takes the other path, unless its run is longer or shorter, ms. */
const REROUTE_AT_MS = 60 * SECOND_MS;

const PROFILES = {
  lan: networkModel(2, 0.3, 0),
  cable: networkModel(40, 5, 0),
  wifi: { ...networkModel(60, 5, 0.5), pauses: { everyMs: [0.5 * SECOND_MS, 2 * SECOND_MS], lengthMs: [20, 80] } },
  "4g": networkModel(100, 20, 1),
  far: networkModel(200, 5, 1),
  awful: networkModel(200, 50, 1),
  switching: { ...networkModel(100, 20, 0), regimes: { factors: [0.3, 1, 0.3, 2], eachMs: 20 * SECOND_MS } },
  asymmetric: { ...networkModel(100, 15, 0), upLongerMs: 30 },
  bloat: { ...networkModel(40, 5, 0), bloat: { everyMs: 20 * SECOND_MS, riseMs: 5 * SECOND_MS, byMs: 150 } },
  reroute: { ...networkModel(60, 5, 0), reroute: { atMs: REROUTE_AT_MS, byMs: 60 } },
} as const satisfies Record<string, NetworkModel>;

export type ProfileName = keyof typeof PROFILES;

/** In the order in which tables show them. */
export const PROFILE_NAMES = Object.keys(PROFILES) as readonly ProfileName[];

/** @param runMs how long the line will be used: `reroute` takes the other path at half time */
export function networkModelOf(
  name: ProfileName,
  options: { correlated?: boolean; runMs?: number } = {},
): NetworkModel {
  const { correlated = false, runMs } = options;
  const model: NetworkModel = { ...PROFILES[name], correlated };
  if (model.reroute === undefined || runMs === undefined) return model;
  return { ...model, reroute: { ...model.reroute, atMs: runMs / 2 } };
}
