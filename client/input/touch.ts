/**
 * Two thumbs on glass: the left one steers by the side of its zone that it is on, and may slide over; the right one flaps, or
 * fires above that. A finger belongs to the zone where it came down until it is lifted.
 */
import { findElement } from "../ui/dom.ts";
import type { Direction, InputDevice } from "./input_device.ts";

type Zone = "steer" | "flap" | "fire";

interface Finger {
  readonly zone: Zone;
  direction: Direction;
}

export class Touch implements InputDevice {
  flapPresses = 0;
  firePresses = 0;
  readonly #touchZones: HTMLElement;
  readonly #steer: HTMLElement;
  /** By pointer id; as many as a screen tells apart. */
  readonly #fingers = new Map<number, Finger>();
  #tappedDirection: Direction = 0;

  /** @param root holds the markup of index.html. @throws Error where a part is missing */
  constructor(root: ParentNode) {
    this.#touchZones = findElement(root, "#touch");
    this.#steer = findElement(root, "#steer");
    this.#touchZones.addEventListener("pointerdown", (event) => this.#down(event));
    this.#touchZones.addEventListener("pointermove", (event) => this.#move(event));
    for (const end of ["pointerup", "pointercancel", "lostpointercapture"] as const) {
      this.#touchZones.addEventListener(end, (event) => this.#up(event));
    }
    this.#touchZones.addEventListener("contextmenu", (event) => event.preventDefault());
  }

  get flapHeld(): boolean {
    return this.#isDown("flap");
  }

  consumeDirection(): Direction {
    const direction = this.peekDirection();
    this.#tappedDirection = 0;
    return direction;
  }

  peekDirection(): Direction {
    return this.#direction || this.#tappedDirection;
  }

  /** Of two fingers that steer the one that came down last. */
  get #direction(): Direction {
    let direction: Direction = 0;
    for (const { zone, direction: fingerDirection } of this.#fingers.values()) {
      if (zone === "steer") direction = fingerDirection;
    }
    return direction;
  }

  #isDown(wanted: Zone): boolean {
    for (const { zone } of this.#fingers.values()) if (zone === wanted) return true;
    return false;
  }

  #down(event: PointerEvent): void {
    const zone = (event.target as HTMLElement).closest<HTMLElement>("[data-zone]")?.dataset.zone as Zone | undefined;
    if (zone === undefined) return;
    event.preventDefault(); // no focus, no click, no selection
    this.#touchZones.setPointerCapture(event.pointerId);
    this.#fingers.set(event.pointerId, { zone, direction: this.#directionOf(event) });
    if (zone === "steer") this.#tappedDirection = this.#directionOf(event);
    if (zone === "flap") this.flapPresses++;
    if (zone === "fire") this.firePresses++;
    this.#show();
  }

  #move(event: PointerEvent): void {
    const finger = this.#fingers.get(event.pointerId);
    if (finger?.zone !== "steer") return;
    finger.direction = this.#directionOf(event);
    this.#show();
  }

  #up(event: PointerEvent): void {
    if (this.#fingers.delete(event.pointerId)) this.#show();
  }

  #directionOf({ clientX }: PointerEvent): Direction {
    const { left, width } = this.#steer.getBoundingClientRect();
    return clientX < left + width / 2 ? -1 : 1;
  }

  /** What is pressed looks pressed. */
  #show(): void {
    const { dataset } = this.#touchZones;
    dataset.dir = String(this.#direction);
    dataset.flap = String(this.#isDown("flap"));
    dataset.fire = String(this.#isDown("fire"));
  }
}
