/** The parts of a comparison: each asks both checkouts the same, and lists what differs. */
import { GAMES } from "../../../shared/games/registry.ts";
import type { Answer, Checkout } from "./checkout.ts";
import { JSON_COMMANDS, type JsonCommand, NOT_COMPARED } from "./commands.ts";
import { ABSENT, type Difference, keysOf, valueDifferences } from "./differences.ts";

/** The two checkouts. */
export interface Pair {
  readonly here: Checkout;
  readonly there: Checkout;
}

export interface PartOptions {
  /** Simulated minutes of each row of the lab. */
  readonly minutes: number;
  readonly seed: number;
  /** Whether commands that start servers and pages are run, too. */
  readonly live: boolean;
  /** The scenes whose ticks are hashed; by default all. */
  readonly scenes?: readonly string[];
  /** Of each of them. */
  readonly goldenTicks?: number;
  /** Those whose keys are compared; by default all. */
  readonly commands?: readonly JsonCommand[];
}

export interface PartResult {
  /** Hashes, cases, rows or keys: those of either checkout. */
  readonly compared: number;
  readonly differences: readonly Difference[];
  readonly leftOut: readonly string[];
}

export type PartName = "golden" | "vectors" | "lab" | "keys";

export const PARTS: Readonly<
  Record<PartName, (pair: Pair, options: PartOptions) => Promise<PartResult>>
> = { golden: compareGolden, vectors: compareVectors, lab: compareLab, keys: compareKeys };

const SCENES = ["stage", ...Object.keys(GAMES)];
const GOLDEN_TICKS = 2000;
/** Where the modules stand today, and where they stood before. */
const RUNNERS = ["tests/tools/determinism/runner.ts", "tests/determinism/runner.ts"];
const GENERATORS = ["tests/tools/vectors/generate/cases.ts", "tests/vectors/generate/cases.ts"];
/** Speeds of the lab on this machine. */
const NOT_REPEATED = ["timesRealTime", "counterTimesRealTime"];

/** What both say at the same time. */
async function both<Value>(
  { here, there }: Pair,
  ask: (checkout: Checkout) => Promise<Value>,
): Promise<{ readonly here: Value; readonly there: Value }> {
  const [ofHere, ofThere] = await Promise.all([ask(here), ask(there)]);
  return { here: ofHere, there: ofThere };
}

/** Compares values to the last digit. A checkout that gives none differs, whatever the other does. */
function answerDifferences(where: string, here: Answer, there: Answer): Difference[] {
  if ("value" in here && "value" in there) return valueDifferences(where, here.value, there.value);
  const textOf = (answer: Answer) => "problem" in answer ? answer.problem : "an answer";
  return [{ where, here: textOf(here), there: textOf(there) }];
}

async function compareGolden(
  pair: Pair,
  { seed, goldenTicks = GOLDEN_TICKS, scenes = SCENES }: PartOptions,
): Promise<PartResult> {
  const pinned = await both(pair, pinnedHashes);
  const differences = valueDifferences("pinned", pinned.here, pinned.there);

  for (const scene of scenes) {
    const args = [scene, `${seed}`, `${goldenTicks}`];
    const { here, there } = await both(
      pair,
      (each) => each.probe("tick_hashes.ts", { modules: RUNNERS, args }),
    );
    // After the first tick that differs, all do.
    differences.push(...answerDifferences(scene, here, there).slice(0, 1));
  }
  return {
    compared: pinned.here.length + scenes.length * goldenTicks,
    differences,
    leftOut: [],
  };
}

/** The hashes that the golden test pins, wherever its file is. */
async function pinnedHashes(checkout: Checkout): Promise<string[]> {
  const paths = await checkout.filesBelow("tests/shared");
  const path = paths.find((each) => each.endsWith("/golden_test.ts"));
  const text = path === undefined ? "" : await checkout.read(path) ?? "";
  const [, list = ""] = /GOLDEN_HASHES = \[([^\]]*)\]/.exec(text) ?? [];
  return list.replaceAll("_", "").split(",").map((hash) => hash.trim()).filter(Boolean);
}

async function compareVectors(pair: Pair): Promise<PartResult> {
  const files = await both(pair, vectorFiles);
  const made = await both(
    pair,
    (each) => each.probe("vector_cases.ts", { modules: GENERATORS }),
  );
  const cases = Object.values(files.here).flatMap((file) => (file as { cases: unknown[] }).cases);
  return {
    compared: 2 * cases.length,
    differences: [
      ...valueDifferences("", files.here, files.there),
      ...answerDifferences("made by the code", made.here, made.there),
    ],
    leftOut: [],
  };
}

async function vectorFiles(checkout: Checkout): Promise<Record<string, unknown>> {
  const paths = (await checkout.filesBelow("tests/vectors")).filter((path) =>
    path.endsWith(".json")
  );
  const texts = await Promise.all(paths.map((path) => checkout.read(path)));
  return Object.fromEntries(paths.map((path, i) => [path, JSON.parse(texts[i]!)]));
}

async function compareLab(pair: Pair, { minutes, seed }: PartOptions): Promise<PartResult> {
  const args = ["--matrix", "--minutes", `${minutes}`, "--seed", `${seed}`];
  const { here, there } = await both(pair, async (each) => labRows(await each.ask("lab", args)));
  return {
    compared: "value" in here ? Object.keys(here.value as object).length : 0,
    differences: answerDifferences("", here, there),
    leftOut: [],
  };
}

/** The lab's rows and disturbances by their names, and the rest of its object but the speeds. */
function labRows(answer: Answer): Answer {
  if ("problem" in answer) return answer;
  const { rows, disturbances, ...rest } = answer.value as {
    rows: readonly { readonly profile: string; readonly link: string }[];
    disturbances: readonly { readonly name: string }[];
  };
  const value = {
    ...Object.fromEntries(rows.map((row) => [`${row.profile} ${row.link}`, row])),
    ...Object.fromEntries(disturbances.map((each) => [each.name, each])),
    ...Object.fromEntries(Object.entries(rest).filter(([key]) => !NOT_REPEATED.includes(key))),
  };
  return { value };
}

async function compareKeys(
  pair: Pair,
  { live, commands = JSON_COMMANDS }: PartOptions,
): Promise<PartResult> {
  const chosen = commands.filter(({ isLive }) => live || !isLive);
  const leftOut = [
    ...commands.filter((each) => !chosen.includes(each)).map(({ command }) => command),
    ...Object.keys(NOT_COMPARED),
  ];
  const differences: Difference[] = [];
  let compared = 0;

  for (const each of chosen) {
    console.error(`  ${each.command} ${each.args.join(" ")}`);
    const { here, there } = await answersOf(pair, each);
    if ("problem" in here && "problem" in there) {
      leftOut.push(`${each.command} (${here.problem})`);
      continue;
    }
    const name = [each.command, ...each.args].join(" ");
    if ("problem" in here || "problem" in there) {
      differences.push(...answerDifferences(name, here, there));
      continue;
    }
    const keys = { here: keysOf(here.value, each.maps), there: keysOf(there.value, each.maps) };
    compared += keys.here.union(keys.there).size;
    differences.push(...keyDifferences(name, keys));
  }
  return { compared, differences, leftOut };
}

/** Commands that start servers run one after the other: each takes the machine. */
async function answersOf(pair: Pair, { command, args, isLive }: JsonCommand) {
  const ask = (each: Checkout) => each.ask(command, args);
  if (isLive) return { here: await ask(pair.here), there: await ask(pair.there) };
  return await both(pair, ask);
}

/** A difference for each key that only one of them has. */
function keyDifferences(
  where: string,
  { here, there }: { here: ReadonlySet<string>; there: ReadonlySet<string> },
): Difference[] {
  return [...here.symmetricDifference(there)].map((key) => ({
    where,
    here: here.has(key) ? key : ABSENT,
    there: there.has(key) ? key : ABSENT,
  }));
}
