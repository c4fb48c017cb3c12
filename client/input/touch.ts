/**
 * Touch zones as an input device. The left thumb steers towards the half of the zone that it
 * touches, and may slide. The right thumb presses buttons, one zone each. A finger belongs to the
 * zone that it touched first.
 */
import { findElement, make } from "../ui/dom.ts";
import type { ActionSet, ButtonAction } from "./actions.ts";
import { type InputDevice, PressTotals, TappedAxes } from "./input_device.ts";

/** The zone that steers; every other zone is named after its button's id. */
const STEER = "steer";

interface Finger {
  readonly zone: string;
  /** Along the axis, if it steers. */
  direction: -1 | 1;
}

export class Touch implements InputDevice {
  /** The first axis's id. */
  readonly #axis: string;
  readonly #presses = new PressTotals();
  readonly #touchZones: HTMLElement;
  readonly #steer: HTMLElement;
  readonly #buttonZones: readonly HTMLElement[];
  /** By pointer id; a screen bounds their number. */
  readonly #fingers = new Map<number, Finger>();
  readonly #tapped = new TappedAxes();

  /**
   * Adds a zone for each button, with the main one at the bottom.
   * @param root holds the markup of index.html
   * @throws Error if a part is missing
   */
  constructor(root: ParentNode, { axes, buttons }: ActionSet) {
    this.#axis = axes[0]!.id;
    this.#touchZones = findElement(root, "#touch");
    this.#steer = findElement(root, "#steer");
    this.#buttonZones = buttons.toReversed().map(zoneOf);
    this.#buttonZones.at(-1)?.classList.add("main");
    this.#touchZones.append(...this.#buttonZones);
    this.#touchZones.addEventListener("pointerdown", (event) => this.#down(event));
    this.#touchZones.addEventListener("pointermove", (event) => this.#move(event));
    for (const end of ["pointerup", "pointercancel", "lostpointercapture"] as const) {
      this.#touchZones.addEventListener(end, (event) => this.#up(event));
    }
    this.#touchZones.addEventListener("contextmenu", (event) => event.preventDefault());
  }

  isHeld(button: string): boolean {
    for (const { zone } of this.#fingers.values()) if (zone === button) return true;
    return false;
  }

  presses(button: string): number {
    return this.#presses.of(button);
  }

  readAxis(axis: string, consumes: boolean): number {
    return this.#tapped.read(axis, consumes, axis === this.#axis ? this.#direction : 0);
  }

  /** If two fingers steer, the newer one counts. */
  get #direction(): number {
    let direction = 0;
    for (const { zone, direction: fingerDirection } of this.#fingers.values()) {
      if (zone === STEER) direction = fingerDirection;
    }
    return direction;
  }

  #down(event: PointerEvent): void {
    const zone = (event.target as HTMLElement).closest<HTMLElement>("[data-zone]")?.dataset.zone;
    if (zone === undefined) return;
    event.preventDefault(); // prevents focus, click and selection
    this.#touchZones.setPointerCapture(event.pointerId);
    this.#fingers.set(event.pointerId, { zone, direction: this.#directionOf(event) });
    if (zone === STEER) this.#tapped.tap(this.#axis, this.#directionOf(event));
    else this.#presses.add(zone);
    this.#show();
  }

  #move(event: PointerEvent): void {
    const finger = this.#fingers.get(event.pointerId);
    if (finger?.zone !== STEER) return;
    finger.direction = this.#directionOf(event);
    this.#show();
  }

  #up(event: PointerEvent): void {
    if (this.#fingers.delete(event.pointerId)) this.#show();
  }

  #directionOf({ clientX }: PointerEvent): -1 | 1 {
    const { left, width } = this.#steer.getBoundingClientRect();
    return clientX < left + width / 2 ? -1 : 1;
  }

  /** Makes pressed zones look pressed. */
  #show(): void {
    this.#touchZones.dataset.dir = String(this.#direction);
    for (const zone of this.#buttonZones) {
      zone.classList.toggle("down", this.isHeld(zone.dataset.zone!));
    }
  }
}

function zoneOf({ id, touchLabel }: ButtonAction): HTMLElement {
  const zone = make(
    "div",
    { id: `${id}-zone`, className: "press" },
    make("span", { textContent: touchLabel }),
  );
  zone.dataset.zone = id;
  return zone;
}
