/**
 * The front process of `serve --workers N`: pages, API, tickets, results and operators. It starts the match processes,
 * sends each player to the one that has their room, and passes on no message of a match.
 */
import type { Game } from "../../shared/netcode/game.ts";
import { gameSchemaOf } from "../../shared/netcode/game_schema.ts";
import { GOING_AWAY } from "../../shared/netcode/wire/stop_reasons.ts";
import { UsageError } from "../../shared/flags.ts";
import { HttpServer } from "../http/server.ts";
import { encodeBase64Url } from "../http/std_web.ts";
import type { Pages } from "../http/pages.ts";
import type { Log } from "../log.ts";
import type { LogWriter } from "../log_writer.ts";
import { KEPT_BYTES_MAX, lockFolder } from "../match_log/file_logs.ts";
import { MatchArchive } from "../match_log/match_archive.ts";
import { Metrics } from "../metrics/metrics.ts";
import { exportMetrics } from "../metrics/open_telemetry.ts";
import { openOps } from "../ops/open_ops.ts";
import { logUncaughtErrors, type StopSignals, stopSignals } from "../process.ts";
import { Results } from "../results/results.ts";
import { resultsAnswer } from "../results/results_api.ts";
import { announceStart, LOG_CLOSE_MS, logWriterOf, networkOf, type OperatorSecrets } from "../serve.ts";
import { ServerSecret } from "../server_secret.ts";
import { limitsOf } from "../settings/limits.ts";
import type { Settings } from "../settings/settings.ts";
import { Stalls } from "../stalls.ts";
import { clock, unixClock, wait } from "../ticker.ts";
import type { Authorise } from "../tickets/authorise.ts";
import { AuthoriseHook } from "../tickets/authorise_hook.ts";
import { JoinDesk } from "../tickets/join_desk.ts";
import { Tickets } from "../tickets/tickets.ts";
import { watchLinkOf } from "../tickets/watch_link.ts";
import { adoptLogs, workerFolder } from "./adopt_logs.ts";
import { allRooms } from "./all_rooms.ts";
import { FrontDesk } from "./front_desk.ts";
import { frontFigures, frontHealthOf, frontReadinessOf } from "./front_health.ts";
import { FrontMetrics, frontReadingsOf } from "./front_metrics.ts";
import { FrontOperations, SharedBans } from "./front_operations.ts";
import type { Start } from "./messages.ts";
import { OpenTickets } from "./open_tickets.ts";
import { portsFor, type ServerPorts } from "./ports.ts";
import { RoomDirectory } from "./room_directory.ts";
import { WorkerAddresses } from "./worker_addresses.ts";
import { workerCommand } from "./worker_command.ts";
import { WorkerPool } from "./worker_pool.ts";

/** What a socket at this port is answered. */
const NO_TICKETS: Pick<Tickets, "issue" | "redeem"> = {
  issue() {
    throw new Error("no room is here");
  },
  redeem: () => ({ fault: "no socket opens here; the answer with a ticket names the address that has the room" }),
};

export interface FrontOptions {
  readonly settings: Settings;
  /** Match processes, at least two. */
  readonly workers: number;
  /** The module of this program, which the match processes run, too. */
  readonly module: string;
  /** The arguments of this process. */
  readonly programArgs: readonly string[];
  readonly pages: Pages;
  readonly secrets: OperatorSecrets;
  readonly authorise: Authorise | undefined;
}

/** What all parts of the front process need. */
interface Common {
  readonly options: FrontOptions;
  readonly games: Readonly<Record<string, Game<unknown>>>;
  readonly logWriter: LogWriter;
  readonly log: Log;
  readonly ports: ServerPorts;
  readonly network: ReturnType<typeof networkOf>;
  readonly seed: number;
  readonly secret: ServerSecret;
  readonly results: Results | undefined;
  /** Whether a signal to stop has come. */
  readonly stop: { hasBegun: boolean };
}

/** The match processes, and what is known of their rooms. */
interface Matches {
  readonly pool: WorkerPool;
  readonly directory: RoomDirectory;
  readonly bans: SharedBans;
  readonly openTickets: OpenTickets;
}

/**
 * Serves games until a signal stops the process.
 * @throws UsageError or ListenError for settings that cannot be used; then no match process runs
 */
export async function serveFront(games: Readonly<Record<string, Game<unknown>>>, options: FrontOptions): Promise<void> {
  const { settings, workers } = options, folder = settings.data;
  if ((await Deno.permissions.query({ name: "run", command: "deno" })).state !== "granted") {
    throw new UsageError(`--workers ${workers} starts processes, so Deno has to run with --allow-run=deno`);
  }
  const logWriter = logWriterOf(settings), { log } = logWriter;
  const ports = portsFor({ host: settings.host, port: settings.port, workers });
  const lock = folder === "off" ? undefined : lockFolder(folder);
  if (lock !== undefined) adoptLogs(folder, { workers, log });
  const results = lock && Results.open({ folder, unixClock, wait, log });
  const text = options.secrets.secret, secret = text === undefined ? ServerSecret.drawn() : ServerSecret.ofText(text);
  const seed = settings.seed ?? crypto.getRandomValues(new Uint32Array(1))[0]!;
  const network = networkOf({ ...settings, port: ports.page }), stop = { hasBegun: false };
  const common = { options, games, logWriter, log, ports, network, seed, secret, results, stop };
  const matches = matchesOf(common), { pool } = matches;
  await pool.start();
  results?.endOthers(pool.workers.flatMap(({ resumed }) => resumed));
  const front = await openFront(common, matches).catch(async (error) => {
    await pool.kill();
    throw error;
  });
  logUncaughtErrors(log);
  const signals = stopSignals();
  announceStart({ url: front.url, seed: settings.public ? undefined : seed, settings, log, logWriter });
  log("match_processes", { workers, ports: ports.workers.join(",") });
  await stopAll(common, pool, signals);
  await front.close();
  results?.close();
  lock?.close();
  await logWriter.close(LOG_CLOSE_MS);
}

/** Waits for the first signal, then for the match processes, which let their rounds end. */
async function stopAll(
  { options, log, stop }: Common,
  pool: WorkerPool,
  { first, second }: StopSignals,
): Promise<void> {
  const signal = await first, { grace } = options.settings;
  stop.hasBegun = true;
  log("stopping", { signal, graceSeconds: grace });
  pool.stop();
  void second.then(() => pool.stop());
  await pool.ended(grace * 1000);
}

/** The match processes. None of them has begun. */
function matchesOf(common: Common): Matches {
  const { options: { settings, module, programArgs, workers: count }, log, ports, results } = common;
  const folderOf = (worker: number) => settings.data === "off" ? undefined : workerFolder(settings.data, worker);
  const bans: SharedBans = new SharedBans(clock, { send: (message) => pool.send(message) });
  const pool: WorkerPool = new WorkerPool({
    ...{ count, results, clock, wait, log },
    spawn(worker) {
      const port = ports.workers[worker - 1]!;
      const { args, env } = workerCommand({
        ...{ module, args: programArgs, host: settings.host, port, folder: folderOf(worker) },
      });
      return new Deno.Command("deno", { args: [...args], env, stdin: "piped", stdout: "piped", stderr: "inherit" })
        .spawn();
    },
    startMessage: (worker) => startMessageOf(common, { worker, folder: folderOf(worker), bans }),
    onReport(worker) {
      directory.update(worker);
      for (const [block, count] of Object.entries(worker.report!.redeemed)) openTickets.use(block, count);
    },
  });
  const directory = new RoomDirectory(pool.workers, clock), openTickets = new OpenTickets(clock);
  return { pool, directory, bans, openTickets };
}

/** What one process's tickets are signed with. Another process can neither make one of them nor take it. */
function ticketSecretOf(secret: ServerSecret, worker: number): string {
  return encodeBase64Url(secret.bytesFor("tickets of a match process", worker));
}

function startMessageOf(
  { options: { settings, workers }, ports, network, seed, secret }: Common,
  { worker, folder = "off", bans }: { worker: number; folder: string | undefined; bans: SharedBans },
): Start {
  return {
    ...{ type: "start", worker, pagePort: ports.page, nowMs: unixClock.now(), bans: bans.list() },
    settings: { ...settings, port: ports.workers[worker - 1]!, data: folder },
    ticketSecret: ticketSecretOf(secret, worker),
    roomSecret: settings.public ? encodeBase64Url(secret.bytesFor("rooms of a match process", worker)) : `seed ${seed}`,
    ...network.tls && { tls: network.tls },
    keptBytesMax: Math.floor(KEPT_BYTES_MAX / workers),
  };
}

/** Opens the players' port, and that of operators. */
async function openFront(common: Common, matches: Matches): Promise<{ url: string; close(): Promise<void> }> {
  const { options: { settings, pages, authorise }, games, log, logWriter, network, results, stop } = common;
  const { pool: { workers }, directory, bans, openTickets } = matches,
    startMs = clock.now(),
    limits = limitsOf(settings);
  const metrics = new Metrics([]), stalls = new Stalls(startMs), isStopping = () => stop.hasBegun;
  const addresses = new WorkerAddresses({
    ...{ pattern: settings["worker-url"], ports: common.ports.workers, isTls: network.tls !== undefined },
  });
  const tickets = workers.map(({ number }) => (
    new Tickets(ServerSecret.ofText(ticketSecretOf(common.secret, number)), unixClock)
  ));
  const folders = settings.data === "off" ? [] : workers.map(({ number }) => workerFolder(settings.data, number));
  const desk = new JoinDesk({
    entrance: new FrontDesk({
      workers,
      tickets,
      directory,
      addresses,
      openTickets,
      games,
      isStopping,
      hasLogs: folders.length > 0,
    }),
    ...{ tickets: NO_TICKETS, needsTicket: true, hook: authorise && new AuthoriseHook(authorise, { log }) },
    onRefused: (code) => metrics.countHelloRefusal(code),
  });
  const httpServer: HttpServer = await HttpServer.open({
    ...network,
    ...{ limits, stalls, staticFiles: () => pages.files, log, desk, admit() {} },
    rooms: (game) => allRooms(workers, { games: settings.games, game }),
    matches: folders.length === 0 ? undefined : new MatchArchive({ folders, games, pause: () => wait(0) }),
    connectSources: (host) => addresses.connectSources(host),
    health: () => frontHealthOf(probed),
    readiness: () => frontReadinessOf(probed),
    metrics: settings.public ? undefined : () => frontMetrics.text(),
    results: (wanted) => resultsAnswer({ results, games: settings.games }, wanted),
    gameSchemas: new Map(Object.values(games).map((game) => [game.id, JSON.stringify(gameSchemaOf(game))])),
    isBanned: (addressBlock) => bans.has(addressBlock),
    onRefused: (cause) => metrics.countRefusal(cause),
    onAnswered: (status, seconds) => metrics.countAnswer(status, seconds),
  });
  const probed = { workers, httpServer, isStopping, uptimeMs: () => clock.now() - startMs };
  const readings = () => frontReadingsOf({ ...probed, bans, logWriter, results, stalls, limits });
  const frontMetrics = new FrontMetrics({ workers, metrics, readings });
  exportMetrics(() => frontMetrics.families());
  const operated = new FrontOperations(workers, directory),
    pageUrl = settings.origin[0] ?? new URL(httpServer.url).origin;
  const opsServer = await openOps({
    ...{ settings, token: common.options.secrets.opsToken, bans, log, logWriter, rooms: operated },
    figures: () => frontFigures(probed),
    metricsText: () => frontMetrics.text(),
    watchLink(game, room) {
      const worker = directory.find(game, room);
      if (worker === undefined) return undefined;
      const server = addresses.addressOf(worker, new URL(pageUrl).host);
      const hasSeveral = settings.games.length > 1, { id: gameId } = games[game]!;
      return watchLinkOf({
        tickets: tickets[worker - 1]!,
        pageUrl,
        gameId,
        game: hasSeveral ? game : "",
        room,
        server,
      });
    },
  });
  return {
    url: httpServer.url,
    close: async () => void await Promise.all([httpServer.close(GOING_AWAY, "the server stops"), opsServer?.close()]),
  };
}
