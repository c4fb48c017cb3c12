/**
 * The server of one game. The flags give the configuration, the HTTP server admits links to the rooms, and the ticker
 * runs them.
 */
import { deflateRawSync } from "node:zlib";
import type { Game } from "../shared/netcode/game.ts";
import { gameSchemaOf } from "../shared/netcode/game_schema.ts";
import { EXIT_UNUSABLE, UsageError } from "../shared/flags.ts";
import { type Config, parseConfig, USAGE } from "./config.ts";
import { HttpServer, ListenError } from "./http/server.ts";
import { DeveloperApi } from "./developer_api.ts";
import { formatJsonLine, formatLine, type Log, logTo, messageOf } from "./log.ts";
import { Metrics } from "./metrics.ts";
import { loadStaticFiles, type StaticFiles } from "./http/static_files.ts";
import { Rooms } from "./rooms.ts";
import { clock, Ticker } from "./ticker.ts";

/** The built page of the default game. */
const STATIC_FOLDER = new URL("../client/dist/", import.meta.url);

/** With a later tick than this, ms, `/healthz` reports a failure. Players notice it long before. */
const OVERDUE_MS_MAX = 1_000;

/** "Going away" (RFC 6455 §7.4.1): browsers may try again. */
const GOING_AWAY = 1001;

/** The signals that stop the process. Windows has no SIGTERM. */
const STOP_SIGNALS: readonly Deno.Signal[] = Deno.build.os === "windows"
  ? ["SIGINT", "SIGBREAK"]
  : ["SIGTERM", "SIGINT"];

/**
 * Serves a game until SIGTERM or SIGINT.
 * @param staticFolder the built page of the game
 * @returns the process's exit code
 */
export async function runServer<Command>(
  game: Game<Command>,
  args: string[],
  staticFolder = STATIC_FOLDER,
): Promise<number> {
  try {
    const config = parseConfig(args);
    if (config === "help") {
      console.log(USAGE);
      return 0;
    }
    await serve(game, config, await loadBuiltFiles(staticFolder));
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

async function serve<Command>(game: Game<Command>, config: Config, staticFiles: StaticFiles): Promise<void> {
  const log = logTo(console.log, config["log-json"] ? formatJsonLine : formatLine);
  const { host, port, npcs, stream } = config;
  const seed = config.seed ?? crypto.getRandomValues(new Uint32Array(1))[0]!;
  const checkTwin = config["check-twin"];
  const rooms = new Rooms({ game, clock, npcs, seed, stream, log, deflate, checkTwin });
  const watchOf = (room: string) => rooms.matchOf(room)?.watch;
  const metrics = new Metrics();
  const ticker = new Ticker({
    hz: game.tickHz,
    onTick: instrumented(metrics, (dueMs) => logFailures(log, () => rooms.tick(dueMs))),
    onMidTick: () => logFailures(log, () => rooms.announceEarly()),
    onDropped(ticks) {
      metrics.ticksDropped += ticks;
      log("ticks_dropped", { ticks });
    },
  });
  const startMs = clock.now();
  const now = () => ({
    rooms: rooms.roomCount,
    clients: rooms.clientCount,
    ticks: ticker.ticks,
    uptimeSeconds: Math.floor((clock.now() - startMs) / 1000),
  });
  const httpServer = await HttpServer.open({
    ...{ host, port, staticFiles, log },
    ...(checkTwin ? { developerApi: new DeveloperApi({ watchOf, log, now: () => clock.now() }) } : {}),
    health: () => ({ ok: ticker.overdueMs < OVERDUE_MS_MAX, ...now() }),
    metrics: () =>
      metrics.text({
        ...now(),
        sockets: httpServer.socketCount,
        unsentBytes: httpServer.unsentBytes,
        totals: rooms.totals(),
      }),
    rooms: () => rooms.list(),
    gameSchemas: new Map([[game.id, JSON.stringify(gameSchemaOf(game))]]),
    admit: (link) => rooms.admit(link),
    onRefused: (cause) => metrics.countRefusal(cause),
    onClosed: (code, by) => metrics.countClose(code, by),
  });
  logUncaughtErrors(log);
  const stop = stopSignal();
  ticker.start();
  if (config["log-json"]) log("listening", { url: httpServer.url, seed });
  else console.log(`Wyvern listens on ${httpServer.url} (room codes are four letters; seed ${seed})`);
  log("stopping", { signal: await stop });
  ticker.stop();
  await httpServer.close(GOING_AWAY, "the server stops");
}

/** Observes the lateness and the duration of each tick. */
function instrumented({ tickLateness, tickDuration }: Metrics, tick: (dueMs: number) => void): (dueMs: number) => void {
  return (dueMs) => {
    const startMs = clock.now();
    tickLateness.observe((startMs - dueMs) / 1000);
    tick(dueMs);
    tickDuration.observe((clock.now() - startMs) / 1000);
  };
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

async function loadBuiltFiles(folder: URL): Promise<StaticFiles> {
  try {
    return await loadStaticFiles(folder);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
    throw new UsageError("client/dist is not there; `deno task build` makes it");
  }
}
