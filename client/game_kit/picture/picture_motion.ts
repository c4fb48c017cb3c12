/**
 * What moves between a kit game's frames, whoever draws them: the canvas's size, the camera with its
 * shake, and the particles of events and trails. It follows from the frames alone, and only changes
 * how things look.
 */
import { mediaQuery } from "../../input/optional.ts";
import type { PresentedEvent } from "../../presentation/event_reconciler.ts";
import { SMOKE } from "../../presentation/picture/canvas.ts";
import { Effects } from "../../presentation/picture/effects.ts";
import { FittedCanvas, qualityOf } from "../../presentation/picture/fitted_canvas.ts";
import { Particles } from "../../presentation/picture/particles.ts";
import { type Recipes, strengthOf } from "../event_looks.ts";
import { guarded } from "../guarded.ts";
import { hueAt, type KitFrame } from "../kit_frame.ts";
import type { LooseDefinition } from "../loose_definition.ts";
import type { LayerMoment } from "../view_definition.ts";
import { KitCamera, type Wanted } from "./kit_camera.ts";
import { PagePanels } from "./page_panels.ts";

/** After a longer gap, such as a hidden tab, smoke continues from where it was. */
const FRAME_GAP_MS_MAX = 50;
/** Events nearer to the own thing than this shake the camera, metres. */
const SHAKE_DISTANCE = 3;
/** How much of the view's width a spectator sees around whom they follow. */
const WATCHED_SHARE = 0.7;

type Moving = Pick<LooseDefinition, "view" | "centre" | "camera" | "bounds" | "trails">;

export class PictureMotion {
  readonly camera = new KitCamera();
  readonly particles = new Particles();
  readonly #definition: Moving;
  readonly #recipes: Recipes;
  readonly #canvas: FittedCanvas;
  readonly #effects: Effects;
  readonly #reducedMotion = mediaQuery("(prefers-reduced-motion: reduce)");
  #lastDrawMs = -Infinity;
  #rung = 0;
  readonly #panels: PagePanels;
  /** All of the view. */
  readonly #whole: Wanted;
  /** The newest place that the view's camera gave. */
  #placed: Wanted;
  /** Keys of the last frame's events. */
  readonly #shownKeys: string[] = [];

  /** @param canvas as large as CSS makes it */
  constructor(canvas: HTMLCanvasElement, definition: Moving, recipes: Recipes) {
    const { view: [width, height], centre: [x, y] = [0, 0] } = definition;
    this.#definition = definition;
    this.#recipes = recipes;
    this.#canvas = new FittedCanvas(canvas);
    this.#effects = new Effects(this.particles, recipes);
    this.#panels = new PagePanels(canvas);
    this.#placed = this.#whole = { x, y, width, height };
  }

  setQuality(rung: number): void {
    this.#rung = rung;
    this.particles.share = qualityOf(rung).particles;
  }

  reset(): void {
    this.#effects.reset();
    for (const trail of Object.values(this.#definition.trails ?? {})) trail.reset();
    this.camera.rest();
    this.#lastDrawMs = -Infinity;
    this.#shownKeys.length = 0;
  }

  /** Moves on to a frame. @param nowMs the page's clock; only differences count */
  advance(frame: KitFrame, nowMs: number): LayerMoment {
    const elapsedMs = Math.max(0, Math.min(FRAME_GAP_MS_MAX, nowMs - this.#lastDrawMs));
    this.#lastDrawMs = nowMs;
    const isCalm = this.#reducedMotion.matches;
    const pixelRatio = Math.min(
      qualityOf(this.#rung).pixelRatioMax,
      globalThis.devicePixelRatio || 1,
    );

    this.#fit(frame, pixelRatio, isCalm ? Infinity : elapsedMs);
    this.#showEvents(frame, nowMs, isCalm);
    this.#throwTrails(frame, elapsedMs);
    this.particles.advance(elapsedMs);
    this.camera.advance(nowMs);
    this.#panels.advance(frame.isTitle ? undefined : frame.followed, {
      camera: this.camera,
      pixelRatio,
      nowMs,
    });

    const { camera, particles } = this;
    return {
      camera,
      shake: { x: camera.shakeX, y: camera.shakeY },
      pixelRatio,
      letter: this.#panels.letter,
      nowMs,
      elapsedMs,
      isCalm,
      isSlow: this.#rung > 0,
      useMetres: (context) => camera.useMetres(context),
      drawParticles: (context) => particles.draw(context),
    };
  }

  #fit(frame: KitFrame, pixelRatio: number, elapsedMs: number): void {
    const { world, own, followed, isTitle } = frame;
    const { camera, bounds } = this.#definition;
    const size = this.#canvas.fit(pixelRatio);
    const { width, height } = this.#whole;

    // Without a camera a spectator sees whom they follow from nearer, and nothing beyond the view.
    // An upright window is near as it is.
    const isWatching = own === undefined && !isTitle && size.width > size.height;
    if (camera === undefined && isWatching) {
      const wanted = followed === undefined ? this.#whole : {
        x: followed.x,
        y: followed.y,
        width: WATCHED_SHARE * width,
        height: WATCHED_SHARE * height,
      };
      const within = bounds ?? this.#whole;
      return this.camera.fit(size, { wanted, moves: true, bounds: within, own, elapsedMs });
    }

    const place = camera && guarded("camera", () => camera(world, followed), () => undefined);
    if (place !== undefined) {
      const wide = place.width ?? width;
      this.#placed = { x: place.x, y: place.y, width: wide, height: wide * height / width };
    }
    const wanted = this.#placed;
    const moves = camera !== undefined;
    this.camera.fit(size, { wanted, moves, bounds, own: followed, elapsedMs });
  }

  #throwTrails({ things }: KitFrame, elapsedMs: number): void {
    for (const [name, trail] of Object.entries(this.#definition.trails ?? {})) {
      const throwing = things.filter((shown) => shown.name === name);
      guarded(
        `trails.${name}`,
        () => trail.advance(this.particles, throwing, elapsedMs),
        () => {},
      );
    }
  }

  /**
   * Shows each event once, and leaves the frame those that are new: a frame that is drawn again,
   * because no newer one came, has shown its own.
   */
  #showEvents(frame: KitFrame, nowMs: number, isCalm: boolean): void {
    const { events } = frame;
    for (const key of frame.retractedEvents) this.#effects.retract(key);
    frame.events = events.filter(({ key }) => !this.#shownKeys.includes(key));
    for (const event of frame.events) this.#show(event, frame, isCalm ? undefined : nowMs);
    this.#shownKeys.length = 0;
    for (const { key } of events) this.#shownKeys.push(key);
  }

  /** @param nowMs undefined if nothing may shake */
  #show(event: PresentedEvent, frame: KitFrame, nowMs: number | undefined): void {
    const { own } = frame;
    const colour = hueAt(frame, event)?.fill ?? SMOKE;
    const recipe = this.#recipes[event.kind] ?? {};
    const strength = strengthOf(recipe, event);
    const dealer = frame.things.find(({ seat }) => seat >= 0 && seat === event.otherSeat);
    const side = dealer !== undefined && dealer.x > event.x ? -1 : 1;
    this.#effects.show(event, { colour, strength, side, isCalm: nowMs === undefined });
    if (nowMs === undefined || frame.isTitle) return;
    const { shake = 0, everywhere } = recipe;
    const isOwn = own !== undefined && (event.seat === own.seat || event.otherSeat === own.seat);
    const isNear = own !== undefined &&
      Math.hypot(event.x - own.x, event.y - own.y) <= SHAKE_DISTANCE;
    if (everywhere || isOwn || isNear) this.camera.shake(shake * strength, nowMs);
  }
}
