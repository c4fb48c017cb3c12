/**
 * The program behind `wyvern check`: types, and the duties that every game has. Rolled back and
 * stepped again, a match must lead to the same bits; and its commands must come through their codec.
 * With `--json` the last line is one object, for editors and other tools.
 */
import { quoted } from "../../shared/quoted.ts";
import { lastChoices, runSync } from "../../shared/duties/sync_run.ts";
import { twinFaults } from "../../shared/duties/twin_run.ts";
import { checkCodec } from "../../shared/netcode/codec_check.ts";
import type { Game } from "../../shared/netcode/game.ts";
import { EXIT_UNUSABLE, UsageError } from "../../shared/usage_error.ts";
import { typeProblems } from "../dev/problems.ts";
import { ownGames, projectFile } from "./own_games.ts";

const USAGE = `Usage: wyvern check [NAME …] [--json]
  NAME    which games; by default all of the folder games
  --json  one JSON object as the last line: ok, and problems with check, file, line, message, hint`;

/** Each seed is one match. */
const SEED = 20_261_123;
const NPCS = 3;
/** A minute of most games. */
const TICKS = 1_200;
/** How long the compiler may take, and the checks of one game, ms: some twenty times what a slow machine needs. */
const CHECK_MS_MAX = 300_000;

/** The project's address, which messages leave out. */
const PROJECT = projectFile("./").href;

/** What a check has found. */
interface Problem {
  /** Which check. */
  readonly check: string;
  /** The file's path from the project's folder. */
  readonly file: string;
  /** From 1; undefined if no line is to blame. */
  readonly line?: number | undefined;
  readonly message: string;
  /** What may help. */
  readonly hint: string;
}

const HINTS = {
  types: "The message is TypeScript's. A value that may be undefined needs a check before its use.",
  loads: "The declaration or a module of the game throws when it is loaded.",
  rollbacks:
    "Something outlives a tick that is no field: a variable of the module, or an object that " +
    "is changed. Declare it as a field of a thing or of the match.",
  twin: "A rule reads what differs between two runs: Math.random, a clock, or a variable of the " +
    "module. Use world.random, world.tick and fields.",
  codec: "A part of the command does not come back as it was sent.",
  throws: "A rule throws in a state that a match can reach.",
} as const;

/** One check of a game. @returns what is wrong; empty if nothing is */
interface Check {
  readonly name: keyof typeof HINTS;
  run(game: Game<unknown>): string;
}

const CHECKS: readonly Check[] = [
  {
    name: "rollbacks",
    run(game) {
      const options = { seed: SEED, npcs: NPCS, ticks: TICKS, choices: lastChoices(game) };
      return runSync(game, options).firstDifference;
    },
  },
  {
    name: "twin",
    run(game) {
      const [fault] = twinFaults(game, { seed: SEED, npcs: NPCS, ticks: TICKS / 2 });
      return fault === undefined ? "" : `tick ${fault.tick}, ${fault.field}: ${fault.text}`;
    },
  },
  {
    name: "codec",
    run(game) {
      checkCodec(game.command);
      return "";
    },
  },
];

/** @returns the exit code: 1 for problems, 2 for an unusable command line */
async function main(args: readonly string[]): Promise<number> {
  if (args.includes("--help")) {
    console.log(USAGE);
    return 0;
  }
  try {
    const names = namesIn(args);
    const problems = [...await checkTypes(names)];
    for (const name of names) problems.push(...await checkGame(name));

    for (const problem of problems) printProblem(problem);
    if (args.includes("--json")) {
      console.log(JSON.stringify({ ok: problems.length === 0, games: names, problems }));
    } else if (problems.length === 0) {
      console.log(`${names.join(", ")}: types, rollbacks, twin and codec are well`);
    }
    return problems.length > 0 ? 1 : 0;
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    console.error(`wyvern check: ${error.message}`);
    return EXIT_UNUSABLE;
  }
}

/** @throws UsageError for a game that is not here, or another flag */
function namesIn(args: readonly string[]): readonly string[] {
  const games = Object.keys(ownGames());
  const names = args.filter((arg) => arg !== "--json");
  for (const name of names) {
    if (name.startsWith("-")) throw new UsageError(`${quoted(name)} is no flag\n${USAGE}`);
    if (!games.includes(name)) {
      throw new UsageError(`there is no game ${quoted(name)} here: there are ${games.join(", ")}`);
    }
  }
  return names.length > 0 ? names : games;
}

/** Checks the types of games' folders in a process of its own. */
async function checkTypes(names: readonly string[]): Promise<readonly Problem[]> {
  const { success, signal, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["check", "--quiet", ...names.map((name) => `games/${name}`)],
    env: { NO_COLOR: "1" },
    stdin: "null",
    stdout: "null",
    signal: AbortSignal.timeout(CHECK_MS_MAX),
  }).output();
  if (success) return [];
  if (signal !== null) {
    const message = `the compiler is not finished after ${CHECK_MS_MAX / 1000} s`;
    return [{ check: "types", file: "games", message, hint: HINTS.types }];
  }
  const said = new TextDecoder().decode(stderr);
  const found = typeProblems(said, projectFile("./")).map(({ file, line, message }) => ({
    check: "types",
    file,
    line,
    message,
    hint: HINTS.types,
  }));
  if (found.length > 0) return found;
  // A syntax error or a missing module, about which Deno writes a message of its own
  const [message = "", ...more] = said.trim().split("\n");
  const place = placeIn(more.join("\n"));
  return [{ check: "types", file: "games", ...place, message, hint: HINTS.types }];
}

/** What the process of one game is started with. */
const IN_PROCESS = "--in-process";

/** Checks a game in a process of its own, because a rule may never end. */
async function checkGame(name: string): Promise<readonly Problem[]> {
  const process = new Deno.Command(Deno.execPath(), {
    args: ["run", "--no-prompt", "--allow-read", "--allow-env", Deno.mainModule, IN_PROCESS, name],
    env: { NO_COLOR: "1" },
    stdin: "null",
    signal: AbortSignal.timeout(CHECK_MS_MAX),
  });
  const { success, signal, stdout, stderr } = await process.output();
  const text = new TextDecoder();
  if (success) return JSON.parse(text.decode(stdout).trim().split("\n").at(-1)!);
  const message = signal === null
    ? `its process ended: ${text.decode(stderr).trim().split("\n").at(-1)}`
    : `it is not finished after ${CHECK_MS_MAX / 1000} s: a rule may never end`;
  return [{ check: "throws", file: `games/${name}/game.ts`, message, hint: HINTS.throws }];
}

/** Loads a game and runs all checks, up to the first one that fails. */
async function problemsOf(name: string): Promise<readonly Problem[]> {
  const file = `games/${name}/game.ts`;
  const problemOf = (check: keyof typeof HINTS, error: unknown): Problem => ({
    check,
    file,
    ...placeIn(error instanceof Error ? error.stack : undefined),
    message: error instanceof Error ? error.message : String(error),
    hint: HINTS[check],
  });

  let game: Game<unknown>;
  try {
    ({ game } = await ownGames()[name]!());
  } catch (error) {
    return [problemOf("loads", error)];
  }

  for (const check of CHECKS) {
    try {
      const message = check.run(game);
      if (message !== "") return [{ check: check.name, file, message, hint: HINTS[check.name] }];
    } catch (error) {
      return [problemOf(check.name === "codec" ? "codec" : "throws", error)];
    }
  }
  return [];
}

/** The newest call in the project's games, if there is one. */
function placeIn(stack = ""): { readonly file?: string; readonly line?: number } {
  const start = stack.indexOf(`${PROJECT}games/`);
  if (start < 0) return {};
  const [, file, line] = /^(\S+?\.ts):(\d+)/.exec(stack.slice(start + PROJECT.length)) ?? [];
  return file === undefined ? {} : { file, line: Number(line) };
}

function printProblem({ check, file, line, message, hint }: Problem): void {
  console.error(`${file}${line === undefined ? "" : `:${line}`} ${check}: ${message}\n  ${hint}`);
}

if (Deno.args[0] === IN_PROCESS) console.log(JSON.stringify(await problemsOf(Deno.args[1]!)));
else Deno.exit(await main(Deno.args));
