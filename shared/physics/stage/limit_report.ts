/**
 * What the limits of a stage have held back in one tick, in words for the author and the operator.
 * It is not part of the state: a rollback only finds the same words again.
 */
import type { StageLimits } from "../core/types.ts";
import type { StepLimit } from "../dynamics/world.ts";

const NONE: readonly string[] = [];
/** A thousand bodies may be held at once; a few sentences show what happens. */
const SENTENCES_MAX = 8;

/** The sentences of one tick. */
export class LimitReport {
  readonly #limits: Required<StageLimits>;
  readonly #stepLimits: ReadonlySet<StepLimit>;
  readonly #sentences: string[] = [];

  /**
   * @param stepLimits those that have held back a world step or the search at the end of the tick
   */
  constructor(limits: Required<StageLimits>, stepLimits: ReadonlySet<StepLimit>) {
    this.#limits = limits;
    this.#stepLimits = stepLimits;
  }

  clear(): void {
    this.#sentences.length = 0;
  }

  /** Adds a sentence; beyond `SENTENCES_MAX` it is lost. */
  add(sentence: string): void {
    if (this.#sentences.length < SENTENCES_MAX) this.#sentences.push(sentence);
  }

  /** A list that never changes; empty in nearly every tick. */
  get sentences(): readonly string[] {
    if (this.#stepLimits.size === 0 && this.#sentences.length === 0) return NONE;
    return [
      ...[...this.#stepLimits].sort().map((limit) => this.#sentenceOf(limit)),
      ...this.#sentences,
    ];
  }

  #sentenceOf(limit: StepLimit): string {
    switch (limit) {
      case "contacts":
        return `more than ${this.#limits.contacts} pairs are near each other (limits.contacts); ` +
          "those of the newest entities pass through each other";
      case "corrections":
        return "the joints of a world step pull against each other; the bodies that they threw away stood still for it";
      case "impacts":
        return "the impacts of a world step were too many; the bodies in them stood still for the rest of it";
      case "casts":
        return "the projectiles of a world step had too many bodies near them; the newest ones stood still";
      case "sweeps":
        return "the bodies that passed sensors in a world step were too many; the sensors have missed the newest ones";
    }
  }
}
