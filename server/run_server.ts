/**
 * The server of one game or of several. The flags give the configuration, the HTTP server admits links to the rooms, and
 * the tickers run them: one for each tick rate, which all games of this rate share.
 */
import { deflateRawSync } from "node:zlib";
import type { Game } from "../shared/netcode/game.ts";
import { gameSchemaOf } from "../shared/netcode/game_schema.ts";
import { EXIT_UNUSABLE, UsageError } from "../shared/flags.ts";
import { type Config, parseConfig, usageFor } from "./config.ts";
import { DevInput } from "./dev/dev_input.ts";
import { HttpServer, ListenError } from "./http/server.ts";
import { DeveloperApi } from "./developer_api.ts";
import { formatJsonLine, formatLine, type Log, logTo, messageOf } from "./log.ts";
import { Metrics } from "./metrics.ts";
import { loadGamePages, type StaticFiles } from "./http/static_files.ts";
import { Rooms } from "./rooms.ts";
import { clock, Ticker } from "./ticker.ts";

/** The built pages, a folder for each game. */
const STATIC_FOLDER = new URL("../client/dist/", import.meta.url);

/** With a later tick than this, ms, `/healthz` reports a failure. Players notice it long before. */
const OVERDUE_MS_MAX = 1_000;

/** "Going away" (RFC 6455 §7.4.1): browsers may try again. */
const GOING_AWAY = 1001;

/** The signals that stop the process. Windows has no SIGTERM. */
const STOP_SIGNALS: readonly Deno.Signal[] = Deno.build.os === "windows"
  ? ["SIGINT", "SIGBREAK"]
  : ["SIGTERM", "SIGINT"];

/** Loads the modules of games, by the games' names. A game of any command is a game of unknown commands. */
type GameLoaders = Readonly<Record<string, () => Promise<{ readonly game: Game<unknown> }>>>;

/**
 * Serves games until SIGTERM or SIGINT.
 * @param loaders all games that the flags can name; without such a flag the first one is served
 * @param staticFolder the built pages, a folder for each game
 * @returns the process's exit code
 */
export async function runServer(loaders: GameLoaders, args: string[], staticFolder = STATIC_FOLDER): Promise<number> {
  try {
    const names = Object.keys(loaders), config = parseConfig(args, names);
    if (config === "help") {
      console.log(usageFor(names));
      return 0;
    }
    const games: Record<string, Game<unknown>> = {};
    for (const name of config.games) games[name] = (await loaders[name]!()).game;
    await serve(games, config, await Pages.load(staticFolder, config.games));
    return 0;
  } catch (error) {
    if (!(error instanceof UsageError || error instanceof ListenError)) throw error;
    console.error(`wyvern: ${error.message}`);
    return EXIT_UNUSABLE;
  }
}

/**
 * Compresses a state in about a third of a ms, once for all clients that get it in this tick. A client can request two
 * states a second (SPEC 4.3).
 */
function deflate(bytes: Uint8Array): Uint8Array {
  return deflateRawSync(bytes);
}

async function serve(
  games: Readonly<Record<string, Game<unknown>>>,
  config: Config,
  pages: Pages,
): Promise<void> {
  const log = logTo(console.log, config["log-json"] ? formatJsonLine : formatLine);
  const { host, port, npcs, stream } = config;
  const seed = config.seed ?? crypto.getRandomValues(new Uint32Array(1))[0]!;
  const metrics = new Metrics(config.games);
  const onGameTicked = (game: string, ms: number) => metrics.observeTick(game, ms / 1000);
  const checkTwin = config["check-twin"];
  const rooms = new Rooms({ games, clock, npcs, seed, stream, log, deflate, onGameTicked, checkTwin });
  const watchOf = (game: string | undefined, room: string) =>
    (game === undefined ? rooms : rooms.byGame.get(game))?.matchOf(room)?.watch;
  const tickers = rooms.tickRates.map((hz) => tickerOf(rooms, { hz, metrics, log }));
  const devInput = config.dev ? new DevInput(Deno.stdin.readable, () => pages.reload()) : undefined;
  const startMs = clock.now();
  const now = () => ({
    ticks: tickers.reduce((sum, { ticks }) => sum + ticks, 0),
    uptimeSeconds: Math.floor((clock.now() - startMs) / 1000),
  });
  const httpServer = await HttpServer.open({
    ...{ host, port, staticFiles: () => pages.files, log },
    health: () => ({
      ok: tickers.every(({ overdueMs }) => overdueMs < OVERDUE_MS_MAX),
      ...{ rooms: rooms.roomCount, clients: rooms.clientCount },
      ...now(),
    }),
    metrics: () =>
      metrics.text({
        ...now(),
        sockets: httpServer.socketCount,
        unsentBytes: httpServer.unsentBytes,
        games: new Map(
          [...rooms.byGame].map((
            [name, each],
          ) => [name, { rooms: each.roomCount, clients: each.clientCount, totals: each.totals() }]),
        ),
      }),
    rooms: (game) => game === undefined ? rooms.list() : rooms.byGame.get(game)?.list(),
    ...(checkTwin && { developerApi: new DeveloperApi({ watchOf, log, now: () => clock.now() }) }),
    ...(devInput !== undefined && { problems: () => devInput.problems }),
    gameSchemas: new Map(Object.values(games).map((game) => [game.id, JSON.stringify(gameSchemaOf(game))])),
    admit: (link) => rooms.admit(link),
    onRefused: (cause) => metrics.countRefusal(cause),
    onClosed: (code, by) => metrics.countClose(code, by),
  });
  logUncaughtErrors(log);
  const stop = stopSignal();
  for (const ticker of tickers) ticker.start();
  const several = config.games.length > 1 ? { games: config.games.join(",") } : {};
  if (config["log-json"]) log("listening", { url: httpServer.url, seed, ...several });
  else console.log(readyLineOf(httpServer.url, { seed, games: config.games }));
  log("stopping", { signal: await stop });
  for (const ticker of tickers) ticker.stop();
  await httpServer.close(GOING_AWAY, "the server stops");
}

function readyLineOf(url: string, { seed, games }: { seed: number; games: readonly string[] }): string {
  const hosts = games.length > 1 ? `games: ${games.join(", ")}; ` : "";
  return `Wyvern listens on ${url} (${hosts}room codes are four letters; seed ${seed})`;
}

/** The ticker of all games with one tick rate. It observes the lateness of each tick. */
function tickerOf(
  rooms: Rooms<unknown>,
  { hz, metrics, log }: { hz: number; metrics: Metrics; log: Log },
): Ticker {
  return new Ticker({
    hz,
    onTick(dueMs) {
      metrics.tickLateness.observe((clock.now() - dueMs) / 1000);
      logFailures(log, () => rooms.tick(dueMs, hz));
    },
    onMidTick: () => logFailures(log, () => rooms.announceEarly(hz)),
    onDropped(ticks) {
      metrics.ticksDropped += ticks;
      log("ticks_dropped", { ticks, ...rooms.tickRates.length > 1 && { hz } });
    },
  });
}

/**
 * Logs an error of a tick, so that the next tick runs. Rooms handle their own errors; this covers the code between
 * them.
 */
function logFailures(log: Log, tick: () => void): void {
  try {
    tick();
  } catch (error) {
    log("tick_failed", { error: messageOf(error) });
  }
}

/** Logs errors that no handler caught, so that none of them ends every match. */
function logUncaughtErrors(log: Log): void {
  addEventListener("error", (event) => {
    event.preventDefault();
    log("stray_error", { error: messageOf(event.error) });
  });
  addEventListener("unhandledrejection", (event) => {
    event.preventDefault();
    log("stray_error", { error: messageOf(event.reason) });
  });
}

/** Resolves with the first stop signal. A second signal ends the process at once, as by default. */
function stopSignal(): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  const listeners = STOP_SIGNALS.map((signal) => ({ signal, listener: () => onSignal(signal) }));
  const onSignal = (signal: string) => {
    for (const { signal, listener } of listeners) Deno.removeSignalListener(signal, listener);
    resolve(signal);
  };
  for (const { signal, listener } of listeners) Deno.addSignalListener(signal, listener);
  return promise;
}

/** The built pages in memory. */
class Pages {
  readonly #folder: URL;
  readonly #games: readonly string[];
  #files: StaticFiles;

  private constructor(folder: URL, games: readonly string[], files: StaticFiles) {
    this.#folder = folder;
    this.#games = games;
    this.#files = files;
  }

  /** @throws UsageError if a page was never built */
  static async load(folder: URL, games: readonly string[]): Promise<Pages> {
    try {
      return new Pages(folder, games, await loadGamePages(folder, games));
    } catch (error) {
      if (!(error instanceof Deno.errors.NotFound)) throw error;
      throw new UsageError(`the page of ${games.join(" or ")} is not in client/dist; \`deno task build\` makes it`);
    }
  }

  get files(): StaticFiles {
    return this.#files;
  }

  /** Reads the pages again. While they cannot be read, the old ones stay. */
  async reload(): Promise<void> {
    try {
      this.#files = await loadGamePages(this.#folder, this.#games);
    } catch (error) {
      if (!(error instanceof Deno.errors.NotFound)) throw error;
    }
  }
}
