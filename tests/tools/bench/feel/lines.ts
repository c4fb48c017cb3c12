/** The lines of `bench feel`. The page and all riders have the same one. */
import type { NetworkConditions } from "../../../../client/net/network_conditions.ts";
import type { NetworkModel } from "../../../../shared/netcode/simulated_network/network_model.ts";
import { networkModelOf } from "../../../../shared/netcode/simulated_network/network_profiles.ts";

/** By name. `rtt0` is this machine's loopback, with nothing added. */
const LINES = {
  rtt0: { oneWayMs: 0, jitterMs: 0 },
  rtt100: { oneWayMs: 50, jitterMs: 10 },
  rtt200: { oneWayMs: 100, jitterMs: 10 },
  wifi: networkModelOf("wifi"),
} as const satisfies Record<string, NetworkModel>;

export type LineName = keyof typeof LINES;

export const LINE_NAMES = Object.keys(LINES) as readonly LineName[];

export function isLineName(name: string): name is LineName {
  return Object.hasOwn(LINES, name);
}

export function lineOf(name: LineName): NetworkModel {
  return LINES[name];
}

/** The same line as a page takes it. */
export function conditionsOf(name: LineName): NetworkConditions {
  const { oneWayMs, jitterMs, loss = 0, ...more } = lineOf(name);
  return { rttMs: 2 * oneWayMs, jitterMs, lossPercent: 100 * loss, more };
}
