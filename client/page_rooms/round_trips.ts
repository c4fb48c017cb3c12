/** The round trips to the other pages, each smoothed over the last few beats. */
import type { PageId } from "./page_message.ts";

/** The weight of a new measurement: of the last eight or so. */
const WEIGHT = 1 / 8;

export class RoundTrips {
  readonly #byPage = new Map<PageId, number>();

  /** @param ms the newest round trip to a page */
  add(page: PageId, ms: number): void {
    const measured = Math.max(0, ms);
    const before = this.#byPage.get(page);
    this.#byPage.set(page, before === undefined ? measured : before + WEIGHT * (measured - before));
  }

  forget(page: PageId): void {
    this.#byPage.delete(page);
  }

  /** The mean over all pages, ms; 0 without any. */
  get mean(): number {
    let sum = 0;
    for (const ms of this.#byPage.values()) sum += ms;
    return this.#byPage.size === 0 ? 0 : sum / this.#byPage.size;
  }
}
