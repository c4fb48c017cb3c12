/** Runs the server as a program: arguments, exit codes, and errors in one line. */
import type { Game } from "../shared/netcode/game.ts";
import { EXIT_UNUSABLE, UsageError } from "../shared/flags.ts";
import { Pages } from "./http/pages.ts";
import { ListenError } from "./http/listener.ts";
import { serve } from "./serve.ts";
import { readSecret } from "./settings/secrets.ts";
import { parseSettings, usageFor } from "./settings/settings.ts";
import { workersOf } from "./settings/workers.ts";
import { loadAuthorise } from "./tickets/authorise_hook.ts";
import { MATCH_PROCESS } from "./workers/front/worker_command.ts";

/** The built pages, a folder for each game. */
const STATIC_FOLDER = new URL("../client/dist/", import.meta.url);

/** Loads the modules of games, by the games' names. A game of any command is a game of unknown commands. */
type GameLoaders = Readonly<Record<string, () => Promise<{ readonly game: Game<unknown> }>>>;

/** The files that belong to a program. */
export interface ProgramFiles {
  /** The built pages, a folder for each game; by default those of the registry's games. */
  readonly staticFolder?: URL;
  /**
   * The program of the threads in which matches are tried before they go on: a module that calls `runTrialThread` with the
   * same loaders. By default there are none, and the matches are tried where others tick.
   */
  readonly trialModule?: URL;
}

/**
 * Serves games until SIGTERM or SIGINT. A front process starts this program again for each match process.
 * @param loaders all games that the flags can name; without such a flag the first one is served
 * @returns the process's exit code
 */
export async function runServer(
  loaders: GameLoaders,
  args: string[],
  { staticFolder = STATIC_FOLDER, trialModule }: ProgramFiles = {},
): Promise<number> {
  if (args.at(-1) === MATCH_PROCESS) {
    return await (await import("./workers/host/match_process.ts")).runMatchProcess(loaders, trialModule);
  }
  try {
    const names = Object.keys(loaders), settings = parseSettings(args, names, { readVariable: Deno.env.get });
    if (settings === "help") {
      console.log(usageFor(names));
      return 0;
    }
    const games: Record<string, Game<unknown>> = {};
    for (const name of settings.games) games[name] = (await loaders[name]!()).game;
    const { authorise: hook, "secret-file": path, "ops-token-file": opsPath } = settings;
    const secret = readSecret({ flag: "secret-file", path, variable: "WYVERN_SECRET" });
    if (settings.public && secret === undefined) {
      throw new UsageError("--public needs a secret: a file with --secret-file, or the variable WYVERN_SECRET");
    }
    if (settings.cluster.length > 0 && secret === undefined) {
      throw new UsageError(
        "--cluster needs one secret for all machines: a file with --secret-file, or the variable WYVERN_SECRET",
      );
    }
    const options = {
      settings,
      pages: await Pages.load(staticFolder, settings.games),
      secrets: {
        secret,
        opsToken: readSecret({ flag: "ops-token-file", path: opsPath, variable: "WYVERN_OPS_TOKEN" }),
      },
      authorise: hook === undefined ? undefined : await loadAuthorise(hook),
      trialModule,
    };
    const workers = workersOf(settings);
    if (workers > 1) {
      const { serveFront } = await import("./workers/front/serve_front.ts");
      await serveFront(games, { ...options, workers, module: Deno.mainModule, programArgs: Deno.args });
    } else {
      // Only a front process starts others.
      await Deno.permissions.revoke({ name: "run" });
      await serve(games, options);
    }
    return 0;
  } catch (error) {
    if (!(error instanceof UsageError || error instanceof ListenError)) throw error;
    console.error(`wyvern: ${error.message}`);
    return EXIT_UNUSABLE;
  }
}
