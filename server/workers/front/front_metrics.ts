/** The metrics of all processes: the front process's own, and what each match process answers. */
import { DatagramCounts } from "../../datagrams/datagram_counts.ts";
import { counter, type Family, gauge } from "../../metrics/metric_text.ts";
import type { Metrics, Readings } from "../../metrics/metrics.ts";
import type { Bans } from "../../bans.ts";
import type { LogWriter } from "../../log_writer.ts";
import type { Limits } from "../../settings/limits.ts";
import type { Stalls } from "../../stalls.ts";
import { clock } from "../../ticker.ts";
import { frontHealthOf, type FrontHealthOptions, frontReadinessOf } from "./front_health.ts";
import { familiesFrom, labelled, mergedText } from "../merged_metrics.ts";
import type { WorkerProcess } from "./worker_process.ts";

/** The front process's name in the label `worker`. */
const FRONT = "front";

const NO_SOCKETS = { websocket: 0, webtransport: 0 };
const NO_DATAGRAMS = new DatagramCounts();

type MeasuredWorker = Pick<WorkerProcess, "number" | "state" | "restarts" | "ask">;

export interface FrontMetricsOptions {
  readonly workers: readonly MeasuredWorker[];
  readonly metrics: Metrics;
  /** The front process's own values. */
  readonly readings: () => Readings;
}

export class FrontMetrics {
  readonly #options: FrontMetricsOptions;

  constructor(options: FrontMetricsOptions) {
    this.#options = options;
  }

  /** Makes the text for Prometheus. A process that does not answer in time is left out. */
  async text(): Promise<string> {
    const { workers, metrics, readings } = this.#options;
    const answers = await Promise.all(workers.map(async (worker) => {
      const families = familiesFrom(await worker.ask({ what: "metrics" }) ?? []);
      return { worker: String(worker.number), families };
    }));
    const own = { worker: FRONT, families: metrics.families(readings()) };
    return mergedText([own, ...answers]) + mergedText(stateFamilies(workers));
  }

  /**
   * Only the front process's own families, because with OpenTelemetry each process exports its own.
   */
  *families(): Generator<Family> {
    const { metrics, readings } = this.#options;
    yield* labelled({ worker: FRONT, families: metrics.families(readings()) });
  }
}

/**
 * Reads the front process's own values. It runs no ticks, so its tick values are the slowest match
 * process's.
 */
export function frontReadingsOf(
  { stalls, bans, logWriter, results, limits, ...health }: FrontHealthOptions & {
    httpServer: {
      readonly connectionCount: number;
      readonly reopened: number;
      readonly policyLeftOut: number;
      readonly isAccepting: boolean;
    };
    stalls: Stalls;
    bans: Bans;
    logWriter: LogWriter;
    results: Readings["results"] | undefined;
    limits: Limits;
  },
): Readings {
  const { tickShare, uptimeSeconds } = frontHealthOf(health);
  const { httpServer } = health;
  return {
    uptimeSeconds,
    tickShare,
    isReady: frontReadinessOf(health).ready,
    stalledSeconds: stalls.totalMs(clock.now()) / 1000,
    connections: httpServer.connectionCount,
    portReopened: httpServer.reopened,
    policyLeftOut: httpServer.policyLeftOut,
    bans: bans.list().length,
    results: results ?? { failures: 0, lost: 0 },
    logDropped: logWriter.dropped,
    logErrors: logWriter.errors,
    limits: { connections: limits.connections, sockets: 0, rooms: 0 },

    // What only match processes have
    games: new Map(),
    ticks: 0,
    tickLoad: 0,
    sockets: NO_SOCKETS,
    datagrams: { ...NO_DATAGRAMS, paths: 0 },
    unsentBytes: 0,
    matchLogs: { openCount: 0, failures: 0, recovered: 0, setAside: 0 },
  };
}

/** What only the front process knows about the match processes. */
function stateFamilies(
  workers: readonly MeasuredWorker[],
): { worker: string; families: Family[] }[] {
  return workers.map(({ number, state, restarts }) => ({
    worker: String(number),
    families: [
      gauge("wyvern_worker_up", {
        help: "1 if the match process is up.",
        value: state === "up" ? 1 : 0,
      }),
      counter("wyvern_worker_restarts_total", {
        help: "Times the match process was started again after it had ended.",
        value: restarts,
      }),
    ],
  }));
}
