/**
 * The kit's templates, and how one becomes a game of somebody's own. `deno task new`, `wyvern new`
 * and `create-wyvern` copy the same templates, which are real games that the tests play. They differ
 * in the folders for rules and view. It runs on Deno and on Node.
 */
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { dirname, posix } from "node:path";
import process from "node:process";
import { createInterface } from "node:readline/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { gameNameFault, titleOf } from "../../shared/game_names.ts";
import { quoted } from "../../shared/quoted.ts";
import { UsageError } from "../../shared/usage_error.ts";

/** The folder that `shared` and `client` are in: this repository, or a package's sources. */
const SOURCES = new URL("../../", import.meta.url);

/** The templates, and what each is. */
const TEMPLATES: Readonly<Record<string, string>> = {
  blank: "a disc that moves, and nothing else",
  side: "heroes run, jump and collect coins, seen from the side",
  top: "cars hold a ring, seen from above",
  duel: "two paddles and a ball, in rounds",
};

const TEMPLATE_LINES = Object.entries(TEMPLATES).map(([name, about]) =>
  `              ${name.padEnd(6)} ${about}`
);

/** What a usage text says about `--template`. */
export const TEMPLATE_USAGE = [
  "  --template  which game to begin with; by default you are asked, and a script gets blank:",
  ...TEMPLATE_LINES,
].join("\n");

/** The module that a template's view imports. */
const RULES_OF_TEMPLATE = /"[./]*shared\/game_kit\/templates\/\w+\/game\.ts"/g;
const TEXT = /\.(ts|json|md)$/;

/** A file that will be written: its path in the project, with slashes. */
export interface NewFile {
  readonly path: string;
  readonly content: string | Uint8Array;
}

/** A command line that makes a game. */
export interface NewGameArgs {
  readonly name: string | undefined;
  readonly template: string | undefined;
  /** The values of a command's own options. */
  readonly others: Readonly<Record<string, string | undefined>>;
}

/**
 * Reads a command line of at most one name, `--template`, and options of the command's own.
 * @param options.usage what the error of a wrong line ends with
 * @throws UsageError for anything else
 */
export function readNewGameArgs(
  args: readonly string[],
  { usage, others = [] }: { readonly usage: string; readonly others?: readonly string[] },
): NewGameArgs {
  const string = { type: "string" } as const;
  const options = Object.fromEntries(["template", ...others].map((name) => [name, string]));
  try {
    const { positionals, values } = parseArgs({
      args: [...args],
      options,
      allowPositionals: true,
    });
    if (positionals.length > 1) throw new UsageError(`one name is needed\n${usage}`);
    const { template, ...own } = values as Readonly<Record<string, string | undefined>>;
    return { name: positionals[0], template, others: own };
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`${(error as Error).message.split(". ")[0]}\n${usage}`);
  }
}

/**
 * Refuses a name that no game can have.
 * @throws UsageError
 */
export function checkGameName(name: string, usage: string): void {
  const fault = gameNameFault(name);
  if (fault !== undefined) throw new UsageError(`${quoted(name)} ${fault}\n${usage}`);
}

/**
 * Asks for what was not given, if a person sits at the terminal.
 * @returns the answer; `fallback` for an empty one, or without a terminal
 */
export async function ask(question: string, fallback: string): Promise<string> {
  if (!process.stdin.isTTY) return fallback;
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  try {
    const answer = await terminal.question(`${question} [${fallback}] `);
    return answer.trim() || fallback;
  } finally {
    terminal.close();
  }
}

/**
 * Chooses a template: the given one, the one that a person answers, or `blank` in a script.
 * @throws UsageError for a template that there is not
 */
export async function chosenTemplate(given: string | undefined): Promise<string> {
  const names = Object.keys(TEMPLATES);
  if (given === undefined) {
    if (!process.stdin.isTTY) return names[0]!;
    console.log(TEMPLATE_LINES.map((line) => line.trimStart()).join("\n"));
    given = await ask("Which template?", "side");
  }
  if (names.includes(given)) return given;
  throw new UsageError(`there is no template ${quoted(given)}; there are ${names.join(", ")}`);
}

/**
 * Copies a template's files, with the game's name.
 * @param template one that `chosenTemplate` returned
 * @param options.rules where the rules will be, a path in the project that ends with a slash
 * @param options.view where the view and its files will be; may be the same folder
 */
export async function filesOfGame(
  template: string,
  { name, rules, view }: { readonly name: string; readonly rules: string; readonly view: string },
): Promise<readonly NewFile[]> {
  const relative = posix.relative(view, `${rules}game.ts`);
  const rulesImport = JSON.stringify(relative.startsWith(".") ? relative : `./${relative}`);
  const title = titleOf(name);

  const files: NewFile[] = [];
  for (
    const [from, to] of [
      [`shared/game_kit/templates/${template}/`, rules],
      [`client/game_kit/templates/${template}/`, view],
    ] as const
  ) {
    const folder = new URL(from, SOURCES);
    for (const file of (await readdir(folder)).sort()) {
      const bytes = await readFile(new URL(file, folder));
      const content = TEXT.test(file)
        ? new TextDecoder().decode(bytes).replace(RULES_OF_TEMPLATE, rulesImport)
          .replaceAll("Template", title).replaceAll("template", name)
        : bytes;
      files.push({ path: `${to}${file}`, content });
    }
  }
  return files;
}

/**
 * Writes new files.
 * @param folder the project's
 * @throws UsageError if a file is in the way; then nothing is written
 */
export async function writeNew(folder: URL, files: readonly NewFile[]): Promise<void> {
  const inTheWay = files.find(({ path }) => existsSync(new URL(path, folder)));
  if (inTheWay !== undefined) {
    throw new UsageError(`${inTheWay.path} is in the way: move it, or choose another name`);
  }
  for (const { path, content } of files) {
    const file = new URL(path, folder);
    await mkdir(dirname(fileURLToPath(file)), { recursive: true });
    await writeFile(file, content, { flag: "wx" });
  }
}

/** How many lines the modules among some files have. */
export function linesOf(files: readonly NewFile[]): number {
  const modules = files.filter(({ path }) => path.endsWith(".ts"));
  return modules.reduce((sum, { content }) => sum + String(content).split("\n").length - 1, 0);
}
