/**
 * Watches what the limits of a game hold back in a match, so that its author and its operator learn
 * of it. Play goes on: a limit that is reached is no error.
 */
import type { Simulation, Tick } from "../../shared/netcode/game.ts";

/**
 * A limit that is reached is mostly reached again in the next tick. Each is reported once, and so
 * many at most.
 */
const REPORTS_MAX = 8;

/** The numbers of entities and counts are left out where sentences are compared. */
const NUMBER = /[\d.e+-]*\d/g;

/** Something that a limit has held back. */
export interface HeldBack {
  readonly tick: Tick;
  /** The game's sentence. */
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
