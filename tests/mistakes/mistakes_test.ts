/**
 * The careless mistakes that newcomers make, fourteen at least. Each is planted in a copy of the
 * project, in a game of its own, and must be refused by those that the table names, in these words,
 * and by nobody else.
 */
import { assert, assertEquals, assertGreaterOrEqual, assertMatch } from "@std/assert";
import { copyProject } from "../support/project_copy.ts";
import { type Mistake, MISTAKES, type Refuser } from "./mistakes.ts";
import type { RunResult } from "./run_games.ts";

const REFUSERS: readonly Refuser[] = ["types", "lint", "definition", "step", "twin"];
const GAME = new URL("coins.ts", import.meta.url);

/** The words of each check about each game, by path. */
interface Refusals {
  readonly types: string;
  readonly lint: string;
  readonly runs: Readonly<Record<string, RunResult>>;
}

function pathOf({ name }: Pick<Mistake, "name">): string {
  return `shared/games/${name.replace(/\W+/g, "_")}/game.ts`;
}

/** @throws Error if an edit's text is not in the game exactly once */
function planted(source: string, { name, edits }: Mistake): string {
  for (const [from, to] of edits) {
    if (source.split(from).length !== 2) {
      throw new Error(`${name}: the game does not have "${from}" once`);
    }
    source = source.replace(from, () => to);
  }
  return source;
}

async function outputOf(folder: string, ...args: string[]): Promise<string> {
  const { stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args,
    cwd: folder,
    env: { NO_COLOR: "1" },
    stdin: "null",
  }).output();
  return new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr);
}

async function refusals(): Promise<Refusals> {
  const folder = await copyProject("lint", "mistakes", "games");
  try {
    const source = (await Deno.readTextFile(GAME)).replace(
      "../../shared/game_kit",
      "../../game_kit",
    );
    const games = [{ name: "none", edits: [], refused: {} }, ...MISTAKES];
    for (const game of games) {
      const path = `${folder}/${pathOf(game)}`;
      await Deno.mkdir(path.replace("/game.ts", ""));
      await Deno.writeTextFile(path, planted(source, game));
    }
    const paths = games.map(pathOf);
    const [types, lint, runs] = await Promise.all([
      outputOf(folder, "check", "--quiet", ...paths),
      outputOf(folder, "lint", ...paths),
      outputOf(
        folder,
        "run",
        "-A",
        "--no-check",
        "--quiet",
        "tests/mistakes/run_games.ts",
        ...paths,
      ),
    ]);
    return { types, lint, runs: JSON.parse(runs.slice(runs.indexOf("{"))) };
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** The part of a tool's output that is about one file. */
function partAbout(output: string, path: string): string {
  return output.split(/\n\n+(?=\S)/).filter((part) => part.includes(path)).join("\n\n");
}

function wordsOf({ types, lint, runs }: Refusals, path: string): Record<Refuser, string> {
  const { definition = "", step = "", twin = "" } = runs[path]!;
  return { types: partAbout(types, path), lint: partAbout(lint, path), definition, step, twin };
}

Deno.test("mistakes: a game without a mistake is refused by nobody, and each planted mistake by those of the table (SPEC 1.20, 1.21)", async (t) => {
  assertGreaterOrEqual(MISTAKES.length, 14);
  const found = await refusals();
  const innocent = wordsOf(found, pathOf({ name: "none" }));
  await t.step(
    "no mistake",
    () => assertEquals(innocent, { types: "", lint: "", definition: "", step: "", twin: "" }),
  );

  for (const mistake of MISTAKES) {
    const path = pathOf(mistake);
    const words = wordsOf(found, path);
    await t.step(`${mistake.name}: ${Object.keys(mistake.refused).join(", ")}`, () => {
      for (const refuser of REFUSERS) {
        const patterns = mistake.refused[refuser] ?? [];
        for (const pattern of patterns) {
          assertMatch(words[refuser], new RegExp(pattern.replace("{file}", path)), refuser);
        }
        assert(patterns.length > 0 || words[refuser] === "", `${refuser}: ${words[refuser]}`);
      }
    });
  }
});
