/**
 * Decides when a client may get a tick before the servers have acknowledged its record. Such ticks
 * are discarded if another node takes the match over, so they must be few (DESIGN 17):
 *
 *     sent(tick) = acknowledged, or older than H and  now − alive ≤ U1  and  now − sent(newest acknowledged record) ≤ U2
 *     alive      = when it was last sure that no other node has the match: that record was sent, or a server answered that
 *                  nobody leads the stream. Such an answer counts only within U1 of the one before: after a longer silence
 *                  another node may have the match already
 */

/** A record that takes longer is late, ms: two ticks, and more than a disk's stall. */
const LATE_MS = 100;
/**
 * U1, ms: the silence T after which another node takes over, less the time between two heartbeats.
 */
const SILENCE_MS_MAX = 800;
/**
 * U2, ms: more than the servers need to elect a leader, which takes 5 to 9 s. Without a leader no
 * node can take over.
 */
const NO_LEADER_MS_MAX = 10_000;

export class SendRule {
  /** When the newest acknowledged record was sent, ms. */
  #acknowledgedSentMs = -Infinity;
  /** When it was last certain that no other node ran the match, ms. */
  #aliveMs = -Infinity;

  /** @param sentMs when the record was first sent */
  acknowledged(sentMs: number): void {
    this.#acknowledgedSentMs = Math.max(this.#acknowledgedSentMs, sentMs);
    this.#aliveMs = Math.max(this.#aliveMs, sentMs);
  }

  /** Notes a server's answer that there is no leader. */
  noLeader(nowMs: number): void {
    if (this.#isAlive(nowMs)) this.#aliveMs = nowMs;
  }

  /**
   * Whether a record sent at `sentMs` is so late that its tick stops waiting, and whether the tick
   * may go out at all.
   */
  allows(sentMs: number, nowMs: number): boolean {
    if (nowMs - sentMs < LATE_MS || !this.#isAlive(nowMs)) return false;
    return nowMs - this.#acknowledgedSentMs <= NO_LEADER_MS_MAX;
  }

  #isAlive(nowMs: number): boolean {
    return nowMs - this.#aliveMs <= SILENCE_MS_MAX;
  }
}
