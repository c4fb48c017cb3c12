/** A match process's rooms, tickers and sockets, and its answers to its gateway. */
import type { Game } from "../../shared/netcode/game.ts";
import { GOING_AWAY } from "../../shared/netcode/wire/stop_reasons.ts";
import type { Bans } from "../bans.ts";
import { answerGateway, type Entry, type Start, tellGateway } from "../bus/pipe_messages.ts";
import { Drain } from "../drain.ts";
import { healthOf, readinessOf } from "../health.ts";
import { ProxyTrust } from "../http/client_address.ts";
import { type HttpAnswers, HttpServer } from "../http/server.ts";
import { SiteRules } from "../http/site_rules.ts";
import { FileLogs } from "../match_log/file_logs.ts";
import { sampleEventLoop } from "../metrics/event_loop.ts";
import { labelled } from "../metrics/merged_metrics.ts";
import { Metrics } from "../metrics/metrics.ts";
import { exportMetrics } from "../metrics/open_telemetry.ts";
import type { Cluster } from "../nodes/cluster.ts";
import { listAnswer, listSubject } from "../nodes/listed_rooms.ts";
import { ticketsWith } from "../nodes/node_entrance.ts";
import type { NodeHeartbeat } from "../nodes/nodes.ts";
import { shareBans } from "../nodes/shared_bans.ts";
import { answerOperators } from "../ops/asked_nodes.ts";
import { readingsOf } from "../ops/open_ops.ts";
import { endLostProcess, logUncaughtErrors, type StopSignals } from "../process.ts";
import type { Rooms } from "../rooms.ts";
import { nodeHealthOf, openCluster } from "../start/cluster.ts";
import { datagramsOf } from "../start/network.ts";
import { openRooms, tickerOf, tickRunnerOf } from "../start/started_rooms.ts";
import { LentKeys, ServerSecret } from "../server_secret.ts";
import { DEFAULT_REGION } from "../settings/cluster.ts";
import { type Limits, limitsOf } from "../settings/limits.ts";
import type { Settings } from "../settings/settings.ts";
import { Stalls } from "../stalls.ts";
import { Heartbeat } from "../supervision/heartbeat.ts";
import { startWatchdog } from "../supervision/watchdog.ts";
import { clock, systemScheduler, Ticker, unixClock, wait, wallClock } from "../ticker.ts";
import { Admission } from "../tickets/admission.ts";
import type { Referee } from "../referee/referee.ts";
import { trialsFor } from "../trial/open_trials.ts";
import type { TrialProgram } from "../trial/trial_threads.ts";
import type { Trials } from "../trial/trials.ts";
import type { GatewayLink } from "./gateway_link.ts";
import { RemoteResults } from "./remote_results.ts";
import { ownHostName } from "../gateway/process_addresses.ts";

/** Its port serves sockets and probes; pages and figures are the gateway's. */
const SOCKETS_ONLY: Pick<HttpAnswers, "staticFiles" | "metrics" | "rooms" | "gameSchemas"> = {
  staticFiles: () => new Map(),
  metrics: undefined,
  rooms: () => undefined,
  gameSchemas: new Map(),
};

/** After so many reports, 5 s, the codes of the rooms are said again although they are the same. */
const CODES_EVERY_REPORTS = 25;

interface HostParts {
  readonly gateway: GatewayLink;
  readonly start: Start;
  readonly settings: Settings;
  readonly limits: Limits;
  readonly rooms: Rooms<unknown>;
  readonly admission: Admission;
  readonly httpServer: HttpServer;
  readonly tickers: readonly Ticker[];
  readonly heartbeat: Heartbeat;
  readonly logs: FileLogs | undefined;
  /** Its part in what several machines share; undefined for a machine by itself. */
  readonly cluster: Cluster | undefined;
  /** Decides about a client that the gateway leads here. */
  readonly enter: (entry: Entry) => Promise<{ code: number; reason: string } | undefined>;
  readonly trials: Trials | undefined;
  readonly referee: Referee;
  readonly drain: Drain;
  readonly metrics: Metrics;
  readonly stalls: Stalls;
  readonly probed: Parameters<typeof nodeHealthOf>[0];
  /** Tickets used since the last report, by the customer behind the address. */
  readonly redeemed: Map<string, number>;
}

export class MatchHost {
  readonly #parts: HostParts;
  /** What the gateway was told last about the rooms here. */
  #codesSaid = "";
  #reportsSinceCodes = 0;

  private constructor(parts: HostParts) {
    this.#parts = parts;
  }

  /** @throws UsageError or ListenError for settings that cannot be used */
  static async open(
    games: Readonly<Record<string, Game<unknown>>>,
    { gateway, start, bans, trialProgram }: {
      gateway: GatewayLink;
      start: Start;
      bans: Bans;
      trialProgram: TrialProgram | undefined;
    },
  ): Promise<MatchHost> {
    const settings = start.settings as unknown as Settings;
    const limits = limitsOf(settings);
    const { log } = gateway;
    logUncaughtErrors(log);

    const beganMs = clock.now();
    const metrics = new Metrics(settings.games);
    const stalls = new Stalls(beganMs);
    const drain = new Drain();
    const redeemed = new Map<string, number>();

    // The matches' logs, here and on the servers that machines share, and the watchdog, which from
    // here on sees what runs
    const logs = settings.data === "off" ? undefined : FileLogs.open({
      folder: settings.data,
      sync: settings["journal-sync"],
      clock: unixClock,
      log,
      keptBytesMax: start.keptBytesMax,
    });
    const heartbeat = new Heartbeat();
    startWatchdog(heartbeat);
    const trials = logs && trialsFor(games, { program: trialProgram, log });
    const cluster = start.cluster &&
      await openCluster(games, {
        settings,
        node: start.node,
        secret: new LentKeys(start.cluster.keys),
        files: logs!,
        folders: [settings.data],
        results: undefined,
        log,
      });

    // A thread loads the games while this thread opens everything else.
    if (cluster !== undefined) trials?.warm();

    // The rooms, including those of unfinished matches, and the tickers that will run them
    const { rooms, resumed, referee } = await openRooms(games, {
      settings,
      logs: cluster?.logs ?? logs,
      results: cluster?.results ?? (logs && new RemoteResults(gateway.bus)),
      mayOpen: cluster?.logs?.mayEnter,
      isBarred: (gameId, room, peer) => bans.isBarred(gameId, room, peer),
      heartbeat,
      stalls,
      limits,
      log,
      metrics,
      drain,
      secret: ServerSecret.ofText(start.roomSecret),
      trials,
      trialProgram,
      faults: start.faults,
    });

    // A node needs its trials until the end, because it may take matches over at any time.
    if (cluster === undefined) void resumed.then(() => trials?.close());
    const tickers = rooms.tickRates.map((hz) =>
      tickerOf(rooms, { hz, metrics, stalls, heartbeat, log })
    );

    const admission = new Admission({
      tickets: ticketsWith(Uint8Array.fromBase64(start.ticketKey), { clock, wallClock }),
      entrance: rooms,
      hook: undefined,
      needsTicket: true,
      onRefused() {},
    });

    // Until `run` its port answers that the server is starting.
    const httpServer = await HttpServer.open({
      host: settings.host,
      port: settings.port,
      tls: start.tls,
      limits,
      stalls,
      log,
      tickRunner: tickRunnerOf(tickers),
      datagrams: datagramsOf(settings),
      proxies: new ProxyTrust(settings["trust-proxy"]),
      site: siteOf(start, { settings, cluster }),
      isBanned: (addressBlock) => bans.has(addressBlock),
      activeLinks: () => rooms.activeLinks(),
      admit(link, peer) {
        redeemed.set(peer.addressBlock, (redeemed.get(peer.addressBlock) ?? 0) + 1);
        rooms.admit(link, peer);
      },
      onRefused: (cause) => metrics.countRefusal(cause),
      onClosed: (code, how) => metrics.countClose(code, how),
      onAnswered: (status, seconds) => metrics.countAnswer(status, seconds),
    });

    // What the gateway and other nodes ask about
    const uptimeMs = () => clock.now() - beganMs;
    const probed = { tickers, limits, rooms, httpServer, logs, cluster, uptimeMs };
    const families = () =>
      metrics.families(readingsOf({
        ...probed,
        rooms,
        httpServer,
        stalls,
        bans,
        logWriter: gateway.writer,
        results: undefined,
        cluster: cluster?.readings,
      }));
    const home = cluster && start.cluster && cluster.run({
      rooms,
      datagrams: () => httpServer.datagramOffer,
      url: start.cluster.url,
      gateway: start.cluster.gateway,
      process: start.worker,
      loadMax: limits.tickLoad,
      health: () => nodeHealthOf(probed),
      families,
      bans,
      trials: trials!,
      faults: start.faults,
    }).home;
    answerOperators(gateway.bus, {
      node: start.node,
      rooms,
      bans,
      families,
      // Without other machines no process can take a match of another one.
      cordon({ isCordoned }) {
        rooms.cordon(isCordoned);
        return 0;
      },
    });
    if (cluster === undefined) shareBans(bans, { bus: gateway.bus, node: start.node });
    else cluster.shareBans(bans);
    exportMetrics(() =>
      labelled({ labels: { worker: String(start.worker) }, families: families() })
    );

    return new MatchHost({
      gateway,
      start,
      settings,
      limits,
      rooms,
      admission,
      httpServer,
      tickers,
      heartbeat,
      logs,
      cluster,
      enter: ({ request, addressBlock, ticket, elsewhere }) => {
        const entry = { ...request, resume: request.resume };
        const peer = { addressBlock, ticket, elsewhere };
        if (home !== undefined) return home.enter(entry, peer);
        return Promise.resolve(rooms.faultOf(entry) ?? rooms.refusalOf(entry, peer));
      },
      trials,
      referee,
      drain,
      metrics,
      stalls,
      probed,
      redeemed,
    });
  }

  /** Plays until a signal. @returns when every link is closed */
  async run(signals: StopSignals): Promise<void> {
    const {
      gateway,
      start,
      settings,
      rooms,
      admission,
      tickers,
      heartbeat,
      logs,
      cluster,
      drain,
      metrics,
      probed,
      httpServer,
      trials,
      referee,
    } = this.#parts;
    const { log } = gateway;

    // Everything is there: ticks run, other nodes hear of this one, and players come in.
    for (const ticker of tickers) ticker.start();
    cluster?.start();
    httpServer.answerWith({
      ...SOCKETS_ONLY,
      // Redeems tickets. Only gateways, which ask the operator's hook, issue them.
      admission: { redeem: (ticket) => admission.redeem(ticket) },
      health: () => healthOf(probed),
      readiness: () => readinessOf(probed),
    });
    const stopSampling = sampleEventLoop(metrics.eventLoopLag, systemScheduler);

    // Tell the gateway that this process is ready.
    this.#answerGateway();
    this.report();
    const matches = cluster === undefined ? logs?.unfinished().map(({ id }) => id) ?? [] : [];
    tellGateway(gateway.bus, "ready", { matches });
    void trials?.lost.then(() => endLostProcess({ log, wait, hasParent: true }));
    log("match_process_ready", { url: httpServer.url, rooms: rooms.roomCount, node: start.node });

    // Wait for a signal, and then until the rounds are over.
    await drain.run({
      matches: () => rooms.matches(),
      signals,
      graceMs: settings.grace * 1000,
      clock,
      wait,
      log,
      handOver: cluster?.leave,
    });

    for (const ticker of tickers) ticker.stop();
    heartbeat.endLoop();
    stopSampling();
    trials?.close();
    referee.close();
    await httpServer.close(GOING_AWAY, "the server stops");
    await cluster?.close();
    await logs?.close();
  }

  /** Tells the gateway how this process is and, if that has changed, which rooms it has. */
  report(): void {
    const { gateway: { bus }, start, limits, rooms, probed, httpServer, redeemed } = this.#parts;
    const heartbeat: NodeHeartbeat = {
      node: start.node,
      process: start.worker,
      region: DEFAULT_REGION,
      url: new URL(httpServer.url).origin,
      datagrams: httpServer.datagramOffer,
      leaves: rooms.isStopping,
      matches: rooms.roomCount,
      load: rooms.tickLoad,
      loadMax: limits.tickLoad,
      health: nodeHealthOf(probed),
    };
    bus.publish(`beat.${start.node}`, JSON.stringify(heartbeat));

    // The codes change seldom, so they are said when they do, and now and then in case the gateway
    // has missed them.
    const games = Object.fromEntries([...rooms.byGame].map(([name, each]) => [name, each.codes()]));
    const text = JSON.stringify(games);
    const isNews = text !== this.#codesSaid || redeemed.size > 0;
    if (!isNews && ++this.#reportsSinceCodes < CODES_EVERY_REPORTS) return;
    this.#codesSaid = text;
    this.#reportsSinceCodes = 0;
    tellGateway(bus, "codes", { games, redeemed: Object.fromEntries(redeemed) });
    redeemed.clear();
  }

  #answerGateway(): void {
    const { gateway: { bus, refuse }, start, rooms, enter } = this.#parts;
    answerGateway(bus, "enter", { answer: async (entry) => await enter(entry) ?? null, refuse });
    answerGateway(bus, "places", {
      answer: ({ addressBlock }) => rooms.placesOf(addressBlock),
      refuse,
    });
    bus.subscribe(listSubject(start.node), () => Promise.resolve(listAnswer(rooms)));
  }
}

function siteOf(
  { worker, pagePort }: Start,
  { settings, cluster }: { settings: Settings; cluster: Cluster | undefined },
): SiteRules {
  const own = ownHostName(settings["worker-url"], worker);
  const hosts = settings["allow-host"];
  return new SiteRules({
    origins: settings.origin,
    host: settings.host,
    isPublic: settings.public,
    pagePort,
    hosts: own === undefined ? hosts : [...hosts, own],
    nodeOrigins: cluster?.origins,
  });
}
