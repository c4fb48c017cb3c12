/** "I felt a lag here": the last half minute of this page's netcode as one JSON file, for whoever looks into it later. */
import type { NetworkConditions } from "../net/network_conditions.ts";
import type { TelemetryRow } from "../presentation/telemetry.ts";
import { make } from "../ui/dom.ts";
import { type Figures, figuresOf, type NetworkVerdict } from "./figures.ts";

export interface TraceSources {
  readonly rows: readonly TelemetryRow[];
  /** The page's clock when the button was pressed; the rows' times are of the same clock. */
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

/** Rows become lists: a tenth of a millisecond is as fine as a browser's clock. */
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

/** Gives it to the player as a file. */
export function download(trace: Trace): void {
  const url = URL.createObjectURL(new Blob([JSON.stringify(trace)], { type: "application/json" }));
  make("a", { href: url, download: `wyvern-${trace.game.room}-${trace.game.head}.json` }).click();
  URL.revokeObjectURL(url);
}
