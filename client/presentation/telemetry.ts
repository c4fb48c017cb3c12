/**
 * Collects the netcode's figures on this page: one row for each definitive tick in the last thirty
 * seconds. Telemetry is always on, because players notice a lag before they open the overlay. A row
 * is a few numbers; the overlay computes the rest.
 */
import type { Clock } from "../../shared/netcode/link.ts";
import type { ServerMessage, TickMessage } from "../../shared/netcode/wire/messages.ts";
import type { LinkObserver } from "../net/link_tap.ts";
import type { SessionStats } from "../session/session_stats.ts";
import { FlightRecording } from "./flight_recording.ts";

/** Half a minute at 20 Hz. */
export const ROWS_MAX = 600;

/** One definitive tick. Times are in ms; counts are since the row before. */
export interface TelemetryRow {
  /** When its message arrived, on the page's clock. */
  readonly atMs: number;
  readonly tick: number;
  readonly slackMs: number;
  readonly leadMs: number;
  readonly advisedLeadMs: number;
  /** The input delay in force, ticks. */
  readonly inputDelayTicks: number;
  readonly roundTripMs: number;
  readonly rollbacks: number;
  readonly resimulatedTicks: number;
  /** Time spent in calls of `advance` that rolled back. */
  readonly rollbackMs: number;
  readonly steppedTicks: number;
  /** Time spent in calls of `advance` that stepped. */
  readonly stepMs: number;
  readonly late: number;
  readonly npcCommands: number;
  readonly npcForeknown: number;
  readonly bytesTicks: number;
  readonly bytesStates: number;
  readonly bytesPings: number;
  readonly bytesUp: number;
  /** Whether the page is in sync, 1 or 0. */
  readonly inStep: number;
  /** Whether the page is on the body stream, 1 or 0. */
  readonly streams: number;
  readonly desyncs: number;
}

/** What telemetry reads from a session. */
export interface ObservedSession {
  readonly stats: SessionStats;
  readonly head: number;
  readonly leadMs: number;
  readonly inputDelayTicks: number;
  readonly roundTripMs: number;
  readonly isInSync: boolean;
  readonly isOnBodyStream: boolean;
}

type Writable = { -readonly [Key in keyof TelemetryRow]: TelemetryRow[Key] };

const COUNTED = {
  rollbacks: "rollbacks",
  resimulatedTicks: "resimulatedTicks",
  commandsLate: "late",
  npcCommands: "npcCommands",
  npcKnownInTime: "npcForeknown",
  desyncs: "desyncs",
} as const satisfies Partial<Record<keyof SessionStats, keyof TelemetryRow>>;

/** Decodes one connection's messages. */
export interface MessageDecoder {
  decode(bytes: Uint8Array): ServerMessage<unknown>;
}

export class Telemetry implements LinkObserver {
  readonly #clock: Clock;
  readonly #newDecoder: () => MessageDecoder;
  #decoder: MessageDecoder;
  readonly #rows: TelemetryRow[] = [];
  /** Records the session's steps, for a replay. */
  readonly flight = new FlightRecording();
  #next: Writable = emptyRow();
  #before: Pick<SessionStats, keyof typeof COUNTED> | undefined;
  #head = -1;
  /** The newest tick received over this connection. */
  #newest = -1;

  /** @param newDecoder makes a decoder like the session's, one per connection */
  constructor(clock: Clock, newDecoder: () => MessageDecoder) {
    this.#clock = clock;
    this.#newDecoder = newDecoder;
    this.#decoder = newDecoder();
  }

  /** At most `ROWS_MAX`, the oldest first. */
  get rows(): readonly TelemetryRow[] {
    return this.#rows;
  }

  /** Begins with another connection. The rows stay. */
  restart(): void {
    this.#decoder = this.#newDecoder();
    this.#next = emptyRow();
    this.#before = undefined;
    this.#head = -1;
    this.#newest = -1;
    this.flight.restart();
  }

  onSent(message: Uint8Array): void {
    this.#next.bytesUp += message.length;
  }

  onReceived(bytes: Uint8Array): void {
    try {
      const message = this.#decoder.decode(bytes);
      if (message.type === "welcome") this.flight.welcome = message;
      if (message.type === "tick") this.#recordTick(message, bytes.length);
      else if (message.type === "ticks") this.#recordTicks(message.ticks, bytes.length);
      else this.#next.bytesPings += bytes.length;
    } catch {
      // The session gets the same error and closes the connection.
    }
  }

  /** Call it after each advance of the session. @param elapsedMs how long the advance took */
  onAdvanced(session: ObservedSession, elapsedMs: number): void {
    const { stats, head, leadMs, inputDelayTicks, roundTripMs, isInSync, isOnBodyStream } = session;

    const next = this.#next;
    const before = this.#before ??= { ...stats };

    // What is new since the previous advance
    const rolledBack = stats.rollbacks - before.rollbacks > next.rollbacks;
    const stepped = head > this.#head && this.#head >= 0 ? head - this.#head : 0;
    const resimulated = stats.resimulatedTicks - before.resimulatedTicks - next.resimulatedTicks;
    for (
      const [from, to] of Object.entries(COUNTED) as [keyof typeof COUNTED, keyof TelemetryRow][]
    ) {
      next[to] = stats[from] - before[from];
    }
    this.#head = head;
    next.steppedTicks += stepped + resimulated;

    // An advance without a step says nothing about what a step costs.
    if (stepped + resimulated > 0) next.stepMs += elapsedMs;
    if (rolledBack) next.rollbackMs += elapsedMs;

    if (next.tick < 0) return;

    // This tick's row
    const isNow = { inStep: Number(isInSync), streams: Number(isOnBodyStream) };
    Object.assign(next, { leadMs, inputDelayTicks, roundTripMs, ...isNow });
    this.#rows.push(next);
    if (this.#rows.length > ROWS_MAX) this.#rows.shift();
    this.#next = emptyRow();
    this.#before = { ...stats };
  }

  /**
   * Records a datagram's ticks. It counts only ticks newer than the last row, because datagrams
   * repeat unconfirmed ticks and overtake each other.
   */
  #recordTicks(ticks: readonly TickMessage<unknown>[], length: number): void {
    const newTicks = ticks.filter(({ tick }) => tick > this.#newest);
    if (newTicks.length === 0) this.#next.bytesTicks += length;
    newTicks.forEach((message, i) => this.#recordTick(message, i === 0 ? length : 0));
  }

  #recordTick(message: TickMessage<unknown>, length: number): void {
    const next = this.#next;
    next.atMs = this.#clock.now();
    next.tick = this.#newest = message.tick;
    next.slackMs = message.slackMs;
    next.advisedLeadMs = message.advisedLeadMs;
    this.flight.onTick(next.atMs, message, this.#clock.lagMs?.() ?? 0);
    if (message.state === undefined) next.bytesTicks += length;
    else next.bytesStates += length;
  }
}

function emptyRow(): Writable {
  return {
    atMs: 0,
    tick: -1,
    slackMs: 0,
    leadMs: 0,
    advisedLeadMs: 0,
    inputDelayTicks: 0,
    roundTripMs: 0,
    rollbacks: 0,
    resimulatedTicks: 0,
    rollbackMs: 0,
    steppedTicks: 0,
    stepMs: 0,
    late: 0,
    npcCommands: 0,
    npcForeknown: 0,
    bytesTicks: 0,
    bytesStates: 0,
    bytesPings: 0,
    bytesUp: 0,
    inStep: 0,
    streams: 0,
    desyncs: 0,
  };
}
