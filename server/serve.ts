/**
 * The server of one game or of several. The HTTP server admits links to the rooms, and the tickers
 * run the rooms: one ticker for each tick rate, shared by all games with this rate.
 */
import type { Game } from "../shared/netcode/game.ts";
import { GOING_AWAY } from "../shared/netcode/wire/stop_reasons.ts";
import { keepBans } from "./bans/ban_file.ts";
import { Bans } from "./bans/bans.ts";
import { DevInput } from "./dev/dev_input.ts";
import { RuleFailures } from "./dev/rule_failures.ts";
import { DeveloperApi } from "./dev/developer_api.ts";
import { healthOf, readinessOf } from "./metrics/health.ts";
import type { Pages } from "./http/pages.ts";
import { type HttpAnswers, HttpServer } from "./http/server.ts";
import type { Log } from "./ground/log.ts";
import type { FileLogs } from "./match_log/file_logs.ts";
import { MatchArchive } from "./match_log/match_archive.ts";
import { exportMetrics } from "./metrics/open_telemetry.ts";
import type { Cluster } from "./nodes/cluster.ts";
import { NodeEntrance } from "./nodes/node_entrance.ts";
import { namesOfMachine } from "./nodes/node_names.ts";
import { AskedNodes } from "./ops/asked_nodes.ts";
import { figuresOf, openOps, operatedRooms } from "./ops/open_ops.ts";
import { OperatedNodes, operatedNodes } from "./nodes/operated_nodes.ts";
import {
  endLostProcess,
  logUncaughtErrors,
  type StopSignals,
  stopSignals,
} from "./ground/process.ts";
import { Results } from "./results/results.ts";
import type { Rooms } from "./rooms/rooms.ts";
import { type OperatorSecrets, ServerSecret } from "./ground/server_secret.ts";
import { seedOf, type Settings } from "./settings/settings.ts";
import { openCluster } from "./start/cluster.ts";
import { announceStart, LOG_CLOSE_MS, logWriterOf } from "./supervision/log_lines.ts";
import { networkOf, sourcesOf } from "./start/network.ts";
import { pageAnswers } from "./start/page_answers.ts";
import { openRecords, RunningMatches } from "./start/running_matches.ts";
import { Heartbeat } from "./supervision/heartbeat.ts";
import type { ParentLink } from "./supervision/parent_link.ts";
import { eitherOf } from "./supervision/stop_messages.ts";
import { startWatchdog } from "./supervision/watchdog.ts";
import { clock, unixClock, wait, wallClock } from "./ground/ticker.ts";
import { Admission } from "./tickets/admission.ts";
import type { Authorise } from "./tickets/authorise.ts";
import { AuthoriseHook } from "./tickets/authorise_hook.ts";
import { Tickets } from "./tickets/tickets.ts";
import { watchLinkOf, type WatchLinkOptions } from "./tickets/watch_link.ts";
import type { TrialProgram } from "./trial/trial_threads.ts";

/** A program that a server is a part of. */
export interface Caller {
  /** Called when the server listens. @param places the players' and the operators' URLs */
  ready(places: { url: string; opsUrl: string | undefined }): void;
  /** Its requests to stop, counted as signals are. */
  readonly stops: StopSignals;
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
  const logWriter = logWriterOf(settings);
  const { log } = logWriter;
  const stopLogging = logUncaughtErrors(log);
  const secret = ServerSecret.given(secrets.secret);
  const seed = seedOf(settings);
  const bans = new Bans(unixClock);
  const failures = new RuleFailures();

  // The supervisor reports what became of the previous process, and from here on its watchdog sees
  // what is at work.
  const { faults, restarts } = await parent?.start ?? {};
  const heartbeat = new Heartbeat();
  if (parent !== undefined) startWatchdog(heartbeat);

  // What outlives the process: logs and results, in a folder or shared with other machines
  const records = openRecords(games, { settings, trialProgram, log });
  const { logs } = records;
  const results = logs && Results.open({ folder: settings.data, unixClock, wait, log });
  const cluster = await clusterOf(games, { settings, secret, files: logs, results, log });

  // Who is kept out: as before the restart, and as on all machines
  const bansFile = logs && keepBans(bans, { folder: settings.data, log });
  cluster?.shareBans(bans, () => bansFile?.write(bans.entries()));

  // The matches, which do not tick yet. A public server keeps its seeds secret; any other server's
  // matches can be repeated from the seed.
  const matches = await RunningMatches.open(games, {
    settings,
    records,
    cluster,
    results,
    bans,
    heartbeat,
    faults,
    trialProgram,
    startMs,
    secret: settings.public ? secret : ServerSecret.ofText(`seed ${seed}`),
    log,
    ...settings.dev && { onRoomFailed: (error: unknown) => failures.add(error) },
  });
  const { rooms, metrics } = matches;
  const closeFiles = async () => {
    await matches.close();
    results?.close();
    await logWriter.close(LOG_CLOSE_MS);
  };

  // The ports are open from here on. Until `answerWith` they answer that the server is starting, so
  // nothing below is read before it exists.
  const httpServer = await HttpServer.open({
    ...networkOf(settings, cluster),
    ...matches.forPort,
  }).catch(async (error) => {
    matches.stop();
    stopLogging();
    await closeFiles();
    throw error;
  });
  const pageUrl = settings.origin[0] ?? new URL(httpServer.url).origin;

  // What reports on all these parts: health, and metrics
  const probed = matches.probedAt(httpServer);
  const readings = () => matches.readings(probed, { logWriter, results, restarts });
  const metricsText = () => metrics.text(readings());
  const families = () => metrics.families(readings());
  exportMetrics(families);

  // Who comes in: this machine's rooms decide alone, or together with those of all nodes.
  const url = settings["node-url"] ?? new URL(httpServer.url).origin;
  const place = { url, gateway: undefined, process: undefined };
  const node = matches.joinOthers(probed, { place, families });
  const entrance = node && new NodeEntrance({
    home: node.home,
    secret,
    others: { owners: cluster!.owners, nodes: cluster!.nodes, url },
    clock,
    wallClock,
  });
  const tickets = entrance?.ticketsOf(node!.home.self) ?? new Tickets(secret, unixClock);
  const admission = new Admission({
    tickets,
    entrance: entrance ?? rooms,
    needsTicket: settings.public || authorise !== undefined,
    hook: authorise && new AuthoriseHook(authorise, { log }),
    datagrams: () => httpServer.datagramOffer,
    keepsMatches: settings.data !== "off",
    onRefused: (code) => metrics.countHelloRefusal(code),
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
  matches.start();
  httpServer.answerWith({
    ...pageAnswers(games, { settings, pages, results, cluster, metricsText }),
    admission,
    matchmaker: node?.matchmaker,
    connectSources: cluster && (() => sourcesOf(cluster, settings.origin)),
    ...routesOf({ settings, rooms, pages, log, parent, failures, cluster }),
    health: () => healthOf(probed),
    readiness: () => readinessOf(probed),
  });

  // Tell the parent process or the caller that the server is ready.
  (parent ?? caller)?.ready({ url: httpServer.url, opsUrl: opsServer?.url });
  void matches.lost.then(() => endLostProcess({ log, wait, hasParent: parent !== undefined }));
  const ownSignals = stopSignals();
  const asked = (parent ?? caller)?.stops;
  announceStart({
    url: httpServer.url,
    seed: settings.public ? undefined : seed,
    settings,
    log,
    logWriter,
  });
  if (unsupervisedReason !== undefined) log("unsupervised", { reason: unsupervisedReason });

  // Play until a signal and the end of the rounds, then stop everything.
  await matches.drain(asked === undefined ? ownSignals : eitherOf(ownSignals, asked));
  matches.stop();
  await Promise.all([httpServer.close(GOING_AWAY, "the server stops"), opsServer?.close()]);
  await closeFiles();
  ownSignals.close();
  stopLogging();
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
  { settings, rooms, pages, log, parent, failures, cluster }: {
    settings: Settings;
    parent: ParentLink | undefined;
    failures: RuleFailures;
    rooms: Rooms<unknown>;
    pages: Pages;
    log: Log;
    /** The machines that share their matches; undefined for a machine by itself. */
    cluster: Cluster | undefined;
  },
): Pick<HttpAnswers, "rooms" | "matches" | "developerApi" | "problems"> {
  // Finished matches: those of all machines, or those in this one's folder
  const games = Object.fromEntries([...rooms.byGame].map(([name, { game }]) => [name, game]));
  const { data: folder } = settings;
  let matches: HttpAnswers["matches"] = cluster?.results.matches;
  if (matches === undefined && folder !== "off") {
    matches = new MatchArchive({ folders: [folder], games, pause: () => wait(0) });
  }

  const listed = cluster?.listedRooms();

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
