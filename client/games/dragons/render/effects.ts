/** Throws what `effect_recipes.ts` says of each happening into the particle pool, and shakes the picture with it. */
import type { Point } from "../../../../shared/games/dragons/arena.ts";
import { Random } from "../../../../shared/random.ts";
import type { Camera } from "./camera.ts";
import { type Burst, EMBER, FLAME, RECIPES } from "./bursts.ts";
import type { Particles, ParticleStart } from "./particles.ts";
import type { FireballSprite } from "../scene.ts";
import type { PresentedEvent } from "../../../presentation/event_reconciler.ts";

/** An ember falls off each fireball this often. */
const EMBER_PERIOD_MS = 45;
/** What never was is not seen after this, ms. */
const EFFECT_FADE_MS = 120;
/** Farther from the player than this, nothing shakes the picture. Metres. */
const SHAKE_DISTANCE = 3;

export class Effects {
  readonly #particles: Particles;
  readonly #random = new Random(1);
  readonly #start: ParticleStart = {
    shape: "puff",
    colour: "",
    x: 0,
    y: 0,
    vx: 0,
    vy: 0,
    lifeMs: 1,
    size: 0,
    growth: 0,
    gravity: 0,
    drag: 0,
  };
  #emberDebtMs = 0;
  /** Of the happening that is shown now. */
  #key = "";

  constructor(particles: Particles) {
    this.#particles = particles;
  }

  /** Throws what belongs to one happening. @param options.colour of the seat it happened to @param options.middle of the arena */
  show(effect: PresentedEvent, options: { colour: string; middle: Point }): void {
    const recipe = RECIPES[effect.kind];
    if (recipe === undefined) return;
    const at = recipe.everywhere && effect.seat < 0 ? options.middle : effect;
    this.#key = effect.key;
    for (const burst of recipe.bursts) this.#emitBurst(burst, at, options.colour);
    this.#key = "";
  }

  /** What was shown with this key never was. */
  retract(key: string): void {
    this.#particles.fade(key, EFFECT_FADE_MS);
  }

  /** Shakes the picture if the player at `own` feels it: it happened to him, or to another one next to him. */
  shake(
    effect: PresentedEvent,
    own: { seat: number; x: number; y: number },
    options: { camera: Camera; nowMs: number },
  ): void {
    const strength = RECIPES[effect.kind]?.shake ?? 0;
    const near = effect.seat >= 0 && (effect.x - own.x) ** 2 + (effect.y - own.y) ** 2 <= SHAKE_DISTANCE ** 2;
    if (strength > 0 && (near || effect.seat === own.seat)) options.camera.shake(strength, options.nowMs);
  }

  /** Embers fall off fireballs at a steady rate, however often pictures are drawn. @param elapsedMs since the last one */
  trail(fireballs: readonly FireballSprite[], elapsedMs: number): void {
    this.#emberDebtMs += elapsedMs;
    while (this.#emberDebtMs >= EMBER_PERIOD_MS) {
      this.#emberDebtMs -= EMBER_PERIOD_MS;
      for (const fireball of fireballs) this.#emitBurst(EMBER, fireball, FLAME);
    }
  }

  #emitBurst(burst: Burst, at: Point, seatColour: string): void {
    const start = this.#start;
    start.shape = burst.shape;
    start.colour = burst.colour === "seat" ? seatColour : burst.colour;
    start.growth = burst.growth ?? 0;
    start.gravity = burst.gravity ?? 0;
    start.drag = burst.drag ?? 0;
    start.x = at.x;
    start.y = at.y - (burst.below ?? 0);
    for (let i = 0; i < burst.count; i++) {
      const angle = this.#between(burst.turns) * Math.PI * 2;
      const speed = this.#between(burst.speed);
      start.vx = Math.cos(angle) * speed;
      start.vy = Math.sin(angle) * speed;
      start.lifeMs = burst.lifeMs * (0.7 + 0.3 * this.#random.fraction());
      start.size = burst.size * (0.7 + 0.6 * this.#random.fraction());
      this.#particles.emit(start, this.#key);
    }
  }

  #between(range: readonly [number, number]): number {
    return range[0] + (range[1] - range[0]) * this.#random.fraction();
  }
}
