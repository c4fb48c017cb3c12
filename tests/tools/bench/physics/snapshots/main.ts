/**
 * The snapshots of `bench physics`: bytes and time of a save and of a load, on the stage and in
 * rapier, of the same scene with 50, 200 and 800 bodies. Each engine has a process for each number.
 * They take turns, and a time is the 25th percentile over all passes. DESIGN 12.10 has the figures
 * of Box2D beside them.
 */
import { bundled } from "../../../../support/bundled.ts";
import { Progress } from "../../../../support/progress.ts";
import { quantileOf } from "../../median.ts";
import {
  SAVING_ENGINES,
  type SavingEngine,
  type SnapshotFacts,
  SnapshotProcess,
  type SnapshotTiming,
} from "./runner.ts";
import { BODY_COUNTS, type BodyCount } from "./scene.ts";

const QUANTILE = 0.25;
/** The compiler is done by then. */
const WARM_UP_PASSES = 3;

/** Of one engine with one number of bodies. Times are µs. */
export interface SnapshotReport extends SnapshotFacts {
  readonly saveMicros: number;
  readonly loadMicros: number;
  readonly loadFreshMicros: number;
}

export type SnapshotReports = Readonly<
  Record<BodyCount, Readonly<Record<SavingEngine, SnapshotReport>>>
>;

/** One process and its timings. */
class Measured {
  readonly process: SnapshotProcess;
  readonly #timings: SnapshotTiming[] = [];

  constructor(engine: SavingEngine, bodies: BodyCount, module: string) {
    this.process = new SnapshotProcess(engine, bodies, module);
  }

  async time(): Promise<void> {
    this.#timings.push(await this.process.time());
  }

  /** After all passes. Ends the process. */
  async report(): Promise<SnapshotReport> {
    const facts = await this.process.facts();
    await this.process.end();
    const micros = (part: keyof SnapshotTiming) =>
      Number(quantileOf(this.#timings.map((timing) => timing[part]), QUANTILE).toFixed(1));
    return {
      ...facts,
      saveMicros: micros("save"),
      loadMicros: micros("load"),
      loadFreshMicros: micros("loadFresh"),
    };
  }
}

/** Times all engines with all numbers of bodies. */
export async function measureSnapshots(passes: number): Promise<SnapshotReports> {
  const module = await bundled(new URL("./runner.ts", import.meta.url).href);
  const progress = new Progress(BODY_COUNTS.length * passes, "passes");
  const reports: [BodyCount, Record<SavingEngine, SnapshotReport>][] = [];
  let done = 0;
  for (const bodies of BODY_COUNTS) {
    const measured = SAVING_ENGINES.map((engine) => new Measured(engine, bodies, module));
    for (let pass = 0; pass < WARM_UP_PASSES; pass++) {
      for (const { process } of measured) await process.time();
    }
    for (let pass = 0; pass < passes; pass++) {
      for (const each of measured) await each.time();
      progress.show(++done);
    }
    const entries: [SavingEngine, SnapshotReport][] = [];
    for (const [i, engine] of SAVING_ENGINES.entries()) {
      entries.push([engine, await measured[i]!.report()]);
    }
    reports.push([bodies, Object.fromEntries(entries) as Record<SavingEngine, SnapshotReport>]);
  }
  progress.end();
  return Object.fromEntries(reports) as Record<BodyCount, Record<SavingEngine, SnapshotReport>>;
}

/** For people: a line for each engine and number. Times are µs. */
export function snapshotsTable(reports: SnapshotReports): string {
  const heads = ["bytes", "save", "load", "load fresh", "same motions", "same bytes"];
  const rows = BODY_COUNTS.flatMap((bodies) =>
    SAVING_ENGINES.map((engine) => {
      const report = reports[bodies][engine];
      return [
        `${bodies} ${engine}`,
        report.bytes,
        report.saveMicros,
        report.loadMicros,
        report.loadFreshMicros,
        report.sameMotions && report.sameMotionsFresh,
        report.sameBytes && report.sameBytesFresh,
      ];
    })
  );
  return [["", ...heads], ...rows].map(([name, ...cells]) =>
    String(name).padEnd(14) + cells.map((cell) => String(cell).padStart(13)).join("")
  ).join("\n");
}
