/** The metrics of the process and of its machine. */
import { PROTOCOL_VERSION } from "../../shared/netcode/wire/messages.ts";
import { counter, type Family, gauge } from "./metric_text.ts";

/** Values that the caller reads when the text is requested. */
export interface ProcessReadings {
  /** Connections, sockets among them. */
  readonly connections: number;
  /** The share of the last five seconds' ticks that have run, 0 … 1. */
  readonly tickShare: number;
  /** The share of the time that the ticks take, by their p95. */
  readonly tickLoad: number;
  /** Whether the server takes more rooms and players. */
  readonly isReady: boolean;
  /** How long the process stood still, since the start. */
  readonly stalledSeconds: number;
  readonly bans: number;
  readonly logDropped: number;
  readonly logErrors: number;
  /** How often the players' port was opened again. */
  readonly portReopened: number;
  /** The limits of all, by what they limit. */
  readonly limits: Readonly<Record<"connections" | "sockets" | "rooms", number>>;
}

/** The process's metrics; it reads the memory itself. */
export function* processFamilies(readings: ProcessReadings): Generator<Family> {
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
  yield gauge("wyvern_external_memory_bytes", { help: "Memory of buffers outside of the heap.", value: external });
  yield gauge("wyvern_limit", {
    help: "The largest number of connections, sockets and rooms that the settings allow.",
    samples: Object.entries(readings.limits).map(([of, value]) => ({ labels: { of }, value })),
  });
  yield counter("wyvern_ports_reopened_total", {
    help: "Times the players' port was opened again: the process had no file descriptors left.",
    value: readings.portReopened,
  });
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
  yield gauge("wyvern_bans", { help: "Addresses that operators have banned.", value: readings.bans });
  yield counter("wyvern_stalled_seconds_total", {
    help: "Time for which the process stood still.",
    value: readings.stalledSeconds,
  });
  yield counter("wyvern_log_lines_dropped_total", {
    help: "Lines of the log that were lost because its reader was too slow.",
    value: readings.logDropped,
  });
  yield counter("wyvern_log_errors_total", { help: "Failed writes to the log.", value: readings.logErrors });
}
