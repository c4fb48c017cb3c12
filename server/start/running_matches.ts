/**
 * The matches of one process, with everything that runs, records, tries and judges them. A server
 * by itself, a node of a cluster and a match process behind a gateway have the same parts, in this
 * order:
 *
 *     records → rooms, with the matches that go on → the port is open → ticks
 *         → a signal → the rounds end → stop → close
 */
import { deflateRawSync } from "node:zlib";
import type { Game } from "../../shared/netcode/game.ts";
import type { Bans } from "../bans/bans.ts";
import { Drain } from "../rooms/drain.ts";
import type { HealthOptions } from "../metrics/health.ts";
import type { HttpServer, HttpServerOptions } from "../http/server.ts";
import type { TickRunner } from "../links/links.ts";
import type { Log } from "../ground/log.ts";
import { adoptLogs } from "../match_log/adopt_logs.ts";
import { FileLogs } from "../match_log/file_logs.ts";
import { resumeMatches } from "../rooms/resume_matches.ts";
import { sampleEventLoop } from "../metrics/event_loop.ts";
import type { Family } from "../metrics/metric_text.ts";
import { Metrics, type Readings } from "../metrics/metrics.ts";
import type { Cluster } from "../nodes/cluster.ts";
import { readingsOf } from "../ops/open_ops.ts";
import { logFailures, type StopSignals } from "../ground/process.ts";
import { refereeFor } from "../referee/open_referee.ts";
import type { Referee } from "../referee/referee.ts";
import type { ServerResults } from "../match/result_sink.ts";
import { Rooms, type RoomsOptions } from "../rooms/rooms.ts";
import { hashToken } from "../ground/server_secret.ts";
import { type Limits, limitsOf } from "../settings/limits.ts";
import type { Settings } from "../settings/settings.ts";
import { Stalls } from "../ground/stalls.ts";
import type { Fault } from "../supervision/faults.ts";
import type { Heartbeat } from "../supervision/heartbeat.ts";
import { clock, systemScheduler, Ticker, unixClock, wait } from "../ground/ticker.ts";
import { trialsFor } from "../trial/open_trials.ts";
import type { TrialProgram } from "../trial/trial_threads.ts";
import type { Trials } from "../trial/trials.ts";
import { nodeHealthOf } from "./cluster.ts";

/**
 * What outlives a process, and lets its matches go on in the next one. With `--data off` there is
 * neither.
 */
export interface MatchRecords {
  readonly logs: FileLogs | undefined;
  readonly trials: Trials | undefined;
}

/** What probes, metrics and operators ask about. */
export type ProbedMatches = HealthOptions & {
  readonly rooms: Rooms<unknown>;
  readonly httpServer: HttpServer;
};

/** Where a process is among those that share the matches. */
export interface NodePlace {
  /** Where players reach it. */
  readonly url: string;
  /** The gateway in front of it, and its number there; undefined for a whole server. */
  readonly gateway: string | undefined;
  readonly process: number | undefined;
}

export interface RunningMatchesOptions
  extends Pick<RoomsOptions<unknown>, "log" | "secret" | "onRoomFailed"> {
  readonly settings: Settings;
  readonly records: MatchRecords;
  /** The machines that share the matches; undefined for a machine by itself. */
  readonly cluster: Cluster | undefined;
  /** Where results go, unless machines share them. */
  readonly results: ServerResults | undefined;
  readonly bans: Bans;
  readonly heartbeat: Heartbeat;
  /** Matches that stopped the previous process; by default none. */
  readonly faults?: readonly Fault[] | undefined;
  /** What runs in the referee's thread; undefined as for `refereeFor`. */
  readonly trialProgram: TrialProgram | undefined;
  /** When the process began, ms of `clock`. */
  readonly startMs: number;
}

/**
 * Opens the folder of match logs, and makes the trials.
 * @param options.keptBytesMax as for `FileLogs`
 * @throws UsageError for a folder that cannot be used
 */
export function openRecords(
  games: Readonly<Record<string, Game<unknown>>>,
  { settings, keptBytesMax, trialProgram, log }: {
    readonly settings: Settings;
    readonly keptBytesMax?: number;
    readonly trialProgram: TrialProgram | undefined;
    readonly log: Log;
  },
): MatchRecords {
  const { data: folder, "journal-sync": sync, cluster } = settings;
  if (folder === "off") return { logs: undefined, trials: undefined };
  const options = { folder, sync, clock: unixClock, log };
  const logs = FileLogs.open({ ...options, ...keptBytesMax !== undefined && { keptBytesMax } });
  adoptLogs(folder, { workers: 0, log });

  // A thread loads the games while this thread opens everything else.
  const trials = trialsFor(games, { program: trialProgram, log });
  if (cluster.length > 0 || logs.unfinished().length > 0) trials.warm();
  return { logs, trials };
}

export class RunningMatches {
  readonly rooms: Rooms<unknown>;
  readonly limits: Limits;
  readonly metrics: Metrics;
  readonly stalls: Stalls;
  readonly #options: RunningMatchesOptions;
  readonly #tickers: readonly Ticker[];
  readonly #referee: Referee;
  readonly #drain: Drain;
  #stopSampling = (): void => {};

  private constructor(
    options: RunningMatchesOptions,
    parts: Pick<RunningMatches, "rooms" | "limits" | "metrics" | "stalls"> & {
      readonly referee: Referee;
      readonly drain: Drain;
    },
  ) {
    this.#options = options;
    this.rooms = parts.rooms;
    this.limits = parts.limits;
    this.metrics = parts.metrics;
    this.stalls = parts.stalls;
    this.#referee = parts.referee;
    this.#drain = parts.drain;
    this.#tickers = parts.rooms.tickRates.map((hz) => this.#tickerOf(hz));
  }

  /** Opens the rooms, including those of matches that another process began. Nothing ticks yet. */
  static async open(
    games: Readonly<Record<string, Game<unknown>>>,
    options: RunningMatchesOptions,
  ): Promise<RunningMatches> {
    const { settings, records: { logs: files, trials }, cluster, bans, faults, log } = options;
    const limits = limitsOf(settings);
    const metrics = new Metrics(settings.games);
    const stalls = new Stalls(options.startMs);
    const drain = new Drain();
    const referee = refereeFor(games, { program: options.trialProgram, log });
    const logs = cluster?.logs ?? files;
    const results = cluster?.results ?? options.results;

    const rooms = new Rooms({
      games,
      logs,
      results,
      secret: options.secret,
      referee,
      authority: settings.authority,
      verify: settings.verify,
      npcs: settings.npcs,
      stream: settings.stream,
      checkTwin: settings["check-twin"],
      isTunable: settings.dev,
      idleSeconds: settings.idle,
      mayOpen: cluster?.logs?.mayEnter,
      isBarred: (gameId, room, peer) => bans.isBarred(gameId, room, peer),
      limits,
      drain,
      stalls,
      heartbeat: options.heartbeat,
      clock,
      unixClock,
      deflate,
      hashToken,
      log,
      onGameTicked: (game, ms) => metrics.observeTick(game, ms / 1000),
      onHelloRefused: (code) => metrics.countHelloRefusal(code),
      ...options.onRoomFailed && { onRoomFailed: options.onRoomFailed },
    });

    // Matches that are not over go on. All others in the results have ended.
    const resuming = logs && trials &&
      await resumeMatches({ rooms, logs, trials, faults, wait, log });
    results?.endOthers(logs!.unfinished().map(({ id }) => id));

    // A node needs its trials until the end, because it may take matches over at any time.
    if (cluster === undefined) {
      void (resuming?.all ?? Promise.resolve()).then(() => trials?.close());
    }
    return new RunningMatches(options, { rooms, limits, metrics, stalls, drain, referee });
  }

  /** What the players' port needs to know. */
  get forPort(): Pick<
    HttpServerOptions,
    | "limits"
    | "stalls"
    | "tickRunner"
    | "log"
    | "isBanned"
    | "activeLinks"
    | "admit"
    | "onRefused"
    | "onClosed"
    | "onAnswered"
  > {
    const { rooms, limits, stalls, metrics } = this;
    const { bans, log } = this.#options;
    return {
      limits,
      stalls,
      log,
      tickRunner: tickRunnerOf(this.#tickers),
      isBanned: (addressBlock) => bans.has(addressBlock),
      activeLinks: () => rooms.activeLinks(),
      admit: (link, peer) => rooms.admit(link, peer),
      onRefused: (cause) => metrics.countRefusal(cause),
      onClosed: (code, how) => metrics.countClose(code, how),
      onAnswered: (status, seconds) => metrics.countAnswer(status, seconds),
    };
  }

  /** Resolves when a trial hangs so that nothing else can end it. */
  get lost(): Promise<unknown> {
    return this.#options.records.trials?.lost ?? new Promise(() => {});
  }

  /** How the matches are. @param httpServer the players' port */
  probedAt(httpServer: HttpServer): ProbedMatches {
    const { rooms, limits } = this;
    const { records: { logs }, cluster, startMs } = this.#options;
    const uptimeMs = () => clock.now() - startMs;
    return { tickers: this.#tickers, limits, rooms, httpServer, logs, cluster, uptimeMs };
  }

  /** The values behind the metrics. */
  readings(
    probed: ProbedMatches,
    others: Pick<Parameters<typeof readingsOf>[0], "logWriter" | "results" | "restarts">,
  ): Readings {
    const { bans, cluster } = this.#options;
    return readingsOf({
      ...probed,
      ...others,
      stalls: this.stalls,
      bans,
      cluster: cluster?.readings,
    });
  }

  /** Takes its place among the machines that share the matches; undefined for one by itself. */
  joinOthers(
    probed: ProbedMatches,
    { place, families }: {
      readonly place: NodePlace;
      readonly families: () => Iterable<Family>;
    },
  ): ReturnType<Cluster["run"]> | undefined {
    const { cluster, records: { trials }, bans, faults } = this.#options;
    return cluster?.run({
      ...place,
      rooms: this.rooms,
      datagrams: () => probed.httpServer.datagramOffer,
      loadMax: this.limits.tickLoad,
      health: () => nodeHealthOf(probed),
      families,
      bans,
      trials: trials!,
      faults,
    });
  }

  /** Lets everything begin: ticks run, and other nodes hear of this one. */
  start(): void {
    for (const ticker of this.#tickers) ticker.start();
    this.#options.cluster?.start();
    this.#stopSampling = sampleEventLoop(this.metrics.eventLoopLag, systemScheduler);
  }

  /** Waits for a signal, and then until the rounds are over or other machines have the matches. */
  async drain(signals: StopSignals): Promise<void> {
    const { settings, cluster, log } = this.#options;
    await this.#drain.run({
      matches: () => this.rooms.matches(),
      signals,
      graceMs: settings.grace * 1000,
      clock,
      wait,
      log,
      handOver: cluster?.leave,
    });
  }

  /** Ends the ticks and the threads. The links are still open. */
  stop(): void {
    const { records: { trials }, heartbeat } = this.#options;
    for (const ticker of this.#tickers) ticker.stop();
    heartbeat.endLoop();
    this.#stopSampling();
    trials?.close();
    this.#referee.close();
  }

  /**
   * Closes what the matches write to, after the links. A tick that waited for the disk is in its log
   * then, and only then does its round count.
   */
  async close(): Promise<void> {
    const { cluster, records: { logs } } = this.#options;
    await cluster?.close();
    await logs?.close();
  }

  /** Makes the ticker for all games with one tick rate. It observes each tick's lateness. */
  #tickerOf(hz: number): Ticker {
    const { rooms, metrics, stalls } = this;
    const { heartbeat, log } = this.#options;
    return new Ticker({
      hz,
      onTick(dueMs) {
        stalls.beat(clock.now());
        heartbeat.loop();
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
}

/**
 * Compresses a state in about a third of a ms, once for all clients that get it in the same tick. A
 * client may request two states a second (SPEC 4.3).
 */
function deflate(bytes: Uint8Array): Uint8Array {
  return deflateRawSync(bytes);
}

/** Combines the ticks of all tickers, which floods of messages must not delay. */
function tickRunnerOf(tickers: readonly Ticker[]): TickRunner {
  return {
    get ticks() {
      return tickers.reduce((sum, { ticks }) => sum + ticks, 0);
    },
    hurry() {
      for (const ticker of tickers) ticker.hurry();
    },
  };
}
