/**
 * What the server reports about itself: whether it works (`/healthz`; if not, its machine restarts
 * it), and whether it takes more players (`/readyz`; if not, players are sent elsewhere meanwhile).
 */
import type { Limits } from "../settings/limits.ts";
import type { Ticker } from "../ground/ticker.ts";

/**
 * At least this share of the last five seconds' ticks must have run. Players notice if more are
 * missing.
 */
const TICK_SHARE_MIN = 0.95;

export interface HealthOptions {
  readonly tickers: readonly Pick<Ticker, "ticks" | "recentShare">[];
  readonly limits: Limits;
  readonly rooms: {
    readonly roomCount: number;
    readonly clientCount: number;
    readonly tickLoad: number;
    readonly isStopping: boolean;
    readonly isCordoned: boolean;
  };
  /** The port that players connect to. */
  readonly httpServer: { readonly isAccepting: boolean; readonly socketCount: number };
  /** The matches' logs; undefined if matches are not logged. */
  readonly logs: {
    readonly failure: string;
    readonly openCount: number;
    readonly failures: number;
    readonly recovered: number;
  } | undefined;
  /** This node's part in its cluster; undefined for a machine by itself. */
  readonly cluster?: { readonly fault: string | undefined } | undefined;
  /** @returns time since the start, ms */
  readonly uptimeMs: () => number;
}

/** The answer to `GET /healthz`. */
export interface Health {
  /** Whether ticks run on time and the port accepts connections. */
  readonly ok: boolean;
  /** The share of the last five seconds' ticks that have run. */
  readonly tickShare: number;
  readonly accepts: boolean;
  readonly rooms: number;
  readonly clients: number;
  /** Ticks run since the start. */
  readonly ticks: number;
  readonly uptimeSeconds: number;
}

/** The answer to `GET /readyz`. */
export interface Readiness {
  readonly ready: boolean;
  /** Why the server takes no players; empty if it takes them. */
  readonly reason: string;
}

/** @returns whether the server works */
export function healthOf({ tickers, rooms, httpServer, uptimeMs }: HealthOptions): Health {
  const tickShare = Math.min(...tickers.map(({ recentShare }) => recentShare));
  const accepts = httpServer.isAccepting;
  return {
    ok: tickShare >= TICK_SHARE_MIN && accepts,
    tickShare,
    accepts,
    rooms: rooms.roomCount,
    clients: rooms.clientCount,
    ticks: tickers.reduce((sum, { ticks }) => sum + ticks, 0),
    uptimeSeconds: Math.floor(uptimeMs() / 1000),
  };
}

/** @returns whether the server takes more rooms and players */
export function readinessOf(options: HealthOptions): Readiness {
  const reason = reasonOf(options);
  return { ready: reason === "", reason };
}

function reasonOf(options: HealthOptions): string {
  const { rooms, limits, httpServer, logs, cluster } = options;
  if (rooms.isStopping) return "stopping";
  if (rooms.isCordoned) return "cordoned";
  if (!healthOf(options).ok) return "ticks are missing";
  if (cluster?.fault !== undefined) return cluster.fault;
  if (logs !== undefined && logs.failure !== "") return `matches have no log: ${logs.failure}`;
  if (rooms.tickLoad > limits.tickLoad) return "the ticks take too much of their time";
  if (rooms.roomCount >= limits.rooms) return "all rooms are open";
  return httpServer.socketCount >= limits.sockets ? "all sockets are open" : "";
}
