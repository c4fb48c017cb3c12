/** The touch zones for one thumb: a stick, two halves, or a button. Each belongs to one element. */
import { make } from "../ui/dom.ts";
import type { ButtonAction } from "./actions.ts";

/** How far a thumb moves from a stick's centre to its edge, CSS pixels. */
const STICK_RADIUS = 44;

/** Calls back for fingers that first touched an element, even after they left it. */
function onFingers(
  element: HTMLElement,
  { down, move, up }: Record<"down" | "move" | "up", (event: PointerEvent) => void>,
): void {
  element.addEventListener("pointerdown", (event) => {
    event.preventDefault(); // prevents focus, click and selection
    element.setPointerCapture(event.pointerId);
    down(event);
  });
  element.addEventListener("pointermove", move);
  for (const end of ["pointerup", "pointercancel", "lostpointercapture"] as const) {
    element.addEventListener(end, up);
  }
}

/**
 * A stick that centres where the thumb comes down, because players do not look at their thumbs. A
 * thumb that goes beyond the edge pulls the centre along, so that the way back is short.
 */
export class StickZone {
  /** As on a gamepad's stick: -1 … 1, right and down; 0 without a thumb. */
  x = 0;
  y = 0;
  readonly element: HTMLElement;
  readonly #knob = make("i", {});
  readonly #isHalves: boolean;
  readonly #onMove: () => void;
  readonly #onLift: ((how: { isCancelled: boolean }) => void) | undefined;
  /** The newest finger; undefined for none. */
  #finger: number | undefined;
  #centreX = 0;
  #centreY = 0;

  /**
   * @param element receives the stick's picture
   * @param options.isHalves whether it is two halves instead, for left and right
   * @param options.onMove called after each change
   * @param options.onLift called when the thumb lifts, or the browser takes it away, before the stick
   *   goes back to its centre
   */
  constructor(
    element: HTMLElement,
    { isHalves = false, onMove, onLift }: {
      isHalves?: boolean;
      onMove: () => void;
      onLift?: (how: { isCancelled: boolean }) => void;
    },
  ) {
    this.element = element;
    this.#isHalves = isHalves;
    this.#onMove = onMove;
    this.#onLift = onLift;
    if (!isHalves) element.replaceChildren(make("span", { className: "stick" }, this.#knob));
    onFingers(element, {
      down: (event) => {
        this.#finger = event.pointerId;
        this.#centreX = event.clientX;
        this.#centreY = event.clientY;
        this.#move(event);
      },
      move: (event) => this.#move(event),
      up: ({ pointerId, type }) => {
        if (pointerId !== this.#finger) return;
        this.#onLift?.({ isCancelled: type === "pointercancel" });
        this.#finger = undefined;
        this.#show(0, 0);
      },
    });
  }

  #move({ pointerId, clientX, clientY }: PointerEvent): void {
    if (pointerId !== this.#finger) return;
    if (this.#isHalves) {
      const { left, width } = this.element.getBoundingClientRect();
      return this.#show(clientX < left + width / 2 ? -1 : 1, 0);
    }
    const x = clientX - this.#centreX, y = clientY - this.#centreY;
    const beyond = Math.max(1, Math.hypot(x, y) / STICK_RADIUS);
    this.#centreX = clientX - x / beyond;
    this.#centreY = clientY - y / beyond;
    this.#show(x / beyond / STICK_RADIUS, y / beyond / STICK_RADIUS);
  }

  #show(x: number, y: number): void {
    this.x = x;
    this.y = y;
    this.#onMove();
    if (this.#isHalves) {
      this.element.dataset.dir = String(x);
      return;
    }
    this.element.classList.toggle("down", this.#finger !== undefined);
    this.#knob.style.translate = `${x * STICK_RADIUS}px ${y * STICK_RADIUS}px`;
  }
}

/** A zone for one button. */
export class ButtonZone {
  readonly id: string;
  readonly element: HTMLElement;
  presses = 0;
  /** By pointer id; a screen bounds their number. */
  readonly #fingers = new Set<number>();

  constructor({ id, touchLabel }: ButtonAction) {
    this.id = id;
    this.element = make(
      "div",
      { id: `${id}-zone`, className: "press" },
      make("span", { textContent: touchLabel }),
    );
    onFingers(this.element, {
      down: ({ pointerId }) => {
        this.presses++;
        this.#fingers.add(pointerId);
        this.#show();
      },
      move: () => {},
      up: ({ pointerId }) => {
        this.#fingers.delete(pointerId);
        this.#show();
      },
    });
  }

  get isHeld(): boolean {
    return this.#fingers.size > 0;
  }

  #show(): void {
    this.element.classList.toggle("down", this.isHeld);
  }
}
