/**
 * The bytes that one client was sent and has not read, as far as the server can measure them:
 *
 *     unsent = bytes that have not left this process
 *     unread = bytes sent since the last acknowledged tick, if that tick is older than any round trip; otherwise 0
 *
 * `unsent` is exact, but the operating system buffers megabytes before it grows. A client with too
 * much of either is skipped until it has read everything, and then needs only the newest state. A
 * client that reads nothing for too long is closed.
 */
import type { Tick } from "../../../shared/netcode/game.ts";
import { HISTORY_TICKS } from "../../../shared/netcode/timeline.ts";

/**
 * A client with more than this is skipped: 64 KiB are about 9,000 ticks, or twenty states of a full
 * arena.
 */
export const SKIP_BYTES = 64 * 1024;
/**
 * The link closes if more than `CLOSE_BYTES` stay unsent for more than `CLOSE_TICKS`, 5 s at 20 Hz.
 * Only states of hundreds of kilobytes reach this.
 */
export const CLOSE_BYTES = 256 * 1024;
export const CLOSE_TICKS = 100;
/**
 * The link also closes if more than `SKIP_BYTES` stay unsent for more than this many ticks in a
 * row: 30 s at 20 Hz, as long as a seat is reserved. A phone in a tunnel is back earlier. A client
 * that answers pings for so long but reads nothing is not a player.
 */
export const UNREAD_TICKS_MAX = 600;
/**
 * Both times start again when a client has read this many bytes, because a slow connection takes
 * long for a long state and is still alive. A client that reads no faster than this holds the
 * longest state, 1 MiB, for five minutes.
 */
const READ_BYTES_MIN = 16 * 1024;
/** Younger ticks may still be under way: 1.6 s at 20 Hz, longer than any playable round trip. */
const ROUND_TRIP_TICKS_MAX = 32;

/** What the server does about a client in one tick. */
export type SendDecision = "send" | "skip" | "close";

/** One client's backlog. */
export class SendBacklog {
  readonly #client: { readonly acknowledges: boolean };
  /** By tick modulo the length: the tick, and the bytes sent up to it. */
  readonly #ticks = new Int32Array(HISTORY_TICKS).fill(-1);
  readonly #bytesUpTo = new Float64Array(HISTORY_TICKS);
  #sentTick: Tick = -1;
  #sentBytes = 0;
  #acknowledgedTick: Tick = -1;
  #acknowledgedBytes = 0;
  /** Why the client is being skipped; undefined if it is not. */
  #skipReason: "unsent" | "unread" | undefined;
  /** Consecutive ticks with more unsent bytes than `CLOSE_BYTES`, and than `SKIP_BYTES`. */
  #fullTicks = 0;
  #unsentTicks = 0;
  /** The unsent bytes when each of the two counts was last 0 or 1. */
  #fullBytes = 0;
  #unsentBytes = 0;

  /**
   * @param client.acknowledges whether the client acknowledges ticks in order, as a player on a
   * reliable link does; read each time
   */
  constructor(client: { readonly acknowledges: boolean }) {
    this.#client = client;
  }

  /** Notes that `tick` was sent. @param bytes the message's length */
  recordSent(tick: Tick, bytes: number): void {
    if (this.#sentTick < 0) this.#acknowledgedTick = tick - 1;
    this.#sentTick = tick;
    this.#sentBytes += bytes;
    const slot = tick % HISTORY_TICKS;
    this.#ticks[slot] = tick;
    this.#bytesUpTo[slot] = this.#sentBytes;
  }

  /**
   * Notes that the client has read everything up to `tick`. A tick that was never sent, or sent
   * long ago, is ignored.
   */
  acknowledge(tick: Tick): void {
    if (tick <= this.#acknowledgedTick) return;
    const slot = tick % HISTORY_TICKS;
    if (this.#ticks[slot] !== tick) return;
    this.#acknowledgedTick = tick;
    this.#acknowledgedBytes = this.#bytesUpTo[slot]!;
  }

  /**
   * Decides whether to send to the client. Call it once for each tick, before `recordSent`.
   * @param unsentBytes `Link.bufferedBytes`
   */
  decide(unsentBytes: number): SendDecision {
    // How long it has held too many unsent bytes and read too few of them
    const isFullRead = unsentBytes <= Math.max(CLOSE_BYTES, this.#fullBytes - READ_BYTES_MIN);
    const isRead = unsentBytes <= Math.max(SKIP_BYTES, this.#unsentBytes - READ_BYTES_MIN);
    this.#fullTicks = isFullRead ? 0 : this.#fullTicks + 1;
    this.#unsentTicks = isRead ? 0 : this.#unsentTicks + 1;
    if (isFullRead || this.#fullTicks === 1) this.#fullBytes = unsentBytes;
    if (isRead || this.#unsentTicks === 1) this.#unsentBytes = unsentBytes;
    if (this.#fullTicks > CLOSE_TICKS || this.#unsentTicks > UNREAD_TICKS_MAX) return "close";

    // Skipped from the first excess until everything is read
    if (unsentBytes > SKIP_BYTES) this.#skipReason = "unsent";
    else if (this.#skipReason === undefined && this.#unreadBytes > SKIP_BYTES) {
      this.#skipReason = "unread";
    } else if (this.#skipReason === "unsent" && unsentBytes === 0) this.#resume();
    else if (
      this.#skipReason === "unread" && unsentBytes === 0 &&
      this.#acknowledgedTick === this.#sentTick
    ) {
      this.#resume();
    }
    return this.#skipReason === undefined ? "send" : "skip";
  }

  /**
   * Counts all bytes as read, because they have left, although the client may not have acknowledged
   * them.
   */
  #resume(): void {
    this.#skipReason = undefined;
    this.#acknowledgedTick = this.#sentTick;
    this.#acknowledgedBytes = this.#sentBytes;
  }

  get #unreadBytes(): number {
    if (
      !this.#client.acknowledges || this.#sentTick - this.#acknowledgedTick <= ROUND_TRIP_TICKS_MAX
    ) return 0;
    return this.#sentBytes - this.#acknowledgedBytes;
  }
}
