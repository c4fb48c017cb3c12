/**
 * A person who drives in Puck, as a rider rides (`../dragons/rider.ts`): they see late, expect what
 * moves to go on, and have hands that take their time.
 *
 *     keys     each of the two axes changes no sooner than `turning` after its last change
 *     stick    the thumb sets out for a new place every `cadence`, and takes 0.12 s
 *
 * People correct what they track about three times a second and not all the time (Craik, "Theory of
 * the human operator in control systems", British Journal of Psychology 38, 1947).
 */
import { Random } from "../../../../shared/random.ts";
import { SightMemory } from "../sight_memory.ts";
import { drawMs, drawNormal, type Spread } from "../spread.ts";
import { expectedAfter, type Intention, intentionOf, type Sight } from "./sight.ts";
import type { DriverStyle } from "./styles.ts";

/** What the hands do now: the stick or the keys, −1 … 1, and all presses so far. */
export interface DrivingHands {
  readonly dx: number;
  readonly dy: number;
  readonly boosts: number;
}

/** From one boost to the next: the car rests for 2.5 s. */
const BOOST: Spread = { medianMs: 2700, deviation: 0.1 };
/** How long a thumb is on its way. */
const THUMB_MS = 120;
/** Metres. Nearer than this to where they want to be, they let go. */
const ARRIVED_METRES = 0.6;
/** Metres at which a thumb begins to ease. */
const EASE_METRES = 2;
/** Seconds of rolling that drivers reckon with. */
const ROLL_SECONDS = 0.25;
/** The sine of half the angle between two of the eight directions that keys have. */
const OCTANT = 0.383;

interface Stick {
  readonly x: number;
  readonly y: number;
}

export class Driver {
  readonly style: DriverStyle;
  readonly #random: Random;
  readonly #memory = new SightMemory<Sight>();
  #nowMs = -Infinity;
  #reactionMs: number;
  #aim = { x: 0, y: 0 };
  /** The keys, or where the thumb goes. */
  #to: Stick = { x: 0, y: 0 };
  /** Where the thumb comes from, and when it set out. */
  #from: Stick = { x: 0, y: 0 };
  #movedMs = -Infinity;
  #boosts = 0;
  /** The earliest times of the next change, by axis for keys, of the next boost, and of a pause's end. */
  readonly #nextMs = { x: -Infinity, y: -Infinity };
  #nextBoostMs = -Infinity;
  #pauseUntilMs = -Infinity;

  /** @param seed with the same seed, sights and times, they do the same */
  constructor(style: DriverStyle, seed: number) {
    this.style = style;
    this.#random = new Random(seed);
    this.#reactionMs = drawMs(style.hands.reaction, this.#random);
  }

  /** The picture that is on the screen from now on. */
  see(nowMs: number, sight: Sight): void {
    this.#memory.add(nowMs, sight);
  }

  /** Moves the hands. @param nowMs not before the last call @returns the hands from now on */
  act(nowMs: number): DrivingHands {
    const sight = this.#memory.at(nowMs - this.#reactionMs);
    this.#maybePause(nowMs);
    if (sight !== undefined && nowMs >= this.#pauseUntilMs) this.#respond(nowMs, sight);
    this.#nowMs = nowMs;
    const { x, y } = this.#handsAt(nowMs);
    return { dx: x, dy: y, boosts: this.#boosts };
  }

  #respond(nowMs: number, sight: Sight): void {
    const expected = expectedAfter(sight, this.#reactionMs / 1000);
    const { own } = expected;
    if (own === undefined) return this.#move(nowMs, { x: 0, y: 0 });

    const intention = intentionOf(expected, own, this.style.temper);
    this.#move(nowMs, this.#stickTo(intention, own));
    if (intention.boosts && sight.isPlaying && nowMs >= this.#nextBoostMs) {
      this.#boosts++;
      this.#nextBoostMs = nowMs + drawMs(BOOST, this.#random);
      this.#onKey();
    }
  }

  /** The stick's place, in a circle of 1, that leads to where they want to go. */
  #stickTo({ x, y }: Intention, own: NonNullable<Sight["own"]>): Stick {
    const dx = x + this.#aim.x - own.x - ROLL_SECONDS * own.vx;
    const dy = y + this.#aim.y - own.y - ROLL_SECONDS * own.vy;
    const metres = Math.hypot(dx, dy);
    if (metres < ARRIVED_METRES) return { x: 0, y: 0 };
    const most = Math.max(metres, EASE_METRES);
    return { x: dx / most, y: dy / most };
  }

  #move(nowMs: number, to: Stick): void {
    if (this.style.device === "keys") {
      const length = Math.max(0.01, Math.hypot(to.x, to.y));
      this.#moveKey("x", nowMs, Math.abs(to.x) / length > OCTANT ? Math.sign(to.x) : 0);
      this.#moveKey("y", nowMs, Math.abs(to.y) / length > OCTANT ? Math.sign(to.y) : 0);
      return;
    }
    if (nowMs < this.#nextMs.x) return;
    this.#from = this.#handsAt(nowMs);
    this.#to = to;
    this.#movedMs = nowMs;
    this.#nextMs.x = nowMs + drawMs(this.style.hands.cadence, this.#random);
    this.#onKey();
  }

  #moveKey(axis: "x" | "y", nowMs: number, to: number): void {
    if (to === this.#to[axis] || nowMs < this.#nextMs[axis]) return;
    this.#to = { ...this.#to, [axis]: to };
    this.#nextMs[axis] = nowMs + drawMs(this.style.hands.turning, this.#random);
    this.#onKey();
  }

  #handsAt(nowMs: number): Stick {
    if (this.style.device === "keys") return this.#to;
    const share = Math.min(1, (nowMs - this.#movedMs) / THUMB_MS);
    return {
      x: this.#from.x + share * (this.#to.x - this.#from.x),
      y: this.#from.y + share * (this.#to.y - this.#from.y),
    };
  }

  /** The next response has another reaction and another error of judgement. */
  #onKey(): void {
    const { reaction, aimMetres } = this.style.hands;
    this.#reactionMs = drawMs(reaction, this.#random);
    this.#aim = {
      x: aimMetres * drawNormal(this.#random),
      y: aimMetres * drawNormal(this.#random),
    };
  }

  #maybePause(nowMs: number): void {
    const { pause, pausesPerMinute } = this.style.hands;
    const minutes = Number.isFinite(this.#nowMs) ? (nowMs - this.#nowMs) / 60_000 : 0;
    if (!this.#random.chance(minutes * pausesPerMinute)) return;
    this.#pauseUntilMs = nowMs + drawMs(pause, this.#random);
  }
}
