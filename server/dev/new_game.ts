/**
 * `deno task new NAME`: copies the game kit's template into a new game, and registers it. The
 * template is a real game, which the tests play.
 */
import { EXIT_UNUSABLE, UsageError } from "../../shared/flags.ts";
import { GAMES, RESERVED_NAMES } from "../../shared/games/registry.ts";
import { quoted } from "../../shared/quoted.ts";

const ROOT = new URL("../../", import.meta.url);
const REGISTRY = new URL("shared/games/registry.ts", ROOT);
/** The registry's rule for names. */
const NAME = /^[a-z][a-z0-9_]{0,15}$/;
const USAGE =
  "Usage: deno task new NAME\n  NAME  1 to 16 small letters, digits and underscores; a letter first";

/** A game's files: where the template keeps them, and where they are copied to. */
const FILES = [
  {
    from: "shared/game_kit/template/game.ts",
    to: (name: string) => `shared/games/${name}/game.ts`,
  },
  {
    from: "client/game_kit/template/view.ts",
    to: (name: string) => `client/games/${name}/view.ts`,
  },
];

/** The template's import paths, and what they become in a game. */
const IMPORTS: readonly (readonly [from: string, to: (name: string) => string])[] = [
  ['"../game_kit.ts"', () => '"../../game_kit/game_kit.ts"'],
  ['"../client_kit.ts"', () => '"../../game_kit/client_kit.ts"'],
  ["shared/game_kit/template/game.ts", (name) => `shared/games/${name}/game.ts`],
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

/** Turns the template's text into the game's. */
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
 * Writes the game's files.
 * @throws UsageError for a wrong name, or if a file is in the way; then nothing is written
 */
async function createGame(name: string): Promise<void> {
  checkName(name);

  // What will be written, and whether it can be
  const registry = withLine(await Deno.readTextFile(REGISTRY), name);
  const files = await Promise.all(
    FILES.map(async ({ from, to }) => ({
      path: to(name),
      text: adapted(await Deno.readTextFile(new URL(from, ROOT)), name),
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

async function main([name, ...more]: string[]): Promise<number> {
  if (name === "--help") {
    console.log(USAGE);
    return 0;
  }
  try {
    if (name === undefined || more.length > 0) throw new UsageError(`one name is needed\n${USAGE}`);
    await createGame(name);
    return 0;
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    console.error(`new: ${error.message}`);
    return EXIT_UNUSABLE;
  }
}

if (import.meta.main) Deno.exit(await main(Deno.args));
