/** The state of all processes together, for `/healthz`, `/readyz` and the operators' page. */
import type { Health, Readiness } from "../metrics/health.ts";
import type { MatchProcess } from "./match_process.ts";

/**
 * How long a match process may be away, ms. A restart takes about half a second; if it takes longer
 * than this, a person has to look.
 */
const AWAY_MS_MAX = 10_000;

type ObservedProcess = Pick<MatchProcess, "number" | "state" | "awayMs" | "report" | "restarts">;

export interface GatewayHealthOptions {
  readonly workers: readonly ObservedProcess[];
  readonly httpServer: { readonly isAccepting: boolean };
  readonly isStopping: () => boolean;
  readonly uptimeMs: () => number;
}

/** The `Health` of all processes, with the number of match processes that are up. */
export type GatewayHealth = Health & { readonly workers: number; readonly workersUp: number };

export function gatewayHealthOf(
  { workers, httpServer, uptimeMs }: GatewayHealthOptions,
): GatewayHealth {
  const accepts = httpServer.isAccepting;
  const reports = workers.flatMap(({ report }) => report ?? []);
  const isWell = ({ report, awayMs }: ObservedProcess) => report?.ok ?? awayMs < AWAY_MS_MAX;
  const sum = (value: "rooms" | "clients" | "ticks") =>
    reports.reduce((total, report) => total + report[value], 0);
  return {
    ok: accepts && workers.every(isWell),
    tickShare: Math.min(1, ...reports.map(({ tickShare }) => tickShare)),
    accepts,
    rooms: sum("rooms"),
    clients: sum("clients"),
    ticks: sum("ticks"),
    uptimeSeconds: Math.floor(uptimeMs() / 1000),
    workers: workers.length,
    workersUp: workers.filter(({ state }) => state === "up").length,
  };
}

/** The server takes players as long as one of its processes does. */
export function gatewayReadinessOf({ workers, isStopping }: GatewayHealthOptions): Readiness {
  if (isStopping()) return { ready: false, reason: "stopping" };
  const reasons = workers.map(({ number, report }) => ({
    number,
    reason: report?.reason ?? "is being started",
  }));
  if (reasons.some(({ reason }) => reason === "")) return { ready: true, reason: "" };
  return {
    ready: false,
    reason: reasons.map(({ number, reason }) => `${number}: ${reason}`).join("; "),
  };
}

/**
 * The operators' figures: first those of all processes together, then a row for each match process.
 */
export function gatewayFigures(options: GatewayHealthOptions): (readonly [string, string])[] {
  const { ok, tickShare, rooms, clients, uptimeSeconds } = gatewayHealthOf(options);
  const readiness = gatewayReadinessOf(options);
  const setAside = options.workers.reduce((sum, { report }) => sum + (report?.setAside ?? 0), 0);
  return [
    ["Healthy", ok ? "yes" : "no"],
    ["Takes players", readiness.ready ? "yes" : `no: ${readiness.reason}`],
    ["Ticks that ran, of the last 5 s", percent(tickShare)],
    ["Rooms", String(rooms)],
    ["Clients", String(clients)],
    ["Matches set aside", String(setAside)],
    ["Running for", `${uptimeSeconds} s`],
    ...workerFigures(options),
  ];
}

function workerFigures({ workers }: GatewayHealthOptions): (readonly [string, string])[] {
  return workers.map(({ number, state, report, restarts }) => {
    const load = report && `ticks take ${percent(report.tickLoad)}, ${report.rooms} rooms`;
    const parts = [
      state,
      load,
      report?.reason,
      restarts > 0 ? `started again ${restarts} times` : "",
    ];
    return [`Match process ${number}`, parts.filter(Boolean).join(", ")];
  });
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}
