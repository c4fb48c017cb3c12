/**
 * The file behind the button "I felt a lag here": the last half minute of this page's telemetry as JSON, for later
 * study.
 */
import type { NetworkConditions } from "../net/network_conditions.ts";
import type { TelemetryRow } from "../presentation/telemetry.ts";
import { make } from "../ui/dom.ts";
import { type Figures, figuresOf, type NetworkVerdict } from "./figures.ts";

export interface TraceSources {
  readonly rows: readonly TelemetryRow[];
  /** The press of the button, on the clock of the rows. */
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
}

export interface Trace extends Omit<TraceSources, "rows"> {
  readonly format: "wyvern trace 1";
  readonly figures: Figures | undefined;
  /** Names of the numbers in each row. */
  readonly columns: readonly string[];
  readonly rows: readonly (readonly number[])[];
}

/** Rows become lists of numbers, rounded to a tenth: a browser's clock is no finer. */
export function traceOf({ rows, ...sources }: TraceSources): Trace {
  const columns = Object.keys(rows[0] ?? {}) as (keyof TelemetryRow)[];
  return {
    format: "wyvern trace 1",
    ...sources,
    figures: figuresOf(rows, sources.nowMs),
    columns,
    rows: rows.map((row) => columns.map((column) => Math.round(row[column] * 10) / 10)),
  };
}

/** Offers the trace to the player as a file. */
export function download(trace: Trace): void {
  const url = URL.createObjectURL(new Blob([JSON.stringify(trace)], { type: "application/json" }));
  make("a", { href: url, download: `wyvern-${trace.game.room}-${trace.game.head}.json` }).click();
  URL.revokeObjectURL(url);
}
