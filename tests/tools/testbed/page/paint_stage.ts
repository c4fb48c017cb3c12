/** Draws one frame: night, grid, ground, bodies, joints and marks. */
import type { Archetype, StageDef } from "../../../../shared/physics/core/types.ts";
import { type Colour, type Scene } from "../scene.ts";
import {
  COLOUR_ORDER,
  GRID,
  GRID_BOLD,
  OUTLINE,
  type Paint,
  PAINTS,
  SKY,
  STONE,
} from "./colours.ts";
import { type Outline, outlinesOf } from "../../../../client/game_kit/picture/outlines.ts";
import { paintJoint } from "./paint_joints.ts";
import { paintMark } from "./paint_marks.ts";
import type { Shown } from "./shown.ts";
import { toMetres, useMetres, usePixels, type View } from "./view.ts";

type Context = CanvasRenderingContext2D;

/** The look of one archetype, or of the ground. */
interface Look {
  readonly paint: Paint;
  readonly outlines: readonly Outline[];
  readonly isGround: boolean;
  /** Kinematic bodies have a light outline. */
  readonly isKinematic: boolean;
}

/** Metres a belt's marks are apart. */
const BELT_GAP = 0.8;

export class StagePainter {
  readonly #looks = new Map<Archetype | "ground", Look>();
  readonly #tickHz: number;

  constructor({ stage, colours = {} }: Scene) {
    this.#tickHz = stage.tickHz;
    this.#looks.set(
      "ground",
      this.#lookOf(stage.ground, colours.ground, STONE, { isGround: true }),
    );
    stage.archetypes.forEach((archetype, i) => {
      const isStatic = archetype.body?.type === "static";
      const isKinematic = archetype.body?.type === "kinematic" ||
        archetype.body?.path !== undefined;
      const fallback = isStatic ? STONE : PAINTS[COLOUR_ORDER[i % COLOUR_ORDER.length]!];
      const fixtures = archetype.body?.fixtures ??
        [{ shape: { circle: Math.max(0.05, archetype.projectile?.radius ?? 0) } }];
      const options = { isGround: isStatic, isKinematic };
      this.#looks.set(
        archetype,
        this.#lookOf(fixtures, colours[archetype.name], fallback, options),
      );
    });
  }

  #lookOf(
    fixtures: StageDef["ground"],
    colour: Colour | undefined,
    fallback: Paint,
    { isGround = false, isKinematic = false }: { isGround?: boolean; isKinematic?: boolean },
  ): Look {
    const paint = colour === undefined ? fallback : PAINTS[colour];
    return {
      paint,
      outlines: outlinesOf(fixtures),
      isGround: isGround && colour === undefined,
      isKinematic,
    };
  }

  draw(
    context: Context,
    shown: Shown,
    view: View,
    options: { joints: boolean; fraction: number },
  ): void {
    paintNight(context, view);
    const seconds = (shown.tick + options.fraction) / this.#tickHz;
    useMetres(context, view);
    context.lineJoin = context.lineCap = "round";
    this.#drawLook(context, this.#looks.get("ground")!, view, seconds);

    for (const { archetype, x, y, angle, awake } of shown.bodies.values()) {
      context.save();
      context.translate(x, y);
      context.rotate(angle);
      if (!awake) context.globalAlpha = 0.55;
      this.#drawLook(context, this.#looks.get(archetype)!, view, seconds);
      context.restore();
    }

    for (const joint of shown.joints.values()) {
      if (options.joints || joint.definition.type === "mouse") paintJoint(context, joint, view);
    }
    usePixels(context);
    for (const mark of [...shown.contacts, ...shown.marks]) paintMark(context, mark, view);
  }

  #drawLook(context: Context, look: Look, view: View, seconds: number): void {
    const { pixel } = view;
    for (const outline of look.outlines) {
      if (outline.fixture.sensor) paintSensor(context, outline, look.paint, pixel);
      else if (!outline.isClosed) paintLine(context, outline, look, view);
      else if ("chain" in outline.fixture.shape) paintLoop(context, outline, look.paint, pixel);
      else paintSolid(context, outline, look, pixel);
      if (outline.fixture.surfaceSpeed) {
        paintBelt(context, outline, outline.fixture.surfaceSpeed * seconds, pixel);
      }
      if (outline.fixture.oneWay) paintOneWay(context, outline, pixel);
    }
  }
}

/** The sky at night, and a grid of metres. */
function paintNight(context: Context, view: View): void {
  const { width, height } = view;
  const sky = context.createLinearGradient(0, 0, 0, height);
  for (const [at, colour] of SKY) sky.addColorStop(at, colour);
  usePixels(context);
  context.fillStyle = sky;
  context.fillRect(0, 0, width, height);
  const [left, top] = toMetres(view, 0, 0);
  const [right, bottom] = toMetres(view, width, height);
  useMetres(context, view);
  context.lineWidth = view.density / view.scale;

  for (const [step, colour] of [[1, GRID], [5, GRID_BOLD]] as const) {
    context.beginPath();
    for (let x = Math.ceil(left / step) * step; x <= right; x += step) {
      context.moveTo(x, bottom);
      context.lineTo(x, top);
    }
    for (let y = Math.ceil(bottom / step) * step; y <= top; y += step) {
      context.moveTo(left, y);
      context.lineTo(right, y);
    }
    context.strokeStyle = colour;
    context.stroke();
  }
}

/** @param pixel metres of a CSS pixel */
function paintSolid(
  context: Context,
  { fixture, path, inner, corners }: Outline,
  look: Look,
  pixel: number,
) {
  const { paint, isGround, isKinematic } = look;
  context.fillStyle = paint.fill;
  context.fill(path);
  if (isGround) return paintStone(context, corners, path, paint, pixel);

  if (inner !== undefined) {
    context.strokeStyle = paint.light;
    context.lineWidth = 1.5 * pixel;
    context.save();
    context.globalAlpha *= 0.55;
    context.stroke(inner);
    context.restore();
  }

  context.strokeStyle = isKinematic ? paint.light : OUTLINE;
  context.lineWidth = 2 * pixel;
  context.stroke(path);
  if (!("circle" in fixture.shape)) return;
  const { circle: radius, x = 0, y = 0 } = fixture.shape;
  strokeLine(context, [x, y, x + radius * 0.86, y], paint.shade, 2.5 * pixel);
}

/** Stone has an edge that catches light where it faces up. */
function paintStone(
  context: Context,
  corners: readonly (readonly [number, number])[],
  path: Path2D,
  paint: Paint,
  pixel: number,
): void {
  context.strokeStyle = paint.shade;
  context.lineWidth = 1.5 * pixel;
  context.stroke(path);
  if (corners.length === 0) {
    context.strokeStyle = paint.light;
    context.stroke(path);
  }
  corners.forEach(([x, y], i) => {
    const [nextX, nextY] = corners[(i + 1) % corners.length]!;
    const along = Math.hypot(nextX - x, nextY - y);
    if ((x - nextX) / along > 0.5) {
      strokeLine(context, [x, y, nextX, nextY], paint.light, 3 * pixel);
    }
  });
}

/**
 * An edge or an open chain. The ground's is filled below, if it runs from one side to the other.
 */
function paintLine(
  context: Context,
  { path, corners }: Outline,
  { paint, isGround }: Look,
  view: View,
): void {
  const isHill = isGround && corners.length > 2 &&
    corners.every(([x], i) => i === 0 || x > corners[i - 1]![0]);
  if (isHill) {
    const [, bottom] = toMetres(view, 0, view.height);
    const earth = new Path2D(path);
    earth.lineTo(corners.at(-1)![0], bottom - 1);
    earth.lineTo(corners[0]![0], bottom - 1);
    context.fillStyle = paint.fill;
    context.fill(earth);
  }
  context.strokeStyle = isGround ? paint.light : paint.fill;
  context.lineWidth = 3 * view.pixel;
  context.stroke(path);
}

/** A closed chain: a wall around what is in it. */
function paintLoop(context: Context, { path }: Outline, paint: Paint, pixel: number): void {
  context.strokeStyle = paint.shade;
  context.lineWidth = 9 * pixel;
  context.stroke(path);
  context.strokeStyle = paint.light;
  context.lineWidth = 3 * pixel;
  context.stroke(path);
}

function paintSensor(context: Context, { path }: Outline, paint: Paint, pixel: number): void {
  context.save();
  context.globalAlpha *= 0.14;
  context.fillStyle = paint.fill;
  context.fill(path);
  context.restore();
  context.setLineDash([6 * pixel, 5 * pixel]);
  context.strokeStyle = paint.light;
  context.lineWidth = 1.5 * pixel;
  context.stroke(path);
  context.setLineDash([]);
}

/**
 * Marks that run along the surface of a belt, to the right on its top.
 * @param way metres since the start
 */
function paintBelt(context: Context, { path, corners }: Outline, way: number, pixel: number): void {
  const around = corners.length === 0 ? path : roundTrip(corners);
  context.setLineDash([BELT_GAP * 0.45, BELT_GAP * 0.55]);
  context.lineDashOffset = -(way % BELT_GAP);
  context.strokeStyle = PAINTS.gold.fill;
  context.lineWidth = 4 * pixel;
  context.lineCap = "butt";
  context.stroke(around);
  context.lineCap = "round";
  context.lineDashOffset = 0;
  context.setLineDash([]);
}

/** A closed path that runs clockwise: to the right on its top, as a belt of positive speed does. */
function roundTrip(corners: readonly (readonly [number, number])[]): Path2D {
  const path = new Path2D();
  corners.toReversed().forEach(([x, y], i) => i === 0 ? path.moveTo(x, y) : path.lineTo(x, y));
  path.closePath();
  return path;
}

/** Arrows in the direction in which bodies pass. */
function paintOneWay(
  context: Context,
  { fixture: { oneWay }, corners }: Outline,
  pixel: number,
): void {
  const [dirX, dirY] = typeof oneWay === "object" ? [oneWay.x, oneWay.y] : [0, 1];
  const length = Math.hypot(dirX, dirY);
  const ux = dirX / length;
  const uy = dirY / length;
  const size = 7 * pixel;
  const left = Math.min(...corners.map(([x]) => x));
  const right = Math.max(...corners.map(([x]) => x));
  const y = corners.reduce((sum, corner) => sum + corner[1], 0) / corners.length;
  const count = Math.max(1, Math.floor((right - left) / 1.2));
  context.strokeStyle = PAINTS.mint.fill;
  context.lineWidth = 2 * pixel;
  context.beginPath();

  for (let i = 0; i < count; i++) {
    const x = left + (right - left) * (i + 0.5) / count;
    context.moveTo(x - size * (uy + ux), y - size * (uy - ux));
    context.lineTo(x, y);
    context.lineTo(x + size * (uy - ux), y - size * (uy + ux));
  }

  context.stroke();
}

function strokeLine(
  context: Context,
  [x1, y1, x2, y2]: readonly [number, number, number, number],
  colour: string,
  width: number,
) {
  context.beginPath();
  context.moveTo(x1, y1);
  context.lineTo(x2, y2);
  context.strokeStyle = colour;
  context.lineWidth = width;
  context.stroke();
}
