/**
 * Draws the last half minute as curves: times above, the simulation's work below. Only this file
 * uses uPlot.
 */
import uPlot from "uplot";
import { ROWS_MAX, type TelemetryRow } from "../presentation/telemetry.ts";

const WIDTH = 320;
const HEIGHT = 110;
const TICKS_PER_SECOND = 20;

/** Returns how many commands the server had to assume for a tick. */
type AssumedAt = (tick: number) => number;

interface Curve {
  readonly label: string;
  readonly colour: string;
  readonly value: (row: TelemetryRow, assumedAt: AssumedAt) => number;
}

const TIMES: readonly Curve[] = [
  { label: "slack", colour: "#6cc5ff", value: (row) => row.slackMs },
  { label: "lead", colour: "#a5e8b0", value: (row) => row.leadMs },
  { label: "advised", colour: "#ffd27a", value: (row) => row.advisedLeadMs },
  { label: "rtt", colour: "#c9a3ff", value: (row) => row.roundTripMs },
];

const WORK: readonly Curve[] = [
  { label: "resimulated", colour: "#6cc5ff", value: (row) => row.resimulatedTicks },
  { label: "assumed", colour: "#ffd27a", value: (row, assumedAt) => assumedAt(row.tick) },
  { label: "late", colour: "#ff8f70", value: (row) => row.late },
];

export class Graphs {
  readonly #plots: readonly { readonly plot: uPlot; readonly curves: readonly Curve[] }[];

  constructor(into: HTMLElement) {
    const plotOf = (title: string, curves: readonly Curve[], atLeast: number) => (
      { plot: new uPlot(optionsOf(title, curves, atLeast), emptyData(curves), into), curves }
    );
    this.#plots = [plotOf("ms", TIMES, 200), plotOf("ticks", WORK, 5)];
  }

  /**
   * How many plots there are. Draw each in another frame, because all at once would take a
   * millisecond.
   */
  get count(): number {
    return this.#plots.length;
  }

  /** Draws one plot. @param index 0 … count − 1 */
  show(index: number, rows: readonly TelemetryRow[], assumedAt: AssumedAt): void {
    const newest = rows.at(-1)?.tick ?? 0;
    const { plot, curves } = this.#plots[index]!;
    const seconds = rows.map(({ tick }) => (tick - newest) / TICKS_PER_SECOND);
    const data = curves.map(({ value }) => rows.map((row) => value(row, assumedAt)));
    plot.setData([seconds, ...data] as uPlot.AlignedData);
  }

  close(): void {
    for (const { plot } of this.#plots) plot.destroy();
  }
}

/**
 * @param atLeast the scale reaches at least from 0 to this value, so that small values do not look
 *   dramatic
 */
function optionsOf(title: string, curves: readonly Curve[], atLeast: number): uPlot.Options {
  const axis = { stroke: "#bfc3d4", grid: { stroke: "#2b3050", width: 1 }, ticks: { show: false } };
  return {
    width: WIDTH,
    height: HEIGHT,
    cursor: { show: false },
    legend: { live: false },
    scales: {
      x: { time: false, range: [-ROWS_MAX / TICKS_PER_SECOND, 0] },
      y: { range: (_plot, low, high) => [Math.min(0, low), Math.max(atLeast, high)] },
    },
    axes: [{ ...axis, size: 22 }, { ...axis, size: 40, label: title, labelSize: 14 }],
    series: [
      {},
      ...curves.map(({ label, colour }) => ({
        label,
        stroke: colour,
        width: 1.2,
        points: { show: false },
      })),
    ],
  };
}

function emptyData(curves: readonly Curve[]): uPlot.AlignedData {
  return [[], ...curves.map(() => [])] as unknown as uPlot.AlignedData;
}
