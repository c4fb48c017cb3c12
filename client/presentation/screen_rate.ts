/**
 * Tells a slow screen from a slow device. Both offer few frames, but a frame that is not drawn
 * costs nothing, so what follows it is the screen's own period:
 *
 *     probe = two frames that are not drawn     the first lets work end that is under way, the second is idle
 *     period = least gap behind a probe
 *
 * A probe can be seen, so there are few: when frames are rarer than the screen's, or to check that
 * a screen is slow. If the period is still the same, the next ones wait for twice as long. A
 * shorter gap shows a faster screen without a probe.
 */

/** A screen that shows more is no slower one, and no screen shows fewer, frames a second. */
const FLUENT_HZ = 60;
const SLOWEST_HZ = 23;
const FLUENT_MS = 1000 / FLUENT_HZ;
/** Probes of which the least gap counts, and frames that are drawn before each. */
const PROBES = 3;
const FRAMES_BETWEEN = 6;
/**
 * Frames are rarer than the screen's if their gaps are so many periods, and a gap of so many shows
 * a faster screen.
 */
const RARE = 1.1;
const SHORT = 0.85;
/** So many short gaps in a window are no accident. */
const SHORT_GAPS = 5;
/** Windows from probes to the next ones, at least and at most: half a minute, and five. */
const QUIET_WINDOWS = 20;
const QUIET_WINDOWS_MAX = 200;

export class ScreenRate {
  /** The screen's period, ms; that of 60 Hz for a faster screen, and before anything is known. */
  #periodMs = FLUENT_MS;
  /** Frames of this window, and the time of their gaps, ms, since the last probe. */
  #frames = 0;
  #gapsMs = 0;
  #shortGaps: number[] = [];
  /** Frames in a row that were not drawn, and the gaps behind the probes so far, ms. */
  #skipped = 0;
  #probedMs: number[] = [];
  #quietWindows = 0;
  #nextQuietWindows = QUIET_WINDOWS;

  /** The screen's rate relative to one that is fluent, at most 1. */
  get share(): number {
    return FLUENT_MS / this.#periodMs;
  }

  get periodMs(): number {
    return this.#periodMs;
  }

  /**
   * The browser has offered a frame.
   * @returns whether its gap belongs to a probe, so that it says nothing of the device
   */
  observe(gapMs: number): boolean {
    if (this.#skipped > 0) {
      if (this.#skipped === 2) this.#endProbe(gapMs);
      return true;
    }
    this.#frames++;
    this.#gapsMs += gapMs;
    if (gapMs < SHORT * this.#periodMs) this.#shortGaps.push(gapMs);
    if (this.#shortGaps.length === SHORT_GAPS) this.#setPeriod(Math.max(...this.#shortGaps));
    return false;
  }

  /** @returns whether the frame that was just offered is not drawn, to see the screen's period */
  probes(): boolean {
    if (this.#skipped === 0 && !this.#isDue) return false;
    this.#skipped++;
    return true;
  }

  /** A window is over. */
  endWindow(): void {
    this.#frames = this.#gapsMs = 0;
    this.#shortGaps = [];
    this.#quietWindows = Math.max(0, this.#quietWindows - 1);
  }

  /** The page was hidden. */
  reset(): void {
    this.#skipped = 0;
    this.#frames = this.#gapsMs = 0;
  }

  get #isDue(): boolean {
    if (this.#quietWindows > 0 || this.#frames < FRAMES_BETWEEN) return false;
    const isRare = this.#gapsMs > RARE * this.#frames * this.#periodMs;
    return isRare || this.#periodMs > RARE * FLUENT_MS;
  }

  #endProbe(gapMs: number): void {
    this.#skipped = this.#frames = this.#gapsMs = 0;
    this.#probedMs.push(gapMs);
    if (this.#probedMs.length < PROBES) return;
    const beforeMs = this.#periodMs;
    this.#setPeriod(Math.min(...this.#probedMs));
    const isSame = Math.abs(this.#periodMs / beforeMs - 1) < RARE - 1;
    this.#nextQuietWindows = isSame
      ? Math.min(QUIET_WINDOWS_MAX, 2 * this.#nextQuietWindows)
      : QUIET_WINDOWS;
    this.#quietWindows = this.#nextQuietWindows;
    this.#probedMs = [];
  }

  #setPeriod(ms: number): void {
    this.#shortGaps = [];
    this.#periodMs = Math.min(1000 / SLOWEST_HZ, Math.max(FLUENT_MS, ms));
  }
}
