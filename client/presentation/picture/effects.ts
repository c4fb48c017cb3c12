/** Turns events into particles and camera shake, by the game's recipes. */
import { Random } from "../../../shared/random.ts";
import type { PresentedEvent } from "../event_reconciler.ts";
import type { Burst } from "./bursts.ts";
import type { Particles } from "./particles.ts";

/** Metres. */
interface Point {
  readonly x: number;
  readonly y: number;
}

/** What one kind of event looks like. */
export interface EffectRecipe {
  readonly bursts?: readonly Burst[];
  /** 0 … 1: how strongly the camera shakes if the event happens to the own body or near it. */
  readonly shake?: number;
}

/** How long a retracted event's particles take to fade out, ms. */
const EFFECT_FADE_MS = 120;

export class Effects {
  readonly #particles: Particles;
  readonly #recipes: Readonly<Record<string, EffectRecipe>>;

  /** @param recipes by event kind; a kind without a recipe is invisible */
  constructor(particles: Particles, recipes: Readonly<Record<string, EffectRecipe>>) {
    this.#particles = particles;
    this.#recipes = recipes;
  }

  /** Begins anew, without particles. */
  reset(): void {
    this.#particles.clear();
  }

  /**
   * Throws one event's bursts. They follow from its key, so they are the same in a replay.
   * @param options.colour the seat's
   * @param options.strength the share of the particles, 0 … 1; all if undefined
   * @param options.side −1 mirrors the directions
   * @param options.isCalm whether no figure may tumble
   */
  show(
    event: PresentedEvent,
    { colour, strength = 1, side = 1, isCalm = false }: {
      readonly colour: string;
      readonly strength?: number;
      readonly side?: 1 | -1;
      readonly isCalm?: boolean;
    },
  ): void {
    const { key, x, y } = event;
    const random = new Random(seedOf(key));
    for (const burst of this.#recipes[event.kind]?.bursts ?? []) {
      if (isCalm && typeof burst.shape === "function") continue;
      const count = Math.round(burst.count * strength);
      const place = { x, y: y - (burst.below ?? 0), angle: 0, side, seatColour: colour, key };
      emitBurst(this.#particles, random, { ...burst, count }, place);
    }
  }

  /** Fades out the particles of a retracted event. */
  retract(key: string): void {
    this.#particles.fade(key, EFFECT_FADE_MS);
  }
}

function seedOf(key: string): number {
  let seed = 0;
  for (let i = 0; i < key.length; i++) seed = Math.imul(seed, 31) + key.charCodeAt(i);
  return seed;
}

/** Where a burst begins. Metres, radians. */
interface BurstPlace extends Point {
  /** Added to the burst's `turns`. */
  readonly angle: number;
  /** −1 mirrors the directions. */
  readonly side: 1 | -1;
  /** CSS: replaces the colour "seat". */
  readonly seatColour: string;
  /** The event that throws it; empty for none. */
  readonly key: string;
}

/** Throws a burst's particles. */
export function emitBurst(
  particles: Particles,
  random: Random,
  { shape, colour, count, speed, turns, lifeMs, size, growth = 0, gravity = 0, drag = 0 }: Burst,
  { x, y, angle, side, seatColour, key }: BurstPlace,
): void {
  const between = ([from, to]: readonly [number, number]) => from + (to - from) * random.fraction();
  for (let i = 0; i < count; i++) {
    const direction = angle + between(turns) * Math.PI * 2;
    const metresPerSecond = between(speed);
    const start = {
      shape,
      colour: colour === "seat" ? seatColour : colour,
      x,
      y,
      growth,
      gravity,
      drag,
      vx: side * Math.cos(direction) * metresPerSecond,
      vy: Math.sin(direction) * metresPerSecond,
      lifeMs: lifeMs * (0.7 + 0.3 * random.fraction()),
      size: size * (0.7 + 0.6 * random.fraction()),
    };
    particles.emit(start, key);
  }
}
