/**
 * The server of one game or of several. The HTTP server admits links to the rooms, and the tickers run them: one for
 * each tick rate, which all games of this rate share.
 */
import { deflateRawSync } from "node:zlib";
import type { Game } from "../shared/netcode/game.ts";
import { GOING_AWAY } from "../shared/netcode/wire/stop_reasons.ts";
import { gameSchemaOf } from "../shared/netcode/game_schema.ts";
import { Bans } from "./bans.ts";
import { Cluster } from "./cluster/cluster.ts";
import { DevInput } from "./dev/dev_input.ts";
import { Drain } from "./drain.ts";
import { DeveloperApi } from "./developer_api.ts";
import type { Pages } from "./http/pages.ts";
import { healthOf, readinessOf } from "./health.ts";
import { openOps, readingsOf } from "./ops/open_ops.ts";
import type { OpsServer } from "./ops/ops_server.ts";
import { UsageError } from "../shared/flags.ts";
import { ProxyTrust } from "./http/client_address.ts";
import { HttpServer, type HttpServerOptions } from "./http/server.ts";
import { SiteRules } from "./http/site_rules.ts";
import { formatJsonLine, formatLine, type Log, messageOf } from "./log.ts";
import { LogWriter } from "./log_writer.ts";
import { sampleEventLoop } from "./metrics/event_loop.ts";
import { Metrics } from "./metrics/metrics.ts";
import { exportMetrics } from "./metrics/open_telemetry.ts";
import { logFailures, logUncaughtErrors, stopSignals } from "./process.ts";
import { Rooms, type RoomsOptions } from "./rooms.ts";
import { FileLogs } from "./match_log/file_logs.ts";
import { type HostedGames, MatchArchive } from "./match_log/match_archive.ts";
import { resumeMatches } from "./match_log/resume_matches.ts";
import type { ServerResults } from "./results/result_sink.ts";
import { Results } from "./results/results.ts";
import { resultsAnswer } from "./results/results_api.ts";
import { hashToken, ServerSecret } from "./server_secret.ts";
import { Stalls } from "./stalls.ts";
import { limitsOf } from "./settings/limits.ts";
import { loggedSettings, type Settings } from "./settings/settings.ts";
import { clock, isoTime, systemScheduler, Ticker, unixClock, wait } from "./ticker.ts";
import type { Authorise } from "./tickets/authorise.ts";
import { AuthoriseHook } from "./tickets/authorise_hook.ts";
import { type Entrance, JoinDesk } from "./tickets/join_desk.ts";
import { Tickets } from "./tickets/tickets.ts";
import { watchLinkOf } from "./tickets/watch_link.ts";

/** How long the last lines of the log may take, ms. */
const LOG_CLOSE_MS = 500;

/**
 * Compresses a state in about a third of a ms, once for all clients that get it in this tick. A client can request two
 * states a second (SPEC 4.3).
 */
function deflate(bytes: Uint8Array): Uint8Array {
  return deflateRawSync(bytes);
}

/** What operators keep from others. */
export interface OperatorSecrets {
  /** What tickets are signed with, and a public server's seeds come from; without it, it is drawn at start. */
  readonly secret?: string | undefined;
  /** The token of the operators' port; without it, it is drawn at start. */
  readonly opsToken?: string | undefined;
}

/**
 * Serves games until a signal stops the process.
 * @throws ListenError if the server cannot listen where the settings say
 */
export async function serve(
  games: Readonly<Record<string, Game<unknown>>>,
  { settings, pages, secrets = {}, authorise }: {
    settings: Settings;
    pages: Pages;
    secrets?: OperatorSecrets;
    /** The operator's hook; without it everybody may come in. */
    authorise?: Authorise | undefined;
  },
): Promise<void> {
  const startMs = clock.now(), uptimeMs = () => clock.now() - startMs;
  const logWriter = logWriterOf(settings), { log } = logWriter, limits = limitsOf(settings);
  const seed = settings.seed ?? crypto.getRandomValues(new Uint32Array(1))[0]!;
  const secret = secrets.secret === undefined ? ServerSecret.drawn() : ServerSecret.ofText(secrets.secret);
  const metrics = new Metrics(settings.games), stalls = new Stalls(startMs), bans = new Bans(clock);
  const logs = logsOf(settings, log), drain = new Drain();
  const results = logs && Results.open({ folder: settings.data, unixClock, wait, log });
  const cluster = await clusterOf(games, { settings, files: logs, results, log });
  const kept = { logs: cluster?.logs ?? logs, results: cluster?.results ?? results, mayOpen: cluster?.logs.has };
  // A public server's seeds are nobody's business; those of another can be repeated.
  const roomSecret = settings.public ? secret : ServerSecret.ofText(`seed ${seed}`);
  const rooms = openRooms(games, { settings, ...kept, stalls, limits, log, metrics, drain, secret: roomSecret });
  const entrance = cluster?.enter({ rooms, secret });
  const tickets = entrance?.tickets ?? new Tickets(secret, unixClock);
  const desk = deskOf(entrance ?? rooms, { tickets, settings, authorise, metrics, log });
  const tickers = rooms.tickRates.map((hz) => tickerOf(rooms, { hz, metrics, stalls, log }));
  const httpServer: HttpServer = await HttpServer.open({
    ...networkOf(settings, cluster),
    ...{ limits, stalls, staticFiles: () => pages.files, log, desk },
    ...routesOf({ settings, rooms, pages, log, shared: cluster?.results.matches }),
    health: () => healthOf(probed),
    readiness: () => readinessOf(probed),
    metrics: settings.public ? undefined : () => metricsText(),
    results: (wanted) => resultsAnswer({ results, games: settings.games }, wanted),
    gameSchemas: new Map(Object.values(games).map((game) => [game.id, JSON.stringify(gameSchemaOf(game))])),
    isBanned: (addressBlock) => bans.has(addressBlock),
    admit: (link, peer) => rooms.admit(link, peer),
    onRefused: (cause) => metrics.countRefusal(cause),
    onClosed: (code, by) => metrics.countClose(code, by),
    onAnswered: (status, seconds) => metrics.countAnswer(status, seconds),
  });
  const probed = { tickers, limits, rooms, httpServer, logs, uptimeMs };
  const readings = () => readingsOf({ ...probed, stalls, bans, logWriter, results, cluster: cluster?.readings });
  const metricsText = () => metrics.text(readings());
  exportMetrics(() => metrics.families(readings()));
  const token = secrets.opsToken, pageUrl = settings.origin[0] ?? new URL(httpServer.url).origin;
  const watchLink = (game: string, room: string) => watchLinkOf(rooms, { tickets, pageUrl, game, room });
  const opsServer = await openOps({ settings, token, probed, rooms, bans, watchLink, metricsText, log, logWriter });
  logUncaughtErrors(log);
  const signals = stopSignals();
  for (const ticker of tickers) ticker.start();
  cluster?.start(settings["node-url"] ?? new URL(httpServer.url).origin);
  const stopSampling = sampleEventLoop(metrics.eventLoopLag, systemScheduler);
  announceStart({ url: httpServer.url, seed: settings.public ? undefined : seed, settings, log, logWriter });
  const matches = () => rooms.matches(), graceMs = settings.grace * 1000;
  await drain.run({ matches, signals, graceMs, clock, wait, log, handOver: cluster?.leave });
  for (const ticker of tickers) ticker.stop();
  stopSampling();
  await closeAll({ httpServer, opsServer, results, cluster, logs, logWriter });
}

/** Gives tickets and takes them. */
function deskOf(
  entrance: Entrance,
  { tickets, settings, authorise, metrics, log }: {
    tickets: Tickets;
    settings: Settings;
    authorise: Authorise | undefined;
    metrics: Metrics;
    log: Log;
  },
): JoinDesk {
  return new JoinDesk({
    ...{ tickets, entrance, needsTicket: settings.public || authorise !== undefined },
    hook: authorise && new AuthoriseHook(authorise, { log }),
    onRefused: (code) => metrics.countHelloRefusal(code),
  });
}

/** The other machines that share the matches. @throws UsageError for servers that cannot be used */
async function clusterOf(
  games: HostedGames,
  { settings: { cluster: servers, data: folder, archive: path, "archive-gib": gib }, files, results, log }: {
    settings: Settings;
    files: FileLogs | undefined;
    results: Results | undefined;
    log: Log;
  },
): Promise<Cluster | undefined> {
  if (servers.length === 0 || files === undefined) return undefined;
  const archive = path === undefined ? undefined : { folder: path, bytesMax: gib * 1024 ** 3 };
  const kept = { files, folder, archive, results, games };
  return await Cluster.open({ servers, ...kept, scheduler: systemScheduler, clock, unixClock, wait, log });
}

/** Closes what is open, in the order in which one writes to the other. */
async function closeAll(
  { httpServer, opsServer, results, cluster, logs, logWriter }: {
    httpServer: HttpServer;
    opsServer: OpsServer | undefined;
    results: Results | undefined;
    cluster: Cluster | undefined;
    logs: FileLogs | undefined;
    logWriter: LogWriter;
  },
): Promise<void> {
  await Promise.all([httpServer.close(GOING_AWAY, "the server stops"), opsServer?.close()]);
  await cluster?.close();
  // A tick that waits for the disk is in its log after this, and only then its round counts.
  await logs?.close();
  results?.close();
  await logWriter.close(LOG_CLOSE_MS);
}

/** The rooms, and those of matches that another process has begun. */
function openRooms(
  games: Readonly<Record<string, Game<unknown>>>,
  { settings, metrics, ...options }:
    & Pick<RoomsOptions<unknown>, "stalls" | "limits" | "log" | "logs" | "drain" | "secret" | "mayOpen">
    & { settings: Settings; metrics: Metrics; results: ServerResults | undefined },
): Rooms<unknown> {
  const rooms = new Rooms({
    ...{ games, clock, deflate, unixClock, hashToken, ...options },
    ...{ npcs: settings.npcs, stream: settings.stream, checkTwin: settings["check-twin"] },
    onGameTicked: (game, ms) => metrics.observeTick(game, ms / 1000),
    onHelloRefused: (code) => metrics.countHelloRefusal(code),
  });
  const { logs, results, log } = options;
  if (logs !== undefined) resumeMatches(rooms, logs, log);
  results?.endOthers(logs!.unfinished().map(({ id }) => id));
  return rooms;
}

/** The folder of the matches' logs. @throws UsageError for a folder that cannot be used */
function logsOf(settings: Settings, log: Log): FileLogs | undefined {
  if (settings.data === "off") return undefined;
  return FileLogs.open({ folder: settings.data, sync: settings["journal-sync"], clock: unixClock, log });
}

/** The routes that only some servers have. */
function routesOf(
  { settings, rooms, pages, log, shared }: {
    settings: Settings;
    rooms: Rooms<unknown>;
    pages: Pages;
    log: Log;
    /** The matches of all machines; undefined for a machine by itself. */
    shared: HttpServerOptions["matches"];
  },
): Pick<HttpServerOptions, "rooms" | "matches" | "developerApi" | "problems"> {
  const watchOf = (game: string | undefined, room: string) =>
    (game === undefined ? rooms : rooms.byGame.get(game))?.matchOf(room)?.watch;
  const games = Object.fromEntries([...rooms.byGame].map(([name, { game }]) => [name, game])),
    { data: folder } = settings;
  const devInput = settings.dev ? new DevInput(Deno.stdin.readable, () => pages.reload()) : undefined;
  return {
    rooms: (game) => game === undefined ? rooms.list() : rooms.byGame.get(game)?.list(),
    matches: shared ?? (folder === "off" ? undefined : new MatchArchive({ folder, games, pause: () => wait(0) })),
    ...(settings["check-twin"] && { developerApi: new DeveloperApi({ watchOf, log, now: () => clock.now() }) }),
    ...(devInput !== undefined && { problems: () => devInput.problems }),
  };
}

/** Writes the first lines of the log. */
function announceStart(
  { url, seed, settings, log, logWriter }: {
    url: string;
    seed: number | undefined;
    settings: Settings;
    log: Log;
    logWriter: LogWriter;
  },
): void {
  const several = settings.games.length > 1 ? { games: settings.games.join(",") } : {};
  if (settings["log-json"]) log("listening", { url, ...(seed !== undefined && { seed }), ...several });
  else logWriter.print(readyLineOf(url, { seed, games: settings.games }));
  log("settings", loggedSettings(settings));
}

/** @param options.seed with it the matches can be repeated; a public server has none */
function readyLineOf(url: string, { seed, games }: { seed: number | undefined; games: readonly string[] }): string {
  const hosts = games.length > 1 ? `games: ${games.join(", ")}; ` : "";
  return `Wyvern listens on ${url} (${hosts}room codes are four letters${seed === undefined ? "" : `; seed ${seed}`})`;
}

/** The log on standard output. A reader that is stuck, or a full disk, costs lines and nothing else. */
function logWriterOf(settings: Settings): LogWriter {
  return new LogWriter({
    write: (bytes) => Deno.stdout.write(bytes),
    linesMax: settings["log-lines"],
    format: settings["log-json"] ? formatJsonLine : formatLine,
    time: () => isoTime(),
    wait,
  });
}

/** Where the server listens, and whom it believes. @throws UsageError for a certificate that cannot be read */
function networkOf(
  settings: Settings,
  cluster: Cluster | undefined,
): Pick<HttpServerOptions, "host" | "port" | "tls" | "proxies" | "site" | "connectSources"> {
  const { host, port, "tls-cert": cert, "tls-key": key } = settings;
  const read = (flag: string, path: string) => {
    try {
      return Deno.readTextFileSync(path);
    } catch (error) {
      throw new UsageError(`--${flag} ${path} cannot be read: ${messageOf(error)}`);
    }
  };
  return {
    ...{ host, port, connectSources: cluster?.connectSources },
    tls: cert === undefined || key === undefined
      ? undefined
      : { cert: read("tls-cert", cert), key: read("tls-key", key) },
    proxies: new ProxyTrust(settings["trust-proxy"]),
    site: new SiteRules({
      origins: settings.origin,
      hosts: settings["allow-host"],
      host,
      isPublic: settings.public,
      nodeOrigins: cluster?.origins,
    }),
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
