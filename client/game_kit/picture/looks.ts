/**
 * Draws a thing without a drawing: its fixtures with a shadow, a darker outline, an edge in the
 * light, and marks.
 */
import type { FixtureDef } from "../../../shared/game_kit/game_kit.ts";
import { type Context, OUTLINE_OWN, traceDisc, TURN } from "../../presentation/picture/canvas.ts";
import type { Hue, Pattern } from "../../presentation/picture/hues.ts";
import type { LooseThingDef } from "../loose_types.ts";
import type { ShownThing } from "../shown_thing.ts";
import { paintBelt, paintLines, paintOneWay, paintSensor } from "./fixture_marks.ts";
import { type Extent, extentOf, type Outline, outlinesOf } from "./outlines.ts";

/** Metres. */
const OUTLINE_WIDTH = 0.07;
const LIGHT_WIDTH = 0.05;
const SHADOW_X = 0.07;
const SHADOW_Y = -0.1;
const SHADOW = "rgb(5 7 18 / 32%)";
/** So that a point stays visible, metres. */
const PROJECTILE_RADIUS_MIN = 0.07;
/** A projectile's trail shows its path over this time, s. */
const TRAIL_SECONDS = 0.06;

/** How things with one name look. */
export class Look {
  readonly extent: Extent;
  readonly #isStatic: boolean;
  readonly #outlines: readonly Outline[];
  readonly #solids: readonly Outline[];
  readonly #isKinematic: boolean;
  /** Metres; undefined for a body. */
  readonly #projectileRadius: number | undefined;

  constructor({ body, projectile }: LooseThingDef) {
    const radius = projectile && Math.max(PROJECTILE_RADIUS_MIN, projectile.radius);
    const fixtures: readonly FixtureDef[] = body?.fixtures ?? [{ shape: { circle: radius ?? 0 } }];
    this.#projectileRadius = radius;
    this.#outlines = outlinesOf(fixtures);
    this.#solids = this.#outlines.filter(({ fixture, isClosed, isLoop }) =>
      !fixture.sensor && isClosed && !isLoop
    );
    this.#isStatic = body?.type === "static";
    this.#isKinematic = body?.type === "kinematic" || body?.path !== undefined;
    this.extent = extentOf(fixtures);
  }

  /**
   * Draws in the thing's own frame.
   * @param pixel metres per CSS pixel
   * @param seconds the time in the frame, for belts
   */
  draw(
    context: Context,
    shown: ShownThing,
    hue: Hue,
    { pixel, seconds }: { pixel: number; seconds: number },
  ): void {
    context.lineJoin = context.lineCap = "round";
    if (this.#projectileRadius !== undefined) {
      return drawProjectile(context, shown, hue, this.#projectileRadius);
    }

    if (!this.#isStatic) this.#drawShadow(context, shown.angle);
    const rim = shown.own ? OUTLINE_OWN : this.#isKinematic ? hue.light : hue.shade;

    // Draw all outlines first: where fixtures overlap, one's fill hides the other's outline.
    context.strokeStyle = rim;
    context.lineWidth = 2 * Math.max(OUTLINE_WIDTH, pixel);
    for (const { path } of this.#solids) context.stroke(path);

    // Add fills, patterns and details
    context.fillStyle = hue.fill;
    for (const { path } of this.#solids) context.fill(path);
    this.#drawPattern(context, hue, shown.pattern);
    for (const solid of this.#solids) drawDetails(context, solid, hue, this.#isStatic);

    // Mark sensors, lines, belts and one-way fixtures
    for (const outline of this.#outlines) {
      const { fixture, isClosed, isLoop } = outline;
      if (fixture.sensor) paintSensor(context, outline, hue, pixel);
      else if (!isClosed || isLoop) paintLines(context, outline.path, hue);
      if (fixture.surfaceSpeed) paintBelt(context, outline, fixture.surfaceSpeed * seconds);
      if (fixture.oneWay) paintOneWay(context, outline, hue);
    }
  }

  /** Draws a shadow that falls down and to the right, however the thing is turned. */
  #drawShadow(context: Context, angle: number): void {
    const c = Math.cos(angle), s = Math.sin(angle);
    const x = c * SHADOW_X + s * SHADOW_Y, y = c * SHADOW_Y - s * SHADOW_X;
    context.translate(x, y);
    context.fillStyle = context.strokeStyle = SHADOW;
    for (const { path } of this.#solids) context.fill(path);
    context.translate(-x, -y);
  }

  /** Draws marks that tell players with the same hue apart. */
  #drawPattern(context: Context, hue: Hue, pattern: Pattern): void {
    if (pattern === "plain") return;
    const { outer } = this.extent;
    const step = Math.max(0.12, outer * 0.36);

    // Stay within the solids
    context.save();
    const area = new Path2D();
    for (const { path } of this.#solids) area.addPath(path);
    context.clip(area);
    context.globalAlpha *= 0.5;
    context.strokeStyle = context.fillStyle = hue.mark;
    context.lineWidth = step * 0.34;

    // Draw stripes, chevrons or dots across them
    context.beginPath();
    for (let at = -outer + step / 2; at < outer; at += step) {
      if (pattern === "dots") {
        for (let across = -outer + step / 2; across < outer; across += step) {
          context.rect(at, across, step / 3, step / 3);
        }
        continue;
      }
      context.moveTo(at - (pattern === "chevrons" ? outer * 0.4 : 0), -outer);
      if (pattern === "chevrons") context.lineTo(at + outer * 0.3, 0);
      context.lineTo(at - (pattern === "chevrons" ? outer * 0.4 : 0), outer);
    }

    if (pattern === "dots") context.fill();
    else context.stroke();
    context.restore();
  }
}

/** Draws an edge that catches light, and a spoke on a disc so that its turning shows. */
function drawDetails(
  context: Context,
  { fixture: { shape }, inner }: Outline,
  hue: Hue,
  isStatic: boolean,
): void {
  if (inner === undefined) return;
  if ("circle" in shape && !isStatic) {
    const { circle: radius, x = 0, y = 0 } = shape;
    context.strokeStyle = hue.shade;
    context.lineWidth = radius * 0.13;
    context.beginPath();
    context.moveTo(x, y);
    context.lineTo(x + radius * 0.8, y);
    context.stroke();
    traceDisc(context, x, y, radius * 0.14);
    context.fillStyle = hue.shade;
    context.fill();
  }

  const alpha = context.globalAlpha;
  context.globalAlpha = alpha * 0.6;
  context.strokeStyle = hue.light;
  context.lineWidth = LIGHT_WIDTH;
  context.stroke(inner);
  context.globalAlpha = alpha;
}

/** Draws a bright point with a trail. */
function drawProjectile(context: Context, { vx, vy }: ShownThing, hue: Hue, radius: number): void {
  const alpha = context.globalAlpha;
  context.globalAlpha = alpha * 0.4;
  context.strokeStyle = hue.fill;
  context.lineWidth = radius * 1.5;
  context.beginPath();
  context.moveTo(0, 0);
  context.lineTo(-vx * TRAIL_SECONDS, -vy * TRAIL_SECONDS);
  context.stroke();
  context.globalAlpha = alpha;
  traceDisc(context, 0, 0, radius);
  context.fillStyle = hue.light;
  context.fill();
  context.strokeStyle = hue.fill;
  context.lineWidth = radius * 0.5;
  context.beginPath();
  context.arc(0, 0, radius, 0, TURN);
  context.stroke();
}
