/**
 * One frame of the dragon game as plain values: predicted, placed between two ticks, and eased.
 * `scene_builder.ts` composes it from the simulation; the renderer and the sound read nothing else.
 */
import type { Arena } from "../../../shared/games/dragons/arena.ts";
import type { PresentedEvent } from "../../presentation/event_reconciler.ts";
import { emptySprites, type Sprites } from "./presenters/presenters.ts";

export interface RenderScene extends Sprites {
  /** The moment that the scene shows, ms on the page's clock. */
  atMs: number;
  arena: Arena;
  /** Events that no earlier scene had. */
  events: readonly PresentedEvent[];
  /** Keys of events that earlier scenes showed and that a resimulation retracted. */
  retractedEvents: readonly string[];
}

/** A scene without sprites and events. */
export function emptyScene(arena: Arena): RenderScene {
  return { atMs: 0, arena, events: [], retractedEvents: [], ...emptySprites() };
}
