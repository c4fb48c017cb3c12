/** Runs the server as a program: arguments, exit codes, and one-line errors. */
import type { Game } from "../shared/netcode/game.ts";
import { EXIT_UNUSABLE, UsageError } from "../shared/flags.ts";
import { secretsOf } from "./settings/secrets.ts";
import { parseSettings, type Settings, usageFor } from "./settings/settings.ts";
import { workersOf } from "./settings/workers.ts";
import { MATCH_PROCESS, SERVER_PROCESS, unsupervisedReason } from "./supervision/child_command.ts";
import type { ComingPages, PageBuild } from "./supervision/build_pages.ts";
import type { Pages } from "./http/pages.ts";
import type { ParentLink } from "./supervision/parent_link.ts";
import type { TrialProgram } from "./trial/trial_threads.ts";

/** Exit code if the pages do not build. */
const EXIT_FAILED = 1;

/** Where the built pages are, one folder for each game. */
const STATIC_FOLDER = new URL("../client/dist/", import.meta.url);

/** Loads games' modules, by game name. `unknown` stands for any game's command type. */
type GameLoaders = Readonly<Record<string, () => Promise<{ readonly game: Game<unknown> }>>>;

/** What differs between programs that serve games. */
export interface ProgramOptions {
  /** What people type before the flags; by default this project's task. */
  readonly command?: string;
  /**
   * Where the built pages are, one folder for each game; by default those of the registry's games.
   */
  readonly staticFolder?: URL;
  /** Whether a game has a page here, and not on another site alone; by default each has one. */
  readonly hasPage?: (game: string) => boolean;
  /**
   * The program that runs in trial threads, which try matches before they go on: a module that
   * calls `runTrialThread` with the same loaders. Without it there are no such threads, and matches
   * are tried on the thread that ticks the others.
   */
  readonly trialModule?: URL;
  /**
   * Folders with modules that the program names only when it runs: its threads and processes may
   * read them.
   */
  readonly reads?: readonly string[];
  /**
   * This program as `--build` bundles it: the processes that it starts run that. By default they
   * run the same module as this one.
   */
  readonly builtProgram?: URL;
}

/**
 * Serves games until SIGTERM or SIGINT. The program starts itself again: a supervisor starts the
 * server, and a gateway starts each match process. Each role loads only its own modules, so
 * that a supervisor stays small.
 * @param loaders all games that the flags can name; without such a flag the first one is served
 * @returns the process's exit code
 */
export async function runServer(
  loaders: GameLoaders,
  args: string[],
  {
    command = "deno task serve",
    staticFolder = STATIC_FOLDER,
    hasPage = () => true,
    trialModule,
    reads = [],
    builtProgram,
  }: ProgramOptions = {},
): Promise<number> {
  const trialProgram = trialModule && { module: trialModule, reads };
  if (args.at(-1) === MATCH_PROCESS) {
    const { runMatchProcess } = await import("./match_process/run_match_process.ts");
    return await runMatchProcess(loaders, trialProgram);
  }

  try {
    const isSupervised = args.at(-1) === SERVER_PROCESS;
    const flags = isSupervised ? args.slice(0, -1) : args;
    const names = Object.keys(loaders);
    const settings = parseSettings(flags, names, { readVariable: Deno.env.get });
    if (settings === "help") {
      console.log(usageFor(names, { command, args: flags }));
      return 0;
    }

    // By role: the child of a supervisor, the gateway of several processes, a server that cannot have
    // a supervisor, or the supervisor itself
    const run = {
      command,
      loaders,
      settings,
      staticFolder,
      hasPage,
      trialProgram,
      reads,
      module: Deno.mainModule,
    };
    if (isSupervised) return await runSupervised(run);
    const pages = settings.build ? await startBuild(settings) : undefined;
    if (pages !== undefined && builtProgram !== undefined) {
      if (!await pages.programs) return EXIT_FAILED;
      run.module = builtProgram.href;
    }
    try {
      if (workersOf(settings) > 1) return await runServers({ ...run, pages });
      const reason = unsupervisedReason();
      if (reason !== undefined) return await runServers({ ...run, pages, reason });
      const { supervise } = await import("./supervision/supervisor.ts");
      const { args } = Deno;
      const code = await supervise({ ...run, args, pages });
      return await pages?.servable === false ? EXIT_FAILED : code;
    } finally {
      pages?.stop();
    }
  } catch (error) {
    // Compared by name, because importing the class would load the server's modules in the
    // supervisor too.
    const isListenError = error instanceof Error && error.name === "ListenError";
    if (!(error instanceof UsageError || isListenError)) throw error;
    console.error(`wyvern: ${error.message}`);
    return EXIT_UNUSABLE;
  }
}

async function startBuild(settings: Settings): Promise<PageBuild> {
  const { PageBuild } = await import("./supervision/build_pages.ts");
  return await PageBuild.start(settings.games, { checksPlanck: settings["check-planck"] });
}

interface Run extends Required<Pick<ProgramOptions, "command" | "hasPage" | "reads">> {
  readonly loaders: GameLoaders;
  readonly settings: Settings;
  readonly staticFolder: URL;
  /** The pages that `--build` builds; undefined if they exist already. */
  readonly pages?: ComingPages | undefined;
  readonly trialProgram: TrialProgram | undefined;
  /** The module of the processes that this one starts, file://… */
  readonly module: string;
  /** The supervisor; undefined for a server without one. */
  readonly parent?: ParentLink;
  /** Why there is no supervisor. */
  readonly reason?: string;
}

/**
 * Runs a server under a supervisor. If the supervisor ends, so does the server at once, because the
 * next supervisor starts another one.
 */
async function runSupervised(run: Run): Promise<number> {
  const { ParentLink } = await import("./supervision/parent_link.ts");
  const parent = new ParentLink(Deno.stdin.readable);
  const pages = run.settings.build ? parent.pages : undefined;
  return await Promise.race([runServers({ ...run, parent, pages }), parent.ended.then(() => 1)]);
}

/**
 * Runs the server itself, or the gateway of several.
 * @throws UsageError or ListenError for settings that cannot be used
 */
async function runServers(
  { pages: comingPages, parent, reason, ...run }: Run,
): Promise<number> {
  const { command, loaders, settings, staticFolder, hasPage, trialProgram, reads, module } = run;
  const secrets = secretsOf(settings);
  const games: Record<string, Game<unknown>> = {};
  for (const name of settings.games) games[name] = (await loaders[name]!()).game;

  // What both kinds of server need
  const { Pages } = await import("./http/pages.ts");
  const { loadAuthorise } = await import("./tickets/authorise_hook.ts");
  const { serve } = await import("./serve.ts");

  // The modules above load while the pages are built.
  if (await comingPages?.servable === false) return EXIT_FAILED;
  const pages = await Pages.load(staticFolder, {
    names: settings.games,
    hasPage,
    builder: command.replace("serve", "build"),
    origin: settings.origin[0],
  });
  checkPlanck(settings, pages);
  void comingPages?.finished.then(async (areFinished) => {
    if (areFinished) await pages.reload();
  });
  const options = {
    settings,
    pages,
    secrets,
    authorise: settings.authorise === undefined
      ? undefined
      : await loadAuthorise(settings.authorise),
    trialProgram,
  };

  const workers = workersOf(settings);
  if (workers > 1) {
    const { serveGateway } = await import("./gateway/serve_gateway.ts");
    await serveGateway(games, {
      ...options,
      workers,
      module,
      programArgs: Deno.args,
      reads,
    });
    return 0;
  }

  // Only supervisors and gateways start others.
  await Deno.permissions.revoke({ name: "run" });
  await serve(games, { ...options, parent, unsupervisedReason: reason });
  return 0;
}

/**
 * planck is in pages that were built for it, and in no others (SPEC 9.91).
 * @throws UsageError for pages that were built for something else
 */
function checkPlanck({ "check-planck": isWanted }: Settings, pages: Pages): void {
  if (isWanted === pages.havePlanck) return;
  throw new UsageError(
    isWanted
      ? "--check-planck needs pages that are built with it, as `deno task serve` and `dev` do"
      : "the pages in client/dist are built for --check-planck; `deno task build` makes others",
  );
}
