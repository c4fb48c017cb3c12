/**
 * Where matches are tried before they go on: in threads of their own or, if there are none, in this
 * thread.
 */
import type { Game } from "../../shared/netcode/game.ts";
import {
  outcomeOf,
  type TrialOutcome,
  triedMatchOf,
  type TriedMatchOptions,
} from "./tried_match.ts";

export interface Trials {
  /** How many matches are tried side by side. */
  readonly lanes: number;
  /**
   * @param log of a hosted game
   * @returns the match as it stood at its log's end, or why it cannot go on; never rejects
   */
  try(log: Uint8Array): Promise<TrialOutcome>;
  /** Resolves when a match's loop cannot be ended, so that only the end of this process ends it. */
  readonly lost: Promise<void>;
  /** Prepares for a match that may come at any moment. */
  warm(): void;
  /** Ends the threads. Trials under way fail. */
  close(): void;
}

/** Tries matches in this thread, where everything else waits meanwhile. */
export class OwnTrials implements Trials {
  readonly lanes = 1;
  /**
   * Never resolves, because such a loop takes this thread itself, which then reports nothing more.
   */
  readonly lost = new Promise<never>(() => {});
  readonly #options: TriedMatchOptions<unknown>;

  constructor(options: TriedMatchOptions<unknown>) {
    this.#options = options;
  }

  try(log: Uint8Array): Promise<TrialOutcome> {
    return Promise.resolve(outcomeOf(() => triedMatchOf(log, this.#options)));
  }

  warm(): void {}

  close(): void {}
}

/** @returns a function that finds a hosted game by its id */
export function hostedGameOf(
  games: Iterable<Game<unknown>>,
): (id: string) => Game<unknown> | undefined {
  const byId = new Map(Array.from(games, (game) => [game.id, game]));
  return (id) => byId.get(id);
}
