/** A match process's rooms, tickers and sockets, and its answers to its gateway. */
import type { Game } from "../../shared/netcode/game.ts";
import { GOING_AWAY } from "../../shared/netcode/wire/stop_reasons.ts";
import type { Bans } from "../bans/bans.ts";
import { answerGateway, type Entry, type Start, tellGateway } from "../bus/pipe_messages.ts";
import { healthOf, readinessOf } from "../metrics/health.ts";
import { ProxyTrust } from "../addresses/client_address.ts";
import { type HttpAnswers, HttpServer } from "../http/server.ts";
import { SiteRules } from "../http/site_rules.ts";
import { labelled } from "../metrics/merged_metrics.ts";
import { exportMetrics } from "../metrics/open_telemetry.ts";
import type { Cluster } from "../nodes/cluster.ts";
import { listAnswer, listSubject } from "../nodes/listed_rooms.ts";
import { ticketsWith } from "../nodes/node_entrance.ts";
import type { NodeHeartbeat } from "../nodes/nodes.ts";
import { shareBans } from "../nodes/shared_bans.ts";
import { answerOperators } from "../ops/asked_nodes.ts";
import { endLostProcess, logUncaughtErrors, type StopSignals } from "../ground/process.ts";
import { LentKeys, ServerSecret } from "../ground/server_secret.ts";
import { DEFAULT_REGION } from "../settings/cluster.ts";
import type { Settings } from "../settings/settings.ts";
import { ownHostName } from "../settings/workers.ts";
import { nodeHealthOf, openCluster } from "../start/cluster.ts";
import { datagramsOf } from "../start/network.ts";
import {
  type MatchRecords,
  openRecords,
  type ProbedMatches,
  RunningMatches,
} from "../start/running_matches.ts";
import { Heartbeat } from "../supervision/heartbeat.ts";
import { startWatchdog } from "../supervision/watchdog.ts";
import { Admission } from "../tickets/admission.ts";
import { clock, wait, wallClock } from "../ground/ticker.ts";
import type { TrialProgram } from "../trial/trial_threads.ts";
import type { GatewayLink } from "./gateway_link.ts";
import { RemoteResults } from "./remote_results.ts";

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
  readonly matches: RunningMatches;
  readonly records: MatchRecords;
  readonly admission: Admission;
  readonly httpServer: HttpServer;
  readonly probed: ProbedMatches;
  /** Whether other machines share the matches. */
  readonly isShared: boolean;
  /** Decides about a client that the gateway leads here. */
  readonly enter: (entry: Entry) => Promise<{ code: number; reason: string } | undefined>;
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
    const startMs = clock.now();
    const settings = start.settings as unknown as Settings;
    const { log, writer: logWriter } = gateway;
    logUncaughtErrors(log);

    // The matches' logs, here and on the servers that machines share, and the watchdog, which from
    // here on sees what runs
    const { keptBytesMax } = start;
    const records = openRecords(games, { settings, keptBytesMax, trialProgram, log });
    const heartbeat = new Heartbeat();
    startWatchdog(heartbeat);
    const cluster = start.cluster &&
      await openCluster(games, {
        settings,
        node: start.node,
        secret: new LentKeys(start.cluster.keys),
        files: records.logs!,
        folders: [settings.data],
        results: undefined,
        log,
      });

    // The matches, which do not tick yet, and the port, which answers until `run` that the server is
    // starting
    const matches = await RunningMatches.open(games, {
      settings,
      records,
      cluster,
      results: records.logs && new RemoteResults(gateway.bus),
      bans,
      heartbeat,
      faults: start.faults,
      trialProgram,
      startMs,
      secret: ServerSecret.ofText(start.roomSecret),
      log,
    });
    const { rooms, metrics } = matches;
    const redeemed = new Map<string, number>();
    const httpServer = await HttpServer.open({
      ...matches.forPort,
      host: settings.host,
      port: settings.port,
      tls: start.tls,
      datagrams: datagramsOf(settings),
      proxies: new ProxyTrust(settings["trust-proxy"]),
      site: siteOf(start, { settings, cluster }),
      admit(link, peer) {
        redeemed.set(peer.addressBlock, (redeemed.get(peer.addressBlock) ?? 0) + 1);
        rooms.admit(link, peer);
      },
    });
    const admission = new Admission({
      tickets: ticketsWith(Uint8Array.fromBase64(start.ticketKey), { clock, wallClock }),
      entrance: rooms,
      hook: undefined,
      needsTicket: true,
      onRefused() {},
    });

    // What the gateway and other nodes ask about
    const probed = matches.probedAt(httpServer);
    const families = () =>
      metrics.families(matches.readings(probed, { logWriter, results: undefined }));
    const place = start.cluster && { ...start.cluster, process: start.worker };
    const home = place && matches.joinOthers(probed, { place, families })?.home;
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
      matches,
      records,
      admission,
      httpServer,
      probed,
      isShared: cluster !== undefined,
      enter: ({ request, addressBlock, ticket, elsewhere }) => {
        const entry = { ...request, resume: request.resume };
        const peer = { addressBlock, ticket, elsewhere };
        if (home !== undefined) return home.enter(entry, peer);
        return Promise.resolve(rooms.faultOf(entry) ?? rooms.refusalOf(entry, peer));
      },
      redeemed,
    });
  }

  /** Plays until a signal. @returns when every link is closed */
  async run(signals: StopSignals): Promise<void> {
    const { gateway, start, matches, records: { logs }, admission, probed, httpServer, isShared } =
      this.#parts;
    const { log } = gateway;

    // Everything is there: ticks run, other nodes hear of this one, and players come in.
    matches.start();
    httpServer.answerWith({
      ...SOCKETS_ONLY,
      // Redeems tickets. Only gateways, which ask the operator's hook, issue them.
      admission: { redeem: (ticket) => admission.redeem(ticket) },
      health: () => healthOf(probed),
      readiness: () => readinessOf(probed),
    });

    // Tell the gateway that this process is ready.
    this.#answerGateway();
    this.report();
    const resumed = isShared ? [] : logs?.unfinished().map(({ id }) => id) ?? [];
    tellGateway(gateway.bus, "ready", { matches: resumed });
    void matches.lost.then(() => endLostProcess({ log, wait, hasParent: true }));
    const { rooms } = matches;
    log("match_process_ready", { url: httpServer.url, rooms: rooms.roomCount, node: start.node });

    // Play until a signal and the end of the rounds, then stop everything.
    await matches.drain(signals);
    matches.stop();
    await httpServer.close(GOING_AWAY, "the server stops");
    await matches.close();
  }

  /** Tells the gateway how this process is and, if that has changed, which rooms it has. */
  report(): void {
    const { gateway: { bus }, start, matches, probed, httpServer, redeemed } = this.#parts;
    const { rooms, limits } = matches;
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
    const { gateway: { bus, refuse }, start, matches: { rooms }, enter } = this.#parts;
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
