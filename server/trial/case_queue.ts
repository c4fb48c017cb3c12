/**
 * The matches before one referee, a slice of time for each in turn, so that a long replay of one
 * does not keep the others from their verdicts.
 */
import type { Game, Tick } from "../../shared/netcode/game.ts";
import type { Clock } from "../../shared/netcode/link.ts";
import type { Verdict } from "../match/order/match_referee.ts";
import { RefereeCase } from "./referee_case.ts";

/** How long a match is played before it is the next one's turn, ms. */
const SLICE_MS = 50;

/** What a server sends its referee about one match. */
export type ToReferee =
  | {
    readonly caseId: number;
    /** Whole records that follow those sent before. */
    readonly frames: Uint8Array;
    /** Whether the match begins anew with these records, at a header and a state. */
    readonly isAnew: boolean;
  }
  | { readonly caseId: number; readonly isOver: true };

/** The referee's answer to records; without a verdict it says that it has played some of them. */
export interface FromReferee {
  readonly caseId: number;
  readonly verdict: Verdict<unknown> | { readonly failure: string } | undefined;
}

export interface CaseQueueOptions {
  readonly gameOf: (id: string) => Game<unknown> | undefined;
  readonly clock: Clock;
  readonly answer: (answer: FromReferee) => void;
  /** Works in another turn of the loop, so that messages are read between two slices. */
  readonly later: (work: () => void) => void;
  /** Runs a slice's work, under a deadline where there is one. */
  readonly within: <Result>(work: () => Result, tick: Tick) => Result;
}

export class CaseQueue {
  readonly #options: CaseQueueOptions;
  readonly #cases = new Map<number, RefereeCase<unknown>>();
  /** Those with records to play, in turn. */
  readonly #due: number[] = [];
  #isWorking = false;

  constructor(options: CaseQueueOptions) {
    this.#options = options;
  }

  take(message: ToReferee): void {
    const { caseId } = message;
    if ("isOver" in message) return void this.#cases.delete(caseId);
    this.#guard(caseId, () => {
      if (message.isAnew) this.#cases.set(caseId, new RefereeCase(this.#options.gameOf));
      this.#cases.get(caseId)?.feed(message.frames);
      this.#due.push(caseId);
    });
    if (this.#isWorking) return;
    this.#isWorking = true;
    this.#options.later(() => this.#work());
  }

  /** Plays the next match for a while. */
  #work(): void {
    const caseId = this.#due.shift();
    this.#isWorking = caseId !== undefined;
    if (caseId === undefined) return;
    this.#guard(caseId, () => this.#playSlice(caseId));
    this.#options.later(() => this.#work());
  }

  #playSlice(caseId: number): void {
    const { clock, answer, within } = this.#options;
    const played = this.#cases.get(caseId);
    if (played === undefined) return;
    const beganMs = clock.now();
    const isPlayed = within(() => {
      while (played.playNext()) if (clock.now() - beganMs >= SLICE_MS) return false;
      return true;
    }, 0);
    played.addTime(clock.now() - beganMs);
    if (!isPlayed) this.#due.push(caseId);
    answer({ caseId, verdict: isPlayed ? played.takeVerdict() : undefined });
  }

  /** A match that cannot be replayed is not tried again until it begins anew. */
  #guard(caseId: number, work: () => void): void {
    try {
      work();
    } catch (error) {
      this.#cases.delete(caseId);
      const failure = error instanceof Error ? error.message || error.name : String(error);
      this.#options.answer({ caseId, verdict: { failure } });
    }
  }
}
