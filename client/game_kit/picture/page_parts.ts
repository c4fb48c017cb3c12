/**
 * Where the page's own words, numbers and touch zones lie over the picture, so that what a view
 * draws on the glass stays clear of them. CSS pixels from the canvas's top left corner, y
 * downwards.
 *
 *     where   timer    scores      the free corners lie between the parts
 *     ▪ top left         ▪ top right
 *     ▪ bottom left      ▪ bottom right
 *     ◀ ▶     help    buttons
 *
 * Parts change rarely, so they are measured when one of them changes, and not with each frame.
 */

/** CSS pixels from the canvas's top left corner. */
export interface Area {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** A free corner of the picture, or the middle of its upper or lower edge. */
export type HudCorner =
  | "top left"
  | "top"
  | "top right"
  | "bottom left"
  | "bottom"
  | "bottom right";

/** Between parts, and between a part and the picture's edge, CSS pixels. */
const GAP = 8;
/** A corner reaches this share of the width from its side; the middle of an edge takes the rest. */
const SIDE_SHARE = 0.3;
/** How high a line of the news is, in its own letters (hud.css). */
const NEWS_LINE = 1.95;
/**
 * All that lies over the picture. A zone for a thumb is larger than the picture to keep clear. The
 * first flight is there for some seconds and gives way to nothing: the glass stays as it will be.
 */
const PARTS = "#hud > :not(#touch, #feed, #result, #spoken, #first-flight), #touch span";

export class PageParts {
  readonly #canvas: HTMLCanvasElement;
  readonly #hasNews: boolean;
  #hud: HTMLElement | null = null;
  #parts: readonly Area[] = [];
  /** The picture without what a screen's notch or rounded corners hide. */
  #clear: Area = { left: 0, top: 0, right: 0, bottom: 0 };
  /** How high the page's letters are, CSS pixels. */
  letterPx = 16;
  /** Whether the page shows a round's result in the picture's middle. */
  hasResult = false;

  /**
   * @param canvas the picture
   * @param options.hasNews whether the page may show captions, for which room is kept
   */
  constructor(canvas: HTMLCanvasElement, { hasNews }: { hasNews: boolean }) {
    this.#canvas = canvas;
    this.#hasNews = hasNews;
  }

  /** Finds the page's parts. Call it with each frame of a match: parts come after the canvas. */
  update(): void {
    if (this.#hud !== null) return;
    const root = this.#canvas.ownerDocument;
    const hud = root.querySelector<HTMLElement>("#hud");
    if (hud === null || hud.hidden) return this.#measureCanvas();

    this.#hud = hud;
    const observer = new ResizeObserver(() => this.#measure());
    observer.observe(this.#canvas);
    for (const part of [hud, ...root.querySelectorAll(`${PARTS}, #feed, #result`)]) {
      observer.observe(part);
    }
    // A hint that has left the page keeps its size.
    hud.addEventListener("animationend", () => this.#measure());
    this.#measure();
  }

  #measureCanvas(): void {
    const { clientWidth, clientHeight } = this.#canvas;
    this.#clear = { left: 0, top: 0, right: clientWidth, bottom: clientHeight };
  }

  #measure(): void {
    const hud = this.#hud!;
    const { ownerDocument: root, clientWidth, clientHeight } = this.#canvas;
    const { left, top } = this.#canvas.getBoundingClientRect();
    const areaOf = (part: Element): Area => {
      const rect = part.getBoundingClientRect();
      return {
        left: rect.left - left,
        top: rect.top - top,
        right: rect.right - left,
        bottom: rect.bottom - top,
      };
    };

    // The HUD's padding keeps clear of notches.
    const style = getComputedStyle(hud);
    const outer = areaOf(hud);
    this.letterPx = parseFloat(style.fontSize);
    this.#clear = {
      left: Math.max(0, outer.left + parseFloat(style.paddingLeft)),
      top: Math.max(0, outer.top + parseFloat(style.paddingTop)),
      right: Math.min(clientWidth, outer.right - parseFloat(style.paddingRight)),
      bottom: Math.min(clientHeight, outer.bottom - parseFloat(style.paddingBottom)),
    };

    // What is empty or invisible covers nothing.
    const parts = [...root.querySelectorAll<HTMLElement>(PARTS)]
      .filter((part) => getComputedStyle(part).visibility !== "hidden")
      .map(areaOf)
      .filter((area) => area.right - area.left > 1 && area.bottom - area.top > 1);

    // News come and go, so they keep the room of all their lines.
    const news = root.querySelector<HTMLElement>("#feed");
    if (this.#hasNews && news !== null) {
      const style = getComputedStyle(news);
      const lines = Number(style.getPropertyValue("--lines"));
      const height = lines * NEWS_LINE * parseFloat(style.fontSize);
      const { left, top } = areaOf(news);
      const right = left + SIDE_SHARE * clientWidth / 2;
      parts.push({ left, top, right, bottom: top + height });
    }

    const result = root.querySelector<HTMLElement>("#result");
    this.hasResult = result !== null && !result.hidden;
    this.#parts = parts;
  }

  /**
   * Finds where a free corner begins.
   * @returns CSS pixels; the way into the picture leads from there down or up, and from the left or
   *   from the right or to both sides
   */
  cornerOf(corner: HudCorner): { readonly x: number; readonly y: number } {
    const { left, top, right, bottom } = this.#clear;
    const width = right - left;
    const height = bottom - top;
    const isTop = corner.startsWith("top");
    const isLeft = corner.endsWith("left"), isRight = corner.endsWith("right");
    const side = SIDE_SHARE * width;

    const between = (from: number, to: number): readonly Area[] =>
      this.#parts.filter((part) =>
        part.right > from && part.left < to && (part.top + part.bottom < top + bottom) === isTop
      );
    const beyond = (parts: readonly Area[]): number =>
      isTop
        ? Math.max(top, ...parts.map((part) => part.bottom)) + GAP
        : Math.min(bottom, ...parts.map((part) => part.top)) - GAP;

    if (!isLeft && !isRight) {
      return { x: (left + right) / 2, y: beyond(between(left + side, right - side)) };
    }
    const covering = isLeft ? between(left, left + side) : between(right - side, right);
    const x = isLeft ? left + GAP : right - GAP;
    const y = beyond(covering);
    if (isTop || covering.length === 0) return { x, y };

    // At the bottom a corner goes above thumbs or beside them, whichever costs the smaller share.
    const besideX = isLeft
      ? Math.max(...covering.map((part) => part.right)) + GAP
      : Math.min(...covering.map((part) => part.left)) - GAP;
    if (Math.abs(besideX - x) / width > (bottom - y) / height) return { x, y };
    const beside = isLeft ? between(besideX, besideX + side) : between(besideX - side, besideX);
    return { x: besideX, y: beyond(beside) };
  }

  /**
   * Moves a mark to the nearest place at which it is seen: inside the picture, and below or above
   * the page's parts.
   * @param reach how far the mark reaches from its middle, CSS pixels
   */
  seenFrom({ x, y }: { readonly x: number; readonly y: number }, reach: number) {
    const { left, top, right, bottom } = this.#clear;
    const seenX = Math.max(left + reach, Math.min(right - reach, x));
    let seenY = Math.max(top + reach, Math.min(bottom - reach, y));
    const parts = this.#parts.filter((part) =>
      part.left < seenX + reach && part.right > seenX - reach
    );
    const covers = (part: Area) => part.top < seenY + reach && part.bottom > seenY - reach;

    // A part that lies more in the upper half is passed below, any other above. From the edge
    // inwards, because below one part there may be another.
    const isUpper = (part: Area) => part.top + part.bottom < top + bottom;
    for (const part of parts.filter(isUpper).sort((a, b) => a.top - b.top)) {
      if (covers(part)) seenY = part.bottom + reach;
    }
    const lower = parts.filter((part) => !isUpper(part)).sort((a, b) => b.bottom - a.bottom);
    for (const part of lower) {
      if (covers(part)) seenY = part.top - reach;
    }
    return { x: seenX, y: seenY };
  }
}
