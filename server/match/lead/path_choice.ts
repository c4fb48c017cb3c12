/**
 * Chooses for one client whether a datagram path would help it, by what the server sees of its
 * commands (DESIGN 8.1).
 *
 * An ordered connection holds back all commands behind a lost or late one, and the lead has to
 * cover that. Over datagrams each command would only need what the commands need that were not held
 * back:
 *
 *     gain = mean wait − (4 + 5 · mean deviation of the commands that came alone)          ms
 *
 * Over datagrams the server sees no stalls. Instead it counts the lost ones, because each of them
 * would be a stall. Copies hide losses, but a client sends many copies only if it has found its
 * network bad (the client decides how many).
 */
import type { Tick } from "../../../shared/netcode/game.ts";

/** A gain that is worth the CPU of a datagram path, ms: the wait of half a tick at 20 Hz. */
const GAIN_MS_MIN = 30;
/** Least share of commands that were held back. Without any, another path would do no better. */
const HELD_SHARE_MIN = 0.01;
/** Commands before the first choice: 15 s at 20 Hz. */
const COMMANDS_MIN = 300;
/** Share of the way that a mean moves to the newest value: half of the way after 20 s. */
const MEAN_GAIN = 1 / 600;
/**
 * Datagrams need this much wait, ms, and so many deviations. Both fit the lab's lines (DESIGN 8.1).
 */
const WAIT_MS = 4;
const WAIT_PER_DEVIATION = 5;
/** Limit on one deviation, ms: more is a stall and no jitter. */
const DEVIATION_MS_MAX = 50;
/** Commands that arrive within this time, ms, arrive together. */
const TOGETHER_MS = 5;
/**
 * If their leads differ by more, ms, a page that had stalled also sent them together (SPEC 5.30).
 */
const LEADS_DIFFER_MS_MAX = 25;
/** The usual delay, a running median, moves by this with each command, ms. */
const USUAL_MS_STEP = 1;

/**
 * A connection that loses less than this by datagrams has become good: less than one stall in a
 * minute at 20 Hz. The lab's lines with loss have three times as much and more.
 */
const GOOD_LOST_SHARE = 0.0008;
/** On a good network fewer datagrams are repeated per tick: clients repeat them only for 10 s. */
const GOOD_AGAIN_PER_TICK = 0.2;
/** Ticks by which a connection is judged: 3 min at 20 Hz. */
const WINDOW_TICKS = 3600;
/** A gap of more ticks is a pause of the client, not a loss. */
const GAP_TICKS_MAX = 32;
/** Ticks whose copies and overtaken datagrams are known. */
const SEEN_TICKS = 2 * GAP_TICKS_MAX;

/** The measurements of one command that came by the reliable channel. */
interface MeasuredCommand {
  /** The lead in force when the client sent it, ms. */
  readonly leadMs: number;
  /** Negative for a late command, ms. */
  readonly slackMs: number;
  /** When it arrived, on the server's clock, ms. */
  readonly atMs: number;
}

/** The measurements of one client, and what follows from them. */
export class PathChoice {
  #commands = 0;
  #newestAtMs = -Infinity;
  #newestLeadMs = 0;
  #waitMs = 0;
  #heldShare = 0;
  #usualMs = 0;
  #deviationMs = 0;
  #aloneCount = 0;
  /** The newest ticks whose datagrams have arrived, by tick modulo the length. */
  readonly #seen = new Int32Array(SEEN_TICKS).fill(-1);
  /** The first tick of the window by which the network is judged. */
  #firstTick: Tick = 0;
  /** The newest tick that arrived. */
  #newestTick: Tick = -1;
  /** Ticks of the window that arrived, and datagrams that came again. */
  #arrived = 0;
  #again = 0;
  #isGood = false;

  /** Forgets everything: the path has changed. */
  reset(): void {
    this.#commands = this.#aloneCount = 0;
    this.#newestAtMs = -Infinity;
    this.#isGood = false;
    this.#beginWindow(-1);
  }

  /** Observes a command of the reliable channel. */
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

  /** Observes a datagram of commands. @param tick that of its newest command */
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
   * Whether the connection of a client on its datagram path has become so good that an ordered one
   * would do.
   */
  get isGood(): boolean {
    return this.#isGood;
  }
}
