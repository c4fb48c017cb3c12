/**
 * Draws the lanes of the last half minute, one per seat, with a lane of events above them. A column is a tick. Dragging
 * over the lanes, or the slider below them, freezes the overlay at a tick.
 */
import { PLAYER_SEATS, type SeatId, SEATS, type Tick } from "../../shared/netcode/game.ts";
import { make, setText } from "../ui/dom.ts";
import type { FlightRow } from "./flight_log.ts";
import type { Naming } from "./flight_words.ts";
import { LANE, type SeatLanes } from "./replay/seat_lanes.ts";

/** Half a minute at 20 Hz. */
const COLUMNS = 600;
/** A lane's height in canvas pixels; the last line stays empty. The style sheet stretches it. */
const LANE_PX = 4;
/** A correction of another body by less is not an event, metres. */
const EVENT_METRES = 0.25;

/** Red, green, blue and opacity, as the canvas stores them on a little-endian machine. */
const rgb = (hex: number) => 0xff000000 | (hex & 0xff) << 16 | hex & 0xff00 | hex >> 16;

const STATE_COLOURS: Readonly<Record<number, number>> = {
  [LANE.known]: rgb(0x2f6b4f),
  [LANE.guessed]: rgb(0x3d5a99),
  [LANE.wrong]: rgb(0xffb347),
  [LANE.late]: rgb(0xff5f56),
};
const EVENT_COLOURS = { own: rgb(0xff5f56), other: rgb(0xffb347), pause: rgb(0xf1eee6), mark: rgb(0x6cc5ff) };

const LEGEND = [
  ["known", "known when it was first simulated"],
  ["guessed", "guessed, and right"],
  ["wrong", "guessed wrong"],
  ["late", "late: the server had to assume it"],
] as const;

export class LaneView {
  readonly element = make("div", { className: "lanes" });
  readonly #names = make("ol", { className: "lane-names" });
  readonly #canvas = make("canvas", { id: "lane-canvas", width: COLUMNS, height: LANE_PX });
  readonly #context = this.#canvas.getContext("2d")!;
  readonly #cursor = make("i", { className: "lane-cursor", hidden: true });
  readonly #slider = make("input", { type: "range", id: "scrub", min: "0", max: String(COLUMNS - 1), step: "1" });
  #seats: SeatId[] = [];
  #newest: Tick = -1;

  /** @param onScrub called with a tick that the player points at */
  constructor(onScrub: (tick: Tick) => void) {
    this.#canvas.setAttribute("role", "img");
    this.#canvas.setAttribute("aria-label", "A lane per player: what this page knew of their commands");
    this.#slider.setAttribute("aria-label", "Moment of the last thirty seconds");
    this.#slider.value = this.#slider.max;
    const field = make("div", { className: "lane-field" }, this.#canvas, this.#cursor);
    const legend = make("p", { className: "lane-legend" });
    for (const [id, text] of LEGEND) legend.append(make("span", { className: `lane-${id}` }, text));
    this.element.append(this.#names, field, this.#slider, legend);
    const scrubTo = (event: PointerEvent) => {
      const { left, width } = this.#canvas.getBoundingClientRect();
      onScrub(this.#tickOf(Math.round((event.clientX - left) / width * (COLUMNS - 1))));
    };
    field.addEventListener("pointerdown", (event) => {
      field.setPointerCapture(event.pointerId);
      scrubTo(event);
    });
    field.addEventListener("pointermove", (event) => event.buttons > 0 && scrubTo(event));
    this.#slider.addEventListener("input", () => onScrub(this.#tickOf(Number(this.#slider.value))));
  }

  /** Draws the lanes up to the newest tick. */
  show(lanes: SeatLanes, rows: readonly FlightRow[], naming: Naming): void {
    this.#newest = lanes.newest;
    this.#showNames(lanes, naming);
    const height = (this.#seats.length + 1) * LANE_PX;
    if (this.#canvas.height !== height) this.#canvas.height = height;
    const image = this.#context.createImageData(COLUMNS, height), pixels = new Uint32Array(image.data.buffer);
    this.#seats.forEach((seat, lane) => {
      for (let column = 0; column < COLUMNS; column++) {
        const colour = STATE_COLOURS[lanes.at(this.#tickOf(column), seat)];
        if (colour !== undefined) fill(pixels, { column, lane: lane + 1, colour });
      }
    });
    for (const row of rows) {
      const colour = eventColour(row, naming.ownSeat), column = row.tick - this.#newest + COLUMNS - 1;
      if (colour !== undefined && column >= 0 && column < COLUMNS) fill(pixels, { column, lane: 0, colour });
    }
    this.#context.putImageData(image, 0, 0);
  }

  /** Shows the cursor at a tick; undefined hides it. */
  setCursor(tick: Tick | undefined): void {
    this.#cursor.hidden = tick === undefined;
    const column = tick === undefined ? COLUMNS - 1 : Math.max(0, tick - this.#newest + COLUMNS - 1);
    this.#slider.value = String(column);
    this.#cursor.style.left = `${100 * column / (COLUMNS - 1)}%`;
  }

  #tickOf(column: number): Tick {
    return this.#newest - COLUMNS + 1 + Math.max(0, Math.min(COLUMNS - 1, column));
  }

  /** The own seat first, then players, then NPCs. */
  #showNames(lanes: SeatLanes, { ownSeat, nameOf }: Naming): void {
    const seats: SeatId[] = [];
    for (let seat = 0; seat < SEATS; seat++) if (isUsed(lanes, seat)) seats.push(seat);
    seats.sort((a, b) => Number(b === ownSeat) - Number(a === ownSeat) || a - b);
    this.#seats = seats;
    while (this.#names.children.length < seats.length + 1) this.#names.append(make("li", {}));
    [...this.#names.children].forEach((item, i) => {
      const seat = seats[i - 1], name = seat === undefined ? "" : nameOf(seat);
      setText(item as HTMLElement, i === 0 ? "events" : name);
      (item as HTMLElement).hidden = i > seats.length;
      item.className = seat === undefined ? "" : seat === ownSeat ? "own" : seat < PLAYER_SEATS ? "player" : "npc";
    });
  }
}

/** Whether anybody had the seat now and then in the last half minute; sampled, because that is enough. */
function isUsed(lanes: SeatLanes, seat: SeatId): boolean {
  for (let tick = lanes.newest; tick > lanes.newest - COLUMNS; tick -= 5) {
    if (lanes.at(tick, seat) !== LANE.empty) return true;
  }
  return false;
}

function eventColour(row: FlightRow, ownSeat: SeatId): number | undefined {
  switch (row.kind) {
    case "correction":
      if (row.correction.seat === ownSeat) return EVENT_COLOURS.own;
      return row.correction.metres < EVENT_METRES ? undefined : EVENT_COLOURS.other;
    case "false event":
      return row.wasShown ? EVENT_COLOURS.other : undefined;
    case "stall":
    case "silence":
    case "state":
      return EVENT_COLOURS.pause;
    case "mark":
    case "fault":
      return EVENT_COLOURS.mark;
  }
}

function fill(
  pixels: Uint32Array,
  { column, lane, colour }: { column: number; lane: number; colour: number },
): void {
  for (let line = 0; line < LANE_PX - 1; line++) pixels[(lane * LANE_PX + line) * COLUMNS + column] = colour;
}
