/**
 * Canvases of an author's own renderer, such as WebGL's, below or above the kit's canvas, or in
 * place of what the kit draws there. Each is as large as the kit's, and measures the same pixels.
 */
import { GameError } from "../../../shared/game_kit/game_error.ts";
import type { LooseLayer, LooseLayers } from "../loose_definition.ts";
import type { KitFrame } from "../kit_frame.ts";
import type { LayerMoment } from "../view_definition.ts";

type Place = keyof LooseLayers;
const PLACES: readonly Place[] = ["below", "instead", "above"];

/** One author's renderer with its canvas. */
interface OpenLayer {
  readonly canvas: HTMLCanvasElement;
  readonly layer: LooseLayer;
}

export class CanvasLayers {
  /** Whether the kit's canvas must let another one be seen through it. */
  readonly isClear: boolean;
  /** Whether the kit draws sky, ground, things and particles. */
  readonly hasPicture: boolean;
  readonly #arena: HTMLCanvasElement;
  readonly #below: OpenLayer | undefined;
  readonly #above: OpenLayer | undefined;

  /** @param arena the kit's canvas. @throws GameError for a place that there is not */
  constructor(arena: HTMLCanvasElement, layers: LooseLayers = {}) {
    checkPlaces(layers);
    const { below, instead, above } = layers;
    this.#arena = arena;
    this.hasPicture = instead === undefined;
    this.isClear = (below ?? instead) !== undefined;
    if (this.isClear) arena.style.background = "none";
    this.#below = this.#open(below ?? instead, (canvas) => arena.before(canvas));
    this.#above = this.#open(above, (canvas) => arena.after(canvas));
  }

  drawBelow(frame: KitFrame, moment: LayerMoment): void {
    this.#draw(this.#below, frame, moment);
  }

  drawAbove(frame: KitFrame, moment: LayerMoment): void {
    this.#draw(this.#above, frame, moment);
  }

  reset(): void {
    this.#below?.layer.reset?.();
    this.#above?.layer.reset?.();
  }

  #open(
    open: LooseLayers[Place],
    insert: (canvas: HTMLCanvasElement) => void,
  ): OpenLayer | undefined {
    if (open === undefined) return undefined;
    const canvas = document.createElement("canvas");
    canvas.className = "layer";
    canvas.style.cssText = this.#arena.style.cssText;
    canvas.ariaHidden = "true";
    insert(canvas);
    return { canvas, layer: open(canvas) };
  }

  #draw(opened: OpenLayer | undefined, frame: KitFrame, moment: LayerMoment): void {
    if (opened === undefined) return;
    const { canvas, layer } = opened;
    const { width, height } = this.#arena;
    if (canvas.width !== width) canvas.width = width;
    if (canvas.height !== height) canvas.height = height;
    layer.draw(frame, moment);
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
