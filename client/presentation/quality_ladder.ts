/**
 * Keeps the picture fluent on slow devices: it goes down a rung when frames are rare, and up again
 * when they are not.
 *
 *     rung     0      everything
 *              1 … 3  less work, pixels and particles, as the renderer decides
 *              4      as 3, and at most 30 frames a second: an even 30 looks better than an uneven 35
 *
 * Only a trial shows whether a higher rung is fast enough. A failed trial doubles the wait for the
 * next one, so that the picture does not go back and forth. All rates are for a screen with 60 Hz
 * or more. A slower screen, or a browser that saves energy, offers fewer frames, whatever they
 * cost, so its rates are scaled down (`screen_rate.ts`).
 */
import { ScreenRate } from "./screen_rate.ts";

/** The last rung. */
export const SLOWEST_RUNG = 4;
/** How long to count frames, ms. */
const WINDOW_MS = 1500;
/**
 * Frames a second: below the first the ladder goes down a rung, below the second two. From the
 * third on it may go up.
 */
const RATE_LOW = 42;
const RATE_POOR = 25;
const RATE_GOOD = 55;
/**
 * The last rung halves the rate, so one slow window does not lead there: the rate must be below
 * this for `EVEN_WINDOWS` windows in a row, because a page that just began to compile its code is
 * slow for a few seconds.
 */
const RATE_EVEN = 40;
const EVEN_WINDOWS = 4;
/** How many good windows must precede the first trial on a higher rung, and at most any trial. */
const PATIENCE_WINDOWS = 6;
const PATIENCE_WINDOWS_MAX = 200;
/** A trial fails if the ladder goes down again within this many windows, half a minute. */
const TRIAL_WINDOWS = 20;
/** A longer gap, ms, means a hidden tab instead of a slow frame. */
const GAP_MS = 1000;
/**
 * The least time between two frames on the last rung, ms: less than two frames on a 60 Hz screen.
 */
const LAST_RUNG_FRAME_MS = 30;
/** A screen with a longer period, ms, is slow: half its frames would be fewer than 25 a second. */
const SLOW_PERIOD_MS = 20.4;

export class QualityLadder {
  /** The rung that the player chose; undefined if the ladder decides. */
  fixedRung: number | undefined;
  readonly #screen = new ScreenRate();
  #rung = 0;
  #windowBeganMs = 0;
  #frames = 0;
  #offeredMs = -Infinity;
  #drawnMs = -Infinity;
  #isPoor = false;
  #goodWindows = 0;
  #patienceWindows = PATIENCE_WINDOWS;
  /** How many windows in a row were below `RATE_EVEN`. */
  #unevenWindows = 0;
  /** How many windows of the present trial are left. */
  #trialWindows = 0;

  get rung(): number {
    return this.fixedRung ?? this.#rung;
  }

  /** Whether even the last rung does not make the picture fluent. */
  get isTooSlow(): boolean {
    return this.#isPoor && this.rung === SLOWEST_RUNG;
  }

  /** Call it whenever the browser offers a frame. @returns whether to draw it */
  offerFrame(nowMs: number): boolean {
    const gapMs = nowMs - this.#offeredMs;
    if (gapMs > GAP_MS) {
      this.#screen.reset();
      this.#beginWindow(nowMs);
    } else if (this.#screen.observe(gapMs)) this.#windowBeganMs += gapMs;
    else this.#frames++;

    this.#offeredMs = nowMs;

    const elapsedMs = nowMs - this.#windowBeganMs;
    if (elapsedMs >= WINDOW_MS) {
      this.#judge(1000 * this.#frames / elapsedMs / this.#screen.share);
      this.#screen.endWindow();
      this.#beginWindow(nowMs);
    }

    if (this.fixedRung === undefined && this.#screen.probes()) return false;
    const isHalved = this.rung === SLOWEST_RUNG && this.#screen.periodMs < SLOW_PERIOD_MS;
    if (isHalved && nowMs - this.#drawnMs < LAST_RUNG_FRAME_MS) return false;
    this.#drawnMs = nowMs;
    return true;
  }

  #beginWindow(nowMs: number): void {
    this.#windowBeganMs = nowMs;
    this.#frames = 0;
  }

  /** @param framesPerSecond scaled to a 60 Hz screen */
  #judge(framesPerSecond: number): void {
    this.#isPoor = framesPerSecond < RATE_POOR;

    // On the last rung the rate says little about the rung above it.
    const isGood = this.#rung === SLOWEST_RUNG ? !this.#isPoor : framesPerSecond >= RATE_GOOD;
    this.#goodWindows = isGood ? this.#goodWindows + 1 : 0;
    this.#unevenWindows = framesPerSecond < RATE_EVEN ? this.#unevenWindows + 1 : 0;
    this.#trialWindows--;

    // Too slow: one rung down, or two
    if (framesPerSecond < RATE_LOW) {
      // A failed trial ends on the rung where it began.
      const hasFailed = this.#trialWindows > 0;
      const lower = this.#rung + (this.#isPoor && !hasFailed ? 2 : 1);
      const rung = Math.min(
        this.#unevenWindows < EVEN_WINDOWS ? SLOWEST_RUNG - 1 : SLOWEST_RUNG,
        lower,
      );
      if (rung <= this.#rung) return;

      if (hasFailed) {
        this.#patienceWindows = Math.min(PATIENCE_WINDOWS_MAX, 2 * this.#patienceWindows);
      }
      this.#trialWindows = 0;
      this.#rung = rung;
    } else if (this.#rung > 0 && this.#goodWindows >= this.#patienceWindows) {
      this.#goodWindows = 0;
      this.#trialWindows = TRIAL_WINDOWS;
      this.#rung--;
    }
  }
}
