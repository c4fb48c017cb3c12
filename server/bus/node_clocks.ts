/**
 * Measures how far the nodes' clocks are apart. Each message carries its sender's time in its
 * proof, so a clock that is seconds off shows there long before tickets are refused or messages
 * dropped:
 *
 *     ahead of a node = the greatest of (its time − own time at arrival) in its newest messages
 *
 * A message that waited makes its sender appear to be behind, so the greatest difference comes from
 * the message that waited least. If a clock is set back, that shows as soon as all of the newest
 * messages were sent afterwards: within two seconds.
 *
 * The majority decides which clock is wrong. A node takes no new players if its clock differs from
 * most others. Two nodes have no majority: if they differ, both report it, and play on.
 */
import { NODES_MAX } from "./missed_heartbeats.ts";

/**
 * Clocks that differ by more count as apart, ms. NTP keeps machines within a few milliseconds of
 * each other.
 */
export const CLOCKS_APART_MS = 5_000;
/**
 * How many of a node's newest messages count: two seconds of heartbeats. Fewer prove nothing yet.
 */
const MESSAGES = 10;
/** After this time without a message, ms, a node's clock no longer counts. */
const KEPT_MS = 5_000;

interface HeardClock {
  heardMs: number;
  /** The differences in the node's newest messages, ms, oldest first. */
  readonly aheadMs: number[];
}

/** What this node sees of the clocks. */
export interface ClockReading {
  /** Other nodes with a known clock. */
  readonly others: number;
  /** Those with a clock apart from this node's. */
  readonly apart: number;
  /** How far this node's clock is ahead of most others, ms; 0 if there are no others. */
  readonly aheadMs: number;
  /** Whether this node's clock is apart from most clocks, its own counted. */
  readonly isWrong: boolean;
}

export class NodeClocks {
  readonly #heard = new Map<string, HeardClock>();

  /**
   * Takes the time in another node's message, after the message was proved with the secret.
   * @param aheadMs the sender's time less this node's
   * @param nowMs on a clock that is never set
   */
  hear(node: string, aheadMs: number, nowMs: number): void {
    this.#forgetOld(nowMs);
    let clock = this.#heard.get(node);
    if (clock === undefined) {
      if (this.#heard.size >= NODES_MAX) return;
      this.#heard.set(node, clock = { heardMs: nowMs, aheadMs: [] });
    }
    clock.heardMs = nowMs;
    clock.aheadMs.push(aheadMs);
    if (clock.aheadMs.length > MESSAGES) clock.aheadMs.shift();
  }

  read(nowMs: number): ClockReading {
    this.#forgetOld(nowMs);
    const known = [...this.#heard.values()].filter(({ aheadMs }) => aheadMs.length === MESSAGES);
    const others = known.map(({ aheadMs }) => Math.max(...aheadMs)).sort((a, b) => a - b);
    const apart = others.filter((ms) => Math.abs(ms) > CLOCKS_APART_MS).length;

    // The median. With an even number of others, the middle one that is nearer to this node's
    // clock, because half of the others agree with it.
    const [left = 0, right = left] = [others[(others.length - 1) >> 1], others[others.length >> 1]];
    const middle = Math.abs(left) < Math.abs(right) ? left : right;
    return {
      others: others.length,
      apart,
      aheadMs: middle === 0 ? 0 : -middle,
      isWrong: apart > others.length - apart + 1,
    };
  }

  #forgetOld(nowMs: number): void {
    for (const [node, { heardMs }] of this.#heard) {
      if (nowMs - heardMs > KEPT_MS) this.#heard.delete(node);
    }
  }
}
