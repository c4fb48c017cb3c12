/** The front process's two ports: the players', with pages, API and tickets, and the operators'. */
import type { Game } from "../../../shared/netcode/game.ts";
import { gameSchemaOf } from "../../../shared/netcode/game_schema.ts";
import { GOING_AWAY } from "../../../shared/netcode/wire/stop_reasons.ts";
import { HttpServer } from "../../http/server.ts";
import { encodeBase64Url } from "../../http/std_web.ts";
import type { Pages } from "../../http/pages.ts";
import type { Log } from "../../log.ts";
import type { LogWriter } from "../../log_writer.ts";
import { MatchArchive } from "../../match_log/match_archive.ts";
import { Metrics } from "../../metrics/metrics.ts";
import { exportMetrics } from "../../metrics/open_telemetry.ts";
import { openOps, type OpsOptions } from "../../ops/open_ops.ts";
import type { Results } from "../../results/results.ts";
import { resultsAnswer } from "../../results/results_api.ts";
import type { OperatorSecrets } from "../../serve.ts";
import type { networkOf } from "../../start/network.ts";
import { ServerSecret } from "../../server_secret.ts";
import { limitsOf } from "../../settings/limits.ts";
import type { Settings } from "../../settings/settings.ts";
import type { Stalls } from "../../stalls.ts";
import { clock, unixClock, wait } from "../../ticker.ts";
import type { Authorise } from "../../tickets/authorise.ts";
import { AuthoriseHook } from "../../tickets/authorise_hook.ts";
import { Admission } from "../../tickets/admission.ts";
import { Tickets } from "../../tickets/tickets.ts";
import { watchLinkOf } from "../../tickets/watch_link.ts";
import { workerFolder } from "../adopt_logs.ts";
import { allRooms } from "./all_rooms.ts";
import { FrontEntrance } from "./front_entrance.ts";
import { frontFigures, frontHealthOf, frontReadinessOf } from "./front_health.ts";
import { FrontMetrics, frontReadingsOf } from "./front_metrics.ts";
import { FrontOperations, type SharedBans } from "./front_operations.ts";
import type { OpenTickets } from "./open_tickets.ts";
import type { ServerPorts } from "./ports.ts";
import type { RoomDirectory } from "./room_directory.ts";
import { WorkerAddresses } from "./worker_addresses.ts";
import type { WorkerPool } from "./worker_pool.ts";

/** This port redeems no tickets, and tells a socket why. */
const NO_TICKETS: Pick<Tickets, "issue" | "redeem"> = {
  issue() {
    throw new Error("no room is here");
  },
  redeem: () => ({
    fault: "no socket opens here; the answer with a ticket names the address that has the room",
  }),
};

export interface FrontOptions {
  readonly settings: Settings;
  /** The number of match processes, at least two. */
  readonly workers: number;
  /** This program's module, which the match processes run too. */
  readonly module: string;
  /** This process's arguments. */
  readonly programArgs: readonly string[];
  /** Folders with modules that the program names only when it runs. */
  readonly reads: readonly string[];
  readonly pages: Pages;
  readonly secrets: OperatorSecrets;
  readonly authorise: Authorise | undefined;
}

/** What all parts of the front process need. */
export interface Common {
  readonly options: FrontOptions;
  readonly games: Readonly<Record<string, Game<unknown>>>;
  readonly logWriter: LogWriter;
  readonly log: Log;
  readonly ports: ServerPorts;
  readonly network: ReturnType<typeof networkOf>;
  readonly seed: number;
  readonly secret: ServerSecret;
  readonly results: Results | undefined;
  readonly stalls: Stalls;
  /** Whether a signal to stop has come. */
  readonly stop: { hasBegun: boolean };
}

/** The match processes, and what is known about their rooms. */
export interface Matches {
  readonly pool: WorkerPool;
  readonly directory: RoomDirectory;
  readonly bans: SharedBans;
  readonly openTickets: OpenTickets;
}

/** The secret behind one process's tickets, which other processes can neither issue nor redeem. */
export function ticketSecretOf(secret: ServerSecret, worker: number): string {
  return encodeBase64Url(secret.bytesFor("tickets of a match process", worker));
}

/** A port that answers players. */
export interface OpenFront {
  /** The page's URL. */
  readonly url: string;
  close(): Promise<void>;
}

/** Opens the players' port and the operators'. @throws ListenError if it cannot listen there */
export async function openFront(common: Common, matches: Matches): Promise<OpenFront> {
  const { options, games, log, logWriter, network, results, stalls, stop } = common;
  const { settings, pages } = options;
  const { pool: { workers }, bans } = matches;
  const startMs = clock.now();
  const limits = limitsOf(settings);
  const metrics = new Metrics([]);
  const tickets = ticketsOf(common);

  // Until `answerWith` this port answers that the server is starting. Sockets never open here
  // (`NO_TICKETS`).
  const httpServer = await HttpServer.open({
    ...network,
    datagrams: undefined,
    limits,
    stalls,
    log,
    isBanned: (addressBlock) => bans.has(addressBlock),
    admit() {},
    onRefused: (cause) => metrics.countRefusal(cause),
    onAnswered: (status, seconds) => metrics.countAnswer(status, seconds),
  });

  // How players reach the match processes
  const addresses = new WorkerAddresses({
    pattern: settings["worker-url"],
    ports: common.ports.workers,
    isTls: network.tls !== undefined,
  });
  const onRefused = (code: number) => metrics.countHelloRefusal(code);
  const admission = admissionOf(common, { matches, tickets, addresses, onRefused });

  // What reports on all these parts: health, metrics, and the operators' page.
  const probed = {
    workers,
    httpServer,
    isStopping: () => stop.hasBegun,
    uptimeMs: () => clock.now() - startMs,
  };
  const readings = () => frontReadingsOf({ ...probed, bans, logWriter, results, stalls, limits });
  const frontMetrics = new FrontMetrics({ workers, metrics, readings });
  exportMetrics(() => frontMetrics.families());

  // The operators' port
  const pageUrl = settings.origin[0] ?? new URL(httpServer.url).origin;
  const opsServer = await openOps({
    settings,
    token: options.secrets.opsToken,
    bans,
    log,
    logWriter,
    rooms: new FrontOperations(workers, matches.directory),
    figures: () => frontFigures(probed),
    metricsText: () => frontMetrics.text(),
    watchLink: watchLinks(common, { matches, tickets, addresses, pageUrl }),
  });

  // Everything is there, so players may come in.
  httpServer.answerWith({
    staticFiles: () => pages.filesFor(1),
    admission,
    collectsHashes: settings["collect-hashes"],
    rooms: (game) => allRooms(workers, { games: settings.games, game }),
    matches: archiveOf(common),
    connectSources: (host) => {
      const udpPorts = workers.map(({ report }) => report?.datagrams?.port);
      return addresses.connectSources(host, { udpPorts }).map((source) => [source]);
    },
    health: () => frontHealthOf(probed),
    readiness: () => frontReadinessOf(probed),
    metrics: settings.public ? undefined : () => frontMetrics.text(),
    results: (wanted) => resultsAnswer({ results, games: settings.games }, wanted),
    gameSchemas: new Map(
      Object.values(games).map((game) => [game.id, JSON.stringify(gameSchemaOf(game))]),
    ),
  });
  const close = async () => {
    await Promise.all([httpServer.close(GOING_AWAY, "the server stops"), opsServer?.close()]);
  };
  return { url: httpServer.url, close };
}

/** Each match process's tickets, and its address. */
interface PlacementParts {
  readonly matches: Matches;
  /** Each process's tickets, at its number less one. */
  readonly tickets: readonly Tickets[];
  readonly addresses: WorkerAddresses;
}

function admissionOf(
  { options: { settings, authorise }, games, log, stop }: Common,
  { matches, tickets, addresses, onRefused }: PlacementParts & {
    onRefused: (code: number) => void;
  },
): Admission {
  const { pool: { workers }, directory, openTickets } = matches;
  const hasLogs = settings.data !== "off";
  const entrance = new FrontEntrance({
    workers,
    tickets,
    directory,
    addresses,
    openTickets,
    games,
    hasLogs,
    isStopping: () => stop.hasBegun,
  });
  const hook = authorise && new AuthoriseHook(authorise, { log });
  return new Admission({
    entrance,
    tickets: NO_TICKETS,
    needsTicket: true,
    hook,
    keepsMatches: hasLogs,
    onRefused,
  });
}

function ticketsOf({ ports, secret }: Common): Tickets[] {
  return ports.workers.map((_, i) =>
    new Tickets(ServerSecret.ofText(ticketSecretOf(secret, i + 1)), unixClock)
  );
}

/** The finished matches of all processes. */
function archiveOf(
  { options: { settings: { data } }, ports, games }: Common,
): MatchArchive | undefined {
  if (data === "off") return undefined;
  const folders = ports.workers.map((_, i) => workerFolder(data, i + 1));
  return new MatchArchive({ folders, games, pause: () => wait(0) });
}

/** Makes links with which an operator watches rooms. */
function watchLinks(
  { games }: Common,
  { matches: { directory }, tickets, addresses, pageUrl }: PlacementParts & { pageUrl: string },
): OpsOptions["watchLink"] {
  return (name, room) => {
    const worker = directory.find(name, room);
    const game = Object.keys(games).length > 1 ? name : "";
    if (worker === undefined) return undefined;
    const server = addresses.addressOf(worker, new URL(pageUrl).host);
    const { id: gameId } = games[name]!;
    return watchLinkOf({ tickets: tickets[worker - 1]!, pageUrl, gameId, game, room, server });
  };
}
