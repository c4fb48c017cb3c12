/**
 * The animation of each dragon: state that its painter keeps between frames. Examples are the beat
 * of its wings, its squash, and its angle while it turns or tumbles. An animation follows from the
 * sprites alone and ends with its dragon.
 *
 *     each value chases its target:  value += ( target − value ) · ( 1 − e^(−elapsed / time constant) )
 */
import type { DragonSprite } from "./sprite.ts";

/** The ages of a flap at which the wings go up, down, and back to gliding. */
const WINGS_UP_MS = 40;
const WINGS_DOWN_MS = 150;
const WINGS_BACK_MS = 330;
/** Time constants, ms. */
const FOLD_MS = 60;
const BEAT_MS = 28;
const TURN_MS = 45;
const PITCH_MS = 90;
const TAIL_MS = 140;
/**
 * Ticks. A flap is new up to this age: a rival's flap may become known so late. An older one was
 * shown before, or a rollback removed a newer one.
 */
const FRESH_FLAP_TICKS = 8;
/** Metres between two steps of a running dragon. */
const STRIDE_METRES = 1.1;
/** Turns per second of a dragon without a rider. */
const TUMBLE_HZ = 0.75;
export const SCORE_POP_MS = 1100;
const MOUTH_OPEN_MS = 180;
/** Time for which an arrow points at the own dragon after it has entered. */
const ARRIVED_MS = 3000;

export class DragonAnimation {
  /** -1 struck down … 1 raised. */
  wing = 0.3;
  /** 0 spread … 1 folded. */
  fold = 0;
  /** -1 faces left … 1 faces right; between them the dragon is turning. */
  turn = 1;
  /** Radians, nose up positive. */
  pitch = 0;
  /** Positive is flat and wide, negative is tall and slim: -0.3 … 0.4. */
  squash = 0;
  /** Radians by which a dead dragon has tumbled. */
  tumble = 0;
  /** Radians of the running legs. */
  stride = 0;
  /** The swing of the tail, -1 … 1. */
  tail = 0;
  /** The points of the last gain, and the time since then. */
  popPoints = 0;
  popAgeMs = Infinity;
  mouthOpenMs = 0;
  /** Time since it entered or came back. */
  arrivedAgeMs = 0;
  /** The number of the last frame that had it. */
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

  /**
   * Flattens the dragon after a blow or a landing.
   * @param strength 0 … 1; a negative one stretches it
   */
  squeeze(strength: number): void {
    this.#squashSpeed += 7 * Math.min(1, strength);
  }

  /**
   * Follows the sprite.
   * @param elapsedMs since the last frame, at most 50: up to there the spring is stable
   */
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
    // A dead dragon spreads limp wings.
    if (sprite.dead) this.wing = 0.1 + 0.4 * Math.sin(this.tumble * 3);
    // A damped spring, integrated semi-implicitly. It is back in shape within a quarter of a
    // second.
    this.#squashSpeed += (-420 * this.squash - 22 * this.#squashSpeed) * seconds;
    this.squash = Math.max(-0.3, Math.min(0.4, this.squash + this.#squashSpeed * seconds));
  }

  /** Whether the player may still be searching for the own dragon. */
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

/** The animations of all dragons in the frame, by entity id. */
export class DragonAnimations {
  readonly #byId = new Map<number, DragonAnimation>();
  #frame = 0;

  get count(): number {
    return this.#byId.size;
  }

  /** Advances the animation of every dragon in the frame and drops all others. */
  advance(dragons: readonly DragonSprite[], elapsedMs: number): void {
    this.#frame++;
    for (const dragon of dragons) {
      const animation = this.of(dragon);
      animation.advance(dragon, elapsedMs);
      animation.frame = this.#frame;
    }
    for (const [id, animation] of this.#byId) {
      if (animation.frame !== this.#frame) this.#byId.delete(id);
    }
  }

  /** The animation of a dragon; a new one if the dragon has just arrived. */
  of(dragon: DragonSprite): DragonAnimation {
    let animation = this.#byId.get(dragon.id);
    if (animation === undefined) this.#byId.set(dragon.id, animation = new DragonAnimation(dragon));
    return animation;
  }
}
