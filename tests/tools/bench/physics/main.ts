/**
 * `bench physics`: speed as ratios to stock planck. This stage, box2d-wasm and rapier run the full
 * scene; the stage alone also runs the small one. Each contestant has a process of its own, and the
 * processes run blocks of ticks in turns. `crowds/` measures scenes of many bodies in the same way,
 * and `snapshots/` what it costs to save and to load the whole state.
 */
import * as z from "zod";
import { type FlagValues, present, wholeNumber } from "../../../../shared/flags.ts";
import {
  CONTESTANT_NAMES,
  type ContestantName,
  ContestantProcess,
  type Timing,
} from "./contestants.ts";
import { type CrowdReport, crowdsTable, measureCrowds, measureSleepers } from "./crowds/main.ts";
import { CROWD_NAMES } from "./crowds/scenes.ts";
import { measureSnapshots, type SnapshotReports, snapshotsTable } from "./snapshots/main.ts";
import { bundled } from "../../../support/bundled.ts";
import { measureBytesPerStep } from "../match/garbage.ts";
import { medianOf } from "../median.ts";

/** The parts that `--only` selects; "crowds" stands for all crowds and the sleepers. */
const PARTS = ["full", ...CROWD_NAMES, "sleepers", "snapshots"] as const;
type Part = typeof PARTS[number];

export const FLAGS = {
  only: {
    schema: z.string().transform((list) => list.split(",")).pipe(
      z.array(z.enum([...PARTS, "crowds"])),
    ).optional(),
    about: "the parts that are measured [all]",
    allowed: `some of ${[...PARTS, "crowds"].join(",")}`,
  },
  rounds: {
    schema: wholeNumber(10_000, 3).default(60),
    about: "how often each engine is timed in the full scene [60]",
    allowed: "a whole number 3 to 10000",
  },
  passes: {
    schema: wholeNumber(1000, 1).default(9),
    about: "how often each crowd, and each snapshot, is timed [9]",
    allowed: "a whole number 1 to 1000",
  },
  json: { schema: present(), about: "one JSON object as the last line", allowed: "", switch: true },
} as const;

/** How much time a frame leaves for resimulation: half a frame at 60 Hz. */
const RESIMULATION_MICROS = 8000;

/** One contestant's timings, one per round. */
class Timings {
  readonly #rounds: Timing[] = [];

  add(timing: Timing): void {
    this.#rounds.push(timing);
  }

  /** The median over all rounds, in µs; for `stateBytes` in bytes. */
  median(part: keyof Timing): number {
    return medianOf(this.#rounds.map((timing) => timing[part]!));
  }

  /** How many ticks fit the budget: `floor((budget − load) / (step + save))`. */
  get ticksResimulated(): number {
    return Math.floor(
      (RESIMULATION_MICROS - this.median("load")) / (this.median("step") + this.median("save")),
    );
  }
}

/** Parts that were not measured are missing. */
interface PhysicsReport extends Readonly<Record<string, unknown>> {
  readonly crowds?: Readonly<Record<string, CrowdReport>>;
  readonly snapshots?: SnapshotReports;
}

/**
 * Times what the flags select.
 * @returns the object that `--json` prints, without the parts that were not measured
 */
export async function measurePhysics(
  { only, rounds, passes }: FlagValues<typeof FLAGS>,
): Promise<PhysicsReport> {
  const selected = new Set<Part>(
    only?.flatMap((name) => name === "crowds" ? [...CROWD_NAMES, "sleepers"] : [name]) ?? PARTS,
  );
  const full = selected.has("full") ? await measureFullScene(rounds) : {};
  const names = CROWD_NAMES.filter((name) => selected.has(name));
  const crowds = names.length > 0 ? await measureCrowds(names, passes) : undefined;
  const asleep = crowds?.asleep1000;
  const sleepers = {
    ...selected.has("sleepers") && await measureSleepers(passes),
    ...asleep &&
      { freshLoadToLoad: Number((asleep.loadFreshMicros / asleep.loadMicros).toFixed(2)) },
  };
  return {
    ...full,
    ...crowds && { crowds, passes },
    ...Object.keys(sleepers).length > 0 && { sleepers },
    ...selected.has("snapshots") && { snapshots: await measureSnapshots(passes) },
  };
}

/** Times all contestants in the full scene, and the stage's small one. */
async function measureFullScene(rounds: number): Promise<Record<string, unknown>> {
  const bytesPerStep = await measureBytesPerStep();
  const module = await bundled(new URL("./contestants.ts", import.meta.url).href);
  const contestants = CONTESTANT_NAMES.map((name) => new ContestantProcess(name, module));
  const of = Object.fromEntries(CONTESTANT_NAMES.map((name) => [name, new Timings()])) as Record<
    ContestantName,
    Timings
  >;
  console.error("warming up");
  await Promise.all(contestants.map((contestant) => contestant.warmUp()));
  for (let round = 1; round <= rounds; round++) {
    for (const contestant of contestants) of[contestant.name].add(await contestant.time());
    if (round % 10 === 0) console.error(`${round}/${rounds} rounds`);
  }
  await Promise.all(contestants.map((contestant) => contestant.end()));
  const stock = of.stock.median("step");
  const ratio = (micros: number) => Number((micros / stock).toFixed(3));
  return {
    ratioToStock: {
      stage: ratio(of.stage.median("step")),
      box2dWasm: ratio(of.box2dWasm.median("step")),
      rapier: ratio(of.rapier.median("step")),
      dragonMatch: ratio(of.dragonMatch.median("step")),
    },
    saveToStock: ratio(of.stage.median("save")),
    loadToStock: ratio(of.stage.median("load")),
    stateBytes: of.stage.median("stateBytes"),
    ticksIn8Ms: { full: of.stage.ticksResimulated, small: of.stageSmall.ticksResimulated },
    bytesPerStep,
    stockStepMicros: Number(stock.toFixed(1)),
    rounds,
  };
}

/** The report for people. */
export function physicsText({ crowds, snapshots, ...others }: PhysicsReport): string {
  const lines = Object.entries(others).map(([key, value]) =>
    `${key.padEnd(22)} ${JSON.stringify(value)}`
  );
  const tables = [
    ...crowds === undefined ? [] : [crowdsTable(crowds)],
    ...snapshots === undefined ? [] : [snapshotsTable(snapshots)],
  ];
  return [...lines, ...tables].join("\n");
}
