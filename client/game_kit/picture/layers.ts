/**
 * Canvases of an author's own renderer, such as WebGL's, below or above the kit's canvas, or in
 * place of what the kit draws there. Each is as large as the kit's, and measures the same pixels.
 * One that throws is hidden, and the kit draws what it would have replaced.
 */
import { GameError } from "../../../shared/game_kit/game_error.ts";
import { guarded } from "../guarded.ts";
import type { LooseLayer, LooseLayers } from "../loose_definition.ts";
import type { KitFrame } from "../kit_frame.ts";
import type { LayerMoment } from "../view_definition.ts";

type Place = keyof LooseLayers;
const PLACES: readonly Place[] = ["below", "instead", "above"];

/** One author's renderer with its canvas. */
interface OpenLayer {
  /** What it is in the view's definition. */
  readonly name: string;
  readonly canvas: HTMLCanvasElement;
  readonly layer: LooseLayer;
}

export class CanvasLayers {
  /** Whether the kit's canvas must let another one be seen through it. */
  readonly isClear: boolean;
  /** Whether a renderer draws in place of ground, things and particles, unless it throws. */
  readonly #isInstead: boolean;
  readonly #arena: HTMLCanvasElement;
  readonly #below: OpenLayer | undefined;
  readonly #above: OpenLayer | undefined;

  /** @param arena the kit's canvas. @throws GameError for a place that there is not */
  constructor(arena: HTMLCanvasElement, layers: LooseLayers = {}) {
    checkPlaces(layers);
    const { below, instead, above } = layers;
    this.#arena = arena;
    this.#isInstead = instead !== undefined;
    this.isClear = (below ?? instead) !== undefined;
    if (this.isClear) arena.style.background = "none";
    this.#below = this.#open(
      this.#isInstead ? "instead" : "below",
      below ?? instead,
      (canvas) => arena.before(canvas),
    );
    this.#above = this.#open("above", above, (canvas) => arena.after(canvas));
  }

  /** @returns what the kit has to draw itself: its sky, and its picture above it */
  drawBelow(frame: KitFrame, moment: LayerMoment): { sky: boolean; picture: boolean } {
    const isDrawn = this.#draw(this.#below, frame, moment);
    return { sky: !isDrawn, picture: !(isDrawn && this.#isInstead) };
  }

  drawAbove(frame: KitFrame, moment: LayerMoment): void {
    this.#draw(this.#above, frame, moment);
  }

  reset(): void {
    for (const opened of [this.#below, this.#above]) {
      if (opened !== undefined) {
        guarded(`${opened.name}.reset`, () => opened.layer.reset?.(), () => {});
      }
    }
  }

  #open(
    place: Place,
    open: LooseLayers[Place],
    insert: (canvas: HTMLCanvasElement) => void,
  ): OpenLayer | undefined {
    if (open === undefined) return undefined;
    const name = `layers.${place}`;
    const canvas = document.createElement("canvas");
    canvas.className = "layer";
    canvas.style.cssText = this.#arena.style.cssText;
    canvas.ariaHidden = "true";
    insert(canvas);

    // Such as a browser without WebGL
    return guarded<OpenLayer | undefined>(
      name,
      () => ({ name, canvas, layer: open(canvas) }),
      () => void canvas.remove(),
    );
  }

  /** @returns whether the layer is drawn */
  #draw(opened: OpenLayer | undefined, frame: KitFrame, moment: LayerMoment): boolean {
    if (opened === undefined) return false;
    const { name, canvas, layer } = opened;
    const { width, height } = this.#arena;
    if (canvas.width !== width) canvas.width = width;
    if (canvas.height !== height) canvas.height = height;
    const isDrawn = guarded(name, () => {
      layer.draw(frame, moment);
      return true;
    }, () => false);
    canvas.style.visibility = isDrawn ? "" : "hidden";
    return isDrawn;
  }
}

function checkPlaces(layers: LooseLayers): void {
  for (const place of Object.keys(layers)) {
    if (PLACES.includes(place as Place)) continue;
    throw new GameError(`defineView: \`layers\` has ${PLACES.join(", ")}, and not "${place}"`);
  }
  if (layers.below !== undefined && layers.instead !== undefined) {
    throw new GameError("defineView: `layers` has either `below` or `instead`, not both");
  }
}
