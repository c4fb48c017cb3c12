/**
 * How far the clocks of the nodes are apart. Each message has its sender's time in its proof, so a
 * clock that is seconds off shows there long before tickets are refused or messages dropped:
 *
 *     ahead of a node = the greatest of (its time − own time at arrival) in its newest messages
 *
 * A message that waited looks as if its sender were behind, so the greatest difference is the one
 * with the least wait. A clock that was set back shows as soon as all of the newest messages were
 * sent after that: within two seconds.
 *
 * The majority decides which clock is wrong. A node takes no new players if its clock differs from
 * most others. If only two nodes differ, there is no majority: both report it, and play on.
 */
import { NODES_MAX } from "./missed_heartbeats.ts";

/**
 * Clocks that differ by more are apart, ms. NTP keeps those of machines together within some
 * milliseconds.
 */
export const CLOCKS_APART_MS = 5_000;
/** The newest messages of a node that count: heartbeats of two seconds. Fewer say nothing yet. */
const MESSAGES = 10;
/** A node that was not heard for so long, ms, counts no more. */
const KEPT_MS = 5_000;

interface HeardClock {
  heardMs: number;
  /** The differences of its newest messages, ms, the oldest first. */
  readonly aheadMs: number[];
}

/** What this node sees of the clocks. */
export interface ClockReading {
  /** Other nodes whose clocks are known. */
  readonly others: number;
  /** Those whose clocks are apart from this one's. */
  readonly apart: number;
  /** How far this node's clock is ahead of most others, ms; 0 if there are none. */
  readonly aheadMs: number;
  /** Whether most clocks, this one among them, are apart from this one. */
  readonly isWrong: boolean;
}

export class NodeClocks {
  readonly #heard = new Map<string, HeardClock>();

  /**
   * A message of another node with the secret has come.
   * @param aheadMs its time less this node's
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

    // The middle one. Of two the one that is nearer to this node's own, because half of the others
    // agree with it.
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
