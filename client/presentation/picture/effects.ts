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
  #random = new Random(1);
  /** @param recipes by event kind; a kind without a recipe is invisible */
  constructor(particles: Particles, recipes: Readonly<Record<string, EffectRecipe>>) {
    this.#particles = particles;
    this.#recipes = recipes;
  }

  /** Begins anew, without particles. */
  reset(): void {
    this.#random = new Random(1);
    this.#particles.clear();
  }

  /**
   * Throws one event's bursts.
   * @param options.colour the seat's
   * @param options.strength the share of the particles, 0 … 1; all if undefined
   */
  show(
    event: PresentedEvent,
    options: { colour: string; strength?: number },
  ): void {
    const { bursts } = this.#recipes[event.kind] ?? {};
    if (bursts === undefined) return;
    const { colour, strength = 1 } = options;
    for (const burst of bursts) {
      const count = Math.round(burst.count * strength);
      this.#emitBurst({ ...burst, count }, event, colour, event.key);
    }
  }

  /** Fades out the particles of a retracted event. */
  retract(key: string): void {
    this.#particles.fade(key, EFFECT_FADE_MS);
  }

  #emitBurst(burst: Burst, at: Point, seatColour: string, key = ""): void {
    const { x, y } = at;
    const place = { x, y: y - (burst.below ?? 0), angle: 0, seatColour, key };
    emitBurst(this.#particles, this.#random, burst, place);
  }
}

/** Where a burst begins. Metres, radians. */
interface BurstPlace extends Point {
  /** Added to the burst's `turns`. */
  readonly angle: number;
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
  { x, y, angle, seatColour, key }: BurstPlace,
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
      vx: Math.cos(direction) * metresPerSecond,
      vy: Math.sin(direction) * metresPerSecond,
      lifeMs: lifeMs * (0.7 + 0.3 * random.fraction()),
      size: size * (0.7 + 0.6 * random.fraction()),
    };
    particles.emit(start, key);
  }
}
