/**
 * What keeps the repository readable, as far as a program can know it: no broken wall, no import
 * circle, no dead export, no reference to nothing, no missing docstring. `deno task chore tidy` fails for
 * these alone. Lengths, words and sentences are figures, and a reader decides what they mean.
 */
import { exportsOf, isContract, isPartOfAnother, namedBy } from "./exports.ts";
import { importCircles, roomCircles } from "./imports.ts";
import { LIBRARIES } from "../../client/build/libraries.ts";
import { danglingPlaces } from "./references.ts";
import { isProduct, type Place, type Repository } from "./sources.ts";
import { wallPlaces } from "./walls.ts";

/** The faults of each check. The names are keys of `--json`. */
export interface Faults {
  readonly brokenWalls: readonly Place[];
  readonly importCircles: readonly Place[];
  readonly deadExports: readonly Place[];
  readonly danglingReferences: readonly Place[];
  readonly missingDocstrings: readonly Place[];
}

/**
 * Exports in these folders need docstrings: authors of games call them, and readers of the server
 * start there.
 */
const DOCUMENTED = /^(shared|server\/match)\//;

/**
 * Exports that modules which the build writes import, by "path name" (`client/build/game_page.ts`,
 * `client/build/game_files.ts`).
 */
const BY_CONVENTION =
  /^client\/(ui\/run_page\.ts runPage|replay\/run_replay_page\.ts runReplayPage|debug\/(replay\/replay_worker\.ts runReplayWorker|planck\/planck_worker\.ts runPlanckWorker)|replay\/trial\/trial_worker\.ts runReplayTrial|ui\/loop_turn\.ts (loopTurn|boundLoops)|game_kit\/(files\/load_file\.ts loadFile|title_worker\.ts runTitleWorker|tune\/tuned_view\.ts tunedView)|games\/\w+\/(view\.ts view|page_source\.ts page))$/;

/** @returns every fault of the repository; of a tidy one, five empty lists */
export function findFaults(repository: Repository): Faults {
  return {
    brokenWalls: wallPlaces(repository),
    importCircles: [
      ...importCircles(repository.sources),
      ...roomCircles(repository.sources),
    ].map((circle) => ({
      path: circle[0]!,
      line: 1,
      text: circle.join(", "),
    })),
    deadExports: deadExports(repository),
    danglingReferences: danglingPlaces(repository),
    missingDocstrings: missingDocstrings(repository),
  };
}

/** What the package exports is for others; `tests/api` keeps it. */
const LIBRARY_MODULES = new Set<string>(Object.values(LIBRARIES));

/** The product's exports that no other file imports. */
function deadExports({ sources }: Repository): Place[] {
  const taken = new Set(sources.flatMap((source) => [...namedBy(source)]));
  const isTaken = (path: string, name: string) =>
    LIBRARY_MODULES.has(path) || taken.has(`${path} ${name}`) || taken.has(`${path} *`) ||
    BY_CONVENTION.test(`${path} ${name}`);

  return sources.filter(({ path }) => isProduct(path)).flatMap((source) =>
    [...exportsOf(source)].filter((each) =>
      !isTaken(each.path, each.name) && !isPartOfAnother(each, source)
    ).map(({ path, line, name }) => ({ path, line: line + 1, text: name }))
  );
}

/** The functions, classes and contracts of `DOCUMENTED` that have no docstring. */
function missingDocstrings({ sources }: Repository): Place[] {
  return sources.filter(({ path }) => DOCUMENTED.test(path)).flatMap((source) =>
    [...exportsOf(source)].filter((each) =>
      isContract(source, each) && !source.lines[each.line - 1]?.trimEnd().endsWith("*/")
    ).map(({ path, line, kind, name }) => ({ path, line: line + 1, text: `${kind} ${name}` }))
  );
}
