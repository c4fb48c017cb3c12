/**
 * What the server counts, as text for Prometheus (exposition format 0.0.4). Names and labels are words of ours: nothing that a
 * stranger says can add a line. To count costs no allocation; the text is made when it is asked for.
 */
import { REFUSAL_CAUSES, type RefusalCause } from "./http/admission.ts";
import type { MatchStats } from "./match/match_stats.ts";

export const METRICS_TYPE = "text/plain; version=0.0.4; charset=utf-8";

/** A tick has 50 ms at 20 Hz: below that, how much room is left; above it, how bad. Seconds. */
const TICK_BOUNDS = [0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.03, 0.04, 0.05, 0.1, 0.2, 0.5, 1];

/** Close codes that have a line of their own: RFC 6455's and Wyvern's. A peer may name any code; all others count as one. */
const NAMED_CODES: ReadonlySet<number> = new Set([
  ...[1000, 1001, 1002, 1003, 1005, 1006, 1007, 1008, 1009, 1011],
  ...Array.from({ length: 16 }, (_, i) => 4000 + i),
]);

/** How often a value fell between bounds. */
export class Histogram {
  readonly #bounds: readonly number[];
  /** By bound, and one more for what is above them all; not cumulated. */
  readonly #counts: Float64Array;
  #sum = 0;

  /** @param bounds ascending; each is the largest value of its bucket */
  constructor(bounds: readonly number[]) {
    this.#bounds = bounds;
    this.#counts = new Float64Array(bounds.length + 1);
  }

  observe(value: number): void {
    let bucket = 0;
    while (bucket < this.#bounds.length && value > this.#bounds[bucket]!) bucket++;
    this.#counts[bucket]!++;
    this.#sum += value;
  }

  /** Its lines: buckets cumulated, sum and count. */
  *samples(): Generator<Sample> {
    let count = 0;
    for (const [i, inBucket] of this.#counts.entries()) {
      count += inBucket;
      yield { suffix: "_bucket", labels: { le: this.#bounds[i] ?? "+Inf" }, value: count };
    }
    yield { suffix: "_sum", value: this.#sum };
    yield { suffix: "_count", value: count };
  }
}

/** Who ended a link. */
export type CloseInitiator = "server" | "peer";

/** What is read from others when the text is asked for. */
export interface Readings {
  readonly rooms: number;
  readonly clients: number;
  readonly sockets: number;
  /** Over all sockets. */
  readonly unsentBytes: number;
  /** Ticks that the ticker has run. */
  readonly ticks: number;
  readonly uptimeSeconds: number;
  /** Over all rooms that ever were. */
  readonly totals: Readonly<MatchStats>;
}

/** What the server counts by itself. */
export class Metrics {
  readonly tickDuration = new Histogram(TICK_BOUNDS);
  readonly tickLateness = new Histogram(TICK_BOUNDS);
  ticksDropped = 0;
  readonly #refusals = new Map<RefusalCause, number>(REFUSAL_CAUSES.map((cause) => [cause, 0]));
  readonly #closes: Record<CloseInitiator, Map<number | "other", number>> = { server: new Map(), peer: new Map() };

  /** The gate has refused a socket. */
  countRefusal(cause: RefusalCause): void {
    this.#refusals.set(cause, this.#refusals.get(cause)! + 1);
  }

  /** A link has ended. @param code as in RFC 6455 §7.4, whoever chose it */
  countClose(code: number, by: CloseInitiator): void {
    const counts = this.#closes[by], named = NAMED_CODES.has(code) ? code : "other";
    counts.set(named, (counts.get(named) ?? 0) + 1);
  }

  /** Everything as text. */
  text(readings: Readings): string {
    return [...this.#ownFamilies(), ...familiesOf(readings)].map(formatFamily).join("");
  }

  *#ownFamilies(): Generator<Family> {
    yield {
      name: "wyvern_tick_duration_seconds",
      type: "histogram",
      help: "How long the rooms' ticks took, all rooms together.",
      samples: this.tickDuration.samples(),
    };
    yield {
      name: "wyvern_tick_lateness_seconds",
      type: "histogram",
      help: "How long after its due time a tick began.",
      samples: this.tickLateness.samples(),
    };
    yield counter("wyvern_ticks_dropped_total", {
      help: "Ticks that were never run because the server had fallen behind.",
      value: this.ticksDropped,
    });
    yield {
      name: "wyvern_refusals_total",
      type: "counter",
      help: "Sockets refused before the upgrade, by cause.",
      samples: [...this.#refusals].map(([cause, value]) => ({ labels: { cause }, value })),
    };
    yield {
      name: "wyvern_closes_total",
      type: "counter",
      help: "Links ended, by close code and by who chose it.",
      samples: (["server", "peer"] as const).flatMap((by) =>
        [...this.#closes[by]].map(([code, value]) => ({ labels: { by, code }, value }))
      ),
    };
  }
}

function* familiesOf({ totals, ...now }: Readings): Generator<Family> {
  yield gauge("wyvern_rooms", { help: "Rooms, empty ones among them.", value: now.rooms });
  yield gauge("wyvern_clients", { help: "Connected clients in all rooms.", value: now.clients });
  yield gauge("wyvern_sockets", { help: "Open sockets, also of who has not said hello.", value: now.sockets });
  yield gauge("wyvern_unsent_bytes", {
    help: "Bytes that wait in this process for peers who read too slowly.",
    value: now.unsentBytes,
  });
  yield gauge("wyvern_uptime_seconds", { help: "Since the server began.", value: now.uptimeSeconds });
  yield counter("wyvern_ticks_total", { help: "Ticks run by the server.", value: now.ticks });
  yield counter("wyvern_rests_total", {
    help: "Always 0: the server no longer rests. Kept for dashboards that name it.",
    value: 0,
  });
  yield counter("wyvern_match_ticks_total", { help: "Ticks run, summed over rooms.", value: totals.ticks });
  const { commandsTaken: taken, commandsLate: late, commandsRefused: refused } = totals;
  yield {
    name: "wyvern_commands_total",
    type: "counter",
    help: "Commands that arrived: refused are duplicates and those too far ahead.",
    samples: Object.entries({ taken, late, refused }).map(([verdict, value]) => ({
      labels: { verdict },
      value,
    })),
  };
  yield counter("wyvern_states_sent_total", {
    help: "Whole states sent: to newcomers, the out of step and the skipped.",
    value: totals.statesSent,
  });
  yield counter("wyvern_tick_messages_skipped_total", {
    help: "Tick messages not sent to who reads too slowly.",
    value: totals.skipped,
  });
  yield counter("wyvern_down_bytes_total", {
    help: "Bytes of tick messages to clients, states among them, without frame headers.",
    value: totals.bytesDown,
  });
  yield counter("wyvern_up_bytes_total", {
    help: "Bytes of messages from clients in rooms, without frame headers.",
    value: totals.bytesUp,
  });
}

interface Sample {
  /** After the family's name. */
  readonly suffix?: string;
  readonly labels?: Readonly<Record<string, string | number>>;
  readonly value: number;
}

/** One metric with all its lines. */
export interface Family {
  readonly name: string;
  readonly type: "counter" | "gauge" | "histogram";
  readonly help: string;
  readonly samples: Iterable<Sample>;
}

function counter(name: string, { help, value }: { help: string; value: number }): Family {
  return { name, type: "counter", help, samples: [{ value }] };
}

function gauge(name: string, { help, value }: { help: string; value: number }): Family {
  return { name, type: "gauge", help, samples: [{ value }] };
}

/** A metric's lines, escaped as the format asks. */
export function formatFamily({ name, type, help, samples }: Family): string {
  let text = `# HELP ${name} ${help.replaceAll("\\", "\\\\").replaceAll("\n", "\\n")}\n# TYPE ${name} ${type}\n`;
  for (const { suffix = "", labels = {}, value } of samples) {
    text += `${name}${suffix}${formatLabels(labels)} ${value}\n`;
  }
  return text;
}

function formatLabels(labels: Readonly<Record<string, string | number>>): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escapedLabel(String(value))}"`);
  return pairs.length === 0 ? "" : `{${pairs.join(",")}}`;
}

function escapedLabel(value: string): string {
  return value.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
}
