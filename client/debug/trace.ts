/**
 * Makes the file for the overlay's button "Save the figures": this page's telemetry, corrections
 * and lanes from the last half minute as JSON, for programs to study.
 */
import { SEATS } from "../../shared/netcode/game.ts";
import type { NetworkConditions } from "../net/network_conditions.ts";
import type { TelemetryRow } from "../presentation/telemetry.ts";
import { type Figures, figuresOf, type NetworkVerdict } from "./figures.ts";
import type { FlightRow } from "./flight_log.ts";
import type { Sight } from "./sights.ts";
import { type Naming, rowText } from "./flight_words.ts";
import { LANE, LANE_TICKS, type SeatLanes } from "./replay/seat_lanes.ts";

export interface TraceSources {
  readonly rows: readonly TelemetryRow[];
  /** When the button was pressed, on the rows' clock. */
  readonly nowMs: number;
  readonly game: {
    readonly room: string;
    readonly seat: number;
    readonly head: number;
    readonly definitiveTick: number;
  };
  readonly quality: NetworkConditions;
  readonly verdict: NetworkVerdict;
  readonly userAgent: string;
  readonly flight: {
    readonly rows: readonly FlightRow[];
    readonly lanes: SeatLanes;
    readonly naming: Naming;
    sightOf(row: Extract<FlightRow, { kind: "correction" }>["correction"]): Sight;
  };
}

/** Text and numbers in the order of `LOG_COLUMNS`; null where a row lacks the value. */
type LogRow = readonly (string | number | null)[];

const LOG_COLUMNS = [
  "atMs",
  "tick",
  "kind",
  "seat",
  "cm",
  "visibleMs",
  "seen",
  "by",
  "since",
  "delayAt",
  "delayMs",
  "what",
  "why",
];

/** One seat's lane: a digit for each tick from `fromTick` on, as in `LANE`. */
interface TraceLane {
  readonly seat: number;
  readonly name: string;
  readonly fromTick: number;
  readonly states: string;
}

export interface Trace extends Omit<TraceSources, "rows" | "flight"> {
  readonly format: "wyvern trace 2";
  readonly figures: Figures | undefined;
  /** Names the numbers in each row. */
  readonly columns: readonly string[];
  readonly rows: readonly (readonly number[])[];
  readonly logColumns: readonly string[];
  readonly log: readonly LogRow[];
  readonly lanes: readonly TraceLane[];
}

/**
 * Makes the trace. Rows become lists of numbers, rounded to a tenth, because a browser's clock is
 * not finer.
 */
export function traceOf({ rows, flight, ...sources }: TraceSources): Trace {
  const columns = Object.keys(rows[0] ?? {}) as (keyof TelemetryRow)[];
  return {
    format: "wyvern trace 2",
    ...sources,
    figures: figuresOf(rows, sources.nowMs, (tick) => flight.lanes.lateAt(tick)),
    columns,
    rows: rows.map((row) => columns.map((column) => tenths(row[column]))),
    logColumns: LOG_COLUMNS,
    log: flight.rows.map((row) => logRowOf(row, flight)),
    lanes: lanesOf(flight),
  };
}

function tenths(value: number): number {
  return Math.round(value * 10) / 10;
}

function logRowOf(row: FlightRow, { naming, sightOf }: TraceSources["flight"]): LogRow {
  const { atMs, tick, kind } = row;
  if (row.kind !== "correction") {
    const { what, why } = rowText(row, naming, undefined);
    return [tenths(atMs), tick, kind, null, null, null, null, null, null, null, null, what, why];
  }
  const { seat, metres, by, since, delay } = row.correction;
  const sight = sightOf(row.correction);
  const { what, why } = rowText(row, naming, sight);
  const visibleMs = sight.visibleMs === undefined ? null : tenths(sight.visibleMs);
  const values = [seat, tenths(metres * 100), visibleMs, sight.seen, by ?? null, since ?? null];
  const place = delay === undefined ? [null, null] : [delay.where, tenths(delay.ms)];
  return [tenths(atMs), tick, kind, ...values, ...place, what, why];
}

function lanesOf({ lanes, naming }: TraceSources["flight"]): TraceLane[] {
  const fromTick = Math.max(0, lanes.newest - LANE_TICKS + 1);
  const all: TraceLane[] = [];
  for (let seat = 0; seat < SEATS; seat++) {
    let states = "";
    for (let tick = fromTick; tick <= lanes.newest; tick++) states += lanes.at(tick, seat);
    if (states.replaceAll(String(LANE.empty), "") !== "") {
      all.push({ seat, name: naming.nameOf(seat), fromTick, states });
    }
  }
  return all;
}
