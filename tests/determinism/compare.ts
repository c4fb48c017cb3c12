/**
 * Compares engines bit by bit. Each engine makes the same three runs. The hash of every tick must equal that of the
 * reference, the first engine, in its run from the start.
 *
 *     stage                the scene of the sync test from its start
 *     stage, handed over   the same scene from the reference's state half-way
 *     dragons              the game's golden match
 *
 * For another game these are two runs: a match of it from its start, and from the reference's state half-way.
 *
 * If a hash differs, both engines return the state of that tick, and the report names the first 32-bit word that
 * differs.
 */
import { hashOfSnapshot } from "../../shared/netcode/wire/range_coder.ts";
import { GOLDEN_SEED } from "../shared/games/dragons/golden.ts";
import { type Difference, firstDifference } from "../shared/physics/scenes/difference.ts";
import type { Engine, EngineName } from "./engine.ts";
import { labellerFor, type RunRequest, snapshotOf } from "./runner.ts";

export interface CompareOptions {
  readonly ticks: number;
  readonly seed: number;
  /** The name of a game of the registry; without it the stage and dragons run. */
  readonly game?: string | undefined;
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
  /** Ticks of each run from the start; the run with the handed-over state has the second half of them. */
  readonly ticks: number;
  /** For each engine one hash over the hashes of all ticks of all runs, as eight hexadecimal digits. */
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

async function runsOf(reference: Engine, { ticks, seed, game }: CompareOptions): Promise<readonly Run[]> {
  if (game !== undefined) return await handedOver(reference, game, { scene: `game ${game}`, seed, ticks });
  const dragons: RunRequest = { scene: "dragons", seed: GOLDEN_SEED, ticks };
  return [
    ...await handedOver(reference, "stage", { scene: "stage", seed, ticks }),
    { name: "dragons", request: dragons, whole: dragons, skipped: 0, expected: (await reference.run(dragons)).hashes },
  ];
}

/** A run from its start, and from the reference's state half-way. */
async function handedOver(reference: Engine, name: string, whole: RunRequest): Promise<readonly Run[]> {
  const { ticks } = whole, half = ticks >> 1;
  const { state } = await reference.run({ ...whole, ticks: half }), { hashes } = await reference.run(whole);
  const later = { ...whole, ticks: ticks - half, state };
  return [
    { name, request: whole, whole, skipped: 0, expected: hashes },
    { name: `${name}, handed over`, request: later, whole, skipped: half, expected: hashes.slice(half) },
  ];
}

/**
 * @param engines the first one is the reference; it, too, makes the run from its own handed-over state
 * @param options.ticks at least 2
 * @throws Error if an engine fails
 */
export async function compareEngines(engines: readonly Engine[], options: CompareOptions): Promise<Comparison> {
  const reference = engines[0]!, runs = await runsOf(reference, options);
  const hashes: Record<string, string> = {};
  let first: EngineDifference | null = null;
  for (const engine of engines) {
    const replies: (readonly number[])[] = [];
    for (const run of runs) {
      const { injectedFault } = options, isInjected = injectedFault?.engine === engine.name && run.name === "stage";
      const request = { ...run.request, ...isInjected && injectedFault.nudge && { nudge: injectedFault.nudge } };
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
