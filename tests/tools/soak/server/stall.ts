/**
 * Stops the server's process for a while (SIGSTOP) and lets it go on: an operator's debugger, a
 * sleeping laptop, a virtual machine that moves. Players keep sending meanwhile. Nobody may be
 * closed, and all must be in sync within two seconds (SPEC 14.13).
 */
import { clock, wait } from "../../../../server/ground/ticker.ts";
import { Crowd, roomCode } from "./crowd.ts";
import { HonestPlayers } from "./honest_players.ts";
import { MeasuredServer } from "./measured_server.ts";

const STALLS_SECONDS = [1, 3, 13, 35];
const IN_SYNC_MS_MAX = 2_000;
const HONEST = 4;
const LIGHT = 16;
/** How long the bots play before each stall, so that leads and clocks have converged, ms. */
const PLAY_MS = 6_000;
/** How long the bots are watched after a stall, because what goes wrong later counts, too, ms. */
const WATCH_MS = 5_000;
/** A frame of a page. */
const FRAME_MS = 16;

export interface StallFigures {
  readonly seconds: number;
  /** How many honest bots and light clients lost their connection. */
  readonly closes: number;
  readonly desyncs: number;
  /**
   * When the last honest bot was in sync and received fresh ticks for good, counted from the
   * stall's end.
   */
  readonly inSyncAfterMs: number;
}

export interface StallOptions {
  readonly seed: number;
  readonly stallsSeconds?: readonly number[];
  readonly playMs?: number;
  readonly log: (line: string) => void;
}

export async function soakStalls(
  { seed, stallsSeconds = STALLS_SECONDS, playMs = PLAY_MS, log }: StallOptions,
): Promise<StallFigures[]> {
  await using server = await MeasuredServer.start("--seed", String(seed));
  using honest = new HonestPlayers(server.url, { count: HONEST, seed });
  await honest.untilPlaying();
  const crowd = new Crowd(server.port, { seed });
  const figures: StallFigures[] = [];
  try {
    await crowd.add({ count: LIGHT, address: "127.0.1.1", room: roomCode(0), role: "player" });
    for (const seconds of stallsSeconds) {
      await wait(playMs);
      const one = await stall(seconds, { server, honest, crowd });
      log(`stall: ${seconds} s: ${one.closes} closes, in sync after ${one.inSyncAfterMs} ms`);
      figures.push(one);
    }
    return figures;
  } finally {
    await crowd.end();
  }
}

/** @returns the bars that the figures miss */
export function stallFaults(figures: readonly StallFigures[]): string[] {
  return figures.flatMap(({ seconds, closes, inSyncAfterMs }) => [
    ...(closes > 0 ? [`${seconds} s: ${closes} closes`] : []),
    ...(inSyncAfterMs > IN_SYNC_MS_MAX ? [`${seconds} s: in sync after ${inSyncAfterMs} ms`] : []),
  ]);
}

async function stall(
  seconds: number,
  { server, honest, crowd }: { server: MeasuredServer; honest: HonestPlayers; crowd: Crowd },
): Promise<StallFigures> {
  const before = honest.disturbances();
  const { inside } = await crowd.report();
  server.signal("SIGSTOP");
  await watch(honest, seconds * 1000);
  server.signal("SIGCONT");
  const inSyncAfterMs = await watch(honest, WATCH_MS);
  const after = honest.disturbances();
  const closes = after.closes - before.closes + inside - (await crowd.report()).inside;
  return { seconds, closes, desyncs: after.desyncs - before.desyncs, inSyncAfterMs };
}

/**
 * Watches the bots for a time.
 * @returns ms until they were caught up for good; the whole time if they are not
 */
async function watch(honest: HonestPlayers, ms: number): Promise<number> {
  const beganMs = clock.now();
  let afterMs = 0;
  for (let nowMs = beganMs; nowMs < beganMs + ms; nowMs = clock.now()) {
    if (!honest.isCaughtUp(nowMs)) afterMs = nowMs - beganMs + FRAME_MS;
    await wait(FRAME_MS);
  }
  return Math.round(afterMs);
}
