/**
 * A hash of all bodies' motions, for libraries whose state is not one buffer. It misses what else
 * such a state has, such as contacts; but in a scene that never rests a difference there is one of a
 * motion a moment later.
 */
import { hashOfWords } from "../../../shared/netcode/wire/range_coder.ts";

/** The motion of a body, in the library's own units. */
export interface BodyMotion {
  readonly x: number;
  readonly y: number;
  readonly angle: number;
  readonly vx: number;
  readonly vy: number;
  readonly spin: number;
}

/** More bodies than the full scene has: 82. */
const BODIES_MAX = 128;
const NUMBERS_OF_BODY = 6;

/** Reused tick after tick. */
export class MotionHash {
  readonly #numbers = new Float64Array(BODIES_MAX * NUMBERS_OF_BODY);
  readonly #words = new Uint32Array(this.#numbers.buffer);
  /** Numbers added. */
  #length = 0;

  clear(): void {
    this.#length = 0;
  }

  /** @throws RangeError for more than `BODIES_MAX` bodies */
  add({ x, y, angle, vx, vy, spin }: BodyMotion): void {
    // A typed array drops what is written behind its end.
    if (this.#length === this.#numbers.length) throw new RangeError("too many bodies");
    for (const number of [x, y, angle, vx, vy, spin]) this.#numbers[this.#length++] = number;
  }

  /** @returns 32 bits over every bit of the motions since `clear` */
  hash(): number {
    return hashOfWords(this.#words, this.#length * 2);
  }
}
