/**
 * What one picture shows: plain values, already predicted, placed between ticks and eased. `renderer.ts` draws it and knows
 * nothing else; whoever builds it (`scene_builder.ts`) knows the game and knows no canvas.
 */
import type { Arena } from "../../../shared/games/dragons/arena.ts";
import type { PresentedEvent } from "../../presentation/event_reconciler.ts";

export interface DragonSprite {
  /** Entity id: the key for whatever the view remembers of it. */
  id: number;
  seat: number;
  name: string;
  own: boolean;
  npc: boolean;
  /** Metres, y upwards. */
  x: number;
  y: number;
  /** m/s. */
  vx: number;
  vy: number;
  /** -1 looks left, 1 looks right. */
  facing: number;
  onGround: boolean;
  /** Ticks since its last flap, 0 … 255. */
  flapAge: number;
  /** It lost its rider and tumbles until it comes back. */
  dead: boolean;
  /** Ticks for which nothing can hurt it. */
  invulnerableTicks: number;
  /** Ticks for which it obeys nobody. */
  stunnedTicks: number;
  /** Fireballs it may still breathe, 0 … 3. */
  charges: number;
  score: number;
}

export interface CrateSprite {
  id: number;
  x: number;
  y: number;
  angle: number;
  /** Ticks for which it has been burning; 0 where it does not. */
  burning: number;
}

export interface FireballSprite {
  id: number;
  x: number;
  y: number;
  vx: number;
  vy: number;
  /** The seat that breathed it. */
  seat: number;
}

export interface EggSprite {
  id: number;
  x: number;
  y: number;
  angle: number;
  /** The seat whose rider it was. */
  seat: number;
  /** How far it is from lying there (0) to hatching (1); above 0.75 it shakes. */
  ripeness: number;
}

export interface RenderScene {
  /** The moment that it shows, ms on the page's clock. */
  atMs: number;
  arena: Arena;
  /** Metres: half a dragon's height, for its outline. */
  dragonRadius: number;
  dragons: DragonSprite[];
  crates: CrateSprite[];
  fireballs: FireballSprite[];
  eggs: EggSprite[];
  /** New since the last picture. */
  effects: readonly PresentedEvent[];
  /** Keys of effects shown before that never were, as is known now. */
  retractedEffects: readonly string[];
}
