/**
 * When a client may get a tick whose record no server has acknowledged. If another node takes the match over, such ticks
 * are void, so they are few (DESIGN 18):
 *
 *     sent(tick) = acknowledged, or older than H and  now − sent(newest acknowledged record) ≤ U
 *     U          = U2 if a server has answered lately that nobody leads the stream, else U1
 */

/** A record that takes longer is late, ms: two ticks, and more than a disk's stall. */
export const LATE_MS = 100;
/** U1, ms: the silence T after which another node takes over, less the time between two beats. */
const SILENCE_MS_MAX = 800;
/** U2, ms: more than the servers need to elect a leader, which takes 5 to 9 s. Nobody can take over without one. */
const NO_LEADER_MS_MAX = 10_000;

export class SendRule {
  /** When the newest record that was acknowledged was sent, ms. */
  #acknowledgedSentMs = -Infinity;
  /** When a server has last said that there is no leader, ms. */
  #noLeaderMs = -Infinity;

  /** @param sentMs when the record was sent for the first time */
  acknowledged(sentMs: number): void {
    this.#acknowledgedSentMs = Math.max(this.#acknowledgedSentMs, sentMs);
  }

  noLeader(nowMs: number): void {
    this.#noLeaderMs = nowMs;
  }

  /** Whether a record that was sent at `sentMs` is so late that its tick does not wait, and may go out at all. */
  allows(sentMs: number, nowMs: number): boolean {
    const bound = nowMs - this.#noLeaderMs <= SILENCE_MS_MAX ? NO_LEADER_MS_MAX : SILENCE_MS_MAX;
    return nowMs - sentMs >= LATE_MS && nowMs - this.#acknowledgedSentMs <= bound;
  }
}
