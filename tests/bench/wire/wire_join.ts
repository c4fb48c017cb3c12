/** Coming into the full arena of workload W, over lines of several lengths: how many bytes, and how soon after the socket has opened. */
import type { DragonCommand } from "../../../shared/games/dragons/command.ts";
import type { Lab } from "../../lab/lab.ts";
import { HumanLikeControls, type WireSimulation } from "./wire_game.ts";

const ROUND_TRIPS_MS = [0, 50, 100, 200, 300];
/** Every phase of the server's tick is met: joins of one line begin so far apart, ms; seven of them are no whole number of ticks. */
const APART_MS = 307, JOINS = 7;
const TIMEOUT_MS = 3000;

/** The slowest of several joins over one line. */
export interface Join {
  readonly rttMs: number;
  /** From the socket's opening until the session predicts the present and its commands go out. */
  readonly playingMs: number;
  /** Until its rider, whom everybody must be told of in advance, is in the arena. */
  readonly inArenaMs: number;
  /** All messages until it plays, without frame headers. */
  readonly bytes: number;
}

export function measureJoins(lab: Lab<DragonCommand, WireSimulation>): Join[] {
  return ROUND_TRIPS_MS.map((rttMs) => {
    const joins = Array.from({ length: JOINS }, (_, i) => joinOnce(lab, { rttMs, seed: i + 1 }));
    const slowest = (key: keyof Join) => Number(Math.max(...joins.map((join) => join[key])).toFixed(1));
    return {
      rttMs,
      playingMs: slowest("playingMs"),
      inArenaMs: slowest("inArenaMs"),
      bytes: slowest("bytes"),
    };
  });
}

function joinOnce(lab: Lab<DragonCommand, WireSimulation>, { rttMs, seed }: { rttMs: number; seed: number }): Join {
  lab.run(APART_MS / 1000);
  const openedMs = lab.nowMs;
  const network = { oneWayMs: rttMs / 2, jitterMs: rttMs / 50 };
  const player = lab.join("late", { network, commandSource: new HumanLikeControls(seed) }), { session } = player;
  const untilMs = (condition: () => boolean) => {
    while (!condition() && lab.nowMs < openedMs + TIMEOUT_MS) lab.run(0.001);
    return lab.nowMs - openedMs;
  };
  const playingMs = untilMs(() =>
    session.phase === "playing" && session.isInSync && session.head > session.definitiveTick
  );
  const bytes = session.stats.bytesDown;
  const inArenaMs = untilMs(() => session.simulation?.riderOf(session.seat) !== undefined);
  if (session.stats.desyncs > 0 || !session.isInSync) throw new Error("who came late is out of step");
  lab.leave(player);
  return { rttMs, playingMs, inArenaMs, bytes };
}
