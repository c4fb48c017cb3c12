/**
 * Distinguishes a slow screen from a slow device. Both offer few frames, but a frame that is not
 * drawn costs nothing, so the gap behind it is the screen's own period:
 *
 *     probe = two frames that are not drawn     the first lets work end that is under way, the second is idle
 *     period = least gap behind a probe
 *
 * Players can see a probe, so probes are few: they come when frames are rarer than the screen's, or
 * to check that a screen is slow. If the period is still the same, the next ones wait twice as
 * long. A shorter gap shows a faster screen without a probe.
 */

/**
 * Frames a second: a screen that shows more than the first is not slow, and every screen shows at
 * least the second.
 */
const FLUENT_HZ = 60;
const SLOWEST_HZ = 23;
const FLUENT_MS = 1000 / FLUENT_HZ;
/** How many probes share one result, their least gap, and how many frames to draw before each. */
const PROBES = 3;
const FRAMES_BETWEEN = 6;
/**
 * Gaps above `RARE` periods mean frames are rarer than the screen's; a gap below `SHORT` periods
 * shows a faster screen.
 */
const RARE = 1.1;
const SHORT = 0.85;
/** How many short gaps in a window are more than an accident. */
const SHORT_GAPS = 5;
/** How many windows pass between probes, at least and at most: half a minute, and five minutes. */
const QUIET_WINDOWS = 20;
const QUIET_WINDOWS_MAX = 200;

export class ScreenRate {
  /** The screen's period, ms; as at 60 Hz for a faster screen, and before anything is known. */
  #periodMs = FLUENT_MS;
  /** Frames in this window since the last probe, and the sum of their gaps, ms. */
  #frames = 0;
  #gapsMs = 0;
  #shortGaps: number[] = [];
  /** How many frames in a row were not drawn, and the gaps behind the probes so far, ms. */
  #skipped = 0;
  #probedMs: number[] = [];
  #quietWindows = 0;
  #nextQuietWindows = QUIET_WINDOWS;

  /** The screen's rate relative to a fluent one, at most 1. */
  get share(): number {
    return FLUENT_MS / this.#periodMs;
  }

  get periodMs(): number {
    return this.#periodMs;
  }

  /**
   * Call it when the browser offers a frame.
   * @returns whether its gap belongs to a probe and so says nothing about the device
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

  /** @returns whether to skip the frame that was just offered, to see the screen's period */
  probes(): boolean {
    if (this.#skipped === 0 && !this.#isDue) return false;
    this.#skipped++;
    return true;
  }

  /** Call it when a window is over. */
  endWindow(): void {
    this.#frames = this.#gapsMs = 0;
    this.#shortGaps = [];
    this.#quietWindows = Math.max(0, this.#quietWindows - 1);
  }

  /** Call it when the page was hidden. */
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
