/**
 * `deno task new NAME`: copies one of the game kit's templates into a new game, and registers it.
 * The templates are real games, which the tests play.
 */
import { EXIT_UNUSABLE, UsageError } from "../../shared/flags.ts";
import { GAMES, RESERVED_NAMES } from "../../shared/games/registry.ts";
import { quoted } from "../../shared/quoted.ts";

const ROOT = new URL("../../", import.meta.url);
const REGISTRY = new URL("shared/games/registry.ts", ROOT);
/** The registry's rule for names. */
const NAME = /^[a-z][a-z0-9_]{0,15}$/;

/** The templates, and what each is. */
const TEMPLATES: Readonly<Record<string, string>> = {
  blank: "a disc that moves, and nothing else",
  side: "heroes run, jump and collect coins, seen from the side",
  top: "cars hold a ring, seen from above",
  duel: "two paddles and a ball, in rounds",
};

const USAGE = [
  "Usage: deno task new NAME [--template TEMPLATE]",
  "  NAME        1 to 16 small letters, digits and underscores; a letter first",
  "  --template  which game to begin with; by default you are asked, and a script gets blank:",
  ...Object.entries(TEMPLATES).map(([name, about]) => `              ${name.padEnd(6)} ${about}`),
].join("\n");

/** A game's files: where a template keeps them, and where they are copied to. */
const FILES = [
  {
    from: (template: string) => `shared/game_kit/templates/${template}/game.ts`,
    to: (name: string) => `shared/games/${name}/game.ts`,
  },
  {
    from: (template: string) => `client/game_kit/templates/${template}/view.ts`,
    to: (name: string) => `client/games/${name}/view.ts`,
  },
];

/** Import paths in a template's folder, and what they become in a game's. */
const IMPORTS: readonly (readonly [from: RegExp, to: (name: string) => string])[] = [
  [/"\.\.\/\.\.\/game_kit\.ts"/g, () => '"../../game_kit/game_kit.ts"'],
  [/"\.\.\/\.\.\/client_kit\.ts"/g, () => '"../../game_kit/client_kit.ts"'],
  [
    /"[./]*shared\/game_kit\/templates\/\w+\/game\.ts"/g,
    (name) => `"../../../shared/games/${name}/game.ts"`,
  ],
];

/** @throws UsageError for a name that a new game cannot have */
function checkName(name: string): void {
  if (!NAME.test(name)) throw new UsageError(`${quoted(name)} is no name for a game\n${USAGE}`);
  if (RESERVED_NAMES.includes(name)) {
    throw new UsageError(`/${name} is a path of the server; choose another name`);
  }
  if (Object.hasOwn(GAMES, name)) {
    throw new UsageError(`there is a game ${name} already, in shared/games/${name}`);
  }
}

/** Turns a template's text into the game's. */
function adapted(text: string, name: string): string {
  const title = `${name[0]!.toUpperCase()}${name.slice(1).replaceAll("_", " ")}`;
  for (const [from, to] of IMPORTS) text = text.replaceAll(from, to(name));
  return text.replaceAll("Template", title).replaceAll("template", name);
}

/** Adds a line to the registry's text. @throws UsageError if there is no place for the line */
function withLine(registry: string, name: string): string {
  const end = registry.lastIndexOf("\n};");
  if (end < 0) {
    throw new UsageError(
      "shared/games/registry.ts has no end of its list: add the game's line by hand",
    );
  }
  const line = `\n  ${name}: () => import("./${name}/game.ts"),`;
  return registry.slice(0, end) + line + registry.slice(end);
}

/**
 * Writes the game's files. @param name one that `checkName` has passed
 * @throws UsageError if a file is in the way; then nothing is written
 */
async function createGame(name: string, template: string): Promise<void> {
  // What will be written, and whether it can be
  const registry = withLine(await Deno.readTextFile(REGISTRY), name);
  const files = await Promise.all(
    FILES.map(async ({ from, to }) => ({
      path: to(name),
      text: adapted(await Deno.readTextFile(new URL(from(template), ROOT)), name),
    })),
  );
  for (const { path } of files) {
    const isThere = await Deno.stat(new URL(path, ROOT)).then(() => true, () => false);
    if (isThere) throw new UsageError(`${path} is in the way: move it, or choose another name`);
  }

  for (const { path, text } of files) {
    await Deno.mkdir(new URL(".", new URL(path, ROOT)), { recursive: true });
    await Deno.writeTextFile(new URL(path, ROOT), text, { createNew: true });
  }
  await Deno.writeTextFile(REGISTRY, registry);

  const lineCount = files.reduce((sum, { text }) => sum + text.split("\n").length - 1, 0);
  const paths = files.map(({ path }) => path).join(" and ");
  console.log(
    `${name} has ${lineCount} lines in ${paths}. Next:
  1. deno task dev --games ${name}    play it at the address that this prints; pages reload when you save
  2. change the rules in game.ts and the picture in view.ts; docs/first_game.md says how
  3. deno task prove game ${name}     prove that it rolls back exactly, in this and in other engines`,
  );
}

/** @throws UsageError unless there is one name, and at most one template */
function readArgs(args: readonly string[]): { name: string; template: string | undefined } {
  const at = args.findIndex((arg) => /^--template(=|$)/.test(arg));
  const [, inline] = args[at]?.split("=") ?? [];
  const template = at < 0 ? undefined : inline ?? args[at + 1] ?? "";
  const used = inline === undefined ? 2 : 1;
  const [name, ...more] = at < 0 ? args : args.toSpliced(at, used);
  if (name === undefined || more.length > 0) throw new UsageError(`one name is needed\n${USAGE}`);
  return { name, template };
}

/** @throws UsageError for a template that there is not */
function templateOf(given: string | undefined): string {
  const names = Object.keys(TEMPLATES);
  if (given === undefined) {
    if (!Deno.stdin.isTerminal()) return names[0]!;
    console.log(USAGE.split("\n").slice(3).join("\n"));
    given = prompt("Which template?", "side") ?? names[0]!;
  }
  if (names.includes(given)) return given;
  throw new UsageError(`there is no template ${quoted(given)}; there are ${names.join(", ")}`);
}

async function main(args: string[]): Promise<number> {
  if (args.includes("--help")) {
    console.log(USAGE);
    return 0;
  }
  try {
    const { name, template } = readArgs(args);
    checkName(name);
    await createGame(name, templateOf(template));
    return 0;
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    console.error(`new: ${error.message}`);
    return EXIT_UNUSABLE;
  }
}

if (import.meta.main) Deno.exit(await main(Deno.args));
