/** All match processes of a machine: their start, what is said to all of them, and their end. */
import type { Clock } from "../../shared/netcode/link.ts";
import type { Bus } from "../bus/bus.ts";
import type { Stalls } from "../ground/stalls.ts";
import { MatchProcess, type MatchProcessOptions } from "./match_process.ts";

/** How often the processes are checked, ms. */
const LOOK_MS = 250;
/** How much longer than their rounds' grace the processes may take to end, ms. */
const END_MS = 5_000;

export interface MatchProcessesOptions {
  readonly count: number;
  /** What each process needs. @param number its own, from 1 */
  readonly optionsOf: (number: number) => Omit<MatchProcessOptions, "number">;
  /** The gateway's stalls, reported by this loop, because the gateway runs no ticks. */
  readonly stalls: Stalls;
  readonly clock: Clock;
  readonly wait: (ms: number) => Promise<void>;
}

export class MatchProcesses {
  readonly #options: MatchProcessesOptions;
  readonly all: readonly MatchProcess[];
  #isEnded = false;

  constructor(options: MatchProcessesOptions) {
    this.#options = options;
    const { count, optionsOf } = options;
    this.all = Array.from(
      { length: count },
      (_, i) => new MatchProcess({ number: i + 1, ...optionsOf(i + 1) }),
    );
  }

  /**
   * Starts all processes.
   * @throws UsageError if one of them cannot start; then none is left running
   */
  async start(): Promise<void> {
    try {
      await Promise.all(this.all.map((each) => each.start()));
    } catch (error) {
      await this.kill();
      throw error;
    }
    void this.#look();
  }

  /** Asks the process that has a name, by its pipe. */
  readonly bus: Pick<Bus, "request"> = {
    request: async (subject, text, timeoutMs) => {
      const node = subject.slice(subject.lastIndexOf(".") + 1);
      const process = this.all.find((each) => each.node === node);
      return await process?.bus?.request(subject, text, timeoutMs);
    },
  };

  /** Ends each process as soon as its matches let it. A second call ends them at once. */
  stop(): void {
    for (const each of this.all) each.stop();
  }

  /**
   * @param graceMs the time that rounds get to end
   * @returns when every process has ended, by force if necessary
   */
  async ended(graceMs: number): Promise<void> {
    const all = Promise.all(this.all.map((each) => each.ended()));
    await Promise.race([all, this.#options.wait(graceMs + END_MS)]);
    await this.kill();
  }

  /** Ends every process at once. @returns when all have ended */
  async kill(): Promise<void> {
    this.#isEnded = true;
    this.stop();
    for (const each of this.all) each.kill();
    await Promise.all(this.all.map((each) => each.ended()));
  }

  async #look(): Promise<void> {
    const { wait, clock, stalls } = this.#options;
    while (!this.#isEnded) {
      await wait(LOOK_MS);
      stalls.beat(clock.now());
      for (const each of this.all) each.look();
    }
  }
}
