/**
 * The gateway of `serve --workers N`: pages, API, tickets, results and operators. It starts the
 * match processes of its machine and leads each player to the one that has their room, here or,
 * with `--cluster`, on another machine; it passes on none of a match's messages.
 */
import type { Game } from "../../shared/netcode/game.ts";
import { UsageError } from "../../shared/flags.ts";
import { GOING_AWAY } from "../../shared/netcode/wire/stop_reasons.ts";
import { type Ban, Bans } from "../bans/bans.ts";
import { keepBans } from "../bans/ban_file.ts";
import type { Start } from "../bus/pipe_messages.ts";
import { HttpServer } from "../http/server.ts";
import type { Pages } from "../http/pages.ts";
import { encodeBase64Url } from "../ground/std_web.ts";
import { adoptLogs, workerFolder } from "../match_log/adopt_logs.ts";
import { KEPT_BYTES_MAX, lockFolder } from "../match_log/file_logs.ts";
import { MatchArchive } from "../match_log/match_archive.ts";
import { KEYS_OF_MESSAGES } from "../messages/message_proof.ts";
import { Metrics } from "../metrics/metrics.ts";
import { exportMetrics } from "../metrics/open_telemetry.ts";
import type { Cluster } from "../nodes/cluster.ts";
import { LIST_KEPT_HERE_MS, ListedRooms } from "../nodes/listed_rooms.ts";
import { NodeEntrance, ticketKeyOf } from "../nodes/node_entrance.ts";
import { namesOfMachine } from "../nodes/node_names.ts";
import { AskedNodes } from "../ops/asked_nodes.ts";
import type { OperatedNode } from "../ops/meant.ts";
import { OperatedNodes, operatedNodes } from "../nodes/operated_nodes.ts";
import { openOps } from "../ops/open_ops.ts";
import { logUncaughtErrors, stopSignals } from "../ground/process.ts";
import { Results } from "../results/results.ts";
import { LentKeys, type OperatorSecrets, ServerSecret } from "../ground/server_secret.ts";
import { DEFAULT_REGION } from "../settings/cluster.ts";
import { limitsOf } from "../settings/limits.ts";
import { seedOf, type Settings } from "../settings/settings.ts";
import { Stalls } from "../ground/stalls.ts";
import { announceStart, LOG_CLOSE_MS, logWriterOf } from "../supervision/log_lines.ts";
import { openCluster } from "../start/cluster.ts";
import { networkOf, sourcesOf } from "../start/network.ts";
import { pageAnswers } from "../start/page_answers.ts";
import type { Fault } from "../supervision/faults.ts";
import { ServiceManager } from "../supervision/service_manager.ts";
import { clock, unixClock, wait, wallClock } from "../ground/ticker.ts";
import { Admission } from "../tickets/admission.ts";
import type { Authorise } from "../tickets/authorise.ts";
import { AuthoriseHook } from "../tickets/authorise_hook.ts";
import type { Tickets } from "../tickets/tickets.ts";
import { watchLinkOf } from "../tickets/watch_link.ts";
import { gatewayFigures, gatewayHealthOf, gatewayReadinessOf } from "./gateway_health.ts";
import { GatewayMetrics, gatewayReadingsOf } from "./gateway_metrics.ts";
import { MachineProcesses } from "./machine_processes.ts";
import { MatchProcesses } from "./match_processes.ts";
import { OpenTickets } from "./open_tickets.ts";
import { portsFor } from "./ports.ts";
import { ProcessAddresses } from "./process_addresses.ts";
import { processCommand } from "./process_command.ts";
import { RoomDirectory } from "./room_directory.ts";
import { runScaleHook, Scaling } from "./scaling.ts";

/** This port redeems no tickets, and tells a socket why. */
const NO_TICKETS: Pick<Tickets, "issue" | "redeem"> = {
  issue() {
    throw new Error("no room is here");
  },
  redeem: () => ({
    fault: "no socket opens here; the answer with a ticket names the address that has the room",
  }),
};

/** How often the free seats of the region are looked at, ms. */
const SCALE_EVERY_MS = 1_000;

export interface GatewayOptions {
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

/**
 * Serves games until a signal stops the process.
 * @throws UsageError or ListenError for settings that cannot be used; then no match process runs
 */
export async function serveGateway(
  games: Readonly<Record<string, Game<unknown>>>,
  { settings, workers, module, programArgs, reads, pages, secrets, authorise }: GatewayOptions,
): Promise<void> {
  const run = await Deno.permissions.query({ name: "run", command: Deno.execPath() });
  if (run.state !== "granted") {
    throw new UsageError(
      `--workers ${workers} starts processes, so Deno has to run with --allow-run`,
    );
  }

  const startMs = clock.now();
  const logWriter = logWriterOf(settings);
  const { log } = logWriter;
  const stopLogging = logUncaughtErrors(log);
  const limits = limitsOf(settings);
  const metrics = new Metrics([]);
  const stalls = new Stalls(startMs);
  const stop = { hasBegun: false };
  const isStopping = () => stop.hasBegun;

  // Ports and files first, because everything started below needs them.
  const { host, port, datagrams, "datagrams-host": udpHost = host, data: folder } = settings;
  const ports = portsFor({
    host,
    port,
    workers,
    udpHost: datagrams === "off" ? undefined : udpHost,
  });
  const lock = folder === "off" ? undefined : lockFolder(folder);
  if (lock !== undefined) adoptLogs(folder, { workers, log });
  const results = lock && Results.open({ folder, unixClock, wait, log });
  const folderOf = (worker: number) => folder === "off" ? undefined : workerFolder(folder, worker);
  const folders = ports.workers.flatMap((_, i) => folderOf(i + 1) ?? []);

  // Closes them again, after the machines that share the matches
  const closeFiles = async (cluster: Cluster | undefined) => {
    await cluster?.close();
    results?.close();
    lock?.close();
    await logWriter.close(LOG_CLOSE_MS);
    stopLogging();
  };

  // What all processes share: the secret, and the names of this machine's processes
  const secret = ServerSecret.given(secrets.secret);
  const seed = seedOf(settings);
  const newNode = namesOfMachine();
  const node = newNode();
  const tls = networkOf({ ...settings, port: ports.page }).tls;
  const ownUrl = settings["node-url"] ??
    `${tls === undefined ? "http" : "https"}://${urlHost(host)}:${ports.page}`;
  const addresses = new ProcessAddresses({
    pattern: settings["worker-url"],
    ports: ports.workers,
    isTls: tls !== undefined,
  });

  // The machines that share the matches. This process runs none, but hears of all.
  const cluster = settings.cluster.length === 0
    ? undefined
    : await openCluster(games, { settings, secret, node, files: undefined, folders, results, log })
      .catch(async (error) => {
        await closeFiles(undefined);
        throw error;
      });

  // The match processes, of which none has started yet, and what is known about their rooms
  const openTickets = new OpenTickets(clock);
  const bans = new Bans(unixClock);
  const bansFile = lock && keepBans(bans, { folder, log });
  const tellBan = (ban: Ban) => {
    for (const each of processes.all) each.tellBan(ban);
  };
  const onBanNews = (ban: Ban) => {
    bansFile?.write(bans.entries());
    tellBan(ban);
  };
  bans.onChange(tellBan);
  cluster?.shareBans(bans, onBanNews);
  const startMessage = (worker: number, started: { node: string; faults: readonly Fault[] }) =>
    startMessageOf({
      ...started,
      worker,
      settings: { ...settings, port: ports.workers[worker - 1]!, data: folderOf(worker) ?? "off" },
      count: workers,
      secret,
      seed,
      tls,
      bans,
      pagePort: ports.page,
      cluster: cluster && {
        url: addresses.addressOf(worker, new URL(ownUrl).host),
        gateway: ownUrl,
      },
    });
  const processes: MatchProcesses = new MatchProcesses({
    count: workers,
    stalls,
    clock,
    wait,
    optionsOf: (worker) => ({
      newNode,
      spawn: () =>
        spawnProcess({
          module,
          args: programArgs,
          host,
          port: ports.workers[worker - 1]!,
          folder: folderOf(worker),
          archive: settings.archive,
          servers: settings.cluster,
          reads,
          udpHost: settings["datagrams-host"],
        }),
      startMessage: (started) => startMessage(worker, started),
      results,
      onBan: (ban) => {
        if (bans.take(ban)) onBanNews(ban);
      },
      onCodes({ redeemed }) {
        directory.update(processes.all[worker - 1]!);
        for (const [block, count] of Object.entries(redeemed)) openTickets.use(block, count);
      },
      onEnded(ended) {
        // Other nodes need not miss its heartbeats: they take its matches at once.
        for (const fault of ended.faults) cluster?.faults.failed(fault);
        cluster?.nodes.sendEnd(ended.node);
      },
      clock,
      wait,
      log,
    }),
  });
  const directory = new RoomDirectory(processes.all, clock);
  cluster?.start();
  await processes.start().catch(async (error) => {
    await closeFiles(cluster);
    throw error;
  });
  if (cluster === undefined) results?.endOthers(processes.all.flatMap(({ resumed }) => resumed));

  // The players' port. Until `answerWith` it answers that the server is starting. Sockets never open
  // here (`NO_TICKETS`).
  const httpServer = await HttpServer.open({
    ...networkOf({ ...settings, port: ports.page }, cluster),
    datagrams: undefined,
    limits,
    stalls,
    log,
    isBanned: (addressBlock) => bans.has(addressBlock),
    admit() {},
    onRefused: (cause) => metrics.countRefusal(cause),
    onAnswered: (status, seconds) => metrics.countAnswer(status, seconds),
  }).catch(async (error) => {
    await processes.kill();
    await closeFiles(cluster);
    throw error;
  });

  // Who comes in, and where: to this machine's processes, or to other nodes.
  const entrance = new NodeEntrance({
    home: new MachineProcesses({
      processes: processes.all,
      directory,
      addresses,
      openTickets,
      games,
      isStopping,
      hasLogs: folder !== "off",
      isShared: cluster !== undefined,
      wait,
    }),
    secret,
    others: cluster && { owners: cluster.owners, nodes: cluster.nodes, url: ownUrl },
    clock,
    wallClock,
  });
  const admission = new Admission({
    entrance,
    tickets: NO_TICKETS,
    needsTicket: true,
    hook: authorise && new AuthoriseHook(authorise, { log }),
    keepsMatches: folder !== "off",
    onRefused: (code) => metrics.countHelloRefusal(code),
  });

  // What reports on all these parts: health, metrics, and the operators' page.
  const probed = {
    workers: processes.all,
    httpServer,
    isStopping,
    uptimeMs: () => clock.now() - startMs,
  };
  const asked = new AskedNodes(processes.bus);
  const operated = cluster === undefined
    ? new OperatedNodes(() => placesOf(processes.all), asked)
    : new OperatedNodes(
      () => operatedNodes(cluster.nodes.living, ownUrl),
      new AskedNodes(cluster.bus),
    );
  const readings = () =>
    gatewayReadingsOf({
      ...probed,
      bans,
      logWriter,
      results,
      stalls,
      limits,
      cluster: cluster?.readings,
    });
  const gatewayMetrics = new GatewayMetrics({ workers: processes.all, asked, metrics, readings });
  exportMetrics(() => gatewayMetrics.families());
  const pageUrl = settings.origin[0] ?? new URL(httpServer.url).origin;
  const watched = (name: string, room: string) => ({
    pageUrl,
    gameId: games[name]!.id,
    game: Object.keys(games).length > 1 ? name : "",
    room,
  });
  const opsServer = await openOps({
    settings,
    token: secrets.opsToken,
    bans,
    log,
    logWriter,
    rooms: operated,
    figures: () => gatewayFigures(probed),
    metricsText: () => gatewayMetrics.text(),
    allMetricsText: cluster && (() => operated.metricsText()),
    async watchLink(name, room) {
      if (cluster !== undefined) {
        const node = await operated.nodeOf(name, room);
        const server = node && cluster.nodes.get(node)?.url;
        return server &&
          watchLinkOf({ ...watched(name, room), tickets: entrance.ticketsOf(node), server });
      }
      const worker = directory.find(name, room);
      if (worker === undefined) return undefined;
      return watchLinkOf({
        ...watched(name, room),
        tickets: entrance.ticketsOf(processes.all[worker - 1]!.node),
        server: addresses.addressOf(worker, new URL(pageUrl).host),
      });
    },
  });

  // The rooms and matches that pages show: those of this machine's processes, or of all nodes
  const listed = cluster?.listedRooms() ?? new ListedRooms({
    own: undefined,
    nodes: () =>
      processes.all.filter(({ state }) => state === "up")
        .map(({ node, report }) => ({ node, health: report })),
    games,
    bus: processes.bus,
    keptMs: LIST_KEPT_HERE_MS,
    clock,
  });
  const matches = cluster?.results.matches ??
    (lock && new MatchArchive({ folders, games, pause: () => wait(0) }));

  // Everything is there, so players may come in.
  httpServer.answerWith({
    ...pageAnswers(games, {
      settings,
      pages,
      results,
      cluster,
      metricsText: () => gatewayMetrics.text(),
    }),
    admission,
    matchmaker: cluster?.matchmaker(),
    rooms: (game) => listed.list(game),
    matches,
    connectSources: cluster === undefined
      ? (host) => {
        const udpPorts = processes.all.map(({ report }) => report?.datagrams?.port);
        return addresses.connectSources(host, { udpPorts }).map((source) => [source]);
      }
      : () => sourcesOf(cluster, settings.origin),
    health: () => gatewayHealthOf(probed),
    readiness: () => gatewayReadinessOf(probed),
  });

  // Nodes on demand
  const hook = settings["scale-hook"];
  const scaling = hook === undefined || cluster === undefined ? undefined : new Scaling({
    region: settings.region ?? DEFAULT_REGION,
    url: ownUrl,
    seats: settings["scale-seats"],
    living: () => cluster.nodes.hasHeardAll ? cluster.nodes.living : undefined,
    ask: (request) => runScaleHook(hook, request, wait),
    clock,
    log,
  });
  if (scaling !== undefined) void keepScaling(scaling, isStopping);

  // Run until a signal.
  const signals = stopSignals();
  const services = new ServiceManager(log);
  services.ready();
  announceStart({
    url: httpServer.url,
    seed: settings.public ? undefined : seed,
    settings,
    log,
    logWriter,
  });
  log("match_processes", { workers, ports: ports.workers.join(",") });
  void signals.first.then(() => services.stopping());

  // Stop the match processes, which let their rounds end or hand their matches over.
  const signal = await signals.first;
  stop.hasBegun = true;
  log("stopping", { signal, graceSeconds: settings.grace });
  processes.stop();
  void signals.second.then(() => processes.stop());
  await processes.ended(settings.grace * 1000);

  // Then everything else, in the opposite order.
  services.close();
  await Promise.all([httpServer.close(GOING_AWAY, "the server stops"), opsServer?.close()]);
  await closeFiles(cluster);
}

/** Looks at the free seats again and again, until the server stops. */
async function keepScaling(scaling: Scaling, isStopping: () => boolean): Promise<void> {
  while (!isStopping()) {
    await wait(SCALE_EVERY_MS);
    await scaling.advance();
  }
}

/** This machine's processes, as operators name them. */
function placesOf(processes: MatchProcesses["all"]): OperatedNode[] {
  return processes.map(({ node, number, state, report }) => ({
    node,
    worker: number,
    machine: undefined,
    reason: report?.reason ?? state,
    load: report?.tickLoad ?? 0,
    rooms: report?.rooms ?? 0,
    clients: report?.clients ?? 0,
  }));
}

function spawnProcess(place: Parameters<typeof processCommand>[0]): Deno.ChildProcess {
  const { args, env } = processCommand(place);
  const command = new Deno.Command(Deno.execPath(), {
    args: [...args],
    env,
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  });
  return command.spawn();
}

function startMessageOf(
  { worker, node, settings, count, secret, seed, tls, bans, pagePort, faults, cluster }: {
    worker: number;
    node: string;
    /** With the process's own port and folder. */
    settings: Settings;
    count: number;
    secret: ServerSecret;
    seed: number;
    tls: Start["tls"];
    bans: Bans;
    pagePort: number;
    faults: readonly Fault[];
    cluster: { readonly url: string; readonly gateway: string } | undefined;
  },
): Start {
  return {
    worker,
    node,
    pagePort,
    bans: bans.entries(),
    faults: [...faults],
    settings: { ...settings },
    ticketKey: ticketKeyOf(node, secret).toBase64(),
    roomSecret: settings.public
      ? encodeBase64Url(secret.bytesFor("rooms of a match process", worker))
      : `seed ${seed}`,
    ...tls && { tls },
    ...cluster && { cluster: { ...cluster, keys: LentKeys.of(secret, KEYS_OF_MESSAGES) } },
    keptBytesMax: Math.floor(KEPT_BYTES_MAX / count),
  };
}

/** A host as it stands in a URL. A server that listens everywhere is found on this machine. */
function urlHost(host: string): string {
  if (host === "0.0.0.0" || host === "::") return "127.0.0.1";
  return host.includes(":") ? `[${host}]` : host;
}
