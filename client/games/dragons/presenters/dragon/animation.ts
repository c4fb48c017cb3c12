/**
 * What the view remembers of each dragon between two pictures: where its wings are in their beat, how squashed it is, how far
 * it has turned or tumbled. It follows from the sprites alone, is cosmetic, and is dropped with its dragon.
 *
 *     each value chases its target:  value += (target − value) · (1 − e^(−elapsed / its time))
 */
import type { DragonSprite } from "./sprite.ts";

/** A beat: wings up, struck down, back to gliding. */
const WINGS_UP_MS = 40;
const WINGS_DOWN_MS = 150;
const WINGS_BACK_MS = 330;
/** How long each takes for most of the way to where it should be, ms: wings fold, wings beat, a body turns and tilts, a tail lags. */
const FOLD_MS = 60;
const BEAT_MS = 28;
const TURN_MS = 45;
const PITCH_MS = 90;
const TAIL_MS = 140;
/** A flap is fresh up to this age in ticks; an older one was already shown, or was taken back by a rollback. */
const FRESH_FLAP_TICKS = 2;
/** Metres between two steps of a running dragon. */
const STRIDE_METRES = 1.1;
/** Turns per second of a dragon without a rider. */
const TUMBLE_HZ = 0.75;
export const SCORE_POP_MS = 1100;
const MOUTH_OPEN_MS = 180;
/** How long "you" points at the own dragon after it came in. */
const ARRIVED_MS = 3000;

export class DragonAnimation {
  /** -1 struck down … 1 raised. */
  wing = 0.3;
  /** 0 spread … 1 folded. */
  fold = 0;
  /** -1 looks left … 1 looks right; between them it is turning. */
  turn = 1;
  /** Radians, nose up positive. */
  pitch = 0;
  /** Positive is flat and wide, negative tall and slim; about -0.3 … 0.4. */
  squash = 0;
  /** Radians that a riderless dragon has tumbled. */
  tumble = 0;
  /** Radians of the running legs. */
  stride = 0;
  /** Where the tail swings, -1 … 1. */
  tail = 0;
  /** The last change of score, and since when it is shown. */
  popPoints = 0;
  popAgeMs = Infinity;
  mouthOpenMs = 0;
  /** How long ago it came or came back. */
  arrivedAgeMs = 0;
  /** The last picture it was in. */
  frame = 0;

  #flapAgeMs = Infinity;
  #flapAge = 255;
  #squashSpeed = 0;
  #onGround = true;
  #vy = 0;
  #charges = 0;
  #score: number;
  #dead: boolean;

  constructor(sprite: DragonSprite) {
    this.turn = sprite.facing;
    this.#onGround = sprite.onGround;
    this.#charges = sprite.charges;
    this.#score = sprite.score;
    this.#dead = sprite.dead;
  }

  /** Shows that it was hit or landed. @param strength 0 … 1 */
  squeeze(strength: number): void {
    this.#squashSpeed += 7 * Math.min(1, strength);
  }

  /** Follows the sprite. @param elapsedMs since the last picture, at most 50: the spring in it is stable up to there */
  advance(sprite: DragonSprite, elapsedMs: number): void {
    this.#detectChanges(sprite, elapsedMs);
    this.#beat(sprite, elapsedMs);
    this.#bend(sprite, elapsedMs);
  }

  #detectChanges(sprite: DragonSprite, ms: number): void {
    if (sprite.onGround && !this.#onGround) this.squeeze(Math.max(0, -this.#vy) / 9);
    if (sprite.charges < this.#charges) this.mouthOpenMs = MOUTH_OPEN_MS;
    else this.mouthOpenMs = Math.max(0, this.mouthOpenMs - ms);
    this.popAgeMs += ms;
    if (sprite.score > this.#score) {
      this.popPoints = sprite.score - this.#score;
      this.popAgeMs = 0;
    }
    this.arrivedAgeMs = this.#dead && !sprite.dead ? 0 : this.arrivedAgeMs + ms;
    this.#onGround = sprite.onGround;
    this.#vy = sprite.vy;
    this.#charges = sprite.charges;
    this.#score = sprite.score;
    this.#dead = sprite.dead;
  }

  #beat(sprite: DragonSprite, ms: number): void {
    this.#flapAgeMs += ms;
    if (sprite.flapAge < this.#flapAge && sprite.flapAge <= FRESH_FLAP_TICKS) this.#flapAgeMs = 0;
    this.#flapAge = sprite.flapAge;
    const folded = sprite.onGround && this.#flapAgeMs > WINGS_BACK_MS && !sprite.dead;
    this.fold = chase(this.fold, folded ? 1 : 0, ms / FOLD_MS);
    this.wing = chase(this.wing, wingTarget(this.#flapAgeMs), ms / BEAT_MS);
  }

  #bend(sprite: DragonSprite, ms: number): void {
    const seconds = ms / 1000;
    this.turn = chase(this.turn, sprite.facing < 0 ? -1 : 1, ms / TURN_MS);
    this.pitch = chase(
      this.pitch,
      sprite.onGround ? 0 : Math.max(-0.3, Math.min(0.22, sprite.vy * 0.03)),
      ms / PITCH_MS,
    );
    this.tail = chase(this.tail, Math.max(-1, Math.min(1, -sprite.vy * 0.14)), ms / TAIL_MS);
    this.stride += sprite.onGround ? sprite.vx * seconds / STRIDE_METRES * Math.PI * 2 : 0;
    this.tumble = sprite.dead ? this.tumble + seconds * TUMBLE_HZ * Math.PI * 2 : 0;
    // A damped spring, semi-implicit: back in shape within a quarter of a second.
    this.#squashSpeed += (-420 * this.squash - 22 * this.#squashSpeed) * seconds;
    this.squash = Math.max(-0.3, Math.min(0.4, this.squash + this.#squashSpeed * seconds));
  }

  /** Whether the player may still be looking for his dragon. */
  get hasJustArrived(): boolean {
    return this.arrivedAgeMs < ARRIVED_MS;
  }
}

function wingTarget(flapAgeMs: number): number {
  if (flapAgeMs < WINGS_UP_MS) return 1;
  if (flapAgeMs < WINGS_DOWN_MS) return -1;
  if (flapAgeMs < WINGS_BACK_MS) return 0.6;
  return 0.3;
}

function chase(value: number, target: number, share: number): number {
  return value + (target - value) * (1 - Math.exp(-share));
}

/** The memories of all dragons in the picture, by entity id. */
export class DragonAnimations {
  readonly #byId = new Map<number, DragonAnimation>();
  #frame = 0;

  get count(): number {
    return this.#byId.size;
  }

  /** Brings every dragon's memory up to this picture and forgets who is not in it. */
  advance(dragons: readonly DragonSprite[], elapsedMs: number): void {
    this.#frame++;
    for (const dragon of dragons) {
      const animation = this.of(dragon);
      animation.advance(dragon, elapsedMs);
      animation.frame = this.#frame;
    }
    for (const [id, animation] of this.#byId) if (animation.frame !== this.#frame) this.#byId.delete(id);
  }

  /** What is remembered of a dragon; a new one has just arrived. */
  of(dragon: DragonSprite): DragonAnimation {
    let animation = this.#byId.get(dragon.id);
    if (animation === undefined) this.#byId.set(dragon.id, animation = new DragonAnimation(dragon));
    return animation;
  }
}
