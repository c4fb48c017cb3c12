/**
 * Judges from what the server sees of one client's commands whether a datagram path would help it
 * (DESIGN 8.1).
 *
 * An ordered connection holds back all commands behind a lost or late one, and the lead has to
 * cover that. Over datagrams each command would need only what commands that were not held back
 * need:
 *
 *     gain = mean wait − (4 + 5 · mean deviation of the commands that came alone)          ms
 *
 * Over datagrams the server does not see stalls. Instead it counts lost datagrams, because each
 * would be a stall on an ordered connection. Copies hide losses, but a client sends many copies
 * only if it has found its network bad (the client decides how many).
 */
import type { Tick } from "../../../shared/netcode/game.ts";

/** The gain that is worth a datagram path's CPU time, ms: a wait of half a tick at 20 Hz. */
const GAIN_MS_MIN = 30;
/** The least share of held-back commands. If there were none, another path would do no better. */
const HELD_SHARE_MIN = 0.01;
/** Commands before the first choice: 15 s at 20 Hz. */
const COMMANDS_MIN = 300;
/** How far a mean moves towards the newest value: halfway after 20 s. */
const MEAN_GAIN = 1 / 600;
/**
 * The wait that datagrams need, ms, and how many deviations on top. Both fit the lab's connections
 * (DESIGN 8.1).
 */
const WAIT_MS = 4;
const WAIT_PER_DEVIATION = 5;
/** Limits one deviation, ms: more is a stall instead of jitter. */
const DEVIATION_MS_MAX = 50;
/** Commands within this time of each other, ms, arrive together. */
const TOGETHER_MS = 5;
/**
 * If their leads differ by more, ms, a page that had stalled also sent them together (SPEC 5.30).
 */
const LEADS_DIFFER_MS_MAX = 25;
/** How far each command moves the usual delay, a running median, ms. */
const USUAL_MS_STEP = 1;

/**
 * A connection that loses a smaller share of datagrams has become good: less than one stall a
 * minute at 20 Hz. The lab's connections with loss lose at least three times as much.
 */
const GOOD_LOST_SHARE = 0.0008;
/**
 * On a good network fewer datagrams than this are repeated per tick, because clients repeat them
 * only for 10 s.
 */
const GOOD_AGAIN_PER_TICK = 0.2;
/** How many ticks a connection is judged by: 3 min at 20 Hz. */
const WINDOW_TICKS = 3600;
/** A longer gap, ticks, is a pause of the client instead of a loss. */
const GAP_TICKS_MAX = 32;
/** How many ticks' copies and overtaken datagrams are recognised. */
const SEEN_TICKS = 2 * GAP_TICKS_MAX;

/** What is measured of a command that came on the reliable channel. */
interface MeasuredCommand {
  /** The lead in force when the client sent it, ms. */
  readonly leadMs: number;
  /** Negative for a late command, ms. */
  readonly slackMs: number;
  /** When it arrived, on the server's clock, ms. */
  readonly atMs: number;
}

/** One client's measurements, and what follows from them. */
export class PathChoice {
  #commands = 0;
  #newestAtMs = -Infinity;
  #newestLeadMs = 0;
  #waitMs = 0;
  #heldShare = 0;
  #usualMs = 0;
  #deviationMs = 0;
  #aloneCount = 0;
  /** The newest ticks with datagrams that have arrived, by tick modulo the length. */
  readonly #seen = new Int32Array(SEEN_TICKS).fill(-1);
  /** The first tick of the window that judges the network. */
  #firstTick: Tick = 0;
  /** The newest tick that arrived. */
  #newestTick: Tick = -1;
  /** Ticks of the window that arrived, and datagrams that arrived again. */
  #arrived = 0;
  #again = 0;
  #isGood = false;

  /** Forgets everything, because the path has changed. */
  reset(): void {
    this.#commands = this.#aloneCount = 0;
    this.#newestAtMs = -Infinity;
    this.#isGood = false;
    this.#beginWindow(-1);
  }

  /** Observes a command on the reliable channel. */
  observe({ leadMs, slackMs, atMs }: MeasuredCommand): void {
    const isTogether = atMs - this.#newestAtMs < TOGETHER_MS;
    const isHeld = isTogether && Math.abs(leadMs - this.#newestLeadMs) <= LEADS_DIFFER_MS_MAX;
    this.#newestAtMs = atMs;
    this.#newestLeadMs = leadMs;
    const gain = Math.max(MEAN_GAIN, 1 / ++this.#commands);
    this.#waitMs += gain * (Math.max(0, slackMs) - this.#waitMs);
    this.#heldShare += gain * (Number(isHeld) - this.#heldShare);
    if (!isTogether) this.#observeAlone(leadMs - slackMs);
  }

  #observeAlone(delayMs: number): void {
    const gain = Math.max(MEAN_GAIN, 1 / ++this.#aloneCount);
    if (this.#aloneCount === 1) {
      this.#usualMs = delayMs;
      this.#deviationMs = 0;
    }
    const distanceMs = delayMs - this.#usualMs;
    this.#usualMs += Math.max(-USUAL_MS_STEP, Math.min(USUAL_MS_STEP, distanceMs));
    this.#deviationMs += gain *
      (Math.min(DEVIATION_MS_MAX, Math.abs(distanceMs)) - this.#deviationMs);
  }

  /** Observes a datagram of commands. @param tick its newest command's tick */
  observeDatagram(tick: Tick): void {
    if (Math.abs(tick - this.#newestTick) > GAP_TICKS_MAX) this.#beginWindow(tick - 1);
    if (tick < this.#firstTick) return;

    if (this.#seen[tick % SEEN_TICKS] === tick) return void this.#again++;
    this.#seen[tick % SEEN_TICKS] = tick;
    this.#arrived++;
    this.#newestTick = Math.max(this.#newestTick, tick);

    // The end of a window
    if (this.#newestTick - this.#firstTick < WINDOW_TICKS) return;
    this.#isGood = this.lostShare < GOOD_LOST_SHARE &&
      this.#again < GOOD_AGAIN_PER_TICK * this.#arrived;
    this.#beginWindow(this.#newestTick);
  }

  #beginWindow(newestTick: Tick): void {
    this.#newestTick = newestTick;
    this.#firstTick = newestTick + 1;
    this.#arrived = this.#again = 0;
    this.#seen.fill(-1);
  }

  /** The wait that a datagram path would save, ms; negative if it would cost. */
  get gainMs(): number {
    return this.#waitMs - WAIT_MS - WAIT_PER_DEVIATION * this.#deviationMs;
  }

  /** Whether a client on its reliable channel would gain by a datagram path. */
  get wouldGain(): boolean {
    return this.#commands >= COMMANDS_MIN && this.#heldShare >= HELD_SHARE_MIN &&
      this.gainMs >= GAIN_MS_MIN;
  }

  /** The share of the window's datagrams that have not arrived. */
  get lostShare(): number {
    const sent = this.#newestTick - this.#firstTick + 1;
    return sent === 0 ? 0 : (sent - this.#arrived) / sent;
  }

  /**
   * Whether a client's connection on its datagram path has become so good that an ordered one would
   * do.
   */
  get isGood(): boolean {
    return this.#isGood;
  }
}
