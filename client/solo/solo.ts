/**
 * The page's side of a practice match: it starts the worker with the match, links to it, and sets
 * how fast time passes for both.
 */
import type { Clock, Link } from "../../shared/netcode/link.ts";
import { PacedClock } from "./paced_clock.ts";
import { WorkerMatch } from "./worker_match.ts";

export interface SoloOptions {
  /** @returns a new worker that runs `runSoloWorker` with the page's game */
  readonly newWorker: () => Worker;
  readonly npcs: number;
}

export class Solo {
  /** The clock of everything that belongs to the match on the page. */
  readonly clock: PacedClock;
  readonly #options: SoloOptions;
  #match: WorkerMatch | undefined;

  constructor(real: Clock, options: SoloOptions) {
    this.clock = new PacedClock(real);
    this.#options = options;
  }

  /**
   * Begins a match, which ends with its link.
   * @param seed unsigned, 32 bits
   */
  begin({ choices, seed }: { readonly choices: readonly number[]; readonly seed: number }): Link {
    const { newWorker, npcs } = this.#options;
    const match = new WorkerMatch({
      newWorker,
      begun: {
        room: "",
        npcs,
        choices,
        seed,
        keepsSeats: true,
        reports: false,
      },
    });
    this.#match = match;
    const link = match.admit();
    link.onEnd = () => {
      match.end();
      if (this.#match === match) this.#match = undefined;
      this.setPace(1);
    };
    return link;
  }

  /** The match that goes on; undefined without one. */
  get match(): WorkerMatch | undefined {
    return this.#match;
  }

  /** Whether a practice match goes on. */
  get isPlayed(): boolean {
    return this.#match !== undefined;
  }

  /** @param pace how much of the real time passes, 0 … 1; always 1 without a practice match */
  setPace(pace: number): void {
    if (pace === this.clock.pace) return;
    this.clock.pace = pace;
    this.#match?.setPace(pace);
  }
}
