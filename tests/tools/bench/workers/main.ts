/**
 * `bench workers`: the same matches on one process, on a gateway with several match processes, and
 * on such a gateway that is part of a cluster of one machine.
 *
 *     cost    = CPU per match-tick of all processes of the server together, without what they take with nobody there
 *     carried = processes with matches · half a core's time per tick / cost
 *
 * The players take more CPU than the server, and run on the same cores. So the bench does not fill
 * the machine: it measures the cost, and computes how many matches would fit if each match process
 * had a core. All servers have the same rooms, and none may drop a tick in a window that counts.
 *
 * On a machine by itself the processes' bus is pipes, and here nothing is logged. In a cluster the bus
 * is the log's servers, and each tick is in their log, and in a file, before a client has it. What
 * these servers take is not counted.
 */
import { type FlagValues, present, wholeNumber } from "../../../../shared/flags.ts";
import { NatsServers } from "../../../support/nats/nats_servers.ts";
import { medianOf } from "../median.ts";
import { measureServer, msPerTickOf, type ServerLoad, TICK_MS } from "../match/real_server.ts";

export const FLAGS = {
  workers: {
    schema: wholeNumber(16, 2).default(2),
    about: "match processes of the second server [2]",
    allowed: "a whole number 2 to 16",
  },
  rooms: {
    schema: wholeNumber(60, 6).default(24),
    about: "how many rooms are played at once [24]",
    allowed: "a whole number 6 to 60",
  },
  seconds: {
    schema: wholeNumber(600, 5).default(30),
    about: "how long each server is measured, in windows of five [30]",
    allowed: "a whole number 5 to 600",
  },
  json: { schema: present(), about: "one JSON object as the last line", allowed: "", switch: true },
} as const;

/** The other half of each core is reserved for slow ticks. */
const SHARE_OF_CORE = 0.5;

/** The object that `--json` prints. */
export interface WorkersReport {
  readonly workers: number;
  readonly rooms: number;
  /**
   * For one process, for all processes of the second server, and the second divided by the first.
   */
  readonly cpuMsPerMatchTick: {
    readonly one: number;
    readonly several: number;
    readonly ratio: number;
    /** As `several`, in a cluster. */
    readonly cluster: number;
    readonly clusterRatio: number;
  };
  /** Without clients, ms of CPU a second. */
  readonly idleMsPerSecond: {
    readonly one: number;
    readonly several: number;
    readonly cluster: number;
  };
  /** The idle time of several processes beyond that of one, as a part of each match-tick, ms. */
  readonly busMsPerMatchTick: { readonly pipes: number; readonly cluster: number };
  /** How many matches fit on half of each core, if each match process gets one. */
  readonly matchesCarried: {
    readonly one: number;
    readonly several: number;
    readonly ratio: number;
  };
}

/** Runs on Linux only, because it reads `/proc`. */
export async function measureWorkers(
  { workers, rooms, seconds }: FlagValues<typeof FLAGS>,
): Promise<WorkersReport & Record<string, unknown>> {
  console.error("one process");
  const one = await measureServer({ rooms, seconds, transport: "websocket" });
  console.error(`${workers} match processes`);
  const crowd = { rooms, seconds, transport: "websocket", workers } as const;
  const several = await measureServer(crowd);
  console.error(`${workers} match processes of a cluster`);
  await using servers = await NatsServers.start({ count: 1 });
  const cluster = await measureServer({ ...crowd, cluster: servers.all[0]!.url });
  return workersReport({ one, several, cluster, workers, rooms });
}

/** Computes the report from what was measured. */
export function workersReport(
  { one, several, cluster, workers, rooms }: {
    one: ServerLoad;
    several: ServerLoad;
    cluster: ServerLoad;
    workers: number;
    rooms: number;
  },
): WorkersReport & Record<string, unknown> {
  const [costOne, costSeveral, costCluster] = [costOf(one), costOf(several), costOf(cluster)];
  const matchTicksPerSecond = rooms * 1000 / TICK_MS;
  const busOf = ({ idle }: ServerLoad) => rounded((idle - one.idle) / matchTicksPerSecond, 4);
  const carriedOne = SHARE_OF_CORE * TICK_MS / costOne;
  const carriedSeveral = workers * SHARE_OF_CORE * TICK_MS / costSeveral;
  return {
    workers,
    rooms,
    cpuMsPerMatchTick: {
      one: rounded(costOne, 4),
      several: rounded(costSeveral, 4),
      ratio: rounded(costSeveral / costOne, 2),
      cluster: rounded(costCluster, 4),
      clusterRatio: rounded(costCluster / costOne, 2),
    },
    idleMsPerSecond: {
      one: rounded(one.idle, 1),
      several: rounded(several.idle, 1),
      cluster: rounded(cluster.idle, 1),
    },
    busMsPerMatchTick: { pipes: busOf(several), cluster: busOf(cluster) },
    matchesCarried: {
      one: Math.floor(carriedOne),
      several: Math.floor(carriedSeveral),
      ratio: rounded(carriedSeveral / carriedOne, 2),
    },
  };
}

/** The CPU time of a match-tick, ms. */
function costOf(load: ServerLoad): number {
  return medianOf(msPerTickOf(load));
}

function rounded(value: number, digits: number): number {
  return Number(value.toFixed(digits));
}
