/** Draws the ground's fixtures, merged into a few paths because they never change. */
import type { FixtureDef } from "../../../shared/game_kit/game_kit.ts";
import type { Context } from "../../presentation/picture/canvas.ts";
import type { Hue } from "../../presentation/picture/hues.ts";
import { paintBelt, paintLines, paintOneWay, paintSensor } from "./fixture_marks.ts";
import { type Corner, type Outline, outlinesOf } from "./outlines.ts";

/**
 * How deep the earth is below a line that runs from left to right, metres: more than any window
 * shows.
 */
const EARTH_DEPTH = 80;
/** How far below its highest point the earth is halfway to its shade, metres. */
const EARTH_SHADE = 14;
/** Metres. */
const EDGE_WIDTH = 0.12;
const LIT_WIDTH = 0.08;

export class GroundLook {
  readonly #solid = new Path2D();
  readonly #lit = new Path2D();
  readonly #lines = new Path2D();
  readonly #earth = new Path2D();
  readonly #marked: readonly Outline[];
  /**
   * Where the solid parts begin and end, and where the earth begins, metres: both grow darker
   * downwards.
   */
  readonly #solidTop: number;
  readonly #solidBottom: number;
  readonly #earthTop: number;

  constructor(fixtures: readonly FixtureDef[]) {
    const outlines = outlinesOf(fixtures);
    for (const outline of outlines) this.#add(outline);
    this.#marked = outlines.filter(({ fixture }) =>
      fixture.sensor || fixture.surfaceSpeed || fixture.oneWay
    );
    const heights = (of: readonly Outline[]) =>
      of.flatMap(({ corners }) => corners.map(([, y]) => y));
    const solid = heights(outlines.filter(({ isClosed, isLoop }) => isClosed && !isLoop));
    this.#solidTop = Math.max(-EARTH_DEPTH, ...solid);
    this.#solidBottom = Math.min(EARTH_DEPTH, ...solid);
    this.#earthTop = Math.max(-EARTH_DEPTH, ...heights(outlines.filter(isHill)));
  }

  #add(outline: Outline): void {
    const { fixture, path, corners, isClosed, isLoop } = outline;
    if (fixture.sensor) return;
    if (!isClosed || isLoop) this.#lines.addPath(path);
    else this.#solid.addPath(path);
    if (isHill(outline)) addEarth(this.#earth, corners);
    if (isClosed && !isLoop) addLitEdges(this.#lit, corners);
  }

  /** @param seconds the time in the frame, for belts */
  draw(context: Context, hue: Hue, { pixel, seconds }: { pixel: number; seconds: number }): void {
    // Draw the earth, then the edges of all solids
    context.lineJoin = context.lineCap = "round";
    context.fillStyle = shaded(context, hue, { top: this.#earthTop, depth: EARTH_SHADE });
    context.fill(this.#earth);
    context.strokeStyle = hue.shade;
    context.lineWidth = 2 * EDGE_WIDTH;
    context.stroke(this.#solid);

    // The fill hides the inner halves of both strokes, also where solids overlap.
    context.strokeStyle = hue.light;
    context.lineWidth = 2 * LIT_WIDTH;
    context.lineCap = "butt";
    context.stroke(this.#lit);
    context.fillStyle = shaded(context, hue, {
      top: this.#solidTop,
      depth: this.#solidTop - this.#solidBottom,
    });

    context.fill(this.#solid);
    paintLines(context, this.#lines, hue);

    // Mark what fixtures do
    for (const outline of this.#marked) {
      const { fixture } = outline;
      if (fixture.sensor) paintSensor(context, outline, hue, pixel);
      if (fixture.surfaceSpeed) paintBelt(context, outline, fixture.surfaceSpeed * seconds);
      if (fixture.oneWay) paintOneWay(context, outline, hue);
    }
  }
}

/** The hue's fill at the top, and halfway to its shade at `depth`. Metres. */
function shaded(
  context: Context,
  hue: Hue,
  { top, depth }: { top: number; depth: number },
): CanvasGradient {
  const fill = context.createLinearGradient(0, top, 0, top - 2 * Math.max(1, depth));
  fill.addColorStop(0, hue.fill);
  fill.addColorStop(1, hue.shade);
  return fill;
}

/** Whether the line bounds earth below it: it runs steadily to one side. */
function isHill({ fixture, corners, isClosed }: Outline): boolean {
  const isLine = !isClosed && !fixture.sensor && !fixture.oneWay;
  const runsRight = corners.every(([x], i) => i === 0 || x >= corners[i - 1]![0]);
  return isLine && corners.length > 2 &&
    (runsRight || corners.every(([x], i) => i === 0 || x <= corners[i - 1]![0]));
}

function addEarth(path: Path2D, corners: readonly Corner[]): void {
  const [firstX] = corners[0]!;
  const [lastX] = corners.at(-1)!;
  corners.forEach(([x, y], i) => i === 0 ? path.moveTo(x, y) : path.lineTo(x, y));
  path.lineTo(lastX, -EARTH_DEPTH);
  path.lineTo(firstX, -EARTH_DEPTH);
  path.closePath();
}

/**
 * Adds the edges that face up. Corners run counter-clockwise, so an upper edge runs to the left.
 */
function addLitEdges(path: Path2D, corners: readonly Corner[]): void {
  corners.forEach(([x, y], i) => {
    const [nextX, nextY] = corners[(i + 1) % corners.length]!;
    if ((x - nextX) / Math.hypot(nextX - x, nextY - y) <= 0.5) return;
    path.moveTo(x, y);
    path.lineTo(nextX, nextY);
  });
}
