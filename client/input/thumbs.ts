/**
 * Touch zones for any set of actions. The left thumb moves the first axes. The right thumb presses
 * the buttons, and moves a stick that aims or moves two more axes.
 */
import { findElement, make } from "../ui/dom.ts";
import type { ActionSet, AxisAction } from "./actions.ts";
import { type AimSource, angleOf } from "./aim.ts";
import { type InputDevice, TappedAxes } from "./input_device.ts";
import { digitalStick, STICK_CENTRE } from "./sticks.ts";
import { ButtonZone, StickZone } from "./thumb_zones.ts";

/** The axes under one thumb: at most one in each direction. */
export interface ThumbAxes {
  readonly horizontal?: AxisAction | undefined;
  readonly vertical?: AxisAction | undefined;
}

export interface ThumbActions extends Pick<ActionSet, "buttons"> {
  readonly left: ThumbAxes;
  /** What the right thumb's stick does: its axes, or aim; undefined without a stick. */
  readonly right: ThumbAxes | "aim" | undefined;
  /** The button that the right thumb presses by lifting from the aim; undefined for none. */
  readonly fires?: string | undefined;
}

export class Thumbs implements InputDevice, AimSource {
  readonly #buttons: ReadonlyMap<string, ButtonZone>;
  /** Reads each axis's present value, by its id. */
  readonly #values = new Map<string, () => number>();
  readonly #tapped = new TappedAxes();
  #hasAimed = false;
  readonly #fires: string | undefined;
  /** How often a thumb lifted from the aim. */
  #shots = 0;
  /** Whether the thumb has left the aim's centre since it came down, and whether it is outside. */
  #aim = { hasLeft: false, isOut: false };
  angle: number | undefined;

  /**
   * Fills the touch zones, with the first button at the bottom.
   * @param root holds the markup of index.html
   * @throws Error if a part is missing
   */
  constructor(root: ParentNode, { left, right, buttons, fires }: ThumbActions) {
    this.#fires = fires;
    const touch = findElement(root, "#touch");
    const steer = findElement(root, "#steer");
    const zones = buttons.filter(({ id }) => id !== fires).map((button) => new ButtonZone(button));
    this.#buttons = new Map(zones.map((zone) => [zone.id, zone]));
    zones[0]?.element.classList.add("main");
    const thumb = make("div", { id: "right-thumb" }, ...zones.map(({ element }) => element));
    touch.classList.add("thumbs");
    touch.append(thumb);
    touch.addEventListener("contextmenu", (event) => event.preventDefault());
    if (left.horizontal === undefined && left.vertical === undefined) steer.replaceChildren();
    else this.#addStick(steer, left);
    if (right === undefined) return;
    const element = make("div", { id: "right-stick" });
    thumb.prepend(element);
    this.#addStick(element, right);
  }

  isHeld(button: string): boolean {
    if (button === this.#fires) return this.#aim.isOut;
    return this.#buttons.get(button)?.isHeld ?? false;
  }

  presses(button: string): number {
    if (button === this.#fires) return this.#shots;
    return this.#buttons.get(button)?.presses ?? 0;
  }

  readAxis(axis: string, consumes: boolean): number {
    return this.#tapped.read(axis, consumes, this.#valueOf(axis));
  }

  update(): boolean {
    const hasAimed = this.#hasAimed;
    this.#hasAimed = false;
    return hasAimed;
  }

  #valueOf(axis: string): number {
    return this.#values.get(axis)?.() ?? 0;
  }

  #addStick(element: HTMLElement, what: ThumbAxes | "aim"): void {
    if (what === "aim") {
      const stick = new StickZone(element, {
        onMove: () => this.#onAim(stick),
        onLift: ({ isCancelled }) => this.#onLift(isCancelled),
      });
      return;
    }
    const { horizontal, vertical } = what;
    const axes = [horizontal, vertical].filter((axis) => axis !== undefined);

    // Two halves are quicker than a stick, because a thumb does not travel from one to the other.
    const isHalves = vertical === undefined &&
      (horizontal!.ofStick ?? digitalStick) === digitalStick;
    const stick = new StickZone(element, {
      isHalves,
      onMove: () => {
        for (const { id } of axes) this.#tapped.tap(id, this.#valueOf(id));
      },
    });
    if (horizontal !== undefined) {
      this.#values.set(horizontal.id, () => (horizontal.ofStick ?? digitalStick)(stick.x));
    }
    if (vertical !== undefined) {
      this.#values.set(vertical.id, () => (vertical.ofStick ?? digitalStick)(stick.y));
    }
  }

  /** Fires, unless the thumb called it off by going back to the centre. */
  #onLift(isCancelled: boolean): void {
    const { hasLeft, isOut } = this.#aim;
    if (!isCancelled && (isOut || !hasLeft)) this.#shots++;
    this.#aim = { hasLeft: false, isOut: false };
  }

  #onAim({ x, y }: StickZone): void {
    this.#aim.isOut = Math.hypot(x, y) >= STICK_CENTRE;
    if (!this.#aim.isOut) return;
    this.#aim.hasLeft = true;
    this.angle = angleOf(x, y);
    this.#hasAimed = true;
  }
}
