/**
 * The referee as a server sees it, for all matches whose commands it only orders. It works in a
 * thread of its own; virtual time has one in the same thread.
 */
import type { Verdict } from "../match/order/match_referee.ts";
import type { Scheduler } from "../ground/ticker.ts";
import {
  CaseQueue,
  type CaseQueueOptions,
  type FromReferee,
  type ToReferee,
} from "../trial/case_queue.ts";

/**
 * How long the referee may say nothing while somebody waits, ms, before it counts as lost. It says
 * something after each slice, however many matches wait, and begins within seconds.
 */
const SILENT_MS_MAX = 60_000;

/** Carries messages to a referee. */
export interface RefereeLine {
  send(message: ToReferee): void;
  /** Ends it. */
  close(): void;
}

export interface RefereeOptions {
  /**
   * Begins a referee.
   * @param onAnswer gets its answers
   * @param onEnd called if it ends by itself, with the reason
   */
  readonly begin: (
    onAnswer: (answer: FromReferee) => void,
    onEnd: (reason: string) => void,
  ) => RefereeLine;
  readonly scheduler: Pick<Scheduler, "after">;
  /** Hears why a referee was lost, or could not judge a match. */
  readonly onFailed: (reason: string) => void;
}

/** A match's records for the referee. */
export interface CaseRecords {
  readonly frames: Uint8Array;
  /** Whether they begin with a header and a state. */
  readonly isAnew: boolean;
}

/** Gets a verdict; undefined if there is none. */
export type OnVerdict = (verdict: Verdict<unknown> | undefined) => void;

export class Referee {
  readonly #options: RefereeOptions;
  #line: RefereeLine | undefined;
  /** Counts the referees, each of which knows nothing of the matches of the one before. */
  generation = 0;
  #cases = 0;
  readonly #asked = new Map<number, OnVerdict>();
  /** Ends the wait for its next word. */
  #cancel = () => {};

  constructor(options: RefereeOptions) {
    this.#options = options;
  }

  /** Questions without an answer. */
  get waiting(): number {
    return this.#asked.size;
  }

  /** @returns a number for a match */
  newCase(): number {
    return this.#cases++;
  }

  /**
   * Begins a referee if there is none.
   * @returns its generation
   */
  begin(): number {
    if (this.#line === undefined) {
      const generation = ++this.generation;
      this.#line = this.#options.begin(
        (answer) => generation === this.generation && this.#onAnswer(answer),
        (reason) => generation === this.generation && this.#onLost(reason),
      );
    }
    return this.generation;
  }

  /**
   * Asks about a match; one question at a time for each.
   * @param onVerdict gets nothing if the match cannot be replayed, or the referee was lost
   */
  ask(caseId: number, records: CaseRecords, onVerdict: OnVerdict): void {
    this.begin();
    this.#asked.set(caseId, onVerdict);
    if (this.#asked.size === 1) this.#listen();
    this.#line!.send({ caseId, ...records });
  }

  /** Calls in another turn of the loop. */
  answerLater(call: () => void): void {
    this.#options.scheduler.after(0, call);
  }

  endCase(caseId: number): void {
    this.#line?.send({ caseId, isOver: true });
    this.#settle(caseId, undefined);
  }

  close(): void {
    this.#line?.close();
    this.#line = undefined;
    for (const caseId of [...this.#asked.keys()]) this.#settle(caseId, undefined);
  }

  /** Waits for its next word, if anybody does. */
  #listen(): void {
    this.#cancel();
    this.#cancel = this.#asked.size === 0 ? () => {} : this.#options.scheduler.after(
      SILENT_MS_MAX,
      () => this.#onLost(`no word within ${SILENT_MS_MAX / 1000} s`),
    );
  }

  #onAnswer({ caseId, verdict }: FromReferee): void {
    this.#listen();
    if (verdict === undefined) return;
    if (!("failure" in verdict)) return this.#settle(caseId, verdict);
    this.#options.onFailed(verdict.failure);
    this.#settle(caseId, undefined);
  }

  #onLost(reason: string): void {
    this.#options.onFailed(reason);
    this.close();
  }

  #settle(caseId: number, verdict: Verdict<unknown> | undefined): void {
    const onVerdict = this.#asked.get(caseId);
    this.#asked.delete(caseId);
    if (this.#asked.size === 0) this.#listen();
    onVerdict?.(verdict);
  }
}

/** A referee in this thread, for virtual time and for programs without threads. */
export function ownReferee(
  options: Omit<CaseQueueOptions, "answer" | "within">,
): RefereeOptions["begin"] {
  return (answer) => {
    const queue = new CaseQueue({ ...options, answer, within: (work) => work() });
    return { send: (message) => queue.take(message), close() {} };
  };
}
