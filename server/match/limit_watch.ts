/**
 * Watches what a game's limits hold back in a match, so that its author and its operator learn of
 * it. Play goes on, because reaching a limit is not an error.
 */
import type { Simulation, Tick } from "../../shared/netcode/game.ts";

/**
 * A limit that is reached is usually reached again in the next tick. So each is reported once, and
 * this many at most.
 */
const REPORTS_MAX = 8;

/** Numbers of entities and counts are left out when sentences are compared. */
const NUMBER = /[\d.e+-]*\d/g;

/** Something that a limit held back. */
export interface HeldBack {
  readonly tick: Tick;
  /** The game's sentence about it. */
  readonly text: string;
}

/** The watch of one match. */
export class LimitWatch {
  readonly #onHeldBack: ((heldBack: HeldBack) => void) | undefined;
  readonly #reported = new Set<string>();

  constructor(onHeldBack: ((heldBack: HeldBack) => void) | undefined) {
    this.#onHeldBack = onHeldBack;
  }

  /** Call it after each step. */
  observe({ tick, limited }: Pick<Simulation<unknown>, "tick" | "limited">): void {
    if (limited === undefined || limited.length === 0) return;
    for (const text of limited) {
      const kind = text.replace(NUMBER, "");
      if (this.#reported.size >= REPORTS_MAX || this.#reported.has(kind)) continue;
      this.#reported.add(kind);
      this.#onHeldBack?.({ tick, text });
    }
  }
}
