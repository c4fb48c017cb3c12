/**
 * The crowds of `bench physics`: what a tick of many bodies costs, on the stage and on three other
 * engines. A tick of the stage is `advance` and `endTick`; a tick of the others is one step of
 * their world.
 *
 * Each engine has a process of its own. All run the same ticks of the same scene, a block at a time
 * in turns. Then they build the scene anew for the next pass. A block's time is the 25th percentile
 * over all passes. Other load on the machine, and the compiler in the first passes, only ever add
 * to it.
 */
import { ENGINE_NAMES, type EngineName } from "../../../engines/scene.ts";
import { bundled } from "../../../../support/bundled.ts";
import { Progress } from "../../../../support/progress.ts";
import { quantileOf } from "../../median.ts";
import { type Count, CrowdProcess, type StateTiming } from "./runner.ts";
import { BLOCK_TICKS, type CrowdName, CROWDS } from "./scenes.ts";
import { type SleepersName, SleepersProcess } from "./sleepers.ts";

const QUANTILE = 0.25;

type ByEngine<Value> = Readonly<Record<EngineName, Value>>;

/** One crowd's figures. Times are µs; those in `micros` are per tick. */
export interface CrowdReport {
  readonly toStock: number;
  readonly toBox2dWasm: number;
  readonly toRapier: number;
  readonly micros: ByEngine<number>;
  readonly saveMicros: number;
  readonly loadMicros: number;
  readonly loadFreshMicros: number;
  readonly snapshotKib: number;
  /** After the last tick. */
  readonly counts: ByEngine<Count>;
}

export interface SleepersReport {
  /** How long a rollback over twenty ticks takes while 1,000 bodies sleep, ms. */
  readonly rollback20Ms: number;
  /** The same with one more body, which late commands drive. */
  readonly rollback20OneMovesMs: number;
}

function rounded(value: number, digits: number): number {
  return Number(value.toFixed(digits));
}

function byEngine<Value>(valueOf: (engine: EngineName, index: number) => Value): ByEngine<Value> {
  return Object.fromEntries(
    ENGINE_NAMES.map((engine, i) => [engine, valueOf(engine, i)]),
  ) as ByEngine<Value>;
}

/** One engine's process and its timings. */
class Measured {
  readonly process: CrowdProcess;
  /** By block, then by pass; µs per tick. */
  readonly #blocks: number[][];
  readonly #states: StateTiming[] = [];

  constructor(crowd: CrowdName, engine: EngineName, module: string) {
    this.process = new CrowdProcess(crowd, engine, module);
    this.#blocks = Array.from({ length: CROWDS[crowd].timedTicks / BLOCK_TICKS }, () => []);
  }

  async runBlock(block: number): Promise<void> {
    this.#blocks[block]!.push(await this.process.block());
  }

  async timeState(): Promise<void> {
    this.#states.push(await this.process.state());
  }

  /** The mean over all blocks, µs per tick. */
  get micros(): number {
    return this.#blocks.reduce((sum, passes) => sum + quantileOf(passes, QUANTILE), 0) /
      this.#blocks.length;
  }

  state(part: keyof StateTiming): number {
    return quantileOf(this.#states.map((state) => state[part]), QUANTILE);
  }
}

/** @param progress called after each pass */
async function measureCrowd(
  crowd: CrowdName,
  passes: number,
  progress: () => void,
): Promise<CrowdReport> {
  const module = await bundled(new URL("./runner.ts", import.meta.url).href);
  const of = byEngine((engine) => new Measured(crowd, engine, module));
  const all = Object.values(of);

  for (let pass = 0; pass < passes; pass++) {
    for (const { process } of all) await process.begin();
    for (let block = 0; block < CROWDS[crowd].timedTicks / BLOCK_TICKS; block++) {
      for (const measured of all) await measured.runBlock(block);
    }
    await of.stage.timeState();
    progress();
  }

  const counts = await Promise.all(all.map(({ process }) => process.count()));
  await Promise.all(all.map(({ process }) => process.end()));
  const ratio = (engine: EngineName) => rounded(of.stage.micros / of[engine].micros, 3);
  return {
    toStock: ratio("planck"),
    toBox2dWasm: ratio("box2dWasm"),
    toRapier: ratio("rapier"),
    micros: byEngine((engine) => rounded(of[engine].micros, 1)),
    saveMicros: rounded(of.stage.state("save"), 1),
    loadMicros: rounded(of.stage.state("load"), 1),
    loadFreshMicros: rounded(of.stage.state("loadFresh"), 1),
    snapshotKib: rounded(of.stage.state("snapshotBytes") / 1024, 1),
    counts: byEngine((_, i) => counts[i]!),
  };
}

/** Times rollbacks over sleepers. */
export async function measureSleepers(passes: number): Promise<SleepersReport> {
  const names: readonly SleepersName[] = ["allAsleep", "oneMoves"];
  const module = await bundled(new URL("./sleepers.ts", import.meta.url).href);
  const processes = names.map((name) => new SleepersProcess(name, module));
  const times: number[][] = [[], []];
  for (const process of processes) await process.warmUp();
  for (let pass = 0; pass < passes; pass++) {
    for (const [i, process] of processes.entries()) times[i]!.push(...await process.rollBack());
  }
  await Promise.all(processes.map((process) => process.end()));
  const [rollback20Ms, rollback20OneMovesMs] = times.map((ms) =>
    rounded(quantileOf(ms, QUANTILE), 2)
  );
  return { rollback20Ms: rollback20Ms!, rollback20OneMovesMs: rollback20OneMovesMs! };
}

/** Times some crowds, one after the other. */
export async function measureCrowds(names: readonly CrowdName[], passes: number) {
  const progress = new Progress(names.length * passes, "passes");
  const reports: [CrowdName, CrowdReport][] = [];
  let done = 0;
  for (const name of names) {
    reports.push([name, await measureCrowd(name, passes, () => progress.show(++done))]);
  }
  progress.end();
  return Object.fromEntries(reports) as Partial<Record<CrowdName, CrowdReport>>;
}

/** The crowds for people: a line each. Times are µs; the engines' are per tick. */
export function crowdsTable(crowds: Readonly<Record<string, CrowdReport>>): string {
  const heads = [
    "to stock",
    "to box2d",
    "to rapier",
    ...ENGINE_NAMES,
    "save",
    "load",
    "load fresh",
    "KiB",
  ];
  const rows = Object.entries(crowds).map(([name, report]) => [
    name,
    report.toStock,
    report.toBox2dWasm,
    report.toRapier,
    ...ENGINE_NAMES.map((engine) => report.micros[engine]),
    report.saveMicros,
    report.loadMicros,
    report.loadFreshMicros,
    report.snapshotKib,
  ]);
  return [["", ...heads], ...rows].map(([name, ...cells]) =>
    String(name).padEnd(14) + cells.map((cell) => String(cell).padStart(11)).join("")
  ).join("\n");
}
