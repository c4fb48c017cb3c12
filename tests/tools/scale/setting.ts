/** What to simulate: a world of regions, or the three nodes of the real cluster test. */
import type { Region } from "./regions.ts";

export interface Setting {
  readonly regions: readonly Region[];
  readonly nodes: number;
  /** How many nodes a cluster holds at most. */
  readonly clusterNodes: number;
  /** How many players a node seats on average. */
  readonly playersPerNode: number;
  readonly minutes: number;
  /** How often a node crashes, per hour. */
  readonly crashesPerHour: number;
  /** How often a log server crashes, per hour. */
  readonly logCrashesPerHour: number;
  /** Whether all nodes are restarted one after the other, from half of the time on. */
  readonly deploys: boolean;
  /** Every player's round trip within a region, ms; by default it is drawn for each. */
  readonly roundTripMs?: number;
  /**
   * How many round trips a request takes, and a new socket until it is in a match; by default those
   * of a page.
   */
  readonly askRoundTrips?: number;
  readonly connectRoundTrips?: number;
}
