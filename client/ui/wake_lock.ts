/**
 * Keeps the screen on, because a player with a gamepad, or a spectator, touches neither mouse nor
 * keys.
 */
import { optional } from "../input/optional.ts";

export class WakeLock {
  #isWanted = false;
  #lock: Promise<WakeLockSentinel | undefined> | undefined;

  /**
   * Requests the lock or releases it. Browsers that lack wake locks, or run on a low battery,
   * refuse it.
   */
  hold(isWanted: boolean): void {
    if (isWanted === this.#isWanted) return;
    this.#isWanted = isWanted;
    if (isWanted) {
      this.#lock = optional(
        () => navigator.wakeLock?.request("screen").catch(() => undefined),
        undefined,
      );
    } else void this.#lock?.then((lock) => lock?.release()).catch(() => {});
  }
}
