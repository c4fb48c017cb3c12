/**
 * The page's panels over the picture: how high their letters are, and which of them fades because
 * the followed thing is beneath it. Panels move rarely and the eye is slow, so it looks some times
 * a second.
 */
import type { ShownThing } from "../shown_thing.ts";
import type { KitCamera } from "./kit_camera.ts";

/** How often it looks, ms. */
const PERIOD_MS = 80;
/** How far around a thing a panel fades, metres, so that it has faded when the thing arrives. */
const REACH = 1.6;
/** What lies over the picture and can be seen through for a while. */
const PANELS = "#where, #timer, #board, #scores, #feed, #help, #turn";
/** The letters of a page without a HUD, CSS pixels. */
const LETTER = 16;

export class PagePanels {
  readonly #canvas: HTMLCanvasElement;
  #dueMs = -Infinity;
  /** How high the HUD's letters are, CSS pixels. */
  letter = LETTER;

  constructor(canvas: HTMLCanvasElement) {
    this.#canvas = canvas;
  }

  /** @param thing what must be seen, if anything */
  advance(
    thing: ShownThing | undefined,
    { camera, pixelRatio, nowMs }: {
      readonly camera: KitCamera;
      readonly pixelRatio: number;
      readonly nowMs: number;
    },
  ): void {
    // A replay's time also goes back.
    if (nowMs < this.#dueMs && nowMs > this.#dueMs - PERIOD_MS) return;
    this.#dueMs = nowMs + PERIOD_MS;
    const root = this.#canvas.ownerDocument;
    const hud = root.querySelector("#hud");
    if (hud === null) return;
    this.letter = parseFloat(getComputedStyle(hud).fontSize);

    const { left, top } = this.#canvas.getBoundingClientRect();
    const x = left + camera.xPx(thing?.x ?? NaN) / pixelRatio;
    const y = top + camera.yPx(thing?.y ?? NaN) / pixelRatio;
    const reach = REACH * camera.scale / pixelRatio;
    for (const panel of root.querySelectorAll(PANELS)) {
      const box = panel.getBoundingClientRect();
      const covers = x > box.left - reach && x < box.right + reach && y > box.top - reach &&
        y < box.bottom + reach;
      panel.classList.toggle("faint", covers);
    }
  }
}
