/** Turns events into particles and camera shake, by the game's recipes. */
import { Random } from "../../../shared/random.ts";
import type { PresentedEvent } from "../event_reconciler.ts";
import type { Burst, Trail } from "./bursts.ts";
import type { Particles } from "./particles.ts";
import type { ShakenCamera } from "./shaken_camera.ts";

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
  /** The event concerns the whole match, so without a seat it shows in the picture's middle. */
  readonly isGlobal?: true;
}

/** How long a retracted event's particles take to fade out, ms. */
const EFFECT_FADE_MS = 120;
/** How near the own body an event must be to shake the camera, metres. */
const SHAKE_DISTANCE = 3;

export class Effects {
  readonly #particles: Particles;
  readonly #recipes: Readonly<Record<string, EffectRecipe>>;
  #random = new Random(1);
  /** How much time each trail has not yet thrown particles for, ms. */
  readonly #trailDebtMs = new Map<Trail, number>();
  /** @param recipes by event kind; a kind without a recipe is invisible */
  constructor(particles: Particles, recipes: Readonly<Record<string, EffectRecipe>>) {
    this.#particles = particles;
    this.#recipes = recipes;
  }

  /** Begins anew, without particles. */
  reset(): void {
    this.#random = new Random(1);
    this.#trailDebtMs.clear();
    this.#particles.clear();
  }

  /**
   * Throws one event's bursts.
   * @param options.colour the seat's
   * @param options.middle the picture's
   * @param options.strength the share of the particles, 0 … 1; all if undefined
   */
  show(
    event: PresentedEvent,
    options: { colour: string; middle: Point; strength?: number },
  ): void {
    const { bursts, isGlobal } = this.#recipes[event.kind] ?? {};
    if (bursts === undefined) return;
    const at = isGlobal && event.seat < 0 ? options.middle : event;
    const { colour, strength = 1 } = options;
    for (const burst of bursts) {
      const count = Math.round(burst.count * strength);
      this.#emitBurst({ ...burst, count }, at, colour, event.key);
    }
  }

  /** Fades out the particles of a retracted event. */
  retract(key: string): void {
    this.#particles.fade(key, EFFECT_FADE_MS);
  }

  /** Shakes the camera if the event happened to the own body, or to another one next to it. */
  shake(
    event: PresentedEvent,
    own: { seat: number; x: number; y: number },
    options: { camera: ShakenCamera; nowMs: number },
  ): void {
    const strength = this.#recipes[event.kind]?.shake ?? 0;
    const near = event.seat >= 0 &&
      (event.x - own.x) ** 2 + (event.y - own.y) ** 2 <= SHAKE_DISTANCE ** 2;
    if (strength > 0 && (near || event.seat === own.seat)) {
      options.camera.shake(strength, options.nowMs);
    }
  }

  /**
   * Throws a trail's bursts at a steady rate, independent of the frame rate.
   * @param elapsedMs since the last frame
   */
  trail(trail: Trail, sprites: readonly Point[], elapsedMs: number): void {
    let debtMs = (this.#trailDebtMs.get(trail) ?? 0) + elapsedMs;
    for (; debtMs >= trail.periodMs; debtMs -= trail.periodMs) {
      for (const sprite of sprites) this.#emitBurst(trail.burst, sprite, "");
    }
    this.#trailDebtMs.set(trail, debtMs);
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
