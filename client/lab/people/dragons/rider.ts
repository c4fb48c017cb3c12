/**
 * A person who plays: eyes that are late, a temper, and hands that take their time. A rider sees
 * the picture, not the match, and moves keys, not dragons. They know no tick: the caller gives the
 * time.
 *
 *     perceived  = the picture of `reaction` ms ago, with every dragon moved on by its velocity
 *     intention  = temper( perceived )
 *     hands      = intention, but no sooner than cadence and turning allow, with an error of aim, and not in a pause
 */
import { Random } from "../../../../shared/random.ts";
import { awayFromWalls, type Intention, intentionOf } from "./intention.ts";
import { SightMemory } from "../sight_memory.ts";
import type { SeenDragon, Sight } from "./sight.ts";
import { drawMs, drawNormal, type Spread } from "../spread.ts";
import type { RiderStyle } from "./styles.ts";

/** The keys: what is down now, and all presses so far. */
export interface Hands {
  readonly dir: -1 | 0 | 1;
  readonly flapHeld: boolean;
  readonly flaps: number;
  readonly fires: number;
}

/** From one fireball to the next. */
const FIRE: Spread = { medianMs: 1200, deviation: 0.3 };
/** How long a rider who does not tap holds the flap key in a climb, at the most. */
const HOLD: Spread = { medianMs: 900, deviation: 0.4 };
/** From reading the result to asking for the next round. */
const READ_RESULT: Spread = { medianMs: 1800, deviation: 0.3 };
/** A held flap key is released when the rider is this much higher than they wanted, metres. */
const RELEASE_METRES = 0.3;

export class Rider {
  readonly style: RiderStyle;
  readonly #random: Random;
  readonly #memory = new SightMemory<Sight>();
  #nowMs = -Infinity;
  #reactionMs: number;
  #aimMetres = 0;
  #dir: -1 | 0 | 1 = 0;
  #flaps = 0;
  #fires = 0;
  /** When the flap key comes up. */
  #flapUpMs = -Infinity;
  /** The earliest times of the next flap, turn and fireball, and the end of the pause. */
  #nextFlapMs = -Infinity;
  #nextTurnMs = -Infinity;
  #nextFireMs = -Infinity;
  #pauseUntilMs = -Infinity;
  /** When they have read the result of the round; undefined while a round is played. */
  #resultReadMs: number | undefined;
  #turns = 0;

  /** @param seed with the same seed, sights and times, they do the same */
  constructor(style: RiderStyle, seed: number) {
    this.style = style;
    this.#random = new Random(seed);
    this.#reactionMs = drawMs(style.reaction, this.#random);
  }

  /** The picture that is on the screen from now on. */
  see(nowMs: number, sight: Sight): void {
    this.#memory.add(nowMs, sight);
  }

  /** All presses of keys so far. */
  get presses(): number {
    return this.#flaps + this.#fires + this.#turns;
  }

  /** Moves the hands. @param nowMs not before the last call @returns the keys from now on */
  act(nowMs: number): Hands {
    const sight = this.#memory.at(nowMs - this.#reactionMs);
    this.#maybePause(nowMs);
    if (sight !== undefined && nowMs >= this.#pauseUntilMs) this.#respond(nowMs, sight);
    this.#nowMs = nowMs;
    return {
      dir: this.#dir,
      flapHeld: nowMs < this.#flapUpMs,
      flaps: this.#flaps,
      fires: this.#fires,
    };
  }

  #respond(nowMs: number, sight: Sight): void {
    if (sight.phase === "result") return this.#requestNextRound(nowMs);
    this.#resultReadMs = undefined;
    if (sight.own === undefined) return this.#rest();
    const expected = expectedAfter(sight, this.#reactionMs / 1000);
    const own = expected.own!;
    const { dir, height, fires } = intentionOf(expected, own, this.#dir, this.style);
    this.#turn(nowMs, awayFromWalls(own, dir, sight.arena.width));
    this.#climb(nowMs, height - own.y + this.#aimMetres);
    if (fires) this.#fire(nowMs);
  }

  /** @param missingMetres how much higher they want to be */
  #climb(nowMs: number, missingMetres: number): void {
    if (this.style.holdsFlap && missingMetres < -RELEASE_METRES) {
      this.#flapUpMs = Math.min(this.#flapUpMs, nowMs);
    }
    if (missingMetres <= 0 || nowMs < this.#nextFlapMs || nowMs < this.#flapUpMs) return;
    this.#pressFlap(nowMs, this.style.holdsFlap ? HOLD : this.style.tap);
    this.#nextFlapMs = Math.max(this.#nextFlapMs, this.#nowMs) +
      drawMs(this.style.cadence, this.#random);
  }

  #pressFlap(nowMs: number, down: Spread): void {
    this.#flaps++;
    this.#flapUpMs = nowMs + drawMs(down, this.#random);
    this.#onKey();
  }

  #turn(nowMs: number, dir: Intention["dir"]): void {
    if (dir === this.#dir || nowMs < this.#nextTurnMs) return;
    this.#dir = dir;
    this.#turns++;
    this.#nextTurnMs = nowMs + drawMs(this.style.turning, this.#random);
    this.#onKey();
  }

  #fire(nowMs: number): void {
    if (nowMs < this.#nextFireMs) return;
    this.#fires++;
    this.#nextFireMs = nowMs + drawMs(FIRE, this.#random);
    this.#onKey();
  }

  #requestNextRound(nowMs: number): void {
    this.#rest();
    this.#resultReadMs ??= nowMs + drawMs(READ_RESULT, this.#random);
    if (nowMs < this.#resultReadMs) return;
    this.#pressFlap(nowMs, this.style.tap);
    this.#resultReadMs = undefined;
  }

  #rest(): void {
    this.#dir = 0;
    this.#flapUpMs = Math.min(this.#flapUpMs, this.#nowMs);
  }

  /**
   * Each key is a response of its own: the next one has another reaction and another error of aim.
   */
  #onKey(): void {
    this.#reactionMs = drawMs(this.style.reaction, this.#random);
    this.#aimMetres = this.style.aimMetres * drawNormal(this.#random);
  }

  #maybePause(nowMs: number): void {
    const minutes = Number.isFinite(this.#nowMs) ? (nowMs - this.#nowMs) / 60_000 : 0;
    if (!this.#random.chance(minutes * this.style.pausesPerMinute)) return;
    this.#pauseUntilMs = nowMs + drawMs(this.style.pause, this.#random);
  }
}

/**
 * The sight with every dragon moved on by its velocity: people lead moving targets, and their own
 * body.
 */
function expectedAfter(sight: Sight, seconds: number): Sight {
  const move = (dragon: SeenDragon): SeenDragon => ({
    ...dragon,
    x: dragon.x + dragon.vx * seconds,
    y: dragon.y + dragon.vy * seconds,
  });
  return {
    ...sight,
    own: sight.own === undefined ? undefined : move(sight.own),
    rivals: sight.rivals.map(move),
  };
}
