/**
 * Joins the full arena of workload W over several round trips, and measures the bytes and the time
 * since the socket opened.
 */
import type { DragonCommand } from "../../../../shared/games/dragons/declaration.ts";
import type { Lab } from "../../lab/lab.ts";
import { HumanLikeControls, type WireSimulation } from "./wire_game.ts";

const ROUND_TRIPS_MS = [0, 50, 100, 200, 300];
/**
 * How far two joins are apart, ms. 307 is 7 modulo the tick's 50 ms, so the seven joins begin at
 * seven different phases of the server's tick.
 */
const APART_MS = 307;
const JOINS = 7;
const TIMEOUT_MS = 3000;

/** The largest value of each figure over several joins with one round trip. */
export interface Join {
  readonly rttMs: number;
  /** From the opening of the socket until the session predicts ticks and sends commands. */
  readonly playingMs: number;
  /**
   * Until the player's dragon is in the arena, which is later, because joins are announced in
   * advance.
   */
  readonly inArenaMs: number;
  /** How many bytes were received until then, without frame headers. */
  readonly bytes: number;
}

export function measureJoins(lab: Lab<DragonCommand, WireSimulation>): Join[] {
  return ROUND_TRIPS_MS.map((rttMs) => {
    const joins = Array.from({ length: JOINS }, (_, i) => joinOnce(lab, { rttMs, seed: i + 1 }));
    const slowest = (key: keyof Join) =>
      Number(Math.max(...joins.map((join) => join[key])).toFixed(1));
    return {
      rttMs,
      playingMs: slowest("playingMs"),
      inArenaMs: slowest("inArenaMs"),
      bytes: slowest("bytes"),
    };
  });
}

function joinOnce(
  lab: Lab<DragonCommand, WireSimulation>,
  { rttMs, seed }: { rttMs: number; seed: number },
): Join {
  lab.run(APART_MS / 1000);
  const openedMs = lab.nowMs;
  const network = { oneWayMs: rttMs / 2, jitterMs: rttMs / 50 };
  const player = lab.join("late", { network, commandSource: new HumanLikeControls(seed) });
  const { session } = player;
  const untilMs = (condition: () => boolean) => {
    while (!condition() && lab.nowMs < openedMs + TIMEOUT_MS) lab.run(0.001);
    return lab.nowMs - openedMs;
  };
  const playingMs = untilMs(() =>
    session.phase === "playing" && session.isInSync && session.head > session.definitiveTick
  );
  const bytes = session.stats.bytesDown;
  const inArenaMs = untilMs(() => session.simulation?.riderOf(session.seat) !== undefined);
  if (session.stats.desyncs > 0 || !session.isInSync) {
    throw new Error("the late client is desynced");
  }
  lab.leave(player);
  return { rttMs, playingMs, inArenaMs, bytes };
}
