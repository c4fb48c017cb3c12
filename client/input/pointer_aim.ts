/** Aims with a mouse or a pen, from the own body's moving place on the screen to the pointer. */
import { type AimSource, angleOf } from "./aim.ts";

/**
 * Nearer to the body than this, CSS pixels, the pointer gives no direction, so the last one stays.
 */
const DISTANCE_MIN = 4;

/** What is used from a canvas. */
export interface AimCanvas {
  /** In its own pixels. */
  readonly width: number;
  readonly height: number;
  /** In CSS pixels. */
  getBoundingClientRect(): Pick<DOMRect, "left" | "top" | "width" | "height">;
}

export class PointerAim implements AimSource {
  readonly #canvas: AimCanvas;
  /** Where the own body was drawn, in canvas pixels; undefined for the canvas's centre. */
  origin: { readonly x: number; readonly y: number } | undefined;
  #pointer: { readonly clientX: number; readonly clientY: number } | undefined;
  #hasMoved = false;
  #angle: number | undefined;

  /** @param target receives the pointer events: the window in a browser */
  constructor(target: EventTarget, canvas: AimCanvas) {
    this.#canvas = canvas;
    for (const kind of ["pointermove", "pointerdown"]) {
      target.addEventListener(kind, (event) => this.#move(event as PointerEvent));
    }
  }

  update(): boolean {
    const hasMoved = this.#hasMoved;
    this.#hasMoved = false;
    return hasMoved;
  }

  get angle(): number | undefined {
    if (this.#pointer === undefined) return undefined;
    const { left, top, width, height } = this.#canvas.getBoundingClientRect();
    const { x, y } = this.origin ?? { x: this.#canvas.width / 2, y: this.#canvas.height / 2 };
    const dx = this.#pointer.clientX - left - x * width / this.#canvas.width;
    const dy = this.#pointer.clientY - top - y * height / this.#canvas.height;
    if (this.#angle === undefined || Math.hypot(dx, dy) >= DISTANCE_MIN) {
      this.#angle = angleOf(dx, dy);
    }
    return this.#angle;
  }

  /** Takes the pointer's place, except a finger's, because fingers use touch zones. */
  #move({ pointerType, clientX, clientY }: PointerEvent): void {
    if (pointerType === "touch") return;
    this.#pointer = { clientX, clientY };
    this.#hasMoved = true;
  }
}
