/**
 * Requests to stop: messages from a parent process, and signals that reach all processes in a
 * group.
 */
import type { StopSignals } from "../ground/process.ts";

/** Messages to stop, counted as signals are. */
export class StopMessages implements StopSignals {
  readonly #first = Promise.withResolvers<string>();
  readonly #second = Promise.withResolvers<string>();
  #count = 0;

  get first(): Promise<string> {
    return this.#first.promise;
  }

  get second(): Promise<string> {
    return this.#second.promise;
  }

  /** @param from the signal that the parent received, or the parent's name */
  count(from: string): void {
    const request = this.#count === 0 ? this.#first : this.#second;
    this.#count++;
    request.resolve(from);
  }
}

/**
 * Combines signals and messages. A terminal signals all processes, and the parent also sends a
 * message: both count as one.
 */
export function eitherOf(signals: StopSignals, messages: StopSignals): StopSignals {
  return {
    first: Promise.race([signals.first, messages.first]),
    second: Promise.race([signals.second, messages.second]),
  };
}
