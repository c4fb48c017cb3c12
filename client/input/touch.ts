/**
 * Two thumbs on glass: the left one steers by the side of its zone that it is on, and may slide over; the right one flaps, or
 * fires above that. A finger belongs to the zone where it came down until it is lifted.
 */
import { findElement } from "../ui/dom.ts";
import type { Hand, Side } from "./input_device.ts";

type Zone = "steer" | "flap" | "fire";

interface Finger {
  readonly zone: Zone;
  side: Side;
}

export class Touch implements Hand {
  flapPresses = 0;
  firePresses = 0;
  readonly #pad: HTMLElement;
  readonly #steer: HTMLElement;
  /** By pointer id; as many as a screen tells apart. */
  readonly #fingers = new Map<number, Finger>();
  #tappedSide: Side = 0;

  /** @param root holds the markup of index.html. @throws Error where a part is missing */
  constructor(root: ParentNode) {
    this.#pad = findElement(root, "#touch");
    this.#steer = findElement(root, "#steer");
    this.#pad.addEventListener("pointerdown", (event) => this.#down(event));
    this.#pad.addEventListener("pointermove", (event) => this.#move(event));
    for (const end of ["pointerup", "pointercancel", "lostpointercapture"] as const) {
      this.#pad.addEventListener(end, (event) => this.#up(event));
    }
    this.#pad.addEventListener("contextmenu", (event) => event.preventDefault());
  }

  get hold(): boolean {
    return this.#isDown("flap");
  }

  takeDir(): Side {
    const dir = this.peekDir();
    this.#tappedSide = 0;
    return dir;
  }

  peekDir(): Side {
    return this.#dir || this.#tappedSide;
  }

  /** Of two fingers that steer the one that came down last. */
  get #dir(): Side {
    let dir: Side = 0;
    for (const { zone, side } of this.#fingers.values()) if (zone === "steer") dir = side;
    return dir;
  }

  #isDown(wanted: Zone): boolean {
    for (const { zone } of this.#fingers.values()) if (zone === wanted) return true;
    return false;
  }

  #down(event: PointerEvent): void {
    const zone = (event.target as HTMLElement).closest<HTMLElement>("[data-zone]")?.dataset.zone as Zone | undefined;
    if (zone === undefined) return;
    event.preventDefault(); // no focus, no click, no selection
    this.#pad.setPointerCapture(event.pointerId);
    this.#fingers.set(event.pointerId, { zone, side: this.#sideOf(event) });
    if (zone === "steer") this.#tappedSide = this.#sideOf(event);
    if (zone === "flap") this.flapPresses++;
    if (zone === "fire") this.firePresses++;
    this.#show();
  }

  #move(event: PointerEvent): void {
    const finger = this.#fingers.get(event.pointerId);
    if (finger?.zone !== "steer") return;
    finger.side = this.#sideOf(event);
    this.#show();
  }

  #up(event: PointerEvent): void {
    if (this.#fingers.delete(event.pointerId)) this.#show();
  }

  #sideOf({ clientX }: PointerEvent): Side {
    const { left, width } = this.#steer.getBoundingClientRect();
    return clientX < left + width / 2 ? -1 : 1;
  }

  /** What is pressed looks pressed. */
  #show(): void {
    const { dataset } = this.#pad;
    dataset.dir = String(this.#dir);
    dataset.flap = String(this.#isDown("flap"));
    dataset.fire = String(this.#isDown("fire"));
  }
}
