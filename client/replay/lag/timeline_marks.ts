/** Marks the corrections of a lag report above the timeline: a column of pixels for each tick. */
import type { SeatId, Tick } from "../../../shared/netcode/game.ts";
import type { FlightCorrection } from "../../debug/replay/flight_replay.ts";
import { setHidden } from "../../ui/dom.ts";

/** The style sheet stretches the canvas; a mark is as high as its correction is far. */
const HEIGHT = 8;
/** A correction of this many metres or more has the full height. */
const METRES_MAX = 1;
const OWN = "#ff5f56";
const OTHER = "#ffb347";

export class TimelineMarks {
  readonly #canvas: HTMLCanvasElement;
  readonly #brush: CanvasRenderingContext2D;

  constructor(canvas: HTMLCanvasElement) {
    this.#canvas = canvas;
    this.#brush = canvas.getContext("2d")!;
  }

  /** Draws a mark for each correction. Own ones lie above others of the same tick. */
  show(
    corrections: readonly Pick<FlightCorrection, "tick" | "seat" | "metres">[],
    { firstTick, lastTick, ownSeat }: { firstTick: Tick; lastTick: Tick; ownSeat: SeatId },
  ): void {
    const canvas = this.#canvas;
    setHidden(canvas, false);
    // A new width clears the canvas.
    canvas.width = Math.max(1, lastTick - firstTick + 1);
    canvas.height = HEIGHT;
    const draw = (isOwn: boolean) => {
      this.#brush.fillStyle = isOwn ? OWN : OTHER;
      for (const { tick, seat, metres } of corrections) {
        if ((seat === ownSeat) !== isOwn) continue;
        const height = Math.max(2, Math.round(HEIGHT * Math.min(1, metres / METRES_MAX)));
        this.#brush.fillRect(tick - firstTick, HEIGHT - height, 1, height);
      }
    };
    draw(false);
    draw(true);
  }

  hide(): void {
    setHidden(this.#canvas, true);
  }
}
