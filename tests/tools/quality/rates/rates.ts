/**
 * The table of rates (docs/rates.md): what each of them carries, and what it costs. A rate is ticks a
 * second × world steps a tick, and solver steps a world step if they are not one.
 */
import type { Rate } from "../../engines/scene.ts";
import { type CostReport, measureCosts } from "./cost.ts";
import { HEROES } from "./heroes.ts";
import { JOINED } from "./joined.ts";
import { LOADS } from "./loads.ts";
import type { RateScene } from "./rate_scene.ts";

/** The first one is what costs are relative to. */
export const TABLE_RATES: readonly Rate[] = [
  { tickHz: 20, substeps: 2 },
  { tickHz: 20, substeps: 1 },
  { tickHz: 20, substeps: 3 },
  { tickHz: 20, substeps: 4 },
  { tickHz: 30, substeps: 2 },
  { tickHz: 60, substeps: 1 },
  { tickHz: 60, substeps: 2 },
  { tickHz: 60, substeps: 4 },
  { tickHz: 60, substeps: 8 },
  { tickHz: 20, substeps: 2, solverSteps: 2 },
  { tickHz: 20, substeps: 2, solverSteps: 4 },
  { tickHz: 20, substeps: 3, solverSteps: 4 },
  { tickHz: 30, substeps: 2, solverSteps: 4 },
  { tickHz: 60, substeps: 1, solverSteps: 4 },
];

export const RATE_SCENES: readonly RateScene[] = [...LOADS, ...JOINED, ...HEROES];

/** One row of the table. */
export interface RateRow extends Pick<RateScene, "what" | "figure" | "most"> {
  /** By rate. */
  readonly values: readonly number[];
}

/** The object that `--json` prints. */
export interface RatesReport {
  readonly rates: readonly string[];
  readonly scenes: Readonly<Record<string, RateRow>>;
  /** By scene and rate: the time of a tick, relative to that of the first rate. */
  readonly tickCosts: CostReport;
}

/** @returns a rate as the table has it, such as 20×2 or 20×2·4 */
export function nameOf({ tickHz, substeps, solverSteps = 1 }: Rate): string {
  return `${tickHz}×${substeps}${solverSteps === 1 ? "" : `·${solverSteps}`}`;
}

/**
 * Measures all scenes at all rates.
 * @param passes how often each cost is timed
 */
export function measureRates(passes: number): RatesReport {
  const scenes = RATE_SCENES.map((scene): [string, RateRow] => {
    const values = TABLE_RATES.map((rate) => Number(scene.measure(rate).toFixed(3)));
    console.error(`${scene.id}: measured`);
    const { what, figure, most } = scene;
    return [scene.id, { what, figure, most, values }];
  });
  return {
    rates: TABLE_RATES.map(nameOf),
    scenes: Object.fromEntries(scenes),
    tickCosts: measureCosts(TABLE_RATES, passes),
  };
}

/** @returns the report as a table for people; what does not hold has a star */
export function ratesText({ rates, scenes, tickCosts }: RatesReport): string {
  const line = (name: string, cells: readonly string[], what = "") =>
    name.padEnd(14) + cells.map((cell) => cell.padStart(9)).join("") + `  ${what}`;
  return [
    line("", rates),
    ...Object.entries(scenes).map(([id, { what, figure, most, values }]) =>
      line(id, values.map((value) => `${value}${value <= most ? " " : "*"}`), `${what}: ${figure}`)
    ),
    ...Object.entries(tickCosts).map(([scene, costs]) =>
      line(scene, costs.map((cost) => `${cost} `), "time of a tick")
    ),
  ].join("\n");
}
