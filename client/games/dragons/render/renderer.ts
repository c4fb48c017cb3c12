/**
 * The picture: one scene onto one canvas, from the back to the front. What it needs to remember between two pictures (wing
 * beats, particles, a shake) follows from the scenes alone and changes nothing but how things look.
 */
import { CRATE_HALF } from "../../../../shared/games/dragons/arena.ts";
import { PLAYER_SEATS } from "../../../../shared/netcode/game.ts";
import { Backdrop } from "./backdrop.ts";
import { Camera, type Focus } from "./camera.ts";
import { DragonAnimations } from "../presenters/dragon/animation.ts";
import { drawDragon } from "../presenters/dragon/draw_dragon.ts";
import {
  drawCharges,
  drawEdgeMark,
  drawLabel,
  drawLanceHeights,
  drawShield,
  drawStars,
  LANCE_HEIGHTS_DISTANCE,
  type MarkStyle,
} from "../presenters/dragon/marks.ts";
import { drawEgg } from "../presenters/egg.ts";
import { drawCrate, drawFireball } from "../presenters/crate.ts";
import { Effects } from "./effects.ts";
import { HitStop } from "../presenters/dragon/hit_stop.ts";
import { type Look, lookOf } from "./palette.ts";
import { Particles } from "./particles.ts";
import type { Renderer } from "../../../presentation/view.ts";
import type { DragonSprite, RenderScene } from "../scene.ts";
import type { PresentedEvent } from "../../../presentation/event_reconciler.ts";

/** Sharper than this costs four times the pixels and nobody sees it in motion. */
const PIXEL_RATIO_MAX = 2;
/** After a longer gap (a hidden tab) smoke and wings go on from where they were. */
const FRAME_GAP_MS_MAX = 50;
/** An NPC's name is shown this near to the player, metres. */
const NPC_NAME_DISTANCE = 4;
/** A rival's flames are shown this near to the player, metres. */
const CHARGES_DISTANCE = 6;
/** The colour of what happens to nobody in particular. */
const NEUTRAL_COLOUR = "#c9c5d3";
/** How hard a dragon is squeezed by what happens to it. */
const SQUEEZES: Readonly<Record<string, number>> = { clash: 1, joust: 1, crush: 1, flap: -0.25 };
/** What stops those it happens to for a moment. */
const BLOWS: ReadonlySet<string> = new Set(["clash", "crush"]);

export class DragonRenderer implements Renderer<RenderScene> {
  readonly #canvas: HTMLCanvasElement;
  readonly #context: CanvasRenderingContext2D;
  readonly #camera = new Camera();
  readonly #backdrop = new Backdrop();
  readonly #particles = new Particles();
  readonly #effects = new Effects(this.#particles);
  readonly #animations = new DragonAnimations();
  readonly #hitStop = new HitStop();
  readonly #reducedMotion = matchMedia("(prefers-reduced-motion: reduce)");
  /** Width and height of the canvas element in CSS pixels, as last reported. */
  #widthCss: number;
  #heightCss: number;
  #pixelRatio = 1;
  #lastDrawMs = -Infinity;
  /** The effects of the last picture. */
  readonly #shownKeys: string[] = [];

  /** @param canvas as large as CSS makes it. @throws Error where the browser cannot draw on it */
  constructor(canvas: HTMLCanvasElement) {
    const context = canvas.getContext("2d", { alpha: false });
    if (context === null) throw new Error("this browser has no 2D canvas");
    this.#canvas = canvas;
    this.#context = context;
    this.#widthCss = canvas.clientWidth;
    this.#heightCss = canvas.clientHeight;
    new ResizeObserver(() => {
      this.#widthCss = canvas.clientWidth;
      this.#heightCss = canvas.clientHeight;
    }).observe(canvas);
  }

  /** Where things are on the canvas, for who draws above it. */
  get camera(): Camera {
    return this.#camera;
  }

  /** How much smoke and sparks there is now. */
  get particleCount(): number {
    return this.#particles.count;
  }

  /** Draws one picture. @param nowMs the page's clock; only differences count */
  draw(predicted: RenderScene, nowMs: number): void {
    const elapsedMs = Math.max(0, Math.min(FRAME_GAP_MS_MAX, nowMs - this.#lastDrawMs));
    this.#lastDrawMs = nowMs;
    const scene = { ...predicted, dragons: this.#hitStop.apply(predicted.dragons, elapsedMs) };
    const own = scene.dragons.find((dragon) => dragon.own);
    const style: MarkStyle = { radius: scene.dragonRadius, nowMs, reducedMotion: this.#reducedMotion.matches };
    this.#fitWindow(scene, own && { x: own.x, elapsedMs: style.reducedMotion ? Infinity : elapsedMs });
    this.#animations.advance(scene.dragons, elapsedMs);
    this.#showEffects(scene, own);
    this.#effects.trail(scene.fireballs, elapsedMs);
    this.#particles.advance(elapsedMs);
    this.#camera.advance(nowMs);

    const context = this.#context;
    context.setTransform(1, 0, 0, 1, 0, 0);
    this.#backdrop.draw(context, scene.arena, this.#camera);
    this.#camera.useMetres(context);
    for (const crate of scene.crates) drawCrate(context, crate, { half: CRATE_HALF, nowMs });
    this.#drawEggs(scene, style);
    this.#drawDragons(scene, own, style);
    for (const fireball of scene.fireballs) {
      drawFireball(context, fireball, lookOfSeat(scene, fireball.seat).fill);
    }
    this.#particles.draw(context);
    if (own !== undefined && !own.dead) this.#drawLanceHeights(scene, own);
    this.#drawLabels(scene, own, style);
  }

  #fitWindow(scene: RenderScene, focus: Focus | undefined): void {
    this.#pixelRatio = Math.min(PIXEL_RATIO_MAX, globalThis.devicePixelRatio || 1);
    const width = Math.max(1, Math.round(this.#widthCss * this.#pixelRatio));
    const height = Math.max(1, Math.round(this.#heightCss * this.#pixelRatio));
    if (this.#canvas.width !== width) this.#canvas.width = width;
    if (this.#canvas.height !== height) this.#canvas.height = height;
    this.#camera.fit({ width, height }, scene.arena, focus);
  }

  /** Each once, also when a scene is drawn again because no newer one came. */
  #showEffects(scene: RenderScene, own: DragonSprite | undefined): void {
    for (const key of scene.retractedEffects) this.#effects.retract(key);
    for (const effect of scene.effects) if (!this.#shownKeys.includes(effect.key)) this.#show(effect, scene, own);
    this.#shownKeys.length = 0;
    for (const effect of scene.effects) this.#shownKeys.push(effect.key);
  }

  #show(effect: PresentedEvent, scene: RenderScene, own: DragonSprite | undefined): void {
    const colour = effect.seat < 0 ? NEUTRAL_COLOUR : lookOfSeat(scene, effect.seat).fill;
    this.#effects.show(effect, { colour, middle: { x: scene.arena.width / 2, y: scene.arena.height / 2 } });
    if (BLOWS.has(effect.kind)) this.#hitStop.begin(effect, scene.dragons);
    const squeeze = SQUEEZES[effect.kind];
    const victim = dragonOfSeat(scene, effect.seat);
    if (squeeze !== undefined && victim !== undefined) this.#animations.of(victim).squeeze(squeeze);
    if (own !== undefined && !this.#reducedMotion.matches) {
      this.#effects.shake(effect, own, { camera: this.#camera, nowMs: this.#lastDrawMs });
    }
  }

  /** Behind the dragons: who stands on one hides it, and takes it. */
  #drawEggs(scene: RenderScene, { nowMs, reducedMotion }: MarkStyle): void {
    for (const egg of scene.eggs) {
      const loser = dragonOfSeat(scene, egg.seat);
      const own = loser?.own === true;
      drawEgg(this.#context, egg, { look: lookOfSeat(scene, egg.seat), own, nowMs, reducedMotion });
    }
  }

  /** NPCs at the back, then players, the own dragon before all of them. */
  #drawDragons(scene: RenderScene, own: DragonSprite | undefined, style: MarkStyle): void {
    for (const dragon of scene.dragons) if (dragon.npc && dragon !== own) this.#drawDragon(dragon, own, style);
    for (const dragon of scene.dragons) if (!dragon.npc && dragon !== own) this.#drawDragon(dragon, own, style);
    if (own !== undefined) this.#drawDragon(own, own, style);
  }

  #drawDragon(dragon: DragonSprite, own: DragonSprite | undefined, style: MarkStyle): void {
    const context = this.#context;
    const { radius } = style;
    drawDragon(context, dragon, this.#animations.of(dragon), { look: lookOf(dragon), radius });
    if (dragon.dead) return;
    if (dragon.invulnerableTicks > 0) drawShield(context, dragon, style);
    if (dragon.stunnedTicks > 0) drawStars(context, dragon, style);
    const near = own !== undefined && distanceSquared(dragon, own) <= CHARGES_DISTANCE ** 2;
    if (near) drawCharges(context, dragon, radius);
  }

  #drawLanceHeights(scene: RenderScene, own: DragonSprite): void {
    const ownLook = lookOf(own);
    for (const rival of scene.dragons) {
      if (rival.own || rival.dead || distanceSquared(rival, own) > LANCE_HEIGHTS_DISTANCE ** 2) continue;
      drawLanceHeights(this.#context, own, rival, { radius: scene.dragonRadius, ownLook, rivalLook: lookOf(rival) });
    }
  }

  #drawLabels(scene: RenderScene, own: DragonSprite | undefined, style: MarkStyle): void {
    const context = this.#context;
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.textAlign = "center";
    context.textBaseline = "alphabetic";
    context.lineJoin = "round";
    for (const dragon of scene.dragons) {
      // Nobody looks for the nameless ones behind the lobby.
      if (dragon.name !== "") drawEdgeMark(context, dragon, { camera: this.#camera, colour: lookOf(dragon).fill });
      const far = own === undefined || distanceSquared(dragon, own) > NPC_NAME_DISTANCE ** 2;
      if (dragon.npc && far) continue;
      drawLabel(context, dragon, {
        camera: this.#camera,
        animation: this.#animations.of(dragon),
        look: lookOf(dragon),
        style,
        pixelRatio: this.#pixelRatio,
      });
    }
  }
}

function dragonOfSeat(scene: RenderScene, seat: number): DragonSprite | undefined {
  return scene.dragons.find((dragon) => dragon.seat === seat);
}

/** How who sits there looks alive, also when he has left. */
function lookOfSeat(scene: RenderScene, seat: number): Look {
  const own = dragonOfSeat(scene, seat)?.own === true;
  return lookOf({ seat, own, npc: seat >= PLAYER_SEATS });
}

function distanceSquared(a: DragonSprite, b: DragonSprite): number {
  return (a.x - b.x) ** 2 + (a.y - b.y) ** 2;
}
