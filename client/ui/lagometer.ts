/**
 * A line of bars beside the ping, one per tick in the last three seconds. It stays empty while all
 * is well, so it needs no switch. It belongs to the page instead of the overlay, because a player
 * looks at it at the moment of a lag.
 *
 *     amber   a prediction was wrong; the height is the number of ticks that were stepped again
 *     red     an own command missed its tick
 */
import type { TelemetryRow } from "../presentation/telemetry.ts";
import { findElement } from "./dom.ts";

const TICKS = 60;
/** Bars for more ticks are cut off. */
const HEIGHT = 8;

export class Lagometer {
  readonly #context: CanvasRenderingContext2D;
  #newest = -1;

  /** @param root holds the markup of index.html. @throws Error if it has no canvas for the bars */
  constructor(root: ParentNode) {
    const canvas = findElement<HTMLCanvasElement>(root, "#lag");
    canvas.width = TICKS;
    canvas.height = HEIGHT;
    this.#context = canvas.getContext("2d")!;
  }

  /** May be called for each frame, because it draws only when a new row came. */
  show(rows: readonly TelemetryRow[]): void {
    const newest = rows.at(-1)?.tick ?? -1;
    const context = this.#context;
    if (newest === this.#newest) return;
    this.#newest = newest;
    context.clearRect(0, 0, TICKS, HEIGHT);
    rows.slice(-TICKS).forEach(({ late, resimulatedTicks }, i) => {
      context.fillStyle = late > 0 ? "#ff5f56" : "#ffb347";
      context.fillRect(i, HEIGHT, 1, late > 0 ? -HEIGHT : -resimulatedTicks);
    });
  }
}
