/**
 * The presenter of one archetype: everything that the page shows of it. `presenters.ts` lists all
 * presenters. The scene builder, the renderer and the sound walk that list. They name no archetype
 * but the dragon, which the camera follows.
 *
 *     entities → write → Sprite → painter → canvas
 *     events of the simulation → EventRecipe → particles, camera shake, sound
 */
import type { DragonSimulation } from "../../../../shared/games/dragons/simulation.ts";
import type { SeatId } from "../../../../shared/netcode/game.ts";
import type { PresentedEvent } from "../../../presentation/event_reconciler.ts";
import type { Fade } from "../../../presentation/error_smoother.ts";
import type { FrameParts } from "../../../presentation/view.ts";
import type { Voice } from "../../../presentation/audio/voices.ts";
import type { Trail } from "../../../presentation/picture/bursts.ts";
import type { EffectRecipe } from "../../../presentation/picture/effects.ts";
import type { Camera } from "../render/camera.ts";
import type { Context } from "../../../presentation/picture/canvas.ts";

export type SceneParts = FrameParts<DragonSimulation>;

/** The part of an entity that places its sprite: metres and radians. */
export interface Placed {
  readonly id: number;
  readonly x: number;
  readonly y: number;
  readonly angle: number;
}

/** One entity as a frame shows it: predicted, placed between two ticks, and eased. */
export interface Sprite {
  /** Entity id. Painters key the state that they keep between frames by it. */
  id: number;
  /** Metres, y upwards. */
  x: number;
  y: number;
  /** Radians. */
  angle: number;
  /** Undefined if it is not faded over. */
  fade?: Fade | undefined;
}

export interface Presenter<Of extends Placed, Shown extends Sprite> {
  /** Metres: a circle of this size is never drawn inside the ground. */
  readonly radius: number;
  /** The entities that the frame shows. The list is valid until the next call. */
  entities(parts: SceneParts): readonly Of[];
  /** Fills in the sprite; its id and its place are already set. */
  write(entity: Of, sprite: Shown, parts: SceneParts): void;
  /** One painter per renderer. */
  painter(): Painter<Shown>;
  /** By kind of event. */
  readonly events: EventRecipes;
  /** Particles that each sprite throws all the time. */
  readonly trail?: Trail;
  /** Whether a fire is audible for as long as this sprite is shown. */
  isBurning?(sprite: Shown): boolean;
}

/**
 * Draws the sprites of one archetype. It may keep state between frames, which only changes how
 * sprites look.
 */
export interface Painter<Shown extends Sprite> {
  /** Begins a frame, before its events. @returns the sprites at the places where they are drawn */
  advance?(sprites: Shown[], elapsedMs: number): Shown[];
  /** Called once for each event that a frame shows. */
  onEvent?(event: PresentedEvent, sprites: readonly Shown[]): void;
  /** The context measures metres, y upwards. */
  draw(sprites: readonly Shown[], drawing: Drawing): void;
  /**
   * Draws above the sprites and particles of all archetypes. The context measures metres, y
   * upwards.
   */
  drawAbove?(sprites: readonly Shown[], drawing: Drawing): void;
  /**
   * Draws above everything. The context measures canvas pixels: in metres, letters would be upside
   * down.
   */
  drawLabels?(sprites: readonly Shown[], drawing: Drawing): void;
}

/** The values that all painters of one renderer share in a frame. */
export interface Drawing {
  readonly context: Context;
  readonly camera: Camera;
  /** The page's clock. */
  readonly nowMs: number;
  /** The player asked their system for less motion: nothing pulses, rocks or bobs. */
  readonly reducedMotion: boolean;
  /** Canvas pixels per CSS pixel. */
  readonly pixelRatio: number;
  /** Sprites may be copied from bitmaps of rounded poses, because the device is slow. */
  readonly usesBitmaps: boolean;
  /** The seat of the own dragon; -1 if the frame shows none. */
  readonly ownSeat: SeatId;
}

/**
 * The looks and the sound of one kind of event. A global one without a seat shows in the arena's
 * middle, and it is equally loud everywhere.
 */
export interface EventRecipe extends EffectRecipe {
  readonly voices?: readonly Voice[];
  /** The event waits until its tick is definitive, so that no death or point is ever retracted. */
  readonly isConfirmedOnly?: true;
  /** The player's own key causes it, so that it shows at once. */
  readonly answersKey?: true;
  /** A dragon that it happens to loses its rider. */
  readonly unseats?: true;
}

export type EventRecipes = Readonly<Record<string, EventRecipe>>;
