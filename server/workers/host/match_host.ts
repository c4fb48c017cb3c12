/** A match process's rooms, tickers and sockets, and its answers to the front process. */
import type { Game } from "../../../shared/netcode/game.ts";
import type { Clock } from "../../../shared/netcode/link.ts";
import { GOING_AWAY } from "../../../shared/netcode/wire/stop_reasons.ts";
import { Bans } from "../../bans.ts";
import { Drain } from "../../drain.ts";
import { healthOf, type HealthOptions, readinessOf } from "../../health.ts";
import { ProxyTrust } from "../../http/client_address.ts";
import { type HttpAnswers, HttpServer } from "../../http/server.ts";
import { SiteRules } from "../../http/site_rules.ts";
import { FileLogs } from "../../match_log/file_logs.ts";
import { sampleEventLoop } from "../../metrics/event_loop.ts";
import { Metrics } from "../../metrics/metrics.ts";
import { exportMetrics } from "../../metrics/open_telemetry.ts";
import { readingsOf } from "../../ops/open_ops.ts";
import { isMeant } from "../../ops/operations.ts";
import { endLostProcess, logUncaughtErrors, type StopSignals } from "../../process.ts";
import type { Rooms } from "../../rooms.ts";
import { datagramsOf } from "../../start/network.ts";
import { openRooms, tickerOf, tickRunnerOf } from "../../start/started_rooms.ts";
import { ServerSecret } from "../../server_secret.ts";
import { limitsOf } from "../../settings/limits.ts";
import type { Settings } from "../../settings/settings.ts";
import { Stalls } from "../../stalls.ts";
import { Heartbeat } from "../../supervision/heartbeat.ts";
import { startWatchdog } from "../../supervision/watchdog.ts";
import { clock, systemScheduler, Ticker, unixClock, wait } from "../../ticker.ts";
import { Admission } from "../../tickets/admission.ts";
import { Tickets } from "../../tickets/tickets.ts";
import type { Referee } from "../../referee/referee.ts";
import { trialsFor } from "../../trial/open_trials.ts";
import type { TrialProgram } from "../../trial/trial_threads.ts";
import type { Trials } from "../../trial/trials.ts";
import type { FrontLink } from "./front_link.ts";
import { labelled, plainFamilies } from "../merged_metrics.ts";
import type { AnswerTo, Ask, Entry, Start } from "../messages.ts";
import { RemoteResults } from "./remote_results.ts";
import { ownHostName } from "../front/worker_addresses.ts";

/** Its port serves sockets and probes; pages and figures are the front process's. */
const SOCKETS_ONLY: Pick<HttpAnswers, "staticFiles" | "metrics" | "rooms" | "gameSchemas"> = {
  staticFiles: () => new Map(),
  metrics: undefined,
  rooms: () => undefined,
  gameSchemas: new Map(),
};

interface HostParts {
  readonly front: FrontLink;
  readonly start: Start;
  readonly settings: Settings;
  readonly rooms: Rooms<unknown>;
  readonly admission: Admission;
  readonly httpServer: HttpServer;
  readonly tickers: readonly Ticker[];
  readonly heartbeat: Heartbeat;
  readonly logs: FileLogs | undefined;
  readonly trials: Trials | undefined;
  readonly referee: Referee;
  readonly drain: Drain;
  readonly bans: Bans;
  readonly metrics: Metrics;
  readonly stalls: Stalls;
  readonly probed: HealthOptions;
  /** Tickets used since the last report, by the customer behind the address. */
  readonly redeemed: Map<string, number>;
}

export class MatchHost {
  readonly #parts: HostParts;

  private constructor(parts: HostParts) {
    this.#parts = parts;
  }

  /** @throws UsageError or ListenError for settings that cannot be used */
  static async open(
    games: Readonly<Record<string, Game<unknown>>>,
    { front, start, ticketClock, trialProgram }: {
      front: FrontLink;
      start: Start;
      ticketClock: Clock;
      trialProgram: TrialProgram | undefined;
    },
  ): Promise<MatchHost> {
    const settings = start.settings as unknown as Settings;
    const limits = limitsOf(settings);
    const { log } = front;
    logUncaughtErrors(log);

    const beganMs = clock.now();
    const metrics = new Metrics(settings.games);
    const stalls = new Stalls(beganMs);
    const drain = new Drain();
    const bans = bansOf(start);
    const redeemed = new Map<string, number>();

    // The matches' logs, and the watchdog, which from here on sees what runs
    const logs = settings.data === "off" ? undefined : FileLogs.open({
      folder: settings.data,
      sync: settings["journal-sync"],
      clock: unixClock,
      log,
      keptBytesMax: start.keptBytesMax,
    });
    const heartbeat = new Heartbeat();
    startWatchdog(heartbeat);

    // The rooms, including those of unfinished matches, and the tickers that will run them
    const trials = logs && trialsFor(games, { program: trialProgram, log });
    const { rooms, resumed, referee } = await openRooms(games, {
      settings,
      logs,
      results: logs && new RemoteResults(front),
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
    void resumed.then(() => trials?.close());
    const tickers = rooms.tickRates.map((hz) =>
      tickerOf(rooms, { hz, metrics, stalls, heartbeat, log })
    );

    const admission = new Admission({
      tickets: new Tickets(ServerSecret.ofText(start.ticketSecret), ticketClock),
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
      site: siteOf(start, settings),
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

    // What the front process asks about
    const probed = {
      tickers,
      limits,
      rooms,
      httpServer,
      logs,
      uptimeMs: () => clock.now() - beganMs,
    };
    return new MatchHost({
      front,
      start,
      settings,
      rooms,
      admission,
      httpServer,
      tickers,
      heartbeat,
      logs,
      trials,
      referee,
      drain,
      bans,
      metrics,
      stalls,
      probed,
      redeemed,
    });
  }

  get bans(): Bans {
    return this.#parts.bans;
  }

  get isStopping(): boolean {
    return this.#parts.drain.isStopping;
  }

  /** Plays until a signal. @returns when every link is closed */
  async run(signals: StopSignals): Promise<void> {
    const {
      front,
      start,
      settings,
      rooms,
      admission,
      tickers,
      heartbeat,
      logs,
      drain,
      metrics,
      probed,
      httpServer,
      trials,
      referee,
    } = this.#parts;
    const { log } = front;

    // Everything is there: ticks run, and players come in.
    exportMetrics(() => labelled({ worker: String(start.worker), families: this.#families() }));
    for (const ticker of tickers) ticker.start();
    httpServer.answerWith({
      ...SOCKETS_ONLY,
      // Redeems tickets. Only the front process, which asks the operator's hook, issues them.
      admission: { redeem: (ticket) => admission.redeem(ticket) },
      health: () => healthOf(probed),
      readiness: () => readinessOf(probed),
    });
    const stopSampling = sampleEventLoop(metrics.eventLoopLag, systemScheduler);

    // Tell the front process that this one is ready.
    this.report();
    front.send({ type: "ready", matches: logs?.unfinished().map(({ id }) => id) ?? [] });
    void trials?.lost.then(() => endLostProcess({ log, wait, hasParent: true }));
    log("match_process_ready", { url: httpServer.url, rooms: rooms.roomCount });

    // Wait for a signal, and then until the rounds are over.
    await drain.run({
      matches: () => rooms.matches(),
      signals,
      graceMs: settings.grace * 1000,
      clock,
      wait,
      log,
    });

    for (const ticker of tickers) ticker.stop();
    heartbeat.endLoop();
    stopSampling();
    referee.close();
    await httpServer.close(GOING_AWAY, "the server stops");
    await logs?.close();
  }

  /** Sends what lists and probes show of this process. */
  report(): void {
    const { front, rooms, probed, httpServer, redeemed } = this.#parts;
    const { uptimeSeconds: _, ...health } = healthOf(probed);
    const { reason } = readinessOf(probed);
    const games = Object.fromEntries([...rooms.byGame].map(([name, each]) => [name, {
      codes: each.codes(),
      list: each.list().map((listing) => ({ ...listing })),
    }]));
    front.send({
      type: "report",
      ...health,
      reason,
      tickLoad: rooms.tickLoad,
      sockets: httpServer.socketCount,
      games,
      setAside: rooms.setAsideCount,
      datagrams: httpServer.datagramOffer,
      redeemed: Object.fromEntries(redeemed),
    });
    redeemed.clear();
  }

  /** Answers the front process's question. */
  answer(id: number, ask: Ask): void {
    this.#parts.front.send({ type: "answer", id, value: this.#answerTo(ask) });
  }

  #answerTo(ask: Ask): AnswerTo<Ask["what"]> {
    const { rooms } = this.#parts;
    switch (ask.what) {
      case "refusal":
        return this.#refusalOf(ask.entry);
      case "places":
        return rooms.placesOf(ask.addressBlock);
      case "details":
        return rooms.details().map((room) => ({
          ...room,
          clients: room.clients.map((each) => ({ ...each })),
        }));
      case "metrics":
        return plainFamilies(this.#families());
      case "closeLinks":
        return rooms.closeLinks((peer) => isMeant(peer, ask), ask.code, ask.reason);
      case "closeRoom":
        return rooms.closeRoom(ask.game, ask.room, ask.reason);
      case "announce":
        return rooms.announce(ask.text);
    }
  }

  #refusalOf({ request, addressBlock, ticket, elsewhere }: Entry): AnswerTo<"refusal"> {
    const { rooms } = this.#parts;
    const entry = { ...request, resume: request.resume };
    return rooms.faultOf(entry) ?? rooms.refusalOf(entry, { addressBlock, ticket, elsewhere }) ??
      null;
  }

  #families() {
    const { metrics, front, probed, rooms, httpServer, stalls, bans } = this.#parts;
    const readings = readingsOf({
      ...probed,
      rooms,
      httpServer,
      stalls,
      bans,
      logWriter: front.writer,
      results: undefined,
      cluster: undefined,
    });
    return metrics.families(readings);
  }
}

function bansOf({ bans }: Start): Bans {
  const all = new Bans(clock);
  for (const { addressBlock, seconds } of bans) all.add(addressBlock, seconds);
  return all;
}

function siteOf({ worker, pagePort }: Start, settings: Settings): SiteRules {
  const own = ownHostName(settings["worker-url"], worker);
  const hosts = settings["allow-host"];
  return new SiteRules({
    origins: settings.origin,
    host: settings.host,
    isPublic: settings.public,
    pagePort,
    hosts: own === undefined ? hosts : [...hosts, own],
  });
}
