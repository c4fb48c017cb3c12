/** The simulation's counts, and the quantities in its report. */
import { quantileOf } from "../bench/median.ts";

/** Some of a quantity's quantiles, ms. */
export interface Quantiles {
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
}

export class Figures {
  readonly timesToSeatMs: number[] = [];
  readonly roundTripsMs: number[] = [];
  readonly bestRoundTripsMs: number[] = [];
  readonly takeOversMs: number[] = [];
  readonly playingAgainMs: number[] = [];
  readonly handOverGapsMs: number[] = [];
  /** Every node's load, once a minute. */
  readonly loads: number[] = [];
  /** How many players each occupied room seats, once a minute. */
  readonly roomPlayers: number[] = [];
  /** For each crash and each surviving node: how many matches it took over. */
  readonly matchesTaken: number[] = [];
  asks = 0;
  waits = 0;
  refusals = 0;
  gaveUp = 0;
  crashes = 0;
  lostRaces = 0;
  takeOversInElection = 0;
  elections = 0;
  /** Match-seconds in which a stream without a leader confirmed nothing. */
  unconfirmedMatchSeconds = 0;
  handOvers = 0;
  /**
   * Records that nodes read to look for matches without an owner: all of their cluster's, every 10
   * s.
   */
  searchReads = 0;
  beats = 0;
  beatDeliveries = 0;
}

/** Whole milliseconds; 0 if there are no values. */
export function quantilesOf(values: readonly number[]): Quantiles {
  const at = (share: number) => Math.round(quantileOf(values, share) || 0);
  return { p50: at(0.5), p95: at(0.95), p99: at(0.99) };
}

export function meanOf(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** @param digits after the point */
export function rounded(value: number, digits: number): number {
  return Number(value.toFixed(digits));
}
