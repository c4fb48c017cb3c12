/**
 * Compares engines bit by bit. Each engine makes the same runs in one start. The hash of every tick
 * must equal that of the reference, the first engine, in its run from the start.
 *
 *     stage                the scene of the sync test from its start
 *     stage, handed over   the same scene from the reference's state half-way
 *     dragons              the game's golden match
 *     any other game       a match of random players and its own NPCs
 *
 * If a hash differs, both engines return the state of that tick, and the report names the first
 * 32-bit word that differs.
 */
import { hashOfSnapshot } from "../../../shared/netcode/wire/range_coder.ts";
import { GOLDEN_SEED } from "../../shared/games/dragons/golden.ts";
import { type Difference, firstDifference } from "../../shared/physics/scenes/difference.ts";
import type { Engine, EngineName } from "./engine.ts";
import { labellerFor, type RunRequest, snapshotOf } from "./runner.ts";

export interface CompareOptions {
  readonly ticks: number;
  readonly seed: number;
  /** The games that every engine plays, by name. */
  readonly games: readonly string[];
  /** Whether they run the scene of the stage, too. */
  readonly withStage?: boolean;
  /** For tests: flips one bit in one engine's run of the stage. */
  readonly injectedFault?: { readonly engine: EngineName } & Pick<RunRequest, "nudge">;
}

/** The first word in which an engine's state differs from the reference's. */
export interface EngineDifference extends Difference {
  readonly engine: EngineName;
  /** Name of the run. */
  readonly run: string;
}

/** The object that `--json` prints. */
export interface Comparison {
  /**
   * Ticks of each run from the start; the run with the handed-over state has the second half of
   * them.
   */
  readonly ticks: number;
  /**
   * For each engine one hash over the hashes of all ticks of all runs, as eight hexadecimal digits.
   */
  readonly engines: Readonly<Partial<Record<EngineName, string>>>;
  readonly equal: boolean;
  readonly firstDifference: EngineDifference | null;
}

/** One run that every engine makes, and the expected hashes. */
interface Run {
  readonly name: string;
  readonly request: RunRequest;
  /** The same run from the start. Its first `skipped` ticks precede this run. */
  readonly whole: RunRequest;
  readonly skipped: number;
  readonly expected: readonly number[];
}

async function runsOf(
  reference: Engine,
  { ticks, seed, games, withStage = true }: CompareOptions,
): Promise<readonly Run[]> {
  const runs = withStage ? await stageRuns(reference, { ticks, seed }) : [];
  for (const name of games) {
    const request: RunRequest = { scene: name, seed: GOLDEN_SEED, ticks };
    runs.push({
      name,
      request,
      whole: request,
      skipped: 0,
      expected: (await reference.run(request)).hashes,
    });
  }
  return runs;
}

async function stageRuns(
  reference: Engine,
  { ticks, seed }: { ticks: number; seed: number },
): Promise<Run[]> {
  const stage: RunRequest = { scene: "stage", seed, ticks };
  const half = ticks >> 1;
  const { state } = await reference.run({ ...stage, ticks: half });
  const ofStage = (await reference.run(stage)).hashes;
  return [
    { name: "stage", request: stage, whole: stage, skipped: 0, expected: ofStage },
    {
      name: "stage, handed over",
      request: { ...stage, ticks: ticks - half, state },
      whole: stage,
      skipped: half,
      expected: ofStage.slice(half),
    },
  ];
}

/**
 * @param engines the first one is the reference; it, too, makes the run from its own handed-over
 *   state
 * @param options.ticks at least 2
 * @throws Error if an engine fails
 */
export async function compareEngines(
  engines: readonly Engine[],
  options: CompareOptions,
): Promise<Comparison> {
  const reference = engines[0]!;
  const runs = await runsOf(reference, options);
  const hashes: Record<string, string> = {};
  let first: EngineDifference | null = null;

  for (const engine of engines) {
    const replies: (readonly number[])[] = [];
    for (const run of runs) {
      const { injectedFault } = options;
      const isInjected = injectedFault?.engine === engine.name && run.name === "stage";
      const request = {
        ...run.request,
        ...isInjected && injectedFault.nudge && { nudge: injectedFault.nudge },
      };
      const isReference = engine === reference && run.skipped === 0;
      const reply = isReference ? run.expected : (await engine.run(request)).hashes;
      replies.push(reply);
      const at = run.expected.findIndex((hash, tick) => hash !== reply[tick]);
      if (at < 0 || first !== null) continue;
      first = {
        engine: engine.name,
        run: run.name,
        ...await locate({ reference, engine, run, request, ticks: at + 1 }),
      };
    }
    hashes[engine.name] = hashOfHashes(replies.flat());
  }

  return { ticks: options.ticks, engines: hashes, equal: first === null, firstDifference: first };
}

/** Compares the states after the first tick whose hashes differ, word by word. */
async function locate(
  { reference, engine, run, request, ticks }: {
    reference: Engine;
    engine: Engine;
    run: Run;
    request: RunRequest;
    ticks: number;
  },
): Promise<Difference> {
  const one = await reference.run({ ...run.whole, ticks: run.skipped + ticks });
  const other = await engine.run({ ...request, ticks });
  const difference = firstDifference({
    expected: snapshotOf(one.state),
    actual: snapshotOf(other.state),
    namer: await labellerFor(run.whole),
  });
  // The engine's second run did not reproduce its first.
  return difference ?? { tick: one.state[0]!, entity: "stage", field: "not seen in a second run" };
}

/** @returns eight hexadecimal digits */
function hashOfHashes(hashes: readonly number[]): string {
  return hashOfSnapshot(snapshotOf(hashes)).toString(16).padStart(8, "0");
}
