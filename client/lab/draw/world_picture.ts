/**
 * One client's canvas: the ground, the bodies where this client draws them, and, as a dashed
 * outline, where the server has them at the moment that the picture shows.
 */
import type { PoseList } from "../../../shared/netcode/pose_list.ts";
import { type Context, contextOf, OUTLINE, TURN } from "../../presentation/picture/canvas.ts";
import { FittedCanvas } from "../../presentation/picture/fitted_canvas.ts";
import type { RecordedView } from "../engine/history.ts";
import type { Scene } from "../engine/scene.ts";
import type { Look, Truth } from "../engine/truth.ts";
import type { GlyphBody } from "./glyph.ts";
import { GHOST, GROUND, GROUND_EDGE, ROPE, seatColour, THING_COLOUR, WRONG } from "./palette.ts";
import { isLine, traceFixture } from "./shapes.ts";

/** A body that is off by more than this shows a line to where it is, metres. */
const SHOWN_ERROR_METRES = 0.25;
/** The picture's pixels for each of CSS, at most. */
const PIXEL_RATIO_MAX = 2;
const NO_LOOK: Look = { kind: "", facesLeft: false, team: 0, isFaint: false };

interface Spot {
  x: number;
  y: number;
  angle: number;
}

export interface PaintedView {
  readonly view: RecordedView;
  readonly truth: Truth;
  /** Whose canvas it is, and what they are called. */
  readonly ownSeat: number;
  readonly name: string;
  readonly atMs: number;
}

export class WorldPicture {
  readonly #scene: Scene;
  readonly #context: Context;
  readonly #fitted: FittedCanvas;
  readonly #spot: Spot = { x: 0, y: 0, angle: 0 };
  /** The places of the frame before, for the bodies' speeds. */
  #before: { view: RecordedView; atMs: number } | undefined;

  constructor(canvas: HTMLCanvasElement, scene: Scene) {
    this.#scene = scene;
    this.#context = contextOf(canvas, { isClear: true });
    this.#fitted = new FittedCanvas(canvas);
  }

  paint(painted: PaintedView): void {
    const { view, truth, ownSeat } = painted;
    const context = this.#context;
    this.#begin();
    this.#paintGround();

    this.#paintTethers(painted);

    // Where they are, below where they are drawn
    for (let i = 0; i < view.drawn.count; i++) this.#paintGhost(i, painted);
    for (let i = 0; i < view.drawn.count; i++) {
      const { entity, seat, x, y, angle } = view.drawn.at(i);
      const look = truth.lookOf(entity) ?? NO_LOOK;
      const speed = this.#speedOf(painted, i);
      const body = { ...look, ...speed, seat, isOwn: seat === ownSeat, colour: colourOf(seat) };
      context.save();
      context.translate(x, y);
      context.rotate(angle);
      if (look.isFaint) context.globalAlpha = 0.35;
      this.#paintBody(body, painted.atMs);
      context.restore();
    }
    this.#paintName(painted);
    this.#before = { view, atMs: painted.atMs };
  }

  /** Says in a corner whose screen it is. */
  #paintName({ name, ownSeat }: PaintedView): void {
    const context = this.#context;
    const ratio = Math.min(PIXEL_RATIO_MAX, devicePixelRatio);
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.font = "600 13px system-ui, sans-serif";
    context.textAlign = "left";
    context.textBaseline = "top";
    context.lineJoin = "round";
    context.lineWidth = 3;
    context.strokeStyle = OUTLINE;
    context.strokeText(name, 10, 9);
    context.fillStyle = seatColour(ownSeat);
    context.fillText(name, 10, 9);
  }

  /** Fits the scene's window into the canvas; from here on metres, y upwards. */
  #begin(): void {
    const { window } = this.#scene;
    const context = this.#context;
    const { width, height } = this.#fitted.fit(Math.min(PIXEL_RATIO_MAX, devicePixelRatio));
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.clearRect(0, 0, width, height);
    const scale = Math.min(width / window.width, height / window.height);
    const left = (width - scale * window.width) / 2 - scale * window.x;
    const bottom = height - (height - scale * window.height) / 2 + scale * window.y;
    context.setTransform(scale, 0, 0, -scale, left, bottom);
  }

  #paintGround(): void {
    const context = this.#context;
    context.lineWidth = 0.12;
    context.lineJoin = "round";
    for (const fixture of this.#scene.game.declaration.ground) {
      context.beginPath();
      traceFixture(context, fixture);
      context.fillStyle = GROUND;
      context.strokeStyle = GROUND_EDGE;
      if (!isLine(fixture)) context.fill();
      context.stroke();
    }
  }

  #paintTethers({ view: { drawn }, truth }: PaintedView): void {
    const { tether } = this.#scene;
    if (tether === undefined) return;
    const context = this.#context;
    const poses = Array.from({ length: drawn.count }, (_, i) => drawn.at(i));
    const ofKind = (kind: string) =>
      poses.filter(({ entity }) => truth.lookOf(entity)?.kind === kind);
    context.strokeStyle = ROPE;
    context.lineWidth = 0.12;
    context.beginPath();
    for (const to of ofKind(tether.to)) {
      for (const from of ofKind(tether.from)) {
        context.moveTo(from.x, from.y);
        context.lineTo(to.x, to.y);
      }
    }
    context.stroke();
  }

  /** Where the server has this body, if that is elsewhere and known already. */
  #paintGhost(index: number, { view, truth }: PaintedView): void {
    const pose = view.drawn.at(index);
    const spot = this.#spot;
    const tick = Math.floor(view.moment);
    const from = truth.posesAt(tick);
    const to = truth.posesAt(tick + 1);
    if (!placeBetween(spot, pose, { from, to, fraction: view.moment - tick })) return;
    const dx = pose.x - spot.x;
    const dy = pose.y - spot.y;
    const metres = Math.sqrt(dx * dx + dy * dy);
    if (metres < SHOWN_ERROR_METRES) return;

    const context = this.#context;
    const strength = Math.min(1, metres / 1.5);
    context.strokeStyle = WRONG;
    context.globalAlpha = 0.25 + 0.55 * strength;
    context.lineWidth = 0.09;
    context.beginPath();
    context.moveTo(pose.x, pose.y);
    context.lineTo(spot.x, spot.y);
    context.stroke();

    context.save();
    context.translate(spot.x, spot.y);
    context.rotate(spot.angle);
    context.beginPath();
    this.#traceBody(truth.lookOf(pose.entity)?.kind ?? "");
    context.setLineDash([0.22, 0.16]);
    context.strokeStyle = GHOST;
    context.globalAlpha = 0.85;
    context.lineWidth = 0.1;
    context.stroke();
    context.restore();
    context.globalAlpha = 1;
  }

  #traceBody(kind: string): void {
    const { body, projectile } = this.#scene.game.declaration.things[kind] ?? {};
    const radius = projectile?.radius ?? 0.3;
    if (body === undefined) this.#context.arc(0, 0, radius, 0, TURN);
    else for (const fixture of body.fixtures) traceFixture(this.#context, fixture);
  }

  #paintBody(body: GlyphBody, atMs: number): void {
    const context = this.#context;
    const glyph = this.#scene.glyphs[body.kind];
    if (glyph !== undefined) return glyph(context, body, atMs);
    context.beginPath();
    this.#traceBody(body.kind);
    context.fillStyle = body.colour;
    context.fill();
  }

  #speedOf({ view, atMs }: PaintedView, index: number): { vx: number; vy: number } {
    const { entity, x, y } = view.drawn.at(index);
    const before = this.#before?.view.drawn.find(entity);
    const seconds = (atMs - (this.#before?.atMs ?? atMs)) / 1000;
    if (before === undefined || seconds <= 0 || seconds > 0.1) return { vx: 0, vy: 0 };
    return { vx: (x - before.x) / seconds, vy: (y - before.y) / seconds };
  }
}

function colourOf(seat: number): string {
  return seat < 0 ? THING_COLOUR : seatColour(seat);
}

/** @returns false where the truth is not known yet, or the body has teleported */
function placeBetween(
  out: Spot,
  { entity, teleports }: { entity: number; teleports: number },
  { from, to, fraction }: {
    from: PoseList | undefined;
    to: PoseList | undefined;
    fraction: number;
  },
): boolean {
  const start = from?.find(entity);
  const end = to?.find(entity);
  if (start === undefined || end === undefined) return false;
  if (start.teleports !== teleports || end.teleports !== teleports) return false;
  out.x = start.x + (end.x - start.x) * fraction;
  out.y = start.y + (end.y - start.y) * fraction;
  out.angle = start.angle + (end.angle - start.angle) * fraction;
  return true;
}
