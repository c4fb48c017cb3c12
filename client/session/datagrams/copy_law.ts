/**
 * Decides how often, and when, to send a datagram with commands. A lost command comes with the next
 * tick's datagram, so a loss costs a tick's time. A copy that overtakes a late datagram saves the
 * rest of its delay. Copies cost bytes, so the law sends as few as keep late commands rare:
 *
 *     loss    = max( share of the last half second, share of the last two minutes )
 *     burst   = mean number of datagrams lost in a row
 *     jitter  = mean difference of two delays in a row, ms
 *     missing = loss · (1 − 1/burst)^copies              a change that is lost with all its copies
 *     copies  = 0                                        on a clean connection: loss < 0.2 % and jitter < 8 ms
 *             = the fewest with  missing ≤ 0.1 %         otherwise, 1 … 4, for a change; 1 for any other command
 *
 * A new connection counts as one with 2 % loss, until some 200 ticks have shown what it is.
 */

/**
 * How far the two estimates move towards each tick's value: averages over half a second, and over
 * two minutes.
 */
const FAST_GAIN = 1 / 10;
const SLOW_GAIN = 1 / 2400;
/** The loss guessed for a new connection, and how many ticks this guess is worth. */
const LOSS_SHARE_INITIAL = 0.02;
const INITIAL_TICKS = 20;
/**
 * The burst guessed for a new connection, in lost datagrams, and how many bursts this guess is
 * worth.
 */
const BURST_INITIAL = 2;
const INITIAL_BURSTS = 1;
/** How much each new burst fades the earlier ones, so that a burst counts for some twenty more. */
const BURST_FORGOTTEN = 1 / 20;
/**
 * Below this loss the client sends nothing twice, and two commands in a datagram. The next datagram
 * then makes good a single loss, and a longer burst costs a round trip.
 */
const LOSS_SHARE_CLEAN = 0.002;
/** How far the jitter moves towards each command's value: an average over 5 s. */
const JITTER_GAIN = 1 / 100;
/**
 * The jitter from which copies help, ms: half their spacing. Copies narrow it, so they end at a
 * lower one.
 */
const JITTER_MS_BEGIN = 8;
const JITTER_MS_END = 5;
/**
 * Datagrams are full while more far overtaken ones than this come per tick, and before
 * `SHORT_TICKS_MIN` ticks are known. A short one that is overtaken by 40 ticks cannot be read, and
 * a connection that delays some by 300 ms may delay others by seconds.
 */
const OVERTAKEN_PER_TICK_MAX = 0.04;
const SHORT_TICKS_MIN = 60;
/** How far this figure moves towards each tick's value: an average over 10 s. */
const OVERTAKEN_GAIN = 1 / 200;
/** The limit on a difference between delays, ms, because a stall does not count as jitter. */
const DIFFERENCE_MS_MAX = 100;
/**
 * A fifteenth of the late commands that the lead law accepts (SPEC 5.10), because changes are what
 * others see.
 */
const MISSING_SHARE_MAX = 0.001;
const COPIES_MAX = 4;
/** The first copy follows after this time, ms, and each further one after as long again … */
const SPACING_MS = 15;
/** … but the last one before this share of the tick, because then the next datagram is near. */
const SPACING_TICK_SHARE = 0.8;

/** What the law demands now. */
export interface CopyPlan {
  /** Whether datagrams are coded against earlier ones. */
  readonly isShort: boolean;
  /** Whether datagrams reach back to what the server received; otherwise they hold two commands. */
  readonly reachesBack: boolean;
  /**
   * How many copies to send with a recent change, and without one, because the lead law counts each
   * late command.
   */
  readonly changed: number;
  readonly unchanged: number;
}

const CLEAN: CopyPlan = { isShort: true, reachesBack: false, changed: 0, unchanged: 0 };

export class CopyLaw {
  readonly #tickMs: number;
  #outcomes = 0;
  #fastShare = LOSS_SHARE_INITIAL;
  #slowShare = LOSS_SHARE_INITIAL;
  #lostInBursts = BURST_INITIAL * INITIAL_BURSTS;
  #bursts = INITIAL_BURSTS;
  #isInBurst = false;
  #delayMs: number | undefined;
  #ticks = 0;
  #overtakenPerTick = 0;
  #jitterMs = 0;
  #isJittery = false;

  constructor(tickMs: number) {
    this.#tickMs = tickMs;
  }

  /** Begins anew for an unknown connection. */
  reset(): void {
    this.#outcomes = 0;
    this.#fastShare = this.#slowShare = LOSS_SHARE_INITIAL;
    this.#lostInBursts = BURST_INITIAL * INITIAL_BURSTS;
    this.#bursts = INITIAL_BURSTS;
    this.#isInBurst = false;
    this.#delayMs = undefined;
    this.#ticks = 0;
    this.#overtakenPerTick = 0;
    this.#jitterMs = 0;
    this.#isJittery = false;
  }

  /**
   * Counts one tick's datagrams; call it in tick order.
   * @param outcome.lost 0 … `sent`, which is at least 1
   */
  observe({ sent, lost }: { sent: number; lost: number }): void {
    const share = lost / sent;
    const slowGain = Math.max(SLOW_GAIN, 1 / (INITIAL_TICKS + ++this.#outcomes));
    this.#fastShare += FAST_GAIN * (share - this.#fastShare);
    this.#slowShare += slowGain * (share - this.#slowShare);
    if (lost > 0 && !this.#isInBurst) {
      this.#lostInBursts *= 1 - BURST_FORGOTTEN;
      this.#bursts = this.#bursts * (1 - BURST_FORGOTTEN) + 1;
    }
    this.#lostInBursts += lost;
    // A tick with a datagram that arrived ends the burst.
    this.#isInBurst = lost > 0 && lost === sent;
  }

  /**
   * Registers that a newer tick's command arrived.
   * @param delayMs how long it took to the server, plus an unknown constant
   * @param overtaken how many datagrams for much older ticks arrived since
   */
  observeArrival(delayMs: number, overtaken: number): void {
    this.#ticks++;
    this.#overtakenPerTick += Math.max(OVERTAKEN_GAIN, 1 / this.#ticks) *
      (overtaken - this.#overtakenPerTick);
    const differenceMs = Math.min(
      DIFFERENCE_MS_MAX,
      Math.abs(delayMs - (this.#delayMs ?? delayMs)),
    );
    this.#delayMs = delayMs;
    this.#jitterMs += JITTER_GAIN * (differenceMs - this.#jitterMs);
    this.#isJittery = this.#jitterMs >= (this.#isJittery ? JITTER_MS_END : JITTER_MS_BEGIN);
  }

  /** The share of datagrams that will probably be lost, 0 … 1. */
  get lossShare(): number {
    return Math.max(this.#fastShare, this.#slowShare);
  }

  /** How many datagrams are lost in a row, on average, at least 1. */
  get burst(): number {
    return Math.max(1, this.#lostInBursts / this.#bursts);
  }

  get plan(): CopyPlan {
    const { lossShare } = this;
    const isShort = this.#ticks >= SHORT_TICKS_MIN &&
      this.#overtakenPerTick <= OVERTAKEN_PER_TICK_MAX;
    if (isShort && lossShare < LOSS_SHARE_CLEAN && !this.#isJittery) return CLEAN;
    return { isShort, reachesBack: true, changed: this.#copies(lossShare), unchanged: 1 };
  }

  /** The time between two copies, if that many follow, ms. */
  spacingMs(copies: number): number {
    return Math.min(SPACING_MS, SPACING_TICK_SHARE * this.#tickMs / copies);
  }

  #copies(lossShare: number): number {
    const again = 1 - 1 / this.burst;
    let copies = 0;
    let missing = lossShare;
    while (missing > MISSING_SHARE_MAX && copies < COPIES_MAX) {
      missing *= again;
      copies++;
    }
    return Math.max(1, copies);
  }
}
