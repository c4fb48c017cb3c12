/** The metrics of all processes: the gateway's own, and what each match process answers. */
import { DatagramCounts } from "../metrics/datagram_counts.ts";
import { counter, type Family, gauge } from "../metrics/metric_text.ts";
import type { Metrics, Readings } from "../metrics/metrics.ts";
import type { Bans } from "../bans/bans.ts";
import type { LogWriter } from "../ground/log_writer.ts";
import type { Limits } from "../settings/limits.ts";
import type { Stalls } from "../ground/stalls.ts";
import { clock } from "../ground/ticker.ts";
import {
  gatewayHealthOf,
  type GatewayHealthOptions,
  gatewayReadinessOf,
} from "./gateway_health.ts";
import { labelled, mergedText, type NamedFamilies } from "../metrics/merged_metrics.ts";
import type { AskedNodes } from "../ops/asked_nodes.ts";
import type { MatchProcess } from "./match_process.ts";

/** The gateway's name in the label `worker`. */
const FRONT = "front";

const NO_SOCKETS = { websocket: 0, webtransport: 0 };
const NO_DATAGRAMS = new DatagramCounts();

type MeasuredWorker = Pick<MatchProcess, "number" | "state" | "restarts" | "node">;

export interface GatewayMetricsOptions {
  readonly workers: readonly MeasuredWorker[];
  readonly asked: Pick<AskedNodes, "families">;
  readonly metrics: Metrics;
  /** The gateway's own values. */
  readonly readings: () => Readings;
}

export class GatewayMetrics {
  readonly #options: GatewayMetricsOptions;

  constructor(options: GatewayMetricsOptions) {
    this.#options = options;
  }

  /** Makes the text for Prometheus. A process that does not answer in time is left out. */
  async text(): Promise<string> {
    const { workers, asked, metrics, readings } = this.#options;
    const answers = await Promise.all(workers.map(async (worker) => {
      return {
        labels: { worker: String(worker.number) },
        families: await asked.families(worker.node),
      };
    }));
    const own = { labels: { worker: FRONT }, families: metrics.families(readings()) };
    return mergedText([own, ...answers]) + mergedText(stateFamilies(workers));
  }

  /**
   * Only the gateway's own families, because with OpenTelemetry each process exports its own.
   */
  *families(): Generator<Family> {
    const { metrics, readings } = this.#options;
    yield* labelled({ labels: { worker: FRONT }, families: metrics.families(readings()) });
  }
}

/**
 * Reads the gateway's own values. It runs no ticks, so its tick values are the slowest match
 * process's.
 */
export function gatewayReadingsOf(
  { stalls, bans, logWriter, results, limits, cluster, ...health }: GatewayHealthOptions & {
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
    cluster: Readings["cluster"];
    limits: Limits;
  },
): Readings {
  const { tickShare, uptimeSeconds } = gatewayHealthOf(health);
  const { httpServer } = health;
  return {
    uptimeSeconds,
    tickShare,
    isReady: gatewayReadinessOf(health).ready,
    stalledSeconds: stalls.totalMs(clock.now()) / 1000,
    connections: httpServer.connectionCount,
    portReopened: httpServer.reopened,
    policyLeftOut: httpServer.policyLeftOut,
    bans: bans.list().length,
    results: results ?? { failures: 0, lost: 0 },
    cluster,
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

/** What only the gateway knows about the match processes. */
function stateFamilies(
  workers: readonly MeasuredWorker[],
): NamedFamilies[] {
  return workers.map(({ number, state, restarts }) => ({
    labels: { worker: String(number) },
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
