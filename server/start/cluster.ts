/** Joins the machines that share the matches, as each kind of process does at its start. */
import type { Game } from "../../shared/netcode/game.ts";
import { healthOf, type HealthOptions, readinessOf } from "../metrics/health.ts";
import type { HttpServer } from "../http/server.ts";
import { Cluster, type ClusterOptions } from "../nodes/cluster.ts";
import { isOfMachine } from "../nodes/node_names.ts";
import type { NodeHealth } from "../nodes/nodes.ts";
import type { Rooms } from "../rooms/rooms.ts";
import { DEFAULT_REGION } from "../settings/cluster.ts";
import type { Settings } from "../settings/settings.ts";
import { clock, systemScheduler, unixClock, wait, wallClock } from "../ground/ticker.ts";

/**
 * @param options.files the files of this process's matches; undefined for a gateway
 * @param options.folders those with the logs of this machine's matches
 * @param options.results where the results of all nodes are read into; undefined for a process whose
 * gateway does it
 * @throws UsageError for servers that cannot be used
 */
export async function openCluster(
  games: Readonly<Record<string, Game<unknown>>>,
  { settings, ...options }:
    & { settings: Settings }
    & Pick<ClusterOptions, "node" | "secret" | "files" | "folders" | "results" | "log">,
): Promise<Cluster> {
  const { archive: path, "archive-gib": gib } = settings;
  return await Cluster.open({
    ...options,
    servers: settings.cluster,
    region: settings.region ?? DEFAULT_REGION,
    takesUnsigned: settings["cluster-unsigned"],
    isOwnMachine: (node) => isOfMachine(node, options.node),
    archive: path === undefined ? undefined : { folder: path, bytesMax: gib * 1024 ** 3 },
    games,
    clock,
    unixClock,
    wallClock,
    scheduler: systemScheduler,
    wait,
  });
}

/** How a process with matches is, for its heartbeats. */
export function nodeHealthOf(
  probed: HealthOptions & {
    readonly rooms: Pick<Rooms<unknown>, "setAsideCount">;
    readonly httpServer: Pick<HttpServer, "socketCount">;
  },
): NodeHealth {
  const { uptimeSeconds: _, ...health } = healthOf(probed);
  return {
    ...health,
    reason: readinessOf(probed).reason,
    sockets: probed.httpServer.socketCount,
    setAside: probed.rooms.setAsideCount,
  };
}
