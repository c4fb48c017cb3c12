/**
 * Draws half a minute's lanes, one per seat, with a mark lane above them. A column is a tick.
 * Dragging over the lanes, or the slider below them, leads to a tick.
 */
import { PLAYER_SEATS, type SeatId, SEATS, type Tick } from "../../shared/netcode/game.ts";
import { make, setText } from "../ui/dom.ts";
import type { Naming } from "./flight_words.ts";

/** Half a minute at 20 Hz. */
export const LANE_COLUMNS = 600;
/** A lane's height in canvas pixels; the last line stays empty. The style sheet stretches it. */
const LANE_PX = 4;

/**
 * Converts a colour to red, green, blue and opacity, as the canvas stores them on a little-endian
 * machine.
 */
export const laneColour = (hex: number) =>
  0xff000000 | (hex & 0xff) << 16 | hex & 0xff00 | hex >> 16;

/** How lanes look, and what they are called. */
export interface LaneLooks {
  /**
   * The colour for each state (`laneColour`); a state without one is drawn empty, as state 0 is.
   */
  readonly colours: Readonly<Record<number, number>>;
  /** Classes and words that explain the colours. */
  readonly legend: readonly (readonly [className: string, words: string])[];
  /** For screen readers: the lanes, and the slider below them. */
  readonly label: string;
  readonly sliderLabel: string;
  /** The mark lane's name. */
  readonly marks: string;
}

/** Seats' states by tick. */
export interface Lanes {
  /** The last column's tick. */
  readonly newest: Tick;
  at(tick: Tick, seat: SeatId): number;
}

/** A mark above the lanes. */
export interface LaneMark {
  readonly tick: Tick;
  /** From `laneColour`. */
  readonly colour: number;
}

export class LaneView {
  readonly element = make("div", { className: "lanes" });
  readonly #looks: LaneLooks;
  readonly #names = make("ol", { className: "lane-names" });
  readonly #canvas = make("canvas", { id: "lane-canvas", width: LANE_COLUMNS, height: LANE_PX });
  readonly #context = this.#canvas.getContext("2d")!;
  readonly #cursor = make("i", { className: "lane-cursor", hidden: true });
  readonly #slider = make("input", {
    type: "range",
    id: "scrub",
    min: "0",
    max: String(LANE_COLUMNS - 1),
    step: "1",
  });
  #seats: SeatId[] = [];
  #newest: Tick = -1;

  /** @param onScrub called with a tick that the player points at */
  constructor(looks: LaneLooks, onScrub: (tick: Tick) => void) {
    this.#looks = looks;
    this.#canvas.setAttribute("role", "img");
    this.#canvas.setAttribute("aria-label", looks.label);
    this.#slider.setAttribute("aria-label", looks.sliderLabel);
    this.#slider.value = this.#slider.max;
    const field = make("div", { className: "lane-field" }, this.#canvas, this.#cursor);
    const legend = make("p", { className: "lane-legend" });
    for (const [id, text] of looks.legend) {
      legend.append(make("span", { className: `lane-${id}` }, text));
    }
    this.element.append(this.#names, field, this.#slider, legend);
    const scrubTo = (event: PointerEvent) => {
      const { left, width } = this.#canvas.getBoundingClientRect();
      onScrub(this.#tickOf(Math.round((event.clientX - left) / width * (LANE_COLUMNS - 1))));
    };
    field.addEventListener("pointerdown", (event) => {
      field.setPointerCapture(event.pointerId);
      scrubTo(event);
    });
    field.addEventListener("pointermove", (event) => event.buttons > 0 && scrubTo(event));
    this.#slider.addEventListener("input", () => onScrub(this.#tickOf(Number(this.#slider.value))));
  }

  /** Draws the lanes up to the newest tick. */
  show(lanes: Lanes, marks: Iterable<LaneMark>, naming: Naming): void {
    this.#newest = lanes.newest;
    this.#showNames(lanes, naming);
    const height = (this.#seats.length + 1) * LANE_PX;
    if (this.#canvas.height !== height) this.#canvas.height = height;
    const image = this.#context.createImageData(LANE_COLUMNS, height);
    const pixels = new Uint32Array(image.data.buffer);
    this.#seats.forEach((seat, lane) => {
      for (let column = 0; column < LANE_COLUMNS; column++) {
        const colour = this.#looks.colours[lanes.at(this.#tickOf(column), seat)];
        if (colour !== undefined) fill(pixels, { column, lane: lane + 1, colour });
      }
    });
    for (const { tick, colour } of marks) {
      const column = tick - this.#newest + LANE_COLUMNS - 1;
      if (column >= 0 && column < LANE_COLUMNS) fill(pixels, { column, lane: 0, colour });
    }
    this.#context.putImageData(image, 0, 0);
  }

  /** Shows the cursor at a tick; undefined hides it. */
  setCursor(tick: Tick | undefined): void {
    this.#cursor.hidden = tick === undefined;
    const column = tick === undefined
      ? LANE_COLUMNS - 1
      : Math.max(0, tick - this.#newest + LANE_COLUMNS - 1);
    this.#slider.value = String(column);
    this.#cursor.style.left = `${100 * column / (LANE_COLUMNS - 1)}%`;
  }

  #tickOf(column: number): Tick {
    return this.#newest - LANE_COLUMNS + 1 + Math.max(0, Math.min(LANE_COLUMNS - 1, column));
  }

  /** Shows the names: the own seat first, then players, then NPCs. */
  #showNames(lanes: Lanes, { ownSeat, nameOf }: Naming): void {
    const seats: SeatId[] = [];
    for (let seat = 0; seat < SEATS; seat++) if (isUsed(lanes, seat)) seats.push(seat);
    seats.sort((a, b) => Number(b === ownSeat) - Number(a === ownSeat) || a - b);
    this.#seats = seats;
    while (this.#names.children.length < seats.length + 1) this.#names.append(make("li", {}));
    [...this.#names.children].forEach((item, i) => {
      const seat = seats[i - 1];
      const name = seat === undefined ? "" : nameOf(seat);
      setText(item as HTMLElement, i === 0 ? this.#looks.marks : name);
      (item as HTMLElement).hidden = i > seats.length;
      item.className = seat === undefined
        ? ""
        : seat === ownSeat
        ? "own"
        : seat < PLAYER_SEATS
        ? "player"
        : "npc";
    });
  }
}

/** Whether the seat was taken in the last half minute. It samples, because that is enough. */
function isUsed(lanes: Lanes, seat: SeatId): boolean {
  for (let tick = lanes.newest; tick > lanes.newest - LANE_COLUMNS; tick -= 5) {
    if (lanes.at(tick, seat) !== 0) return true;
  }
  return false;
}

function fill(
  pixels: Uint32Array,
  { column, lane, colour }: { column: number; lane: number; colour: number },
): void {
  for (let line = 0; line < LANE_PX - 1; line++) {
    pixels[(lane * LANE_PX + line) * LANE_COLUMNS + column] = colour;
  }
}
