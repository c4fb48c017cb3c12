/**
 * Draws the picture's backmost layer: colours from top to bottom, and by default a grid of metres.
 */
import type { Context } from "../../presentation/picture/canvas.ts";
import type { KitCamera } from "./kit_camera.ts";

/** A night, for a game that gives no colours. */
const NIGHT = ["#10142b", "#1b1e40", "#2c2748", "#3a2d4f"];
const GRID = "rgb(163 174 203 / 6%)";
const GRID_BOLD = "rgb(163 174 203 / 12%)";
/** Canvas pixels: finer squares would blur to a grey haze. */
const GRID_PX_MIN = 14;

export class Sky {
  readonly #colours: readonly string[];
  readonly #hasGrid: boolean;
  #gradient: CanvasGradient | undefined;
  #height = 0;

  /** @param options.hasGrid whether to draw the grid, as for a game without a background */
  constructor(colours: readonly string[] = NIGHT, options: { readonly hasGrid: boolean }) {
    this.#colours = colours;
    this.#hasGrid = options.hasGrid;
  }

  /** The context measures canvas pixels. */
  draw(context: Context, camera: KitCamera): void {
    const { width, height } = context.canvas;
    if (this.#height !== height || this.#gradient === undefined) {
      this.#gradient = this.#newGradient(context, height);
    }
    context.fillStyle = this.#gradient;
    context.fillRect(0, 0, width, height);
    if (!this.#hasGrid) return;
    drawGrid(context, camera, 1, GRID);
    drawGrid(context, camera, 5, GRID_BOLD);
  }

  #newGradient(context: Context, height: number): CanvasGradient {
    const gradient = context.createLinearGradient(0, 0, 0, height);
    const last = Math.max(1, this.#colours.length - 1);
    this.#colours.forEach((colour, i) => gradient.addColorStop(i / last, colour));
    this.#height = height;
    return gradient;
  }
}

/** @param metres between two lines */
function drawGrid(context: Context, camera: KitCamera, metres: number, colour: string): void {
  const { width, height } = context.canvas;
  const step = camera.scale * metres;
  if (step < GRID_PX_MIN) return;
  context.beginPath();
  for (let x = camera.xPx(camera.shakeX) % step; x < width; x += step) {
    context.moveTo(x, 0);
    context.lineTo(x, height);
  }
  for (let y = camera.yPx(camera.shakeY) % step; y < height; y += step) {
    context.moveTo(0, y);
    context.lineTo(width, y);
  }
  context.strokeStyle = colour;
  context.lineWidth = 1;
  context.stroke();
}
