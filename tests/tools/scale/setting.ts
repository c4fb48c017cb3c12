/** A setting of the simulation: a world of regions, or the three nodes of the real cluster test. */
import type { Region } from "./regions.ts";

export interface Setting {
  readonly regions: readonly Region[];
  readonly nodes: number;
  /** Nodes of a cluster at most. */
  readonly clusterNodes: number;
  /** Players whom a node has in the mean. */
  readonly playersPerNode: number;
  readonly minutes: number;
  /** Crashes of a node an hour. */
  readonly crashesPerHour: number;
  /** Crashes of a server of the log an hour. */
  readonly logCrashesPerHour: number;
  /** Whether all nodes are restarted one after the other, from the half of the time on. */
  readonly deploys: boolean;
  /** Every player's round trip within a region, ms; by default it is drawn for each. */
  readonly roundTripMs?: number;
  /**
   * Round trips of a request, and of a new socket until it is in a match; by default those of a
   * page.
   */
  readonly askRoundTrips?: number;
  readonly connectRoundTrips?: number;
}
