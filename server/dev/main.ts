/**
 * `deno task dev`: the development server of this project. Only a change outside client/ restarts the
 * server, because the server uses nothing from client/ but the built pages.
 *
 * Build and server run the commands of deno.json's tasks, so that they have the same permissions as
 * in `serve`.
 */
import { gamesSetting } from "../settings/hosted_games.ts";
import { taskArgs } from "../task_command.ts";
import { runDevServer } from "./dev_server.ts";

/**
 * The folders in the task's `--allow-read`, relative to the project's folder, in which `deno task`
 * runs.
 */
const FOLDERS = ["client", "server", "shared"];

/** A task's arguments without `--build`, because the development server builds before it serves. */
async function argsOf(task: string): Promise<string[]> {
  return (await taskArgs(task)).filter((word) => word !== "--build");
}

/** @param flags for `serve` @returns the exit code */
async function main(flags: readonly string[]): Promise<number> {
  const client = Deno.realPathSync("client");
  const games = gamesSetting(flags, Deno.env.get);
  const buildFlags = [
    "--dev",
    ...games === undefined ? ["--first-game"] : ["--games", games],
    // Without `--check-planck` the overlays do not show planck (SPEC 9.91).
    ...flags.filter((flag) => flag === "--check-planck"),
  ];
  return await runDevServer({
    root: new URL("../../", import.meta.url),
    folders: FOLDERS,
    buildArgs: async () => [...await argsOf("build"), ...buildFlags],
    serveArgs: () => argsOf("serve"),
    isStale: ({ paths }) => paths.some((path) => !path.startsWith(client)),
  }, flags);
}

if (import.meta.main) Deno.exit(await main(Deno.args));
