/**
 * Makes the rooms at the server's start, including those for matches that another process began,
 * and then the tickers that run them.
 */
import { deflateRawSync } from "node:zlib";
import type { Game } from "../../shared/netcode/game.ts";
import type { Log } from "../log.ts";
import type { Fault } from "../supervision/faults.ts";
import { resumeMatches } from "../match_log/resume_matches.ts";
import type { Metrics } from "../metrics/metrics.ts";
import type { TickRunner } from "../links/links.ts";
import { logFailures } from "../process.ts";
import type { ServerResults } from "../results/result_sink.ts";
import { Rooms, type RoomsOptions } from "../rooms.ts";
import { hashToken } from "../server_secret.ts";
import type { Settings } from "../settings/settings.ts";
import type { Stalls } from "../stalls.ts";
import type { Heartbeat } from "../supervision/heartbeat.ts";
import { clock, Ticker, unixClock, wait } from "../ticker.ts";
import { refereeFor } from "../referee/open_referee.ts";
import type { Referee } from "../referee/referee.ts";
import type { TrialProgram } from "../trial/trial_threads.ts";
import type { Trials } from "../trial/trials.ts";

/**
 * Compresses a state in about a third of a ms, once for all clients that get it in the same tick. A
 * client may request two states a second (SPEC 4.3).
 */
function deflate(bytes: Uint8Array): Uint8Array {
  return deflateRawSync(bytes);
}

interface OpenedRooms extends
  Pick<
    RoomsOptions<unknown>,
    "stalls" | "limits" | "log" | "logs" | "drain" | "secret" | "mayOpen" | "isBarred" | "heartbeat"
  > {
  readonly settings: Settings;
  readonly metrics: Metrics;
  readonly results: ServerResults | undefined;
  /** Needed with `logs`. */
  readonly trials: Trials | undefined;
  /** What runs in the referee's thread; undefined as for `refereeFor`. */
  readonly trialProgram: TrialProgram | undefined;
  /** Matches that stopped the previous process; by default none. */
  readonly faults?: readonly Fault[] | undefined;
}

/**
 * Opens the rooms, including those for matches that another process began.
 * @returns a promise of when the server may listen; `resumed` resolves when no more matches are
 * being tried
 */
export async function openRooms(
  games: Readonly<Record<string, Game<unknown>>>,
  { settings, metrics, trials, trialProgram, faults, ...options }: OpenedRooms,
): Promise<
  {
    readonly rooms: Rooms<unknown>;
    readonly resumed: Promise<void>;
    readonly referee: Referee;
  }
> {
  const referee = refereeFor(games, { program: trialProgram, log: options.log });
  const rooms = new Rooms({
    games,
    referee,
    authority: settings.authority,
    verify: settings.verify,
    clock,
    deflate,
    unixClock,
    hashToken,
    ...options,
    npcs: settings.npcs,
    stream: settings.stream,
    checkTwin: settings["check-twin"],
    isTunable: settings.dev,
    idleSeconds: settings.idle,
    onGameTicked: (game, ms) => metrics.observeTick(game, ms / 1000),
    onHelloRefused: (code) => metrics.countHelloRefusal(code),
  });

  // Resume matches that are not over. All others in the results have ended.
  const { logs, results, log } = options;
  const resuming = logs && trials &&
    await resumeMatches({ rooms, logs, trials, faults, wait, log });
  results?.endOthers(logs!.unfinished().map(({ id }) => id));
  return { rooms, resumed: resuming?.all ?? Promise.resolve(), referee };
}

/** Makes the ticker for all games with one tick rate. It observes each tick's lateness. */
export function tickerOf(
  rooms: Rooms<unknown>,
  { hz, metrics, stalls, heartbeat, log }: {
    hz: number;
    metrics: Metrics;
    stalls: Stalls;
    heartbeat: Heartbeat;
    log: Log;
  },
): Ticker {
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

/** Combines the ticks of all tickers, which floods of messages must not delay. */
export function tickRunnerOf(tickers: readonly Ticker[]): TickRunner {
  return {
    get ticks() {
      return tickers.reduce((sum, { ticks }) => sum + ticks, 0);
    },
    hurry() {
      for (const ticker of tickers) ticker.hurry();
    },
  };
}
