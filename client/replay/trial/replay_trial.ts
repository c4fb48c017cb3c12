/**
 * Follows how far a file was played apart from the page (`trial_worker.ts`). The page shows no more
 * than that, so a file that hangs costs a sentence instead of frames.
 *
 *     progress within a second → the page may go as far · none → the worker ends, and the file ends there
 */
import type { Clock } from "../../../shared/netcode/link.ts";
import type { TrialProgress } from "./trial_worker.ts";

/**
 * A worker that is silent for longer than this hangs, ms. An honest tick takes one, and a phone is
 * ten times slower.
 */
const PROGRESS_MS_MAX = 2_000;
/** The most time that counts between two looks, ms. */
const LOOK_MS_MAX = 250;
/**
 * How long a worker may take to begin, ms, because it first loads its script and unpacks the file.
 */
const BEGIN_MS_MAX = 20_000;

/** A worker, as far as the trial uses it. */
export interface TrialPort {
  onmessage: ((event: MessageEvent<TrialProgress>) => void) | null;
  onerror: ((event: ErrorEvent) => void) | null;
  postMessage(bytes: Uint8Array): void;
  terminate(): void;
}

export class ReplayTrial {
  readonly #port: TrialPort;
  readonly #clock: Clock;
  readonly #begun = Promise.withResolvers<void>();
  /** The time without progress, ms, and the last look at the clock. */
  #silentMs = 0;
  #lookedMs: number;
  #msMax = BEGIN_MS_MAX;
  /** How many steps of `ReplaySource.check` came to an end in time. */
  played = 0;
  /** Why the file cannot be played any further; empty while it can. */
  fault = "";
  #isOver = false;

  constructor(bytes: Uint8Array, { port, clock }: { port: TrialPort; clock: Clock }) {
    this.#port = port;
    this.#clock = clock;
    this.#lookedMs = clock.now();
    port.onmessage = ({ data }) => this.#onProgress(data);
    port.onerror = (event) => {
      event.preventDefault();
      this.#end("it cannot be played apart from the page");
    };
    port.postMessage(bytes);
  }

  /** Resolves when the file's first state is known to load, or with `fault`. */
  get begun(): Promise<void> {
    return this.#begun.promise;
  }

  /** Ends a worker that hangs. Call it often. */
  advance(): void {
    const nowMs = this.#clock.now();
    // A page that was hidden, or a machine that slept, did not look meanwhile.
    this.#silentMs += Math.min(LOOK_MS_MAX, nowMs - this.#lookedMs);
    this.#lookedMs = nowMs;
    if (this.#isOver || this.#silentMs < this.#msMax) return;
    this.#end(`a step of it takes longer than ${this.#msMax / 1000} s`);
  }

  /** Ends the worker, because the file is no longer shown. */
  close(): void {
    this.#end("it was closed");
  }

  #onProgress({ played, isOver, fault }: TrialProgress): void {
    if (this.#isOver) return;
    this.#silentMs = 0;
    this.#msMax = PROGRESS_MS_MAX;
    this.played = played;
    if (isOver) return this.#end(fault);
    this.#begun.resolve();
  }

  #end(fault: string): void {
    if (this.#isOver) return;
    this.fault = fault;
    this.#isOver = true;
    this.#port.terminate();
    this.#begun.resolve();
  }
}
