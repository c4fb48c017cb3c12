/**
 * What one client was told and has not read, as far as the server can know:
 *
 *     unsent = what has not left this machine's hands           exact; but the operating system swallows megabytes before it grows
 *     unread = what was told since the tick that its newest command confirms, once that tick is older than any round trip
 *
 * Who has too much of either is told nothing more until he has read all of it. Then the newest state is all that he needs, so
 * neither he nor the server waits for what is past. Who lets it lie for long is given up.
 */
import type { Tick } from "../../../shared/netcode/game.ts";
import { HISTORY_TICKS } from "../../../shared/netcode/timeline.ts";

/** From so much on a client is skipped: some 9,000 ticks, or twenty states of a full arena, which are long since of no use. */
export const SKIP_BYTES = 64 * 1024;
/** Unsent bytes, and for how many ticks, that end a link: five seconds at 20 Hz. Only states of hundreds of kilobytes come so far. */
export const CLOSE_BYTES = 256 * 1024;
export const CLOSE_TICKS = 100;
/**
 * For so many ticks in a row more than `SKIP_BYTES` unsent, though nothing was added: half a minute, as long as a lost player's seat
 * is held and a dead line is asked. A phone in a tunnel is back before; what answers pings for so long and reads nothing is no player.
 */
export const UNREAD_TICKS_MAX = 600;
/** What is younger may be on its way: 1.6 s at 20 Hz, with a longer round trip nobody can play. */
const ROUND_TRIP_TICKS_MAX = 32;

/** What to do with a client in one tick. */
export type SendDecision = "send" | "skip" | "close";

/** One client's. */
export class SendBacklog {
  /** Whether commands say what was read, as they do in order, one for each tick. */
  readonly #acknowledges: boolean;
  /** By tick modulo their number: which tick it was, and how much had been told up to it. */
  readonly #ticks = new Int32Array(HISTORY_TICKS).fill(-1);
  readonly #bytesUpTo = new Float64Array(HISTORY_TICKS);
  #sentTick: Tick = -1;
  #sentBytes = 0;
  #acknowledgedTick: Tick = -1;
  #acknowledgedBytes = 0;
  /** Why it is told nothing at present. */
  #skipReason: "unsent" | "unread" | undefined;
  /** Ticks in a row with more than the one or the other bound unsent. */
  #fullTicks = 0;
  #unsentTicks = 0;

  /** @param options whether the client confirms, in order, what it has read: who plays over an ordered link does */
  constructor({ acknowledges }: { acknowledges: boolean }) {
    this.#acknowledges = acknowledges;
  }

  /** It was told `tick`, in so many bytes. */
  recordSent(tick: Tick, bytes: number): void {
    if (this.#sentTick < 0) this.#acknowledgedTick = tick - 1;
    this.#sentTick = tick;
    this.#sentBytes += bytes;
    const slot = tick % HISTORY_TICKS;
    this.#ticks[slot] = tick;
    this.#bytesUpTo[slot] = this.#sentBytes;
  }

  /** It says that it has read everything up to `tick`. What it says of ticks that it was not told, or long ago, changes nothing. */
  acknowledge(tick: Tick): void {
    if (tick <= this.#acknowledgedTick) return;
    const slot = tick % HISTORY_TICKS;
    if (this.#ticks[slot] !== tick) return;
    this.#acknowledgedTick = tick;
    this.#acknowledgedBytes = this.#bytesUpTo[slot]!;
  }

  /** Call it once a tick, before it is told. @param unsentBytes of its link */
  decide(unsentBytes: number): SendDecision {
    this.#fullTicks = unsentBytes > CLOSE_BYTES ? this.#fullTicks + 1 : 0;
    this.#unsentTicks = unsentBytes > SKIP_BYTES ? this.#unsentTicks + 1 : 0;
    if (this.#fullTicks > CLOSE_TICKS || this.#unsentTicks > UNREAD_TICKS_MAX) return "close";
    if (unsentBytes > SKIP_BYTES) this.#skipReason = "unsent";
    else if (this.#skipReason === undefined && this.#unreadBytes > SKIP_BYTES) this.#skipReason = "unread";
    else if (this.#skipReason === "unsent" && unsentBytes === 0) this.#resume();
    else if (this.#skipReason === "unread" && unsentBytes === 0 && this.#acknowledgedTick === this.#sentTick) {
      this.#resume();
    }
    return this.#skipReason === undefined ? "send" : "skip";
  }

  /** What has flowed off is being read, though its reader may not have said so yet. */
  #resume(): void {
    this.#skipReason = undefined;
    this.#acknowledgedTick = this.#sentTick;
    this.#acknowledgedBytes = this.#sentBytes;
  }

  get #unreadBytes(): number {
    if (!this.#acknowledges || this.#sentTick - this.#acknowledgedTick <= ROUND_TRIP_TICKS_MAX) return 0;
    return this.#sentBytes - this.#acknowledgedBytes;
  }
}
