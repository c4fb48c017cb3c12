/**
 * `bench physics`: speed as ratios to stock planck. This stage, box2d-wasm and rapier run the full scene; the stage
 * alone also runs the small one. Each contestant has a process of its own, and the processes run blocks of ticks in
 * turns.
 */
import { type FlagValues, present, wholeNumber } from "../../../shared/flags.ts";
import { CONTESTANT_NAMES, type ContestantName, ContestantProcess, type Timing } from "./contestants.ts";
import { measureBytesPerStep } from "../match/garbage.ts";
import { medianOf } from "../median.ts";

export const FLAGS = {
  rounds: {
    schema: wholeNumber(10_000, 3).default(60),
    about: "how often each engine is timed [60]",
    allowed: "a whole number 3 to 10000",
  },
  json: { schema: present(), about: "one JSON object as the last line", allowed: "", switch: true },
} as const;

/** The time for resimulation in one frame: half a frame at 60 Hz. */
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

  /** Ticks that fit the budget: `floor((budget − load) / (step + save))`. */
  get ticksResimulated(): number {
    return Math.floor((RESIMULATION_MICROS - this.median("load")) / (this.median("step") + this.median("save")));
  }
}

/** Times all contestants. @returns the object that `--json` prints */
export async function measurePhysics({ rounds }: FlagValues<typeof FLAGS>): Promise<Record<string, unknown>> {
  const bytesPerStep = await measureBytesPerStep();
  const contestants = CONTESTANT_NAMES.map((name) => new ContestantProcess(name));
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
