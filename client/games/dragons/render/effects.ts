/** Turns events into particles and camera shake, by the recipes of the presenters. */
import type { Point } from "../../../../shared/games/dragons/arena.ts";
import { Random } from "../../../../shared/random.ts";
import type { PresentedEvent } from "../../../presentation/event_reconciler.ts";
import { EVENT_RECIPES } from "../presenters/presenters.ts";
import type { Burst, Trail } from "./bursts.ts";
import type { Camera } from "./camera.ts";
import type { Particles, ParticleStart } from "./particles.ts";

/** The particles of a retracted event are gone after this time, ms. */
const EFFECT_FADE_MS = 120;
/** Metres. An event farther from the own dragon than this does not shake the camera. */
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
  /** Time for which a trail has not yet thrown particles, ms. */
  readonly #trailDebtMs = new Map<Trail, number>();
  /** The key of the event that throws now. */
  #key = "";

  constructor(particles: Particles) {
    this.#particles = particles;
  }

  /** Throws the bursts of one event. @param options.colour the seat's @param options.middle the arena's */
  show(event: PresentedEvent, options: { colour: string; middle: Point }): void {
    const { bursts, isGlobal } = EVENT_RECIPES[event.kind] ?? {};
    if (bursts === undefined) return;
    const at = isGlobal && event.seat < 0 ? options.middle : event;
    this.#key = event.key;
    for (const burst of bursts) this.#emitBurst(burst, at, options.colour);
    this.#key = "";
  }

  /** Fades out the particles of a retracted event. */
  retract(key: string): void {
    this.#particles.fade(key, EFFECT_FADE_MS);
  }

  /** Shakes the camera if the event happened to the own dragon, or to another one next to it. */
  shake(
    event: PresentedEvent,
    own: { seat: number; x: number; y: number },
    options: { camera: Camera; nowMs: number },
  ): void {
    const strength = EVENT_RECIPES[event.kind]?.shake ?? 0;
    const near = event.seat >= 0 && (event.x - own.x) ** 2 + (event.y - own.y) ** 2 <= SHAKE_DISTANCE ** 2;
    if (strength > 0 && (near || event.seat === own.seat)) options.camera.shake(strength, options.nowMs);
  }

  /** Throws a trail's bursts at a steady rate, whatever the frame rate is. @param elapsedMs since the last frame */
  trail(trail: Trail, sprites: readonly Point[], elapsedMs: number): void {
    let debtMs = (this.#trailDebtMs.get(trail) ?? 0) + elapsedMs;
    for (; debtMs >= trail.periodMs; debtMs -= trail.periodMs) {
      for (const sprite of sprites) this.#emitBurst(trail.burst, sprite, "");
    }
    this.#trailDebtMs.set(trail, debtMs);
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
