/**
 * Says in words that the device is too slow, once, and with a sign from then on: words that come
 * again and again would stand in the picture's middle.
 */

/** How long the words show, ms. */
const WORDS_MS = 8_000;

export class SlowNotice {
  readonly #sign: Pick<HTMLElement, "hidden" | "ariaLabel">;
  /** When the device was first too slow, ms; undefined before. */
  #sinceMs: number | undefined;

  /** @param sign the words are its label */
  constructor(sign: Pick<HTMLElement, "hidden" | "ariaLabel">) {
    this.#sign = sign;
  }

  /** Shows or hides the sign. @returns the words while they are new; otherwise empty */
  update(isTooSlow: boolean, nowMs: number): string {
    if (isTooSlow) this.#sinceMs ??= nowMs;
    const isNew = isTooSlow && nowMs - this.#sinceMs! < WORDS_MS;
    const isHidden = !isTooSlow || isNew;
    if (this.#sign.hidden !== isHidden) this.#sign.hidden = isHidden;
    return isNew ? this.#sign.ariaLabel! : "";
  }
}
