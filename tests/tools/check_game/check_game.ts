/**
 * Checks one game as the whole suite does, within half a minute: types, lint,
 * `tests/games_test.ts`, and the same bits in every installed engine.
 *
 *     deno task prove game NAME
 */
import { EXIT_UNUSABLE } from "../../../shared/flags.ts";
import { GAMES } from "../../../shared/games/registry.ts";
import { quoted } from "../../../shared/quoted.ts";

/** Ticks that every engine plays. */
const ENGINE_TICKS = 300;

interface Step {
  readonly title: string;
  readonly args: readonly string[];
}

/** @returns the steps for a game of the registry */
function stepsFor(name: string, folders: readonly string[]): readonly Step[] {
  const ticks = String(ENGINE_TICKS);
  return [
    { title: "types", args: ["check", "--quiet", ...folders] },
    { title: "lint", args: ["lint", "--quiet", ...folders] },
    {
      title: "rollbacks, codec, hostile states, lab",
      args: ["test", "-A", "--quiet", "--no-check", "tests/games_test.ts"],
    },
    {
      title: "engines",
      args: [
        "run",
        "-A",
        "--quiet",
        "tests/tools/determinism/main.ts",
        "--game",
        name,
        "--ticks",
        ticks,
      ],
    },
  ];
}

/** Runs a step and prints its result, and its output if it fails. @returns whether it succeeded */
async function run({ title, args }: Step, name: string): Promise<boolean> {
  const beganMs = performance.now();
  const command = new Deno.Command(Deno.execPath(), {
    args: [...args],
    env: { NO_COLOR: "1", WYVERN_GAME: name },
    stdin: "null",
  });
  const { success, stdout, stderr } = await command.output();
  const seconds = ((performance.now() - beganMs) / 1000).toFixed(1);
  console.log(`${success ? "ok    " : "FAILED"} ${title} (${seconds} s)`);
  if (!success) console.log(new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr));
  return success;
}

async function foldersOf(name: string): Promise<string[]> {
  const found: string[] = [];
  for (const folder of [`shared/games/${name}`, `client/games/${name}`]) {
    if (await Deno.stat(folder).then(() => true, () => false)) found.push(folder);
  }
  return found;
}

/**
 * @returns the process's exit code: 0 if all is well, 1 for a failed step, 2 for a name that is no
 *   game
 */
async function main([name = "", ...rest]: readonly string[]): Promise<number> {
  if (!Object.hasOwn(GAMES, name) || rest.length > 0) {
    console.error(
      `prove game needs one game: ${Object.keys(GAMES).join(" or ")}, not ${
        quoted([name, ...rest].join(" "))
      }`,
    );
    return EXIT_UNUSABLE;
  }
  const results = await Promise.all(
    stepsFor(name, await foldersOf(name)).map((step) => run(step, name)),
  );
  return results.every((isOk) => isOk) ? 0 : 1;
}

if (import.meta.main) Deno.exit(await main(Deno.args));
