/** The measurements' arithmetic. */
import type { TickReading } from "./measured_server.ts";

/** A measurement at a time. */
export interface Sample {
  readonly minutes: number;
  readonly value: number;
}

/**
 * The slope of the line through some samples with the least squares:
 *
 *     slope = Σ (t − t̄)(v − v̄) / Σ (t − t̄)²
 *
 * @returns units per minute; 0 for less than two different times
 */
export function slopeOf(samples: readonly Sample[]): number {
  const meanOf = (numbers: readonly number[]) =>
    numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
  const minutes = meanOf(samples.map((sample) => sample.minutes));
  const value = meanOf(samples.map((sample) => sample.value));
  let covariance = 0;
  let variance = 0;
  for (const sample of samples) {
    covariance += (sample.minutes - minutes) * (sample.value - value);
    variance += (sample.minutes - minutes) ** 2;
  }
  return variance > 0 ? covariance / variance : 0;
}

/** The ticks between two readings of a histogram. */
export interface TickWindow {
  readonly meanMs: number;
  /** Interpolated within its bucket; beyond the last finite bound, that bound. */
  readonly p95Ms: number;
  readonly dropped: number;
  /** Commands in time per tick. */
  readonly commands: number;
}

export function ticksBetween(before: TickReading, after: TickReading): TickWindow {
  const count = after.count - before.count;
  const seconds = after.seconds - before.seconds;
  return {
    meanMs: count > 0 ? seconds * 1000 / count : 0,
    p95Ms: quantileOfBuckets(
      after.buckets.map(([bound, total], i) => [bound, total - before.buckets[i]![1]]),
      0.95,
    ) *
      1000,
    dropped: after.dropped - before.dropped,
    commands: count > 0 ? (after.commands - before.commands) / count : 0,
  };
}

/** @param buckets cumulative counts by upper bounds @returns in the bounds' unit */
function quantileOfBuckets(buckets: readonly (readonly [number, number])[], share: number): number {
  const rank = share * (buckets.at(-1)?.[1] ?? 0);
  let low = 0;
  let below = 0;
  for (const [bound, total] of buckets) {
    if (total >= rank && total > below) {
      return bound === Infinity ? low : low + (bound - low) * (rank - below) / (total - below);
    }
    [low, below] = [bound, total];
  }
  return low;
}

/** @returns the number with this many decimals */
export function rounded(value: number, decimals: number): number {
  return Number(value.toFixed(decimals));
}
