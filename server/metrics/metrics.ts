/**
 * The server's counters and gauges as text for Prometheus (exposition format 0.0.4). Names and
 * labels come from fixed sets, so clients cannot add lines. Counting allocates nothing; the text is
 * made on request.
 *
 * If several games are hosted, samples that belong to a game carry the label `game`.
 */
import { Histogram, type Labels, type Sample } from "./histogram.ts";
import { counter, type Family, formatFamily, gauge, histogram } from "./metric_text.ts";
import { processFamilies, type ProcessReadings } from "./process_metrics.ts";
import { type Transport, TRANSPORTS } from "../match/clients/peer.ts";
import type { MatchStats } from "../match/match_stats.ts";
import { datagramFamilies, type DatagramReadings } from "./datagram_metrics.ts";
import { REFUSAL_CAUSES, type RefusalCause } from "./refusal_causes.ts";

/**
 * Seconds. A tick at 20 Hz may take 0.05 s. Bounds below that show how much time is left, and those
 * above it how far a tick overran.
 */
// deno-fmt-ignore
const TICK_BOUNDS = [
  0.0005, 0.001, 0.002, 0.005, 0.01, 0.015, 0.02, 0.03, 0.04, 0.05,
  0.1, 0.2, 0.5, 1,
];

/**
 * Seconds. Files come from memory, so a slow answer reveals a slow connection, which the server
 * cuts off after 20 s.
 */
const ANSWER_BOUNDS = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10, 20];

/**
 * Close codes with a line of their own: RFC 6455's and Wyvern's. A peer may send any code; all
 * others are counted as "other".
 */
// deno-fmt-ignore
const NAMED_CODES: ReadonlySet<number> = new Set([
  1000, 1001, 1002, 1003, 1005, 1006, 1007, 1008, 1009, 1011,
  ...Array.from({ length: 16 }, (_, i) => 4000 + i),
]);

/** Which end chose a link's close code. */
const CLOSE_INITIATORS = ["server", "peer"] as const;
export type CloseInitiator = typeof CLOSE_INITIATORS[number];

/** Values that the caller reads when the text is requested. */
export interface Readings extends ProcessReadings {
  /** By game name; the same names as in `Metrics`. */
  readonly games: ReadonlyMap<string, GameReadings>;
  readonly sockets: Readonly<Record<Transport, number>>;
  readonly datagrams: DatagramReadings;
  /** Sum over all sockets. */
  readonly unsentBytes: number;
  /** Ticks that the tickers have run. */
  readonly ticks: number;
  readonly uptimeSeconds: number;
}

/** One game's values. */
export interface GameReadings {
  readonly rooms: number;
  readonly clients: number;
  /** Seats reserved for players who lost their connection. */
  readonly reservedSeats: number;
  /** Rooms whose matches are only ordered. */
  readonly orderedRooms: number;
  /** The longest tick of any one room in the last minute, s. */
  readonly slowestRoomTickSeconds: number;
  /** Sum over all rooms since the start. */
  readonly totals: Readonly<MatchStats>;
}

/** The values that the server counts itself. */
export class Metrics {
  /** By game name. */
  readonly #tickDurations: ReadonlyMap<string, Histogram>;
  readonly tickLateness = new Histogram(TICK_BOUNDS);
  readonly eventLoopLag = new Histogram(TICK_BOUNDS);
  readonly #answerDurations = new Histogram(ANSWER_BOUNDS);
  ticksDropped = 0;
  readonly #refusals = new Map<RefusalCause, number>(REFUSAL_CAUSES.map((cause) => [cause, 0]));
  /** By close code: the reasons in SPEC 8.2 and 14.11. */
  readonly #helloRefusals = new Map<number, number>();
  /** By status, of which the server uses a dozen. */
  readonly #answers = new Map<number, number>();
  /** By transport, and by which end chose the code. */
  readonly #closes = TRANSPORTS.flatMap((transport) =>
    CLOSE_INITIATORS.map((by) => ({ by, transport, counts: new Map<number | "other", number>() }))
  );

  /** @param games the names of the hosted games, at least one */
  constructor(games: readonly string[]) {
    this.#tickDurations = new Map(games.map((game) => [game, new Histogram(TICK_BOUNDS)]));
  }

  /** Observes one tick of all of a game's rooms. */
  observeTick(game: string, seconds: number): void {
    this.#tickDurations.get(game)!.observe(seconds);
  }

  /** Counts a refused upgrade request. */
  countRefusal(cause: RefusalCause): void {
    this.#refusals.set(cause, this.#refusals.get(cause)! + 1);
  }

  /**
   * Counts a hello, or a request for a ticket, that was refused.
   * @param code its link's close code
   */
  countHelloRefusal(code: number): void {
    this.#helloRefusals.set(code, (this.#helloRefusals.get(code) ?? 0) + 1);
  }

  /**
   * Counts an answer to a request.
   * @param status as in HTTP
   * @param seconds from the request to the answer's end
   */
  countAnswer(status: number, seconds: number): void {
    this.#answers.set(status, (this.#answers.get(status) ?? 0) + 1);
    this.#answerDurations.observe(seconds);
  }

  /** Counts a link that ended. @param code as in RFC 6455 §7.4, from either end */
  countClose(code: number, how: { by: CloseInitiator; transport: Transport }): void {
    const { counts } = this.#closes.find(({ by, transport }) =>
      by === how.by && transport === how.transport
    )!;
    const named = NAMED_CODES.has(code) ? code : "other";
    counts.set(named, (counts.get(named) ?? 0) + 1);
  }

  /** All metrics as text. */
  text(readings: Readings): string {
    return [...this.families(readings)].map(formatFamily).join("");
  }

  /** All metrics, including those without a value. */
  *families(readings: Readings): Generator<Family> {
    yield* this.#ownFamilies();
    yield* familiesOf(readings);
    yield* datagramFamilies(readings.datagrams);
    yield* processFamilies(readings);
  }

  *#ownFamilies(): Generator<Family> {
    // Durations
    yield histogram("wyvern_tick_duration_seconds", {
      help: "Duration of a tick of all rooms together.",
      parts: Array.from(this.#tickDurations, ([game, histogram]) => {
        return { labels: labelsOf(game, this.#tickDurations), histogram };
      }),
    });
    const single = (histogram: Histogram) => [{ labels: {}, histogram }];
    yield histogram("wyvern_tick_lateness_seconds", {
      help: "Time from the due time of a tick to its start.",
      parts: single(this.tickLateness),
    });
    yield histogram("wyvern_event_loop_lag_seconds", {
      help: "Lateness of a timer that nothing else delays but the process itself.",
      parts: single(this.eventLoopLag),
    });
    yield histogram("wyvern_http_duration_seconds", {
      help: "Time from an HTTP request to the end of its answer.",
      parts: single(this.#answerDurations),
    });

    // Ticks that never ran
    yield counter("wyvern_ticks_dropped_total", {
      help: "Ticks that were never run because the server had fallen behind.",
      value: this.ticksDropped,
    });

    // Who came, who was refused, and how links ended
    yield {
      name: "wyvern_refusals_total",
      type: "counter",
      help: "Sockets refused before the upgrade, by cause.",
      samples: [...this.#refusals].map(([cause, value]) => ({ labels: { cause }, value })),
    };
    yield {
      name: "wyvern_hellos_refused_total",
      type: "counter",
      help: "Hellos that no room took, and requests for tickets that were refused, by close code.",
      samples: [...this.#helloRefusals].map(([code, value]) => ({ labels: { code }, value })),
    };
    yield {
      name: "wyvern_http_answers_total",
      type: "counter",
      help: "Answers to HTTP requests, by status.",
      samples: [...this.#answers].map(([status, value]) => ({ labels: { status }, value })),
    };
    yield {
      name: "wyvern_closes_total",
      type: "counter",
      help: "Links ended, by close code, by who chose it, and by transport.",
      samples: this.#closes.flatMap(({ by, transport, counts }) =>
        [...counts].map(([code, value]) => ({ labels: { by, code, transport }, value }))
      ),
    };
  }
}

/** A game's label if several are hosted; none if it is the only one. */
function labelsOf(game: string, { size }: ReadonlyMap<string, unknown>): Labels {
  return size > 1 ? { game } : {};
}

function* familiesOf({ games, ...now }: Readings): Generator<Family> {
  const byGame = (valueOf: (readings: GameReadings) => number): Sample[] =>
    [...games].map(([game, readings]) => ({
      labels: labelsOf(game, games),
      value: valueOf(readings),
    }));

  // What exists now
  yield gauge("wyvern_rooms", {
    help: "Rooms, empty ones among them.",
    samples: byGame(({ rooms }) => rooms),
  });
  yield gauge("wyvern_clients", {
    help: "Connected clients in all rooms.",
    samples: byGame(({ clients }) => clients),
  });
  yield gauge("wyvern_reserved_seats", {
    help: "Seats that wait for players whose connection was lost.",
    samples: byGame(({ reservedSeats }) => reservedSeats),
  });
  yield gauge("wyvern_rooms_ordered", {
    help: "Rooms whose matches this process only orders.",
    samples: byGame(({ orderedRooms }) => orderedRooms),
  });
  yield gauge("wyvern_room_tick_slowest_seconds", {
    help: "The longest tick of one room in the last minute.",
    samples: byGame(({ slowestRoomTickSeconds }) => slowestRoomTickSeconds),
  });
  yield gauge("wyvern_sockets", {
    help: "Open sockets and sessions, also before their hello.",
    samples: TRANSPORTS.map((transport) => ({
      labels: { transport },
      value: now.sockets[transport],
    })),
  });
  yield gauge("wyvern_unsent_bytes", {
    help: "Bytes that wait in this process for peers that read too slowly.",
    value: now.unsentBytes,
  });

  // Ticks, by the process and by its matches
  yield gauge("wyvern_uptime_seconds", {
    help: "Time since the server started.",
    value: now.uptimeSeconds,
  });
  yield counter("wyvern_ticks_total", { help: "Ticks run by the server.", value: now.ticks });
  yield counter("wyvern_match_ticks_total", {
    help: "Ticks run, summed over rooms.",
    samples: byGame(({ totals }) => totals.ticks),
  });

  // Commands
  yield counter("wyvern_commands_total", {
    help: "Commands received, by verdict: refused are duplicates and commands too far ahead.",
    samples: [...games].flatMap(([game, { totals }]) => verdictsOf(totals, labelsOf(game, games))),
  });
  yield counter("wyvern_commands_late_by_server_total", {
    help:
      "Late commands that were read after their tick because the server ran it more than 4 ms late.",
    samples: byGame(({ totals }) => totals.commandsLateByServer),
  });

  // What clients were sent, or could not read
  yield counter("wyvern_states_sent_total", {
    help: "Full states sent to clients that joined, were desynced or were skipped.",
    samples: byGame(({ totals }) => totals.statesSent),
  });
  yield counter("wyvern_desyncs_total", {
    help: "Desyncs that clients reported and a state has answered.",
    samples: byGame(({ totals }) => totals.desyncs),
  });
  yield counter("wyvern_tick_messages_skipped_total", {
    help: "Tick messages skipped because the client read too slowly.",
    samples: byGame(({ totals }) => totals.skipped),
  });

  // Bytes
  yield counter("wyvern_down_bytes_total", {
    help: "Bytes of tick messages to clients, states among them, without frame headers.",
    samples: byGame(({ totals }) => totals.bytesDown),
  });
  yield counter("wyvern_up_bytes_total", {
    help: "Bytes of messages from clients in rooms, without frame headers.",
    samples: byGame(({ totals }) => totals.bytesUp),
  });
}

/** A game's commands, by verdict. */
function verdictsOf(totals: GameReadings["totals"], labels: Labels): Sample[] {
  const { commandsTaken: taken, commandsLate: late, commandsRefused: refused } = totals;
  return Object.entries({ taken, late, refused }).map(([verdict, value]) => ({
    labels: { ...labels, verdict },
    value,
  }));
}
