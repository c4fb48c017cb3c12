/** All match processes: their start, their messages, and their end. */
import type { Clock } from "../../../shared/netcode/link.ts";
import type { Log } from "../../log.ts";
import type { ResultSink } from "../../results/result_sink.ts";
import type { Stalls } from "../../stalls.ts";
import type { Fault } from "../../supervision/faults.ts";
import type { FromWorker, Start, ToWorker } from "../messages.ts";
import { WorkerProcess } from "./worker_process.ts";

/** How often the processes are checked, ms. */
const HEARTBEAT_MS = 250;
/** How much longer than their rounds' grace the processes may take to end, ms. */
const END_MS = 5_000;

export interface WorkerPoolOptions {
  readonly count: number;
  readonly spawn: (worker: number) => Deno.ChildProcess;
  readonly startMessage: (worker: number, faults: readonly Fault[]) => Start;
  readonly results: ResultSink | undefined;
  /** The front process's stalls, reported by this loop, because the front process runs no ticks. */
  readonly stalls: Stalls;
  /** Called with each report from a process. */
  readonly onReport: (worker: WorkerProcess) => void;
  readonly clock: Clock;
  readonly wait: (ms: number) => Promise<void>;
  readonly log: Log;
}

export class WorkerPool {
  readonly #options: WorkerPoolOptions;
  readonly workers: readonly WorkerProcess[];
  #isEnded = false;

  constructor(options: WorkerPoolOptions) {
    this.#options = options;
    const { count, spawn, startMessage, clock, wait, log } = options;
    this.workers = Array.from({ length: count }, (_, i) =>
      new WorkerProcess({
        number: i + 1,
        clock,
        wait,
        log,
        spawn: () => spawn(i + 1),
        startMessage: (faults) => startMessage(i + 1, faults),
        onMessage: (message) => this.#onMessage(this.workers[i]!, message),
      }));
  }

  /**
   * Starts all processes.
   * @throws UsageError if one of them cannot start; then none is left running
   */
  async start(): Promise<void> {
    try {
      await Promise.all(this.workers.map((worker) => worker.start()));
    } catch (error) {
      await this.kill();
      throw error;
    }
    void this.#sendHeartbeats();
  }

  /** Sends a message to every process that is up. */
  send(message: ToWorker): void {
    for (const worker of this.workers) worker.send(message);
  }

  /** Ends each process as soon as its matches let it. A second call ends them at once. */
  stop(): void {
    for (const worker of this.workers) worker.stop();
  }

  /**
   * @param graceMs the time that rounds get to end
   * @returns when every process has ended, by force if necessary
   */
  async ended(graceMs: number): Promise<void> {
    const all = Promise.all(this.workers.map((worker) => worker.ended()));
    await Promise.race([all, this.#options.wait(graceMs + END_MS)]);
    await this.kill();
  }

  /** Ends every process at once. @returns when all have ended */
  async kill(): Promise<void> {
    this.#isEnded = true;
    this.stop();
    for (const worker of this.workers) worker.kill();
    await Promise.all(this.workers.map((worker) => worker.ended()));
  }

  async #sendHeartbeats(): Promise<void> {
    while (!this.#isEnded) {
      await this.#options.wait(HEARTBEAT_MS);
      this.#options.stalls.beat(this.#options.clock.now());
      for (const worker of this.workers) worker.beat();
    }
  }

  #onMessage(worker: WorkerProcess, message: FromWorker): void {
    const { results, onReport, log } = this.#options;
    switch (message.type) {
      case "report":
        return onReport(worker);
      case "round":
        return results?.addRound(message.match, message.round);
      case "matchOver":
        return results?.endMatch(message.id, message.reason);
      case "log": {
        const fields = Object.entries(message.fields).map(([key, value]) => [key, value ?? ""]);
        log(message.event, { worker: worker.number, ...Object.fromEntries(fields) });
      }
    }
  }
}
