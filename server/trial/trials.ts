/**
 * Where matches are tried before they go on: in threads of their own, or, if there are none, in
 * this one.
 */
import type { Game } from "../../shared/netcode/game.ts";
import {
  outcomeOf,
  type TrialOutcome,
  triedMatchOf,
  type TriedMatchOptions,
} from "./tried_match.ts";

export interface Trials {
  /** Matches that are tried side by side. */
  readonly lanes: number;
  /**
   * @param log of a hosted game
   * @returns the match as its log ends, or why it cannot go on; never rejects
   */
  try(log: Uint8Array): Promise<TrialOutcome>;
  /** Resolves when the loop of a match cannot be ended. Only the end of this process ends it. */
  readonly lost: Promise<void>;
  /** Prepares for a match that may come at any moment. */
  warm(): void;
  /** Ends the threads. A trial under way fails. */
  close(): void;
}

/** Trials in this thread, in which everything else waits meanwhile. */
export class OwnTrials implements Trials {
  readonly lanes = 1;
  /** Such a loop takes this thread itself, which then says nothing more. */
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

/** @returns finds a hosted game by its id */
export function hostedGameOf(
  games: Iterable<Game<unknown>>,
): (id: string) => Game<unknown> | undefined {
  const byId = new Map(Array.from(games, (game) => [game.id, game]));
  return (id) => byId.get(id);
}
