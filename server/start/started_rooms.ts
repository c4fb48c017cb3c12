/** The rooms at their start: those of matches that another process has begun are among them. Then the tickers that run them. */
import { deflateRawSync } from "node:zlib";
import type { Game } from "../../shared/netcode/game.ts";
import type { Log } from "../log.ts";
import { resumeMatches } from "../match_log/resume_matches.ts";
import type { Metrics } from "../metrics/metrics.ts";
import type { Pace } from "../links/links.ts";
import { logFailures } from "../process.ts";
import type { ServerResults } from "../results/result_sink.ts";
import { Rooms, type RoomsOptions } from "../rooms.ts";
import { hashToken } from "../server_secret.ts";
import type { Settings } from "../settings/settings.ts";
import type { Stalls } from "../stalls.ts";
import { clock, Ticker, unixClock } from "../ticker.ts";

/**
 * Compresses a state in about a third of a ms, once for all clients that get it in this tick. A client can request two
 * states a second (SPEC 4.3).
 */
function deflate(bytes: Uint8Array): Uint8Array {
  return deflateRawSync(bytes);
}

/** The rooms, and those of matches that another process has begun. */
export function openRooms(
  games: Readonly<Record<string, Game<unknown>>>,
  { settings, metrics, ...options }:
    & Pick<RoomsOptions<unknown>, "stalls" | "limits" | "log" | "logs" | "drain" | "secret" | "mayOpen">
    & { settings: Settings; metrics: Metrics; results: ServerResults | undefined },
): Rooms<unknown> {
  const rooms = new Rooms({
    ...{ games, clock, deflate, unixClock, hashToken, ...options },
    ...{ npcs: settings.npcs, stream: settings.stream, checkTwin: settings["check-twin"] },
    onGameTicked: (game, ms) => metrics.observeTick(game, ms / 1000),
    onHelloRefused: (code) => metrics.countHelloRefusal(code),
  });
  const { logs, results, log } = options;
  if (logs !== undefined) resumeMatches(rooms, logs, log);
  results?.endOthers(logs!.unfinished().map(({ id }) => id));
  return rooms;
}

/** The ticker of all games with one tick rate. It observes the lateness of each tick. */
export function tickerOf(
  rooms: Rooms<unknown>,
  { hz, metrics, stalls, log }: { hz: number; metrics: Metrics; stalls: Stalls; log: Log },
): Ticker {
  return new Ticker({
    hz,
    onTick(dueMs) {
      stalls.beat(clock.now());
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

/** The ticks of all tickers, which floods of messages must not delay. */
export function paceOf(tickers: readonly Ticker[]): Pace {
  return {
    get ticks() {
      return tickers.reduce((sum, { ticks }) => sum + ticks, 0);
    },
    hurry() {
      for (const ticker of tickers) ticker.hurry();
    },
  };
}
