/**
 * Lets an author draw the whole picture: the kit fits the canvas, moves the camera and the particles,
 * and hands over each frame.
 */
import type { Renderer } from "../../presentation/view.ts";
import type { RendererOptions } from "../loose_view.ts";
import { guarded } from "../guarded.ts";
import type { KitFrame } from "../kit_frame.ts";
import type { LooseLayer, OpenLooseLayer } from "../loose_definition.ts";
import type { KitCamera } from "./kit_camera.ts";
import { PictureMotion } from "./picture_motion.ts";

export class OwnRenderer implements Renderer<KitFrame> {
  readonly #motion: PictureMotion;
  readonly #layer: LooseLayer;
  readonly #onOwnDrawn: RendererOptions["onOwnDrawn"];

  /** Throws what `open` throws, such as for a browser without WebGL. */
  constructor(
    canvas: HTMLCanvasElement,
    { definition, recipes, onOwnDrawn }: RendererOptions,
    open: OpenLooseLayer,
  ) {
    this.#motion = new PictureMotion(canvas, definition, recipes);
    this.#layer = open(canvas);
    this.#onOwnDrawn = onOwnDrawn;
  }

  get camera(): KitCamera {
    return this.#motion.camera;
  }

  /** How many particles are visible now. */
  get particleCount(): number {
    return this.#motion.particles.count;
  }

  setQuality(rung: number): void {
    this.#motion.setQuality(rung);
  }

  reset(): void {
    this.#motion.reset();
    guarded("renderer.reset", () => this.#layer.reset?.(), () => {});
  }

  draw(frame: KitFrame, nowMs: number): void {
    const { own } = frame;
    const { camera } = this;
    const moment = this.#motion.advance(frame, nowMs);
    guarded("renderer.draw", () => this.#layer.draw(frame, moment), () => {});
    this.#onOwnDrawn(own && { x: camera.xPx(own.x), y: camera.yPx(own.y) });
  }
}
