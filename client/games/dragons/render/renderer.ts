/**
 * Draws scenes onto one canvas, from the back to the front. State between frames (wing beats,
 * particles, a shake) follows from the scenes alone, and only changes how things look.
 *
 *     backdrop → sprites → particles → marks above them → labels
 */
import type { Arena } from "../../../../shared/games/dragons/arena.ts";
import { mediaQuery } from "../../../input/optional.ts";
import type { PresentedEvent } from "../../../presentation/event_reconciler.ts";
import { SMOKE } from "../../../presentation/picture/canvas.ts";
import { Effects } from "../../../presentation/picture/effects.ts";
import { FittedCanvas, qualityOf } from "../../../presentation/picture/fitted_canvas.ts";
import { Particles } from "../../../presentation/picture/particles.ts";
import type { Renderer } from "../../../presentation/view.ts";
import type { DragonSprite } from "../presenters/dragon/sprite.ts";
import type { Drawing, Painter, Sprite } from "../presenters/presenter.ts";
import {
  ALL_PRESENTERS,
  emptySprites,
  EVENT_RECIPES,
  type NamedPresenter,
  type Sprites,
} from "../presenters/presenters.ts";
import type { RenderScene } from "../scene.ts";
import { Backdrop } from "./backdrop.ts";
import { Camera, type Focus } from "./camera.ts";
import { lookOfSeat } from "./palette.ts";

/** After a longer gap, such as a hidden tab, smoke and wings continue from where they were. */
const FRAME_GAP_MS_MAX = 50;

/** One archetype with this renderer's painter of it. */
interface Layer extends NamedPresenter {
  readonly painter: Painter<Sprite>;
}

function newLayers(): readonly Layer[] {
  return ALL_PRESENTERS.map((named) => ({ ...named, painter: named.presenter.painter() }));
}

export class DragonRenderer implements Renderer<RenderScene> {
  readonly #canvas: FittedCanvas;
  readonly #camera = new Camera();
  readonly #backdrop = new Backdrop();
  readonly #particles = new Particles();
  readonly #effects = new Effects(this.#particles, EVENT_RECIPES);
  #layers = newLayers();
  /** The newest scene's sprites, at the places where they are drawn. */
  readonly #sprites = emptySprites();
  readonly #drawing: { -readonly [Key in keyof Drawing]: Drawing[Key] };
  readonly #reducedMotion = mediaQuery("(prefers-reduced-motion: reduce)");
  #lastDrawMs = -Infinity;
  #rung = 0;
  /** Keys of the last scene's events. */
  readonly #shownKeys: string[] = [];

  /** @param canvas as large as CSS makes it. @throws Error if the browser cannot draw on it */
  constructor(canvas: HTMLCanvasElement) {
    this.#canvas = new FittedCanvas(canvas);
    this.#drawing = {
      context: this.#canvas.context,
      camera: this.#camera,
      nowMs: 0,
      reducedMotion: false,
      pixelRatio: 1,
      usesBitmaps: false,
      ownSeat: -1,
    };
  }

  get camera(): Camera {
    return this.#camera;
  }

  /** Particles that are visible now. */
  get particleCount(): number {
    return this.#particles.count;
  }

  setQuality(rung: number): void {
    this.#rung = rung;
    this.#particles.share = qualityOf(rung).particles;
  }

  reset(): void {
    this.#layers = newLayers();
    this.#effects.reset();
    this.#camera.rest();
    this.#lastDrawMs = -Infinity;
    this.#shownKeys.length = 0;
  }

  /** Draws one frame. @param nowMs the page's clock; only differences count */
  draw(scene: RenderScene, nowMs: number): void {
    const elapsedMs = Math.max(0, Math.min(FRAME_GAP_MS_MAX, nowMs - this.#lastDrawMs));
    this.#lastDrawMs = nowMs;
    const { dragons } = this.#advanceSprites(scene, elapsedMs);
    const own = dragons.find((dragon) => dragon.own);
    this.#beginDrawing(nowMs, own);
    this.#fitWindow(
      scene,
      own && { x: own.x, elapsedMs: this.#drawing.reducedMotion ? Infinity : elapsedMs },
    );
    this.#showEvents(scene, own);
    this.#advanceParticles(elapsedMs);
    this.#camera.advance(nowMs);
    this.#drawLayers(scene.arena);
  }

  #advanceSprites(scene: RenderScene, elapsedMs: number): Sprites {
    const sprites: Record<keyof Sprites, Sprite[]> = this.#sprites;
    for (const { name, painter } of this.#layers) {
      sprites[name] = painter.advance?.(scene[name], elapsedMs) ?? scene[name];
    }
    return this.#sprites;
  }

  #beginDrawing(nowMs: number, own: DragonSprite | undefined): void {
    const drawing = this.#drawing;
    drawing.nowMs = nowMs;
    drawing.reducedMotion = this.#reducedMotion.matches;
    drawing.pixelRatio = Math.min(
      qualityOf(this.#rung).pixelRatioMax,
      globalThis.devicePixelRatio || 1,
    );
    drawing.usesBitmaps = this.#rung > 0;
    drawing.ownSeat = own?.seat ?? -1;
  }

  #fitWindow({ arena }: RenderScene, focus: Focus | undefined): void {
    this.#camera.fit(this.#canvas.fit(this.#drawing.pixelRatio), arena, focus);
  }

  /** Shows each event once, also if a scene is drawn again because no newer one came. */
  #showEvents(scene: RenderScene, own: DragonSprite | undefined): void {
    for (const key of scene.retractedEvents) this.#effects.retract(key);
    for (const event of scene.events) {
      if (!this.#shownKeys.includes(event.key)) this.#show(event, scene.arena, own);
    }
    this.#shownKeys.length = 0;
    for (const event of scene.events) this.#shownKeys.push(event.key);
  }

  #show(event: PresentedEvent, arena: Arena, own: DragonSprite | undefined): void {
    const { nowMs, reducedMotion, ownSeat } = this.#drawing;
    const colour = event.seat < 0 ? SMOKE : lookOfSeat(event.seat, ownSeat).fill;
    this.#effects.show(event, { colour, middle: { x: arena.width / 2, y: arena.height / 2 } });
    for (const { name, painter } of this.#layers) painter.onEvent?.(event, this.#sprites[name]);
    if (own !== undefined && !reducedMotion) {
      this.#effects.shake(event, own, { camera: this.#camera, nowMs });
    }
  }

  #advanceParticles(elapsedMs: number): void {
    for (const { name, presenter: { trail } } of this.#layers) {
      if (trail !== undefined) this.#effects.trail(trail, this.#sprites[name], elapsedMs);
    }
    this.#particles.advance(elapsedMs);
  }

  #drawLayers(arena: Arena): void {
    const drawing = this.#drawing;
    const { context } = drawing;
    const sprites = this.#sprites;
    context.setTransform(1, 0, 0, 1, 0, 0);
    this.#backdrop.draw(context, arena, this.#camera);
    this.#camera.useMetres(context);
    for (const { name, painter } of this.#layers) painter.draw(sprites[name], drawing);
    this.#particles.draw(context);
    for (const { name, painter } of this.#layers) painter.drawAbove?.(sprites[name], drawing);
    context.setTransform(1, 0, 0, 1, 0, 0);
    for (const { name, painter } of this.#layers) painter.drawLabels?.(sprites[name], drawing);
  }
}
