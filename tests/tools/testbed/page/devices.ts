/** Keyboard, pointer and the buttons for thumbs, as the input of a tick. */
import { ACTION, DOWN, LEFT, RIGHT, type SceneInput, UP } from "../scene.ts";
import { toMetres, type View } from "./view.ts";

/** By `KeyboardEvent.code`. */
const KEYS: Readonly<Record<string, number>> = {
  ArrowLeft: LEFT,
  ArrowRight: RIGHT,
  ArrowUp: UP,
  ArrowDown: DOWN,
  KeyA: LEFT,
  KeyD: RIGHT,
  KeyW: UP,
  KeyS: DOWN,
  Space: ACTION,
};

/** The buttons for thumbs: those on the left, and those on the right. */
const PADS: readonly (readonly (readonly [bit: number, label: string, name: string])[])[] = [
  [[LEFT, "←", "Left"], [RIGHT, "→", "Right"]],
  [[DOWN, "↓", "Down"], [UP, "↑", "Up"], [ACTION, "●", "Action"]],
];

export class Devices {
  readonly #canvas: HTMLCanvasElement;
  readonly #pad: HTMLElement;
  readonly #view: () => View;
  /** Pressed on the keyboard, by code; and on the pad. */
  readonly #codes = new Set<string>();
  #padKeys = 0;
  /** Keys that were pressed since the last tick: a short press counts, too. */
  #tapped = 0;
  #pointerId: number | undefined;
  #wasPressed = false;
  /** CSS pixels of the canvas. */
  #pointer = { x: 0, y: 0 };

  constructor(canvas: HTMLCanvasElement, pad: HTMLElement, view: () => View) {
    this.#canvas = canvas;
    this.#pad = pad;
    this.#view = view;
    this.#listenToKeys();
    this.#listenToPointer();
  }

  /** Shows the buttons of the keys that a scene uses. @param keys their bits */
  showPad(keys: number): void {
    this.#pad.hidden = keys === 0;
    this.#pad.replaceChildren(...PADS.map((buttons) => {
      const side = document.createElement("div");
      side.append(
        ...buttons.filter(([bit]) => keys & bit).map((button) => this.#padButton(...button)),
      );
      return side;
    }));
  }

  /** The input of a tick that begins now. */
  take(): SceneInput {
    let keys = this.#padKeys | this.#tapped;
    for (const code of this.#codes) keys |= KEYS[code]!;
    const pressed = this.#pointerId !== undefined || this.#wasPressed;
    this.#tapped = 0;
    this.#wasPressed = false;
    const view = this.#view();
    const { x, y } = this.#pointer;
    const [metresX, metresY] = toMetres(view, x * view.density, y * view.density);
    return { keys, pointer: { x: Math.fround(metresX), y: Math.fround(metresY), pressed } };
  }

  #listenToKeys(): void {
    addEventListener("keydown", (event) => {
      const bit = KEYS[event.code];
      // Space presses the button that has the focus.
      const isButton = event.code === "Space" && event.target instanceof HTMLButtonElement;
      if (bit === undefined || isButton || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      this.#codes.add(event.code);
      this.#tapped |= bit;
    });
    addEventListener("keyup", ({ code }) => this.#codes.delete(code));
    addEventListener("blur", () => this.#codes.clear());
  }

  #listenToPointer(): void {
    const canvas = this.#canvas;
    const move = ({ offsetX, offsetY }: PointerEvent) => this.#pointer = { x: offsetX, y: offsetY };
    canvas.addEventListener("pointerdown", (event) => {
      if (this.#pointerId !== undefined || event.button !== 0) return;
      canvas.setPointerCapture(event.pointerId);
      this.#pointerId = event.pointerId;
      this.#wasPressed = true;
      canvas.classList.add("holding");
      move(event);
    });
    canvas.addEventListener("pointermove", (event) => {
      if (this.#pointerId === undefined || this.#pointerId === event.pointerId) move(event);
    });
    const release = ({ pointerId }: PointerEvent) => {
      if (pointerId !== this.#pointerId) return;
      this.#pointerId = undefined;
      canvas.classList.remove("holding");
    };
    canvas.addEventListener("pointerup", release);
    canvas.addEventListener("pointercancel", release);
  }

  #padButton(bit: number, label: string, name: string): HTMLButtonElement {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = label;
    button.ariaLabel = name;
    const set = (isDown: boolean) => {
      button.classList.toggle("down", isDown);
      this.#padKeys = isDown ? this.#padKeys | bit : this.#padKeys & ~bit;
      if (isDown) this.#tapped |= bit;
    };
    button.addEventListener("pointerdown", (event) => {
      button.setPointerCapture(event.pointerId);
      set(true);
    });
    for (const type of ["pointerup", "pointercancel", "lostpointercapture"] as const) {
      button.addEventListener(type, () => set(false));
    }
    return button;
  }
}
