/**
 * Announces the own score in words, for screen readers. Because scores are predicted, one counts
 * once it stayed the same for a while. The announcements leave time for other words.
 */
import type { Score } from "../../presentation/view.ts";
import { pointsText } from "./verdict.ts";
import { placeOf } from "./scoreboard.ts";

/** How long a score must stay the same, ms; mispredictions are shorter. */
const STEADY_MS = 1000;
/** The least time between two announcements, ms. */
const PAUSE_MS = 8000;

export class ScoreAnnouncer {
  /** The last announced points; undefined before the first scores. */
  #announced: number | undefined;
  #announcedAtMs = -Infinity;
  #points = 0;
  #pointsSinceMs = 0;
  #text = "";

  /** Starts anew, for another round or match. */
  reset(): void {
    this.#announced = undefined;
    this.#text = "";
  }

  /**
   * @param scores the best first
   * @param nowMs the page's clock
   * @returns the newest announcement; empty before the first, and for a spectator
   */
  update(scores: readonly Score[], nowMs: number): string {
    const own = scores.find((score) => score.own);
    if (own === undefined) return "";
    const points = own.score;
    this.#announced ??= points;
    if (points !== this.#points) {
      this.#points = points;
      this.#pointsSinceMs = nowMs;
    }
    const isDue = nowMs - this.#pointsSinceMs >= STEADY_MS &&
      nowMs - this.#announcedAtMs >= PAUSE_MS;
    if (points !== this.#announced && isDue) {
      this.#announced = points;
      this.#announcedAtMs = nowMs;
      this.#text = `${pointsText(points)}, place ${placeOf(own, scores)} of ${scores.length}`;
    }
    return this.#text;
  }
}
