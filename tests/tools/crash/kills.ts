/** One run's kills, and what they cost. */
import { dragonGame } from "../../../shared/games/dragons/game.ts";
import type { Authority, Tick } from "../../../shared/netcode/game.ts";
import { Random } from "../../../shared/random.ts";
import { quantileOf } from "../bench/median.ts";
import { ReturningBot } from "../../support/returning_bot.ts";
import { replayedHashes } from "../../support/logs/replayed_hashes.ts";
import { TemporaryData } from "../../support/logs/temporary_data.ts";
import { startServer, startWorkers } from "./victims.ts";

const BOTS = 8;
const ROOM = "BOTS";
/**
 * How many ticks the bots play at first. Their seats are kept for as long, and on a busy machine
 * some return seconds late.
 */
const PLAYED_TICKS = 100;
/** How long the bots play before a kill, ms. A kill may come at any moment of a tick. */
const PLAYED_MS = { least: 700, greatest: 2_500 };
const ROOMS_OPEN_MS_MAX = 1_000;
const PLAYING_AGAIN_MS_MAX = 2_500;

/** The object that `--json` prints. */
export interface KillReport {
  readonly kills: number;
  /** Ticks that a client had but the resumed match had not. */
  readonly lostTicks: number;
  /** Ticks with a hash that differs between a client and the log. */
  readonly changedTicks: number;
  /** How many of the clients' ticks were compared with the log. */
  readonly comparedTicks: number;
  /** Share of returns that led to the old seat. */
  readonly seatsKept: number;
  /** From a new server's start until it listens with the room open. */
  readonly roomsOpenMsP95: number;
  /** From a kill until a player's dragon obeys again, over all players and kills. */
  readonly playingAgainMsP95: number;
  /** How many starts resumed the match with every hash checked. */
  readonly verified: number;
  readonly desyncs: number;
  readonly logBytes: number;
  /** Closes, gaps and desyncs of players at another match process. */
  readonly disturbed: number;
}

export async function runKills(
  { kills, seed, workers, authority = "full", log }: {
    kills: number;
    seed: number;
    workers: number;
    authority?: Authority;
    log: (line: string) => void;
  },
): Promise<KillReport> {
  const random = new Random(seed);
  const openMs: number[] = [];
  const againMs: number[] = [];
  using data = await TemporaryData.make();
  const flags = ["--data", data.folder, "--seed", String(seed), "--authority", authority];
  const victim = workers === 1
    ? await startServer(ROOM, flags)
    : await startWorkers(ROOM, { flags, workers });
  const bots = Array.from(
    { length: BOTS },
    (_, i) => new ReturningBot(victim.url, { name: `Bot ${i}`, seed: seed * BOTS + i, room: ROOM }),
  );
  let lostTicks = 0;
  let verified = 0;

  try {
    await Promise.all(bots.map((bot) => bot.untilPlayed(PLAYED_TICKS)));
    await victim.begin();
    for (let kill = 1; kill <= kills; kill++) {
      await wait(PLAYED_MS.least + random.below(PLAYED_MS.greatest - PLAYED_MS.least));
      const killedMs = performance.now();
      const sessions = bots.map(({ session }) => session);
      await victim.kill();
      const again = bots.map(async (bot, i) => {
        await bot.until(() => bot.session !== sessions[i] && bot.isPlaying);
        againMs.push(performance.now() - killedMs);
      });
      const newestTick = Math.max(...bots.map(({ newestTick }) => newestTick));
      const resumed = await victim.returned();
      openMs.push(resumed.openMs);
      if (resumed.tick !== undefined) verified++;
      lostTicks += Math.max(0, newestTick - (resumed.tick ?? 0));
      await Promise.all(again);
      log(`kill ${kill} of ${kills}: back after ${Math.round(performance.now() - killedMs)} ms`);
    }
    const disturbed = victim.disturbed();
    await victim.end();
    const bytes = data.ofRoom(ROOM);
    const logged = replayedHashes(bytes, dragonGame);
    const changes = compare(bots, logged);
    return {
      kills,
      lostTicks,
      ...changes,
      seatsKept: shareOfKeptSeats(bots),
      roomsOpenMsP95: Math.round(quantileOf(openMs, 0.95)),
      playingAgainMsP95: Math.round(quantileOf(againMs, 0.95)),
      verified,
      desyncs: bots.reduce((sum, { desyncs, session }) => sum + desyncs + session.stats.desyncs, 0),
      logBytes: bytes.length,
      disturbed,
    };
  } finally {
    for (const bot of bots) bot.stop();
    await victim.end();
  }
}

/** @returns what a run lost and changed, in words */
export function lossesOf(report: KillReport): string[] {
  const { kills, lostTicks, changedTicks, comparedTicks, seatsKept, verified, desyncs, disturbed } =
    report;
  return [
    ...(lostTicks > 0 ? [`${lostTicks} ticks were lost`] : []),
    ...(changedTicks > 0 ? [`${changedTicks} ticks were changed`] : []),
    ...(comparedTicks < 10 * kills ? [`only ${comparedTicks} ticks were compared`] : []),
    ...(seatsKept < 1 ? [`only ${seatsKept} of the seats were kept`] : []),
    ...(verified < kills ? [`only ${verified} of ${kills} starts have resumed the match`] : []),
    ...(desyncs > 0 ? [`${desyncs} desyncs`] : []),
    ...(disturbed > 0 ? [`neighbours were disturbed ${disturbed} times`] : []),
  ];
}

/** @returns delays that a run should not have, in words */
export function delaysOf(report: KillReport): string[] {
  return [
    ...(report.roomsOpenMsP95 > ROOMS_OPEN_MS_MAX
      ? [`rooms were open after ${report.roomsOpenMsP95} ms`]
      : []),
    ...(report.playingAgainMsP95 > PLAYING_AGAIN_MS_MAX
      ? [`players were back after ${report.playingAgainMsP95} ms`]
      : []),
  ];
}

function compare(
  bots: readonly ReturningBot[],
  logged: ReadonlyMap<Tick, number>,
): Pick<KillReport, "changedTicks" | "comparedTicks"> {
  let changedTicks = 0;
  let comparedTicks = 0;
  for (const { hashes } of bots) {
    for (const [tick, hash] of hashes) {
      comparedTicks++;
      if (logged.get(tick) !== hash) changedTicks++;
    }
  }
  return { changedTicks, comparedTicks };
}

function shareOfKeptSeats(bots: readonly ReturningBot[]): number {
  const returns = bots.flatMap(({ seats }) => seats.slice(1).map((seat) => seat === seats[0]));
  return returns.filter(Boolean).length / Math.max(1, returns.length);
}

function wait(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
