/**
 * What an attack is. Each is one object in this folder's lists; SECURITY.md describes its threat.
 */
import { assert } from "@std/assert";
import { DEFAULT_LIMITS } from "../../../server/settings/limits.ts";
import type { ServerSetup } from "./live_server.ts";
import type { Target } from "./target.ts";

/** What honest players may feel of an attack, by the keys of `Felt`. */
export type Feeling =
  | "closes"
  | "desyncs"
  | "gaps"
  | "droppedTicks"
  | "latenessMs"
  | "newcomerMs"
  | "rssGrowthMb";

export interface Attack {
  /** In snake_case, as `--only` and SECURITY.md name it. */
  readonly name: string;
  /** The row in SECURITY.md: 1 to 35, or W1 to W11 for the worst. */
  readonly threat: string;
  /** Whether it is among those that CI runs. */
  readonly isQuick?: boolean;
  /** The server that it needs; by default one with the default settings, which attacks share. */
  readonly server?: ServerSetup;
  /** What players cannot be spared, because it is the attack itself. */
  readonly tolerates?: readonly Feeling[];
  /**
   * Shows what an honest client gets within the limit.
   * @returns what was seen
   * @throws Error if it gets nothing
   */
  honest(target: Target): Promise<string>;
  /**
   * Attacks, bounded in count and time.
   * @returns how the defence answered
   * @throws Error if it did not
   */
  commit(target: Target): Promise<string>;
}

/** Runs an action this many times at once. */
export function many<Result>(
  count: number,
  action: (index: number) => Promise<Result>,
): Promise<Result[]> {
  return Promise.all(Array.from({ length: count }, (_, index) => action(index)));
}

/** Resolves after a time. Only attacks wait for a time, because they last. */
export function wait(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** Waits until a condition holds. @throws AssertionError if it does not within `seconds` */
export async function until(
  what: string,
  condition: () => boolean | Promise<boolean>,
  { seconds }: { seconds: number },
): Promise<void> {
  const endMs = performance.now() + seconds * 1000;
  while (!await condition()) {
    assert(performance.now() < endMs, `${what}: not within ${seconds} s`);
    await wait(50);
  }
}

/** How many sockets one address may have opened since a time, by the default limits. */
export function admittedMax(beganMs: number): number {
  const { burst, perSecond } = DEFAULT_LIMITS.upgradesPerAddress;
  return burst + perSecond * (performance.now() - beganMs) / 1000 + 1;
}

/** Values and how often each comes, the most frequent first: "200 × 429, 100 × 101". */
export function countsOf(values: readonly (string | number)[]): string {
  const counts = new Map<string | number, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1]).map(([value, count]) => `${count} × ${value}`)
    .join(", ");
}
