/**
 * The server of one game or of several. The HTTP server admits links to the rooms, and the tickers run them: one for
 * each tick rate, which all games of this rate share.
 */
import { deflateRawSync } from "node:zlib";
import type { Game } from "../shared/netcode/game.ts";
import { gameSchemaOf } from "../shared/netcode/game_schema.ts";
import { DevInput } from "./dev/dev_input.ts";
import { DeveloperApi } from "./developer_api.ts";
import type { Pages } from "./http/pages.ts";
import { UsageError } from "../shared/flags.ts";
import { ProxyTrust } from "./http/client_address.ts";
import { HttpServer, type HttpServerOptions } from "./http/server.ts";
import { SiteRules } from "./http/site_rules.ts";
import { formatJsonLine, formatLine, type Log, messageOf } from "./log.ts";
import { LogWriter } from "./log_writer.ts";
import { Metrics } from "./metrics.ts";
import { logFailures, logUncaughtErrors, stopSignal } from "./process.ts";
import { Rooms } from "./rooms.ts";
import { ServerSecret } from "./server_secret.ts";
import { Stalls } from "./stalls.ts";
import { limitsOf } from "./settings/limits.ts";
import { loggedSettings, type Settings } from "./settings/settings.ts";
import { clock, isoTime, Ticker, wait } from "./ticker.ts";

/** With a later tick than this, ms, `/healthz` reports a failure. Players notice it long before. */
const OVERDUE_MS_MAX = 1_000;

/** "Going away" (RFC 6455 §7.4.1): browsers may try again. */
const GOING_AWAY = 1001;

/** How long the last lines of the log may take, ms. */
const LOG_CLOSE_MS = 500;

/**
 * Compresses a state in about a third of a ms, once for all clients that get it in this tick. A client can request two
 * states a second (SPEC 4.3).
 */
function deflate(bytes: Uint8Array): Uint8Array {
  return deflateRawSync(bytes);
}

/**
 * Serves games until a signal stops the process.
 * @throws ListenError if the server cannot listen where the settings say
 */
export async function serve(
  games: Readonly<Record<string, Game<unknown>>>,
  settings: Settings,
  pages: Pages,
): Promise<void> {
  const logWriter = logWriterOf(settings), { log } = logWriter;
  const { npcs, stream } = settings, limits = limitsOf(settings);
  const seed = settings.seed ?? crypto.getRandomValues(new Uint32Array(1))[0]!;
  const secret = settings.public ? ServerSecret.drawn() : ServerSecret.ofText(`seed ${seed}`);
  const metrics = new Metrics(settings.games);
  const stalls = new Stalls(clock.now());
  const onGameTicked = (game: string, ms: number) => metrics.observeTick(game, ms / 1000);
  const checkTwin = settings["check-twin"], onHelloRefused = (code: number) => metrics.countHelloRefusal(code);
  const hooks = { onGameTicked, onHelloRefused };
  const rooms = new Rooms({ games, clock, npcs, secret, stream, log, deflate, checkTwin, limits, stalls, ...hooks });
  const watchOf = (game: string | undefined, room: string) =>
    (game === undefined ? rooms : rooms.byGame.get(game))?.matchOf(room)?.watch;
  const tickers = rooms.tickRates.map((hz) => tickerOf(rooms, { hz, metrics, stalls, log }));
  const devInput = settings.dev ? new DevInput(Deno.stdin.readable, () => pages.reload()) : undefined;
  const startMs = clock.now();
  const now = () => ({
    ticks: tickers.reduce((sum, { ticks }) => sum + ticks, 0),
    uptimeSeconds: Math.floor((clock.now() - startMs) / 1000),
  });
  const httpServer = await HttpServer.open({
    ...networkOf(settings),
    ...{ limits, stalls, staticFiles: () => pages.files, log },
    health: () => ({ ok: areOnTime(tickers), rooms: rooms.roomCount, clients: rooms.clientCount, ...now() }),
    metrics: () =>
      metrics.text({
        ...{ ...now(), sockets: httpServer.socketCount, unsentBytes: httpServer.unsentBytes },
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
    admit: (link, peer) => rooms.admit(link, peer),
    onRefused: (cause) => metrics.countRefusal(cause),
    onClosed: (code, by) => metrics.countClose(code, by),
  });
  logUncaughtErrors(log);
  const stop = stopSignal();
  for (const ticker of tickers) ticker.start();
  const several = settings.games.length > 1 ? { games: settings.games.join(",") } : {};
  const drawn = settings.public ? {} : { seed };
  if (settings["log-json"]) log("listening", { url: httpServer.url, ...drawn, ...several });
  else logWriter.print(readyLineOf(httpServer.url, { ...drawn, games: settings.games }));
  log("settings", loggedSettings(settings));
  log("stopping", { signal: await stop });
  for (const ticker of tickers) ticker.stop();
  await httpServer.close(GOING_AWAY, "the server stops");
  await logWriter.close(LOG_CLOSE_MS);
}

function areOnTime(tickers: readonly Ticker[]): boolean {
  return tickers.every(({ overdueMs }) => overdueMs < OVERDUE_MS_MAX);
}

/** @param options.seed with it the matches can be repeated; a public server has none */
function readyLineOf(url: string, { seed, games }: { seed?: number; games: readonly string[] }): string {
  const hosts = games.length > 1 ? `games: ${games.join(", ")}; ` : "";
  return `Wyvern listens on ${url} (${hosts}room codes are four letters${seed === undefined ? "" : `; seed ${seed}`})`;
}

/** The log on standard output. A reader that is stuck, or a full disk, costs lines and nothing else. */
function logWriterOf(settings: Settings): LogWriter {
  return new LogWriter({
    write: (bytes) => Deno.stdout.write(bytes),
    linesMax: settings["log-lines"],
    format: settings["log-json"] ? formatJsonLine : formatLine,
    time: isoTime,
    wait,
  });
}

/** Where the server listens, and whom it believes. @throws UsageError for a certificate that cannot be read */
function networkOf(settings: Settings): Pick<HttpServerOptions, "host" | "port" | "tls" | "proxies" | "site"> {
  const { host, port, "tls-cert": cert, "tls-key": key } = settings;
  const read = (flag: string, path: string) => {
    try {
      return Deno.readTextFileSync(path);
    } catch (error) {
      throw new UsageError(`--${flag} ${path} cannot be read: ${messageOf(error)}`);
    }
  };
  return {
    ...{ host, port },
    tls: cert === undefined || key === undefined
      ? undefined
      : { cert: read("tls-cert", cert), key: read("tls-key", key) },
    proxies: new ProxyTrust(settings["trust-proxy"]),
    site: new SiteRules({ origins: settings.origin, hosts: settings["allow-host"], host, isPublic: settings.public }),
  };
}

/** The ticker of all games with one tick rate. It observes the lateness of each tick. */
function tickerOf(
  rooms: Rooms<unknown>,
  { hz, metrics, stalls, log }: { hz: number; metrics: Metrics; stalls: Stalls; log: Log },
): Ticker {
  return new Ticker({
    hz,
    onTick(dueMs) {
      stalls.beat(clock.now());
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
