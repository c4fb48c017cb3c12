/** The metrics of the process and its machine. */
import { PROTOCOL_VERSION } from "../../shared/netcode/wire/messages.ts";
import { counter, type Family, gauge } from "./metric_text.ts";

/** Values that the caller reads when the text is requested. */
export interface ProcessReadings {
  /** Connections, including sockets. */
  readonly connections: number;
  /** The share of the last five seconds' ticks that have run, 0 … 1. */
  readonly tickShare: number;
  /** The share of real time that the ticks take, by their p95. */
  readonly tickLoad: number;
  /** Whether the server takes more rooms and players. */
  readonly isReady: boolean;
  /** How long the process has stood still since its start. */
  readonly stalledSeconds: number;
  readonly bans: number;
  readonly logDropped: number;
  readonly logErrors: number;
  readonly matchLogs: {
    /** Logs of running matches. */
    readonly openCount: number;
    /** How often a log could not be written any further. */
    readonly failures: number;
    /** How often a log began again afterwards. */
    readonly recovered: number;
    /** Matches that were set aside. */
    readonly setAside: number;
  };
  /** This node's cluster; undefined for a machine on its own. */
  readonly cluster?: ClusterReadings | undefined;
  /** Reads and writes that failed, and results that were dropped. */
  readonly results: { readonly failures: number; readonly lost: number };
  /** How often the players' port was reopened. */
  readonly portReopened: number;
  /** How often a supervisor has restarted the server; undefined for a process without one. */
  readonly restarts?: number | undefined;
  /** Places that did not fit into the newest page's policy. */
  readonly policyLeftOut: number;
  /** The limits for the whole server, by what they limit. */
  readonly limits: Readonly<Record<"connections" | "sockets" | "rooms", number>>;
}

/** What this node has counted about its cluster since the start. */
export interface ClusterReadings {
  /** Nodes that live, including this one. */
  readonly nodes: number;
  /** By region: how many players its nodes would still take, by their load. */
  readonly freeSeats: ReadonlyMap<string, number>;
  /** Matches of this node that another one has taken over. */
  readonly fenced: number;
  /** Matches of other nodes that this one has taken over. */
  readonly takeOvers: number;
  /** How often a match let ticks out that were not durable. */
  readonly late: number;
  /** Whether one of the log's servers is connected. */
  readonly isConnected: boolean;
  /** Whether it can believe no other node, and may be the one at fault. */
  readonly isInDoubt: boolean;
  /** Why this node may be the one at fault; undefined if nothing suggests it. */
  readonly fault: string | undefined;
  /** Dropped messages from nodes, by cause. */
  readonly dropped: Readonly<Record<string, number>>;
  /**
   * How many other nodes' clocks are apart from this one's, and how far this one is ahead of most
   * others, ms.
   */
  readonly clocks: { readonly apart: number; readonly aheadMs: number };
  /**
   * Results not on the servers yet, results that never will be, and messages that were not results.
   */
  readonly resultsWaiting: number;
  readonly resultsLost: number;
  readonly resultsRefused: number;
  /** Logs of finished matches that could not be archived although there is an archive. */
  readonly notArchived: number;
}

/** Yields the process's metrics; reads the memory itself. */
export function* processFamilies(readings: ProcessReadings): Generator<Family> {
  // The program, and its memory
  const { rss, heapUsed, external } = Deno.memoryUsage();
  yield gauge("wyvern_build_info", {
    help: "Always 1. The labels have the versions.",
    samples: [{ labels: { protocol: PROTOCOL_VERSION, deno: Deno.version.deno }, value: 1 }],
  });
  yield gauge("wyvern_connections", {
    help: "Open TCP connections to the players' port, sockets among them.",
    value: readings.connections,
  });
  yield gauge("wyvern_resident_memory_bytes", { help: "Memory of the process.", value: rss });
  yield gauge("wyvern_heap_used_bytes", { help: "Memory of JavaScript objects.", value: heapUsed });
  yield gauge("wyvern_external_memory_bytes", {
    help: "Memory of buffers outside of the heap.",
    value: external,
  });

  // Limits, and what the process did to stay alive
  yield gauge("wyvern_limit", {
    help: "The largest number of connections, sockets and rooms that the settings allow.",
    samples: Object.entries(readings.limits).map(([of, value]) => ({ labels: { of }, value })),
  });
  yield counter("wyvern_ports_reopened_total", {
    help: "Times the players' port was opened again: the process had no file descriptors left.",
    value: readings.portReopened,
  });
  if (readings.restarts !== undefined) {
    yield counter("wyvern_server_restarts_total", {
      help: "Times the supervisor started the server again, because it hung or died.",
      value: readings.restarts,
    });
  }
  yield gauge("wyvern_policy_left_out", {
    help:
      "Machines and processes that the policy of pages does not name, because it would be too long.",
    value: readings.policyLeftOut,
  });

  // Whether it keeps up
  yield gauge("wyvern_tick_share", {
    help: "Share of the last five seconds' ticks that have run.",
    value: readings.tickShare,
  });
  yield gauge("wyvern_tick_load", {
    help: "Share of a tick that the p95 of the ticks takes.",
    value: readings.tickLoad,
  });
  yield gauge("wyvern_ready", {
    help: "1 if the server takes more rooms and players.",
    value: readings.isReady ? 1 : 0,
  });
  yield gauge("wyvern_bans", {
    help: "Addresses that operators have banned.",
    value: readings.bans,
  });
  yield counter("wyvern_stalled_seconds_total", {
    help: "Time for which the process stood still.",
    value: readings.stalledSeconds,
  });

  // The log
  yield counter("wyvern_log_lines_dropped_total", {
    help: "Lines of the log that were lost because its reader was too slow.",
    value: readings.logDropped,
  });
  yield counter("wyvern_log_errors_total", {
    help: "Failed writes to the log.",
    value: readings.logErrors,
  });

  yield* dataFamilies(readings);
  if (readings.cluster !== undefined) yield* clusterFamilies(readings.cluster);
}

/** A node's metrics. */
function* clusterFamilies(readings: ClusterReadings): Generator<Family> {
  // The other nodes, and whether they can be believed
  yield gauge("wyvern_cluster_nodes", {
    help: "Nodes that live, as this one hears them.",
    value: readings.nodes,
  });
  yield gauge("wyvern_cluster_free_seats", {
    help: "Players whom the nodes of a region would still take, by their load.",
    samples: Array.from(readings.freeSeats, ([region, value]) => ({ labels: { region }, value })),
  });
  yield gauge("wyvern_cluster_connected", {
    help: "1 if a server of the log is connected.",
    value: readings.isConnected ? 1 : 0,
  });
  yield gauge("wyvern_cluster_in_doubt", {
    help: "1 if this node can believe no other one: it takes no matches and no players.",
    value: readings.isInDoubt ? 1 : 0,
  });
  yield gauge("wyvern_cluster_clocks_apart", {
    help: "Other nodes whose clocks are more than 5 s apart from this one's.",
    value: readings.clocks.apart,
  });
  yield gauge("wyvern_cluster_clock_ahead_seconds", {
    help: "How far this node's clock is ahead of those of most other nodes; below 0 it is behind.",
    value: readings.clocks.aheadMs / 1000,
  });
  yield counter("wyvern_cluster_messages_dropped_total", {
    help: "Messages in the name of nodes that were dropped, because their proof is not good.",
    samples: Object.entries(readings.dropped).map(([why, value]) => ({ labels: { why }, value })),
  });

  // Matches that moved, and logs that were late
  yield counter("wyvern_cluster_fenced_total", {
    help: "Matches of this node that another one has taken.",
    value: readings.fenced,
  });
  yield counter("wyvern_cluster_take_overs_total", {
    help: "Matches of other nodes that this one has taken.",
    value: readings.takeOvers,
  });
  yield counter("wyvern_cluster_late_total", {
    help: "Times that ticks of a match went out unconfirmed, because the log was late.",
    value: readings.late,
  });

  // Results and archive
  yield gauge("wyvern_cluster_results_waiting", {
    help: "Results of this node that are not on the servers yet.",
    value: readings.resultsWaiting,
  });
  yield counter("wyvern_cluster_results_lost_total", {
    help: "Results of this node that never came to the servers, because too many waited.",
    value: readings.resultsLost,
  });
  yield counter("wyvern_cluster_results_refused_total", {
    help: "Messages among the results that are none.",
    value: readings.resultsRefused,
  });
  yield counter("wyvern_cluster_unarchived_total", {
    help: "Logs of matches that ended here and could not be archived.",
    value: readings.notArchived,
  });
}

/** The metrics about the folder of `--data`. */
function* dataFamilies({ matchLogs, results }: ProcessReadings): Generator<Family> {
  yield gauge("wyvern_match_logs_open", {
    help: "Logs of matches that go on.",
    value: matchLogs.openCount,
  });
  yield counter("wyvern_match_logs_failed_total", {
    help:
      "Logs that could not be written on: until they begin again, their matches are lost with the process.",
    value: matchLogs.failures,
  });
  yield counter("wyvern_match_logs_recovered_total", {
    help: "Logs that began again with a new state, because the folder could be written again.",
    value: matchLogs.recovered,
  });

  // A gauge, because most are counted before the first scrape, so a counter would show no increase.
  yield gauge("wyvern_matches_set_aside", {
    help:
      "Matches of an earlier process or of another node that could not go on here, since the start.",
    value: matchLogs.setAside,
  });
  yield counter("wyvern_results_failed_total", {
    help: "Failed reads and writes of results; writes are tried again.",
    value: results.failures,
  });
  yield counter("wyvern_results_lost_total", {
    help: "Results that were dropped because too many waited.",
    value: results.lost,
  });
}
