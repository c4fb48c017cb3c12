/**
 * The overlay's log for the last half minute: a row for each visible correction, false event, stall
 * and mark, and the lanes. A worker replays the page's recording and finds the corrections with
 * their causes; the page only hands over what it recorded since the last answer.
 */
import type { SeatId, Tick } from "../../shared/netcode/game.ts";
import type { FlightRecording } from "../presentation/flight_recording.ts";
import type { PageFault } from "./contract_reports.ts";
import type { Welcome } from "../../shared/netcode/wire/messages.ts";
import { FINAL_AFTER_MS } from "./replay/delays.ts";
import type { FalseEvent } from "./replay/false_events.ts";
import type { FlightCorrection } from "./replay/flight_replay.ts";
import type { PosesAt } from "./replay/pose_history.ts";
import type { ReplayRequest, ReplayResponse } from "./replay/replay_messages.ts";
import { SeatLanes } from "./replay/seat_lanes.ts";
import { RecordedFrames, type Sight, sightOf } from "./sights.ts";

/** The log's length, ms. */
export const LOG_MS = 30_000;
/**
 * How much of the past the overlay replays, ms: the log, and before it the longest time between two
 * states.
 */
const REPLAYED_MS = LOG_MS + 6000;
/** The most rows. Eight people at a round trip of 200 ms cause 45 corrections a second. */
const ROWS_MAX = 2000;
/**
 * The most entries in one message to the worker. A frame adds one or two; copying many at once
 * would take milliseconds.
 */
const BATCH_ENTRIES = 4;
/** A longer pause between advances, or between ticks, gets its own row, ms. */
const STALL_ROW_MS = 100;
const SILENCE_ROW_MS = 200;

/** What the log uses from a `Worker`. */
export interface ReplayPort {
  postMessage(request: ReplayRequest): void;
  onmessage: ((event: MessageEvent<ReplayResponse>) => void) | null;
  onerror: ((event: ErrorEvent) => void) | null;
  terminate(): void;
}

interface Row {
  /** On the page's clock. */
  readonly atMs: number;
  /** The page's head at that time; -1 if unknown. */
  readonly tick: Tick;
}

export type FlightRow =
  & Row
  & (
    | { readonly kind: "correction"; readonly correction: FlightCorrection }
    /** @param wasShown whether a frame showed the event and took it back */
    | { readonly kind: "false event"; readonly event: FalseEvent; readonly wasShown: boolean }
    /** How long the page did not advance, or no tick arrived. */
    | { readonly kind: "stall" | "silence"; readonly ms: number }
    /** The server sent its own state, because this page's differed or was too old. */
    | { readonly kind: "state" }
    | { readonly kind: "mark" }
    /** The game broke its contract with the netcode. */
    | { readonly kind: "fault"; readonly text: string }
  );

export class FlightLog {
  readonly #recording: FlightRecording;
  readonly #frames: RecordedFrames;
  #port: ReplayPort | undefined;
  readonly lanes = new SeatLanes();
  /** The oldest first. */
  readonly rows: FlightRow[] = [];
  /** The bodies' places at the last requested tick. */
  poses: PosesAt | undefined;
  /** How many recorded states the replay did not reach by its own steps. */
  divergences = 0;
  #connection = -1;
  /** How many entries from this connection the worker got or missed. */
  #sent = 0;
  #isWaiting = false;
  #posesTick: Tick = -1;
  #arrivedMs = Infinity;
  /** Up to when the recording is replayed, ms on the page's clock. */
  untilMs = -Infinity;
  /** Whether the overlay is frozen, so that rows older than the log stay. */
  isFrozen = false;

  /**
   * @param port undefined if the page was built without a worker; the log then shows no corrections
   */
  constructor(recording: FlightRecording, port: ReplayPort | undefined) {
    this.#recording = recording;
    this.#frames = new RecordedFrames(recording);
    this.#port = port;
    if (port === undefined) return;
    port.onmessage = ({ data }) => this.#receive(data);
    // Without its worker the log keeps past lanes, stalls and marks.
    port.onerror = () => this.#port = undefined;
  }

  /**
   * Hands new entries to the worker, if it answered, and removes old rows. Call it with every
   * frame.
   */
  advance(nowMs: number): void {
    const recording = this.#recording;
    const { welcome, connection } = recording;

    // Remove old rows
    while (!this.isFrozen && this.rows.length > 0 && this.rows[0]!.atMs < nowMs - LOG_MS) {
      this.rows.shift();
    }

    if (welcome === undefined || (this.#isWaiting && this.#port !== undefined)) return;

    // Entries that were removed before the worker got them break the replay, so it begins again.
    const isBroken = this.#sent > 0 && this.#sent < recording.removed;
    if (connection !== this.#connection || isBroken) {
      this.#begin(connection, welcome);
      const skipped = recording.entries.findIndex(({ atMs }) => atMs >= nowMs - REPLAYED_MS);
      this.#sent = recording.removed + Math.max(0, skipped);
    }

    // Find new entries
    const from = Math.max(this.#sent - recording.removed, 0);
    const entries = recording.entries.slice(from, from + BATCH_ENTRIES);
    this.#sent = recording.removed + from + entries.length;
    if (entries.length === 0) return;
    for (const entry of entries) this.#addPauses(entry);

    // Send them to the worker, if there is one
    if (this.#port === undefined) return;
    this.#isWaiting = true;
    this.#port.postMessage({ type: "entries", entries });
  }

  /** How much of the match the log tells of, s. */
  get seconds(): number {
    const oldest = this.#recording.entries[0];
    if (oldest === undefined || oldest.atMs > this.untilMs) return 0;
    return Math.min(LOG_MS, this.untilMs - oldest.atMs) / 1000;
  }

  addMark(atMs: number): void {
    this.#add({ kind: "mark", atMs, tick: this.tickAt(atMs) });
  }

  addFault({ atMs, text }: PageFault): void {
    this.#add({ kind: "fault", atMs, tick: this.tickAt(atMs), text });
  }

  /** Requests the bodies' places at a tick, which soon appear in `poses`. */
  requestPoses(tick: Tick): void {
    if (tick === this.#posesTick) return;
    this.#posesTick = tick;
    this.#port?.postMessage({ type: "poses", tick });
  }

  /**
   * Finds the newest tick that the page had simulated at this time; -1 if the recording does not
   * reach back so far.
   */
  tickAt(atMs: number): Tick {
    const entry = this.#recording.entries.findLast((entry) =>
      entry.atMs <= atMs && entry.steps.length > 0
    );
    return entry?.steps.at(-1)?.tick ?? -1;
  }

  /**
   * Whether all rows up to this tick are there. A correction's row comes `FINAL_AFTER_MS` after the
   * correction, or later if the worker is slow.
   */
  isCompleteUntil(tick: Tick): boolean {
    const { connection, entries } = this.#recording;
    // An earlier connection's entries are gone, so the worker cannot get more of them.
    if (this.#port === undefined || connection !== this.#connection) return true;
    const after = entries.find(({ definitive, steps }) =>
      Math.max(definitive, steps.at(-1)?.tick ?? -1) > tick
    );
    return after !== undefined && this.untilMs >= after.atMs + FINAL_AFTER_MS;
  }

  /** Finds what a player saw of a correction, from the recorded frames. */
  sightOf(correction: Pick<FlightCorrection, "atMs" | "seat" | "metres">): Sight {
    return sightOf(this.#frames, correction) ?? { visibleMs: undefined, seen: "unseen" };
  }

  /** Returns the error offset of a seat's body in the newest frame, metres. */
  offsetMetres(seat: SeatId): number {
    const frames = this.#frames;
    return frames.end === 0 ? 0 : frames.offsetMetres(frames.end - 1, seat);
  }

  close(): void {
    this.#port?.terminate();
  }

  #begin(
    connection: number,
    { seat = -1, npcs, seed, choices, isOrdered }: Pick<
      Welcome,
      "seat" | "npcs" | "seed" | "choices" | "isOrdered"
    >,
  ) {
    this.#connection = connection;
    this.#sent = 0;
    this.#arrivedMs = Infinity;
    this.lanes.clear();
    this.#port?.postMessage({ type: "begin", npcs, seed, choices, isOrdered, ownSeat: seat });
  }

  #receive(response: ReplayResponse): void {
    if (response.type === "poses") return void (this.poses = response.poses);

    const { news: { corrections, falseEvents, divergences }, lanes, newest, untilMs } = response;

    // Take over what the worker knows now
    this.#isWaiting = false;
    this.untilMs = untilMs;
    this.divergences += divergences;
    this.lanes.paste(lanes, newest);

    // Turn its news into rows
    for (const correction of corrections) {
      this.#add({ kind: "correction", atMs: correction.atMs, tick: correction.tick, correction });
    }

    const retracted = new Set(
      falseEvents.length === 0 ? [] : this.#recording.retracted.map(({ key }) => key),
    );
    for (const event of falseEvents) {
      const wasShown = retracted.has(event.key);
      this.#add({
        kind: "false event",
        atMs: event.toMs,
        tick: this.tickAt(event.toMs),
        event,
        wasShown,
      });
    }
  }

  #addPauses({ atMs, gapMs, ticks, isRebased, state }: FlightRecording["entries"][number]): void {
    const isJoin = this.#arrivedMs === Infinity;
    if (isRebased && state !== undefined && !isJoin) {
      this.#add({ kind: "state", atMs, tick: this.tickAt(atMs) });
    }
    if (gapMs >= STALL_ROW_MS) {
      this.#add({ kind: "stall", atMs, tick: this.tickAt(atMs), ms: gapMs });
    }
    for (const { atMs } of ticks) {
      const ms = atMs - this.#arrivedMs;
      if (ms >= SILENCE_ROW_MS) this.#add({ kind: "silence", atMs, tick: this.tickAt(atMs), ms });
      this.#arrivedMs = atMs;
    }
  }

  /** Inserts by time, from the end. */
  #add(row: FlightRow): void {
    let index = this.rows.length;
    while (index > 0 && this.rows[index - 1]!.atMs > row.atMs) index--;
    this.rows.splice(index, 0, row);
    if (this.rows.length > ROWS_MAX) this.rows.shift();
  }
}
