/**
 * The server of one game or of several. The HTTP server admits links to the rooms, and the tickers
 * run the rooms: one ticker for each tick rate, shared by all games with this rate.
 */
import type { Game } from "../shared/netcode/game.ts";
import { GOING_AWAY } from "../shared/netcode/wire/stop_reasons.ts";
import { gameSchemaOf } from "../shared/netcode/game_schema.ts";
import { Bans } from "./bans.ts";
import { keepBans } from "./ban_file.ts";
import type { Cluster } from "./nodes/cluster.ts";
import { NodeEntrance } from "./nodes/node_entrance.ts";
import { namesOfMachine } from "./nodes/node_names.ts";
import type { ListedRooms } from "./nodes/listed_rooms.ts";
import { DevInput } from "./dev/dev_input.ts";
import { RuleFailures } from "./dev/rule_failures.ts";
import { Drain } from "./drain.ts";
import { DeveloperApi } from "./developer_api.ts";
import type { Pages } from "./http/pages.ts";
import { healthOf, readinessOf } from "./health.ts";
import { AskedNodes } from "./ops/asked_nodes.ts";
import { OperatedNodes, operatedNodes } from "./ops/operated_nodes.ts";
import { figuresOf, openOps, operatedRooms, readingsOf } from "./ops/open_ops.ts";
import { type HttpAnswers, HttpServer, type HttpServerOptions } from "./http/server.ts";
import type { Log } from "./log.ts";
import type { LogWriter } from "./log_writer.ts";
import { sampleEventLoop } from "./metrics/event_loop.ts";
import { Metrics } from "./metrics/metrics.ts";
import { exportMetrics } from "./metrics/open_telemetry.ts";
import { endLostProcess, logUncaughtErrors, type StopSignals, stopSignals } from "./process.ts";
import type { Rooms } from "./rooms.ts";
import { FileLogs } from "./match_log/file_logs.ts";
import { MatchArchive } from "./match_log/match_archive.ts";
import { Results } from "./results/results.ts";
import { resultsAnswer } from "./results/results_api.ts";
import { ServerSecret } from "./server_secret.ts";
import { Stalls } from "./stalls.ts";
import { limitsOf } from "./settings/limits.ts";
import type { Settings } from "./settings/settings.ts";
import { announceStart, LOG_CLOSE_MS, logWriterOf } from "./start/log_lines.ts";
import { nodeHealthOf, openCluster } from "./start/cluster.ts";
import { networkOf, sourcesOf } from "./start/network.ts";
import { openRooms, tickerOf, tickRunnerOf } from "./start/started_rooms.ts";
import { clock, systemScheduler, unixClock, wait, wallClock } from "./ticker.ts";
import type { Authorise } from "./tickets/authorise.ts";
import { AuthoriseHook } from "./tickets/authorise_hook.ts";
import { Admission, type AdmissionOptions, type Entrance } from "./tickets/admission.ts";
import { Tickets } from "./tickets/tickets.ts";
import { watchLinkOf, type WatchLinkOptions } from "./tickets/watch_link.ts";
import { Heartbeat } from "./supervision/heartbeat.ts";
import type { ParentLink } from "./supervision/parent_link.ts";
import { eitherOf } from "./supervision/stop_messages.ts";
import { startWatchdog } from "./supervision/watchdog.ts";
import { trialsFor } from "./trial/open_trials.ts";
import type { TrialProgram } from "./trial/trial_threads.ts";
import { adoptLogs } from "./match_log/adopt_logs.ts";

/** A program that a server is a part of. */
export interface Caller {
  /** Called when the server listens. @param places the players' and the operators' URLs */
  ready(places: { url: string; opsUrl: string | undefined }): void;
  /** Its requests to stop, counted as signals are. */
  readonly stops: StopSignals;
}

/** What operators keep from others. */
export interface OperatorSecrets {
  /** Signs tickets and yields a public server's seeds; by default it is drawn at the start. */
  readonly secret?: string | undefined;
  /** The token of the operators' port; by default it is drawn at the start. */
  readonly opsToken?: string | undefined;
}

/**
 * Serves games until a signal stops the process.
 * @throws ListenError if the server cannot listen where the settings say
 */
export async function serve(
  games: Readonly<Record<string, Game<unknown>>>,
  { settings, pages, secrets = {}, authorise, trialProgram, parent, caller, unsupervisedReason }: {
    settings: Settings;
    pages: Pages;
    secrets?: OperatorSecrets;
    /** The operator's hook, which decides who may come in; without it everyone may. */
    authorise?: Authorise | undefined;
    /** What runs in trial threads, which try matches before they go on; by default nothing. */
    trialProgram?: TrialProgram | undefined;
    /** The supervisor that reads what this process reports; undefined for a server without one. */
    parent?: ParentLink | undefined;
    /** The program that this server is a part of; undefined if it is the whole program. */
    caller?: Caller | undefined;
    /**
     * Why the server has no supervisor, in words for the operator; undefined for one that needs
     * none.
     */
    unsupervisedReason?: string | undefined;
  },
): Promise<void> {
  const startMs = clock.now();
  const uptimeMs = () => clock.now() - startMs;
  const logWriter = logWriterOf(settings);
  const { log } = logWriter;
  const stopLogging = logUncaughtErrors(log);
  const limits = limitsOf(settings);
  const seed = settings.seed ?? crypto.getRandomValues(new Uint32Array(1))[0]!;
  const secret = secrets.secret === undefined
    ? ServerSecret.drawn()
    : ServerSecret.ofText(secrets.secret);

  // A public server keeps its seeds secret. Any other server's matches can be repeated from the
  // seed.
  const roomSecret = settings.public ? secret : ServerSecret.ofText(`seed ${seed}`);
  const metrics = new Metrics(settings.games);
  const stalls = new Stalls(startMs);
  const bans = new Bans(unixClock);
  const drain = new Drain();
  const failures = new RuleFailures();

  // The supervisor reports what became of the previous process, and from here on its watchdog sees
  // what is at work.
  const { faults, restarts } = await parent?.start ?? {};
  const heartbeat = new Heartbeat();
  if (parent !== undefined) startWatchdog(heartbeat);

  // What outlives the process: logs and results, in a folder or shared with other machines.
  const logs = logsOf(settings, log);
  const trials = logs && trialsFor(games, { program: trialProgram, log });

  // A thread loads the games while this thread opens everything else.
  if (settings.cluster.length > 0 || (logs?.unfinished().length ?? 0) > 0) trials?.warm();
  const results = logs && Results.open({ folder: settings.data, unixClock, wait, log });
  const cluster = await clusterOf(games, { settings, secret, files: logs, results, log });

  // Who is kept out: as before the restart, and as on all machines
  const bansFile = logs && keepBans(bans, { folder: settings.data, log });
  cluster?.shareBans(bans, () => bansFile?.write(bans.entries()));

  // The rooms, including those of unfinished matches, and the tickers that will run them.
  const { rooms, resumed, referee } = await openRooms(games, {
    settings,
    logs: cluster?.logs ?? logs,
    results: cluster?.results ?? results,
    mayOpen: cluster?.logs?.mayEnter,
    isBarred: (gameId, room, peer) => bans.isBarred(gameId, room, peer),
    heartbeat,
    stalls,
    limits,
    log,
    metrics,
    drain,
    secret: roomSecret,
    trials,
    trialProgram,
    faults,
    ...settings.dev && { onRoomFailed: (error: unknown) => failures.add(error) },
  });

  // A node needs its trials until the end, because it may take matches over at any time.
  if (cluster === undefined) void resumed.then(() => trials?.close());
  const tickers = rooms.tickRates.map((hz) =>
    tickerOf(rooms, { hz, metrics, stalls, heartbeat, log })
  );

  // The ports are open from here on. Until `answerWith` they answer that the server is starting, so
  // nothing below is read before it exists.
  const httpServer = await HttpServer.open({
    ...networkOf(settings, cluster),
    limits,
    stalls,
    tickRunner: tickRunnerOf(tickers),
    log,
    isBanned: (addressBlock) => bans.has(addressBlock),
    activeLinks: () => rooms.activeLinks(),
    admit: (link, peer) => rooms.admit(link, peer),
    ...countersOf(metrics),
  }).catch(async (error) => {
    trials?.close();
    referee.close();
    stopLogging();
    await closeFiles({ results, cluster, logs, logWriter });
    throw error;
  });
  const pageUrl = settings.origin[0] ?? new URL(httpServer.url).origin;
  const datagrams = () => httpServer.datagramOffer;

  // What reports on all these parts: health, and metrics
  const probed = { tickers, limits, rooms, httpServer, logs, cluster, uptimeMs };
  const readings = () =>
    readingsOf({
      ...probed,
      stalls,
      bans,
      logWriter,
      results,
      cluster: cluster?.readings,
      restarts,
    });
  const metricsText = () => metrics.text(readings());
  exportMetrics(() => metrics.families(readings()));

  // Who comes in: this machine's rooms decide alone, or together with those of all nodes.
  const url = settings["node-url"] ?? new URL(httpServer.url).origin;
  const node = cluster?.run({
    rooms,
    datagrams,
    url,
    gateway: undefined,
    process: undefined,
    loadMax: limits.tickLoad,
    health: () => nodeHealthOf(probed),
    families: () => metrics.families(readings()),
    bans,
    trials: trials!,
    faults,
  });
  const entrance = node && new NodeEntrance({
    home: node.home,
    secret,
    others: { owners: cluster!.owners, nodes: cluster!.nodes, url },
    clock,
    wallClock,
  });
  const tickets = entrance?.ticketsOf(node!.home.self) ?? new Tickets(secret, unixClock);
  const admission = admissionOf(entrance ?? rooms, {
    tickets,
    settings,
    authorise,
    datagrams,
    metrics,
    log,
  });

  // The operators' page: this process's rooms, or those of all nodes
  const operated = cluster &&
    new OperatedNodes(() => operatedNodes(cluster.nodes.living, url), new AskedNodes(cluster.bus));
  const ownLink = watchLinks(rooms, { tickets, pageUrl });
  const opsServer = await openOps({
    settings,
    token: secrets.opsToken,
    rooms: operated ?? operatedRooms(rooms, bans),
    async watchLink(name, room) {
      const own = ownLink(name, room);
      const other = own === undefined ? await operated?.nodeOf(name, room) : undefined;
      const server = other && cluster?.nodes.get(other)?.url;
      if (own !== undefined || !server) return own;
      return watchLinkOf({
        tickets: entrance!.ticketsOf(other),
        pageUrl,
        gameId: games[name]!.id,
        game: Object.keys(games).length > 1 ? name : "",
        room,
        server,
      });
    },
    figures: () => figuresOf(probed),
    bans,
    metricsText,
    allMetricsText: operated && (() => operated.metricsText()),
    log,
    logWriter,
  });

  // Everything is there: ticks run, other nodes hear of this one, and players come in.
  for (const ticker of tickers) ticker.start();
  cluster?.start();
  httpServer.answerWith({
    staticFiles: () => pages.filesFor(cluster?.readings.nodes ?? 1),
    admission,
    collectsHashes: settings["collect-hashes"],
    matchmaker: node?.matchmaker,
    connectSources: cluster && (() => sourcesOf(cluster, settings.origin)),
    ...routesOf({
      settings,
      rooms,
      pages,
      log,
      parent,
      failures,
      shared: cluster?.results.matches,
      listed: cluster?.listedRooms(),
    }),
    health: () => healthOf(probed),
    readiness: () => readinessOf(probed),
    metrics: settings.public ? undefined : metricsText,
    results: (wanted) => resultsAnswer({ results, games: settings.games }, wanted),
    gameSchemas: new Map(
      Object.values(games).map((game) => [game.id, JSON.stringify(gameSchemaOf(game))]),
    ),
  });

  // Tell the parent process or the caller that the server is ready.
  (parent ?? caller)?.ready({ url: httpServer.url, opsUrl: opsServer?.url });
  void trials?.lost.then(() => endLostProcess({ log, wait, hasParent: parent !== undefined }));
  const stopSampling = sampleEventLoop(metrics.eventLoopLag, systemScheduler);
  const ownSignals = stopSignals();
  const asked = (parent ?? caller)?.stops;
  const signals = asked === undefined ? ownSignals : eitherOf(ownSignals, asked);
  announceStart({
    url: httpServer.url,
    seed: settings.public ? undefined : seed,
    settings,
    log,
    logWriter,
  });
  if (unsupervisedReason !== undefined) log("unsupervised", { reason: unsupervisedReason });

  // Wait for a signal, and then until the rounds are over.
  const matches = () => rooms.matches();
  const graceMs = settings.grace * 1000;
  await drain.run({ matches, signals, graceMs, clock, wait, log, handOver: cluster?.leave });

  // Stop everything.
  for (const ticker of tickers) ticker.stop();
  heartbeat.endLoop();
  stopSampling();
  trials?.close();
  referee.close();
  await Promise.all([httpServer.close(GOING_AWAY, "the server stops"), opsServer?.close()]);
  await closeFiles({ results, cluster, logs, logWriter });
  ownSignals.close();
  stopLogging();
}

/** Counts what happens to sockets and requests. */
function countersOf(
  metrics: Metrics,
): Pick<HttpServerOptions, "onRefused" | "onClosed" | "onAnswered"> {
  return {
    onRefused: (cause) => metrics.countRefusal(cause),
    onClosed: (code, how) => metrics.countClose(code, how),
    onAnswered: (status, seconds) => metrics.countAnswer(status, seconds),
  };
}

/** Makes the admission, which issues tickets and redeems them. */
function admissionOf(
  entrance: Entrance,
  { tickets, settings, authorise, datagrams, metrics, log }:
    & Pick<AdmissionOptions, "tickets" | "datagrams">
    & {
      settings: Settings;
      authorise: Authorise | undefined;
      metrics: Metrics;
      log: Log;
    },
): Admission {
  return new Admission({
    tickets,
    entrance,
    needsTicket: settings.public || authorise !== undefined,
    hook: authorise && new AuthoriseHook(authorise, { log }),
    datagrams,
    keepsMatches: settings.data !== "off",
    onRefused: (code) => metrics.countHelloRefusal(code),
  });
}

/** Makes links with which an operator watches rooms of this process. */
function watchLinks(
  { byGame }: Rooms<unknown>,
  { tickets, pageUrl }: Pick<WatchLinkOptions, "tickets" | "pageUrl">,
): (game: string, room: string) => string | undefined {
  return (name, room) => {
    const played = byGame.get(name);
    const game = byGame.size > 1 ? name : "";
    return played?.has(room)
      ? watchLinkOf({ tickets, pageUrl, gameId: played.game.id, game, room })
      : undefined;
  };
}

/** Closes what a server writes to, each part before those that it writes to itself. */
async function closeFiles(
  { results, cluster, logs, logWriter }: {
    results: Results | undefined;
    cluster: Cluster | undefined;
    logs: FileLogs | undefined;
    logWriter: LogWriter;
  },
): Promise<void> {
  await cluster?.close();
  // After this a tick that waited for the disk is in its log, and only then does its round count.
  await logs?.close();
  results?.close();
  await logWriter.close(LOG_CLOSE_MS);
}

/** Opens the folder of match logs. @throws UsageError for a folder that cannot be used */
function logsOf(settings: Settings, log: Log): FileLogs | undefined {
  if (settings.data === "off") return undefined;
  const logs = FileLogs.open({
    folder: settings.data,
    sync: settings["journal-sync"],
    clock: unixClock,
    log,
  });
  adoptLogs(settings.data, { workers: 0, log });
  return logs;
}

/** Joins the machines that share the matches. @throws UsageError for servers that cannot be used */
async function clusterOf(
  games: Readonly<Record<string, Game<unknown>>>,
  { settings, secret, files, results, log }: {
    settings: Settings;
    secret: ServerSecret;
    files: FileLogs | undefined;
    results: Results | undefined;
    log: Log;
  },
): Promise<Cluster | undefined> {
  if (settings.cluster.length === 0 || files === undefined) return undefined;
  return await openCluster(games, {
    settings,
    node: namesOfMachine()(),
    secret,
    files,
    folders: [settings.data],
    results,
    log,
  });
}

/** The routes that only some servers have. */
function routesOf(
  { settings, rooms, pages, log, parent, failures, shared, listed }: {
    settings: Settings;
    parent: ParentLink | undefined;
    failures: RuleFailures;
    rooms: Rooms<unknown>;
    pages: Pages;
    log: Log;
    /** The matches of all machines; undefined for a machine by itself. */
    shared: HttpAnswers["matches"];
    /** The rooms of all machines; undefined as above. */
    listed: Pick<ListedRooms, "list"> | undefined;
  },
): Pick<HttpAnswers, "rooms" | "matches" | "developerApi" | "problems"> {
  // Finished matches: those of all machines, or those in this one's folder
  const games = Object.fromEntries([...rooms.byGame].map(([name, { game }]) => [name, game]));
  const { data: folder } = settings;
  let matches = shared;
  if (matches === undefined && folder !== "off") {
    matches = new MatchArchive({ folders: [folder], games, pause: () => wait(0) });
  }

  // For developers
  const watchOf = (game: string | undefined, room: string) =>
    (game === undefined ? rooms : rooms.byGame.get(game))?.matchOf(room)?.watch;
  const devLines = settings.dev ? parent?.devLines : undefined;
  const devInput = devLines && new DevInput(devLines, () => pages.reload());

  return {
    rooms: (game) => {
      if (listed !== undefined) return listed.list(game);
      return game === undefined ? rooms.list() : rooms.byGame.get(game)?.list();
    },
    matches,
    ...(settings["check-twin"] &&
      { developerApi: new DeveloperApi({ watchOf, log, now: () => clock.now() }) }),
    ...(devInput !== undefined && { problems: () => failures.addedTo(devInput.problems) }),
  };
}
