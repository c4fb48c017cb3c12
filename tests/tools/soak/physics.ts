/**
 * The sync test of the stage, seed after seed, until a million ticks have been compared. The
 * results depend on `--seed` and `--ticks` alone, whatever the number of workers.
 *
 *     deno task soak physics [--ticks] [--seed] [--jobs] [--json]
 */
import { type FlagValues, present, wholeNumber } from "../../../shared/flags.ts";
import { type Difference, formatDifference } from "../../shared/physics/scenes/difference.ts";
import { grouped, Progress } from "../../support/progress.ts";
import type { SeedRequest, SeedResult } from "./physics_worker.ts";
import { runTool } from "../../support/tool.ts";

/**
 * How many ticks each seed runs: enough for rare events, and few enough that little is lost when a
 * user stops the run.
 */
const TICKS_PER_SEED = 1000;
const JOBS_MAX = 64;
/** A shell's exit code for a process that Ctrl-C has ended: 128 + SIGINT. */
const EXIT_INTERRUPTED = 130;

const FLAGS = {
  ticks: {
    schema: wholeNumber(4_000_000_000, 1).default(1_000_000),
    about: "ticks to compare [1000000]",
    allowed: "a whole number 1 to 4000000000",
  },
  seed: {
    schema: wholeNumber(4_000_000_000).default(1),
    about: "where to start [1]",
    allowed: "a whole number",
  },
  jobs: {
    schema: wholeNumber(JOBS_MAX, 1).default(Math.min(JOBS_MAX, navigator.hardwareConcurrency)),
    about: "seeds at the same time [one per core]",
    allowed: `a whole number 1 to ${JOBS_MAX}`,
  },
  json: { schema: present(), about: "one JSON object as the last line", allowed: "", switch: true },
} as const;

type SoakOptions = Omit<FlagValues<typeof FLAGS>, "json"> & Pick<SeedRequest, "blank"> & {
  readonly ticksPerSeed?: number;
};

/** The object that `--json` prints. */
export interface SoakReport {
  readonly comparedTicks: number;
  readonly seeds: number;
  readonly rollbacks: number;
  /** The run ends at the first difference. */
  readonly differences: 0 | 1;
  readonly firstDifference: (Difference & { readonly seed: number }) | null;
  readonly tally: Readonly<Record<string, number>>;
  readonly seconds: number;
}

/** One run. Results come in any order and are counted in the order of their seeds. */
export class Soak {
  readonly #options: SoakOptions;
  readonly #beganMs = performance.now();
  readonly #workers: Worker[] = [];
  readonly #waiting = new Map<number, SeedResult>();
  readonly #tally: Record<string, number> = {};
  readonly #done = Promise.withResolvers<void>();
  #difference: SoakReport["firstDifference"] = null;
  #nextUnassigned: number;
  /** The first seed that is not counted yet. Another run could continue there. */
  nextSeed: number;
  comparedTicks = 0;

  constructor(options: SoakOptions) {
    this.#options = options;
    this.nextSeed = this.#nextUnassigned = options.seed;
  }

  /**
   * Runs to the end, or to the first difference.
   * @param onProgress called with the ticks compared so far
   */
  async run(onProgress: (comparedTicks: number) => void): Promise<SoakReport> {
    onProgress(0);
    for (let job = 0; job < this.#options.jobs; job++) this.#startWorker(onProgress);
    try {
      await this.#done.promise;
    } finally {
      for (const worker of this.#workers) worker.terminate();
    }
    const { ticksCompared: _, rollbacks = 0, ...tally } = this.#tally;
    return {
      comparedTicks: this.comparedTicks,
      seeds: this.nextSeed - this.#options.seed,
      rollbacks,
      differences: this.#difference === null ? 0 : 1,
      firstDifference: this.#difference,
      tally,
      seconds: Number(((performance.now() - this.#beganMs) / 1000).toFixed(1)),
    };
  }

  #startWorker(onProgress: (comparedTicks: number) => void): void {
    const worker = new Worker(new URL("physics_worker.ts", import.meta.url), { type: "module" });
    this.#workers.push(worker);
    worker.onmessage = ({ data }: MessageEvent<SeedResult>) => {
      this.#waiting.set(data.seed, data);
      this.#assignSeed(worker);
      this.#count();
      onProgress(this.comparedTicks);
    };
    worker.onerror = (event) => {
      event.preventDefault(); // otherwise it ends the process without the clean-up
      this.#done.reject(new Error(`a worker failed: ${event.message}`));
    };
    this.#assignSeed(worker);
  }

  #assignSeed(worker: Worker): void {
    const { blank, ticksPerSeed = TICKS_PER_SEED } = this.#options;
    worker.postMessage(
      { seed: this.#nextUnassigned++, ticks: ticksPerSeed, blank } satisfies SeedRequest,
    );
  }

  /** Counts results in the order of seeds, up to a gap or to the end. */
  #count(): void {
    for (;;) {
      if (this.#difference !== null || this.comparedTicks >= this.#options.ticks) {
        return this.#done.resolve();
      }
      const result = this.#waiting.get(this.nextSeed);
      if (result === undefined) return;
      const { seed, difference, error, tally } = result;
      if (error !== undefined) {
        return this.#done.reject(new Error(`seed ${seed} threw`, { cause: error }));
      }
      this.#waiting.delete(this.nextSeed++);
      for (const [what, count] of Object.entries(tally)) {
        this.#tally[what] = (this.#tally[what] ?? 0) + count;
      }
      this.comparedTicks += tally.ticksCompared;
      if (difference !== undefined) this.#difference = { seed, ...difference };
    }
  }
}

/** Makes Ctrl-C print the command that continues, and end the process. */
function printResumeCommand(soak: Soak, { ticks }: SoakOptions, progress: Progress): void {
  Deno.addSignalListener("SIGINT", () => {
    progress.end();
    const rest = ticks - soak.comparedTicks;
    console.error(
      `Stopped: ${grouped(soak.comparedTicks)} ticks compared without a difference. To go on:\n` +
        `deno task soak physics --seed ${soak.nextSeed} --ticks ${rest}`,
    );
    Deno.exit(EXIT_INTERRUPTED);
  });
}

async function soakPhysics(flags: FlagValues<typeof FLAGS>): Promise<number> {
  const options = { ...flags, blank: undefined };
  const soak = new Soak(options);
  const progress = new Progress(flags.ticks, "ticks");
  printResumeCommand(soak, options, progress);
  const report = await soak.run((compared) => progress.show(compared));
  progress.end();
  const { firstDifference } = report;

  if (firstDifference !== null) {
    console.error(
      `Not the same: seed ${firstDifference.seed}, ${formatDifference(firstDifference)}`,
    );
    console.error(
      `To see it again: deno task soak physics --seed ${firstDifference.seed} --ticks 1`,
    );
  }

  if (flags.json) console.log(JSON.stringify(report));
  else {for (const [key, value] of Object.entries(report)) {
      console.log(key.padEnd(16), JSON.stringify(value));
    }}
  return report.differences;
}

if (import.meta.main) Deno.exit(await runTool("soak physics", { flags: FLAGS, run: soakPhysics }));
