/** Opens the operators' port, and reads what its page and the metrics show. */
import type { Bans } from "../bans/bans.ts";
import { healthOf, type HealthOptions, readinessOf } from "../metrics/health.ts";
import { ProxyTrust } from "../addresses/client_address.ts";
import type { Eventually } from "../http/answers.ts";
import type { HttpServer } from "../http/server.ts";
import type { Log } from "../ground/log.ts";
import type { LogWriter } from "../ground/log_writer.ts";
import type { Readings } from "../metrics/metrics.ts";
import type { ProcessReadings } from "../metrics/process_metrics.ts";
import type { Rooms } from "../rooms/rooms.ts";
import { randomHex } from "../ground/server_secret.ts";
import type { Settings } from "../settings/settings.ts";
import type { Stalls } from "../ground/stalls.ts";
import { clock } from "../ground/ticker.ts";
import { kick } from "./kick.ts";
import { isMeant } from "./meant.ts";
import { type OperatedRooms, Operations } from "./operations.ts";
import { OperatorToken } from "./operator_token.ts";
import type { OpsView } from "./ops_page.ts";
import { OpsServer } from "./ops_server.ts";

/** Few operators use it, and each reads one page. */
const OPS_LIMITS = { connections: 64, connectionsPerAddress: 32, requestsPerConnection: 1_000 };

/** 128 random bits. */
const TOKEN_BYTES = 16;

export interface OpsOptions {
  readonly settings: Settings;
  /** The operators' token; by default it is drawn. */
  readonly token: string | undefined;
  readonly rooms: OperatedRooms;
  /** The figures at the top of the page: names and values. */
  readonly figures: () => OpsView["figures"];
  readonly bans: Bans;
  /** @returns a link that shows a room to an operator; undefined if there is no such room */
  readonly watchLink: (game: string, room: string) => Eventually<string | undefined>;
  readonly metricsText: () => Eventually<string>;
  /** Those of all nodes; undefined for a machine by itself. */
  readonly allMetricsText?: (() => Promise<string>) | undefined;
  readonly log: Log;
  readonly logWriter: LogWriter;
}

/**
 * Opens the operators' port if the settings name one. If the token is drawn, it is printed once.
 * @throws ListenError if the server cannot listen there
 */
export async function openOps(options: OpsOptions): Promise<OpsServer | undefined> {
  const { settings, rooms, figures, bans, watchLink, metricsText, log, logWriter } = options;
  const { "ops-port": port, "ops-host": host } = settings;
  if (port === undefined) return undefined;

  const token = options.token ?? randomHex(TOKEN_BYTES);
  const isDrawn = options.token === undefined;
  const server = await OpsServer.open({
    host,
    port,
    log,
    limits: OPS_LIMITS,
    proxies: new ProxyTrust([]),
    metrics: metricsText,
    allMetrics: options.allMetricsText,
    token: new OperatorToken(token),
    operations: new Operations({ rooms, bans, watchLink, log }),
    view: async () => ({
      nodes: rooms.nodes?.() ?? [],
      rooms: await rooms.details(),
      bans: bans.list(),
      figures: figures(),
    }),
  });

  if (settings["log-json"]) log("operators", { url: server.url, ...(isDrawn && { token }) });
  else logWriter.print(`Operators: ${server.url}${isDrawn ? `; the token is ${token}` : ""}`);
  return server;
}

const NO_RESULTS = { failures: 0, lost: 0 };

/** Reads the values behind the metrics. */
export function readingsOf(
  { stalls, bans, logWriter, results, restarts, ...probed }: HealthOptions & {
    rooms: Rooms<unknown>;
    httpServer: Pick<
      HttpServer,
      | "unsentBytes"
      | "connectionCount"
      | "reopened"
      | "policyLeftOut"
      | "socketCountOf"
      | "datagramCounts"
      | "pathCount"
    >;
    stalls: Stalls;
    bans: Bans;
    logWriter: LogWriter;
    results: ProcessReadings["results"] | undefined;
    cluster: ProcessReadings["cluster"];
    restarts?: ProcessReadings["restarts"];
  },
): Readings {
  const { rooms, httpServer, limits } = probed;
  const { ticks, uptimeSeconds, tickShare } = healthOf(probed);
  return {
    ticks,
    uptimeSeconds,
    tickShare,
    tickLoad: rooms.tickLoad,
    isReady: readinessOf(probed).ready,
    stalledSeconds: stalls.totalMs(clock.now()) / 1000,
    restarts,
    bans: bans.list().length,
    limits: { connections: limits.connections, sockets: limits.sockets, rooms: limits.rooms },

    // The network
    sockets: {
      websocket: httpServer.socketCountOf("websocket"),
      webtransport: httpServer.socketCountOf("webtransport"),
    },
    datagrams: { ...httpServer.datagramCounts, paths: httpServer.pathCount },
    unsentBytes: httpServer.unsentBytes,
    connections: httpServer.connectionCount,
    portReopened: httpServer.reopened,
    policyLeftOut: httpServer.policyLeftOut,

    // What outlives the process, and other machines
    matchLogs: {
      openCount: probed.logs?.openCount ?? 0,
      failures: probed.logs?.failures ?? 0,
      recovered: probed.logs?.recovered ?? 0,
      setAside: rooms.setAsideCount,
    },
    results: results ?? NO_RESULTS,
    cluster: probed.cluster,
    logDropped: logWriter.dropped,
    logErrors: logWriter.errors,

    games: new Map([...rooms.byGame].map(([name, each]) => [name, {
      rooms: each.roomCount,
      clients: each.clientCount,
      totals: each.totals(),
      reservedSeats: each.reservedSeats,
      orderedRooms: each.orderedRooms,
      slowestRoomTickSeconds: each.slowestTickMs / 1000,
    }])),
  };
}

/** This process's rooms, with what operators can do to them. */
export function operatedRooms(rooms: Rooms<unknown>, bans: Bans): OperatedRooms {
  return {
    details: () => rooms.details(),
    kick: (meant, reason) => kick(meant, { rooms, bans, reason }),
    closeLinks: (meant, code, reason) =>
      rooms.closeLinks((peer) => isMeant(peer, meant), code, reason),
    cordon(_meant, { isCordoned }) {
      rooms.cordon(isCordoned);
      return { nodes: 1, matches: 0 };
    },
    closeRoom: (game, code, reason) => rooms.closeRoom(game, code, reason),
    announce: (text) => rooms.announce(text),
  };
}

/** The figures of a single-process server. */
export function figuresOf(
  probed: HealthOptions & { rooms: Pick<Rooms<unknown>, "setAsideCount"> },
): (readonly [string, string])[] {
  const { ok, tickShare, rooms, clients, uptimeSeconds } = healthOf(probed);
  const { ready, reason } = readinessOf(probed);
  const percent = (share: number) => `${(100 * share).toFixed(1)} %`;
  return [
    ["Healthy", ok ? "yes" : "no"],
    ["Takes players", ready ? "yes" : `no: ${reason}`],
    ["Ticks that ran, of the last 5 s", percent(tickShare)],
    ["Time that ticks take, p95", percent(probed.rooms.tickLoad)],
    ["Rooms", String(rooms)],
    ["Clients", String(clients)],
    ["Matches set aside", String(probed.rooms.setAsideCount)],
    ["Running for", `${uptimeSeconds} s`],
  ];
}
