/**
 * Restarts the server under 200 players of one address, such as a lecture hall behind one router.
 * Its clients try again as pages do (`client/net/retry_delay.ts`) and must all be in a room within
 * ten seconds.
 */
import { clock, wait } from "../../../../server/ground/ticker.ts";
import { quantileOf } from "../../bench/median.ts";
import { Crowd, type CrowdReply, roomCode } from "./crowd.ts";
import { MeasuredServer } from "./measured_server.ts";

const PLAYERS = 200;
/** The seats of a room. */
const PLAYERS_PER_ROOM = 16;
const ADDRESS = "127.0.1.1";
/** One address may open 20 sockets a second after the first hundred. */
const JOIN_EVERY_MS = 900;
const BACK_MS_MAX = 10_000;
/** The tool waits longer, so that it can say how late the last one came. */
const WAIT_MS = 30_000;
/** Between the joins and the stop. The rate of new sockets has recovered by then. */
const PLAY_MS = 5_000;

export interface RestartFigures {
  readonly players: number;
  /** Players in a room within 30 s. */
  readonly back: number;
  /** From the end of a player's connection to their first state in a room. */
  readonly backMsP95: number;
  readonly backMsMax: number;
  /** From the signal until the new server listened. */
  readonly downMs: number;
  /** Attempts that led to no room, by close code or HTTP status; 1006 while nobody listened. */
  readonly refusals: Readonly<Record<string, number>>;
}

export interface RestartOptions {
  readonly seed: number;
  readonly players?: number;
  readonly log: (line: string) => void;
}

export async function soakRestart(
  { seed, players = PLAYERS, log }: RestartOptions,
): Promise<RestartFigures> {
  await using first = await MeasuredServer.start("--seed", String(seed));
  const crowd = new Crowd(first.port, { seed, isUrgent: true });

  try {
    for (let added = 0; added < players; added += PLAYERS_PER_ROOM) {
      const count = Math.min(PLAYERS_PER_ROOM, players - added);
      const room = roomCode(added / PLAYERS_PER_ROOM);
      await crowd.add({ count, address: ADDRESS, room, role: "player", returns: true });
      await wait(JOIN_EVERY_MS);
    }
    const { inside, refusals } = await untilInside(crowd, players);
    if (inside < players) {
      throw new Error(`only ${inside} players came in: ${JSON.stringify(refusals)}`);
    }
    await wait(PLAY_MS);
    log(`restart: ${inside} players are in; the server stops`);
    const stoppedMs = clock.now();
    await first.stop();
    await using second = await MeasuredServer.start(
      "--seed",
      String(seed),
      "--port",
      String(first.port),
    );
    const downMs = Math.round(clock.now() - stoppedMs);
    log(`restart: it listens again after ${downMs} ms at ${second.url}`);
    const { backMs, ...after } = await untilInside(crowd, players);
    return {
      players,
      back: after.inside,
      downMs,
      refusals: difference(after.refusals, refusals),
      backMsP95: quantileOf(backMs, 0.95),
      backMsMax: Math.max(0, ...backMs),
    };
  } finally {
    await crowd.end();
  }
}

/** @returns the bars that the figures miss */
export function restartFaults({ players, back, backMsMax }: RestartFigures): string[] {
  return [
    ...(back < players ? [`${players - back} players did not come back`] : []),
    ...(backMsMax > BACK_MS_MAX ? [`the last player was back after ${backMsMax} ms`] : []),
  ];
}

async function untilInside(crowd: Crowd, players: number): Promise<CrowdReply> {
  for (const endMs = clock.now() + WAIT_MS;; await wait(100)) {
    const report = await crowd.report();
    if (report.inside >= players || clock.now() > endMs) return report;
  }
}

/** @returns the counts that have been added, without those that have not grown */
function difference(
  after: CrowdReply["refusals"],
  before: CrowdReply["refusals"],
): Record<string, number> {
  const added = Object.entries(after).map(([cause, count]) =>
    [cause, count - (before[cause] ?? 0)] as const
  );
  return Object.fromEntries(added.filter(([, count]) => count > 0));
}
