/**
 * Draws on the glass, above the world: CSS pixels from the canvas's top left corner, y downwards.
 * Corners are named, and know where the page's own parts stand; what goes into a corner stacks from
 * its edge inwards.
 */
import { GameError } from "../../../shared/game_kit/game_error.ts";
import { type Context, HALO } from "../../presentation/picture/canvas.ts";
import { FONT, LABEL_COLOUR } from "../../presentation/picture/words.ts";
import type { Area } from "./brush.ts";
import type { KitCamera } from "./kit_camera.ts";
import type { HudCorner, PageParts } from "./page_parts.ts";

/** Between two things in one corner, CSS pixels. */
const GAP = 6;
const CORNERS: readonly HudCorner[] = [
  "top left",
  "top",
  "top right",
  "bottom left",
  "bottom",
  "bottom right",
];

/** Options of `HudBrush.text`. */
export interface HudTextOptions {
  /** Letter height in letters of the page; default 1. */
  readonly size?: number;
  /** CSS; default a warm white. */
  readonly colour?: string;
  /** Default false. */
  readonly bold?: boolean;
}

/** All lengths are CSS pixels, y downwards, from the picture's top left corner. Colours are CSS. */
export interface HudBrush {
  /** Measures CSS pixels. Restore what you change. */
  readonly context: CanvasRenderingContext2D;
  /** The picture's width, CSS pixels. */
  readonly width: number;
  /** The picture's height, CSS pixels. */
  readonly height: number;
  /** How high the page's letters are, CSS pixels: they follow window and player. */
  readonly letter: number;
  /** The page's clock, for looks that move by themselves. */
  readonly nowMs: number;
  /** Whether the player asked their system for less motion: then let nothing pulse or rock. */
  readonly isCalm: boolean;
  /**
   * Takes room in a corner, next to what is there already.
   * @param corner "top left", "top", "top right", "bottom left", "bottom" or "bottom right"
   * @param width CSS pixels
   * @param height CSS pixels
   * @returns the room's top left corner
   */
  place(
    corner: HudCorner,
    width: number,
    height: number,
  ): { readonly x: number; readonly y: number };
  /** A line of letters in a corner. */
  text(corner: HudCorner, words: string, options?: HudTextOptions): void;
  /** Where a place of the world is on the glass. @param x metres */
  at(x: number, y: number): { readonly x: number; readonly y: number };
  /** The part of the world that the picture shows: its middle and its size, metres. */
  readonly visible: Area;
}

export class CanvasHudBrush implements HudBrush {
  readonly context: Context;
  readonly #parts: PageParts;
  readonly #camera: KitCamera;
  /** By corner: how much of it is taken, CSS pixels. */
  readonly #taken = new Map<HudCorner, number>();
  #pixelRatio = 1;
  nowMs = 0;
  isCalm = false;

  constructor(context: Context, parts: PageParts, camera: KitCamera) {
    this.context = context;
    this.#parts = parts;
    this.#camera = camera;
  }

  /** Empties the corners, for a new frame. @param pixelRatio canvas pixels per CSS pixel */
  begin(pixelRatio: number, moment: { readonly nowMs: number; readonly isCalm: boolean }): void {
    this.#pixelRatio = pixelRatio;
    this.#taken.clear();
    Object.assign(this, moment);
    this.context.setTransform(pixelRatio, 0, 0, pixelRatio, 0, 0);
  }

  get width(): number {
    return this.context.canvas.width / this.#pixelRatio;
  }

  get height(): number {
    return this.context.canvas.height / this.#pixelRatio;
  }

  get letter(): number {
    return this.#parts.letterPx;
  }

  get visible(): Area {
    return this.#camera.visible(this.context.canvas);
  }

  place(corner: HudCorner, width: number, height: number): { x: number; y: number } {
    if (!CORNERS.includes(corner)) {
      throw new GameError(`hud: "${corner}" is none of the corners ${CORNERS.join(", ")}`);
    }
    const { x, y } = this.#parts.cornerOf(corner);
    const taken = this.#taken.get(corner) ?? 0;
    this.#taken.set(corner, taken + height + GAP);
    return {
      x: corner.endsWith("left") ? x : corner.endsWith("right") ? x - width : x - width / 2,
      y: corner.startsWith("top") ? y + taken : y - taken - height,
    };
  }

  text(
    corner: HudCorner,
    words: string,
    { size = 1, colour = LABEL_COLOUR, bold = false }: HudTextOptions = {},
  ): void {
    const { context } = this;
    const sizePx = size * this.letter;
    context.save();
    context.font = `${bold ? 800 : 600} ${sizePx}px ${FONT}`;
    context.textAlign = "left";
    context.textBaseline = "middle";
    context.lineJoin = "round";
    context.lineWidth = sizePx * 0.2;
    context.strokeStyle = HALO;
    context.fillStyle = colour;
    const height = sizePx * 1.25;
    const { x, y } = this.place(corner, context.measureText(words).width, height);
    context.strokeText(words, x, y + height / 2);
    context.fillText(words, x, y + height / 2);
    context.restore();
  }

  at(x: number, y: number): { x: number; y: number } {
    const camera = this.#camera;
    return { x: camera.xPx(x) / this.#pixelRatio, y: camera.yPx(y) / this.#pixelRatio };
  }
}
