/**
 * Draws a kit game's frames onto one canvas, from the back to the front.
 *
 *     sky → background → ground → ropes → things → pins → particles → foreground → labels → hud
 */
import { contextOf, drawFading } from "../../presentation/picture/canvas.ts";
import type { Hue } from "../../presentation/picture/hues.ts";
import type { Renderer } from "../../presentation/view.ts";
import { guarded } from "../guarded.ts";
import type { KitFrame, PlacedJoint } from "../kit_frame.ts";
import type { RendererOptions } from "../loose_view.ts";
import type { LooseDefinition } from "../loose_definition.ts";
import type { ShownThing } from "../shown_thing.ts";
import type { LayerMoment } from "../view_definition.ts";
import { CanvasBrush } from "./brush.ts";
import { hueOf, STONE } from "./colours.ts";
import { GroundLook } from "./ground.ts";
import { CanvasHudBrush } from "./hud_brush.ts";
import { drawJointLine, drawJointPin } from "./joints.ts";
import type { KitCamera } from "./kit_camera.ts";
import { drawEdgeMark, drawLabel } from "./labels.ts";
import { CanvasLayers } from "./layers.ts";
import { Look } from "./looks.ts";
import { PageParts } from "./page_parts.ts";
import { PictureMotion } from "./picture_motion.ts";
import { Sky } from "./sky.ts";

/** How deep a drawing that throws may have nested its states. */
const SAVES_MAX = 32;
/** NPCs show their names within this share of the visible width around the own thing. */
const NPC_NAME_SHARE = 0.2;

export class KitRenderer implements Renderer<KitFrame> {
  readonly #definition: LooseDefinition;
  readonly #motion: PictureMotion;
  readonly #onOwnDrawn: RendererOptions["onOwnDrawn"];
  readonly #player: string;
  readonly #layers: CanvasLayers;
  readonly #brush: CanvasBrush;
  readonly #parts: PageParts;
  readonly #hudBrush: CanvasHudBrush;
  readonly #sky: Sky;
  readonly #ground: GroundLook;
  readonly #groundHue: Hue | undefined;
  readonly #looks: ReadonlyMap<string, Look>;
  #pixelRatio = 1;

  /** @param canvas as large as CSS makes it. @throws Error if the browser cannot draw on it */
  constructor(
    canvas: HTMLCanvasElement,
    { definition, declaration, recipes, onOwnDrawn }: RendererOptions,
  ) {
    const { sky, ground } = definition;
    this.#definition = definition;
    this.#onOwnDrawn = onOwnDrawn;
    this.#player = declaration.player;
    this.#layers = new CanvasLayers(canvas, definition.layers);
    const context = contextOf(canvas, { isClear: this.#layers.isClear });
    this.#motion = new PictureMotion(canvas, definition, recipes);
    this.#brush = new CanvasBrush(context);
    const hasNews = Object.values(definition.events ?? {}).some((look) =>
      look.caption !== undefined
    );
    this.#parts = new PageParts(canvas, { hasNews });
    this.#hudBrush = new CanvasHudBrush(context, this.#parts, this.camera);
    this.#sky = new Sky(sky, { hasGrid: definition.background === undefined && sky === undefined });
    this.#ground = new GroundLook(declaration.ground);
    this.#groundHue = ground === false ? undefined : ground === undefined ? STONE : hueOf(ground);
    this.#looks = new Map(
      Object.entries(declaration.things).map(([name, thing]) => [name, new Look(thing)]),
    );
  }

  get camera(): KitCamera {
    return this.#motion.camera;
  }

  /** How many particles are visible now. */
  get particleCount(): number {
    return this.#motion.particles.count;
  }

  setQuality(rung: number): void {
    this.#motion.setQuality(rung);
  }

  reset(): void {
    this.#motion.reset();
    this.#layers.reset();
  }

  /** Draws one frame. @param nowMs the page's clock; only differences count */
  draw(frame: KitFrame, nowMs: number): void {
    const moment = this.#motion.advance(frame, nowMs);
    const { pixelRatio, letter, isCalm } = moment;
    this.#pixelRatio = pixelRatio;
    const pixel = pixelRatio / this.camera.scale;
    const visible = this.camera.visible(this.#brush.context.canvas);
    Object.assign(this.#brush, { pixel, visible, nowMs, isCalm });
    const left = this.#layers.drawBelow(frame, moment);
    this.#drawBackmost(left.sky);
    if (left.picture) this.#drawPicture(frame);
    this.#layers.drawAbove(frame, moment);
    const { own } = frame;
    this.#onOwnDrawn(own && { x: this.camera.xPx(own.x), y: this.camera.yPx(own.y) });
    if (frame.isTitle) return;
    this.#parts.update();
    this.#drawWords(frame, { pixelRatio, letter, nowMs, isCalm });
    this.#drawHud(frame, nowMs, isCalm);
  }

  /** Lets an author draw on the glass, unless the page shows a result there. */
  #drawHud({ world, followed }: KitFrame, nowMs: number, isCalm: boolean): void {
    const { hud } = this.#definition;
    if (hud === undefined || this.#parts.hasResult) return;
    const { context } = this.#hudBrush;
    context.save();
    this.#hudBrush.begin(this.#pixelRatio, { nowMs, isCalm });
    guarded("hud", () => hud(this.#hudBrush, world, followed), () => this.#dropStates());
    context.restore();
  }

  /** Draws the sky, or lets an author's canvas be seen in its place. */
  #drawBackmost(hasSky: boolean): void {
    const { context } = this.#brush;
    context.setTransform(1, 0, 0, 1, 0, 0);
    if (hasSky) this.#sky.draw(context, this.camera);
    else context.clearRect(0, 0, context.canvas.width, context.canvas.height);
  }

  #drawPicture(frame: KitFrame): void {
    const { context } = this.#brush;
    const { world, seconds } = frame;
    const { background, foreground } = this.#definition;
    this.camera.useMetres(context);
    if (background !== undefined) {
      this.#inWorld("background", () => background(this.#brush, world));
    }
    const { pixel } = this.#brush;
    if (this.#groundHue !== undefined) {
      this.#ground.draw(context, this.#groundHue, { pixel, seconds });
    }
    for (const joint of frame.joints) this.#drawJoint(joint, frame);
    for (const shown of frame.things) {
      drawFading(context, shown, (at) => this.#drawThing(shown, at, frame));
    }
    for (const joint of frame.joints) {
      if (!this.#definition.joints?.[joint.name]) drawJointPin(context, joint);
    }
    this.#motion.particles.draw(context);
    if (foreground !== undefined) {
      this.#inWorld("foreground", () => foreground(this.#brush, world));
    }
  }

  #drawJoint(placed: PlacedJoint, { world }: KitFrame): void {
    const draw = this.#definition.joints?.[placed.name];
    const drawLine = () => drawJointLine(this.#brush.context, placed);
    if (draw === undefined) drawLine();
    else this.#inWorld(`joints.${placed.name}`, () => draw(this.#brush, placed, world), drawLine);
  }

  /** Lets an author draw in the world's frame, and restores what they change. */
  #inWorld(name: string, draw: () => void, fallback = () => {}): void {
    const { context, frame } = this.#brush;
    Object.assign(frame, { angle: 0, isOutlined: false, drawBody: () => {} });
    context.save();
    guarded(name, draw, () => {
      this.#dropStates();
      fallback();
    });
    context.restore();
  }

  /** Undoes all that a drawing has set, which may have thrown between a `save` and its `restore`. */
  #dropStates(): void {
    const { context } = this.#brush;
    for (let i = 0; i < SAVES_MAX; i++) context.restore();
    context.globalAlpha = 1;
    this.camera.useMetres(context);
  }

  /** @param at the thing itself, or its old place while it fades over */
  #drawThing(
    shown: ShownThing,
    at: { readonly x: number; readonly y: number },
    { world, seconds }: KitFrame,
  ): void {
    const brush = this.#brush;
    const { context, pixel } = brush;
    const look = this.#looks.get(shown.name)!;
    const drawBody = (colour: string | undefined) => {
      look.draw(context, shown, colour === undefined ? shown.hue : hueOf(colour), {
        pixel,
        seconds,
      });
    };
    Object.assign(brush.frame, { angle: shown.angle, isOutlined: true, drawBody });
    context.save();
    context.translate(at.x, at.y);
    context.rotate(shown.angle);
    const draw = this.#definition.things?.[shown.name];
    if (draw === undefined) drawBody(undefined);
    else {
      guarded(`things.${shown.name}`, () => draw(brush, shown, world), () => {
        this.#dropStates();
        context.save();
        context.translate(at.x, at.y);
        context.rotate(shown.angle);
        drawBody(undefined);
      });
    }
    context.restore();
  }

  /** Draws names, and marks at the edge. */
  #drawWords(
    frame: KitFrame,
    moment: Pick<LayerMoment, "pixelRatio" | "letter" | "nowMs" | "isCalm">,
  ): void {
    const { context } = this.#brush;
    const { camera } = this;
    const { things, own, followed } = frame;
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.textAlign = "center";
    context.textBaseline = "alphabetic";
    context.lineJoin = "round";
    const labels = { ...moment, context, camera, followed };
    const nameDistance = NPC_NAME_SHARE * context.canvas.width / camera.scale;
    for (const shown of things) {
      const colour = this.#markOf(shown, frame);
      if (colour !== undefined) drawEdgeMark(shown, colour, { ...labels, parts: this.#parts });
      if (shown.name !== this.#player || shown.seat < 0) continue;
      if (this.#definition.labels === false) continue;
      const isNear = own === undefined ||
        Math.hypot(shown.x - own.x, shown.y - own.y) <= nameDistance;
      if (!shown.npc || isNear) drawLabel(shown, this.#looks.get(shown.name)!.extent.outer, labels);
    }
  }

  /** @returns the colour of the thing's mark at the edge; undefined for none */
  #markOf(shown: ShownThing, { world }: KitFrame): string | undefined {
    const mark = this.#definition.marks?.[shown.name];
    if (typeof mark === "function") {
      return guarded(`marks.${shown.name}`, () => mark(shown, world), () => undefined);
    }
    if (mark === undefined) {
      return shown.name === this.#player && shown.seat >= 0 && !shown.npc
        ? shown.colour
        : undefined;
    }
    return mark === true ? shown.colour : mark === false ? undefined : mark;
  }
}
