/** Runs all faults once, and judges the report. */
import type { Authority } from "../../../shared/netcode/game.ts";
import { Random } from "../../../shared/random.ts";
import { NatsClient } from "../../../server/match_log/nats/nats_client.ts";
import { UsageError } from "../../../shared/flags.ts";
import { runKills } from "../crash/kills.ts";
import { canaryServer, versionOf } from "../../support/nats/server_program.ts";
import { NatsServers } from "../../support/nats/nats_servers.ts";
import { ClusterWorld } from "./cluster_world.ts";
import type { PartVerdict, Verdict } from "./confirmed_ticks.ts";
import {
  leaderKills,
  outage,
  ownerKills,
  partition,
  pauses,
  processKills,
  rolling,
} from "./faults.ts";
import { logCost } from "./log_cost.ts";
import { races } from "./races.ts";

const BOTS = 8;
const RACES = 200;
const LEADER_KILLS = 3;
/** How often a run pauses the owner, at least. */
const PAUSES_MIN = 10;
/** How many ticks a node may send without an answer: those of 0.8 s. */
const DISCARDED_MAX = 16;
/** How often one server alone is killed, with its log in files. */
const FILE_KILLS = 5;

const PLAYING_AGAIN_MS_MAX = 1_500;
const LEADER_GAP_MS_MAX = 250;
const ROLLING_GAP_MS_MAX = 500;
/** Limits for the log's cost at sixty matches. */
const APPEND_MS_MAX = 10;
const CPU_MICROS_MAX = 20;

export const PARTS = [
  "ownerKills",
  "byWorkers",
  "pauses",
  "races",
  "logCost",
  "leaderKills",
  "outage",
  "partition",
  "rolling",
  "fileLog",
  "canary",
] as const;
type Part = typeof PARTS[number];

type Figures<Fault extends (...args: never[]) => Promise<unknown>> = Awaited<ReturnType<Fault>>;

/** The object that `--json` prints, without the parts that were left out. */
export interface ClusterReport {
  readonly ownerKills?: Figures<typeof ownerKills> & {
    readonly confirmedLost: number;
    /**
     * Ticks that clients received before they were acknowledged, and that another node played
     * again.
     */
    readonly unconfirmedLost: number;
    readonly confirmedChanged: number;
  };
  /** The same for single processes and whole machines in turn, with several processes each. */
  readonly byWorkers?: Figures<typeof processKills> & {
    readonly confirmedLost: number;
    readonly confirmedChanged: number;
  };
  readonly pauses?: Figures<typeof pauses>;
  readonly races?: Figures<typeof races>;
  readonly logCost?: Figures<typeof logCost>;
  readonly leaderKills?: Figures<typeof leaderKills>;
  readonly outage?: Figures<typeof outage> & { readonly lost: number };
  readonly partition?: Figures<typeof partition> & { readonly discardedTicks: number };
  readonly rolling?: Figures<typeof rolling>;
  /** The share of returns that led to the old seat. */
  readonly seatsKept: number;
  /**
   * How many ticks bots received and the log was searched for; how many of these were confirmed and
   * are missing there, and how many were confirmed and differ there.
   */
  readonly comparedTicks: number;
  readonly confirmedLost: number;
  readonly confirmedChanged: number;
  /** Log messages that a server showed or a node knew as acknowledged, and that are missing now. */
  readonly lostMessages: number;
  /** By the part in which bots received the ticks. */
  readonly confirmedLostBy: Readonly<Record<string, number>>;
  readonly confirmedChangedBy: Readonly<Record<string, number>>;
  readonly unconfirmedLostBy: Readonly<Record<string, number>>;
  /** Matches that a node could not go on with, and rooms that failed. */
  readonly brokenMatches: number;
  readonly fileLog?: {
    readonly kills: number;
    readonly lostTicks: number;
    readonly changedTicks: number;
  };
  /** The machine's own old server; null if there is none. */
  readonly canary?: {
    readonly version: string;
    readonly refused: boolean;
    readonly doubleWinners: number;
  } | null;
}

export interface ClusterRunOptions {
  readonly kills: number;
  readonly seed: number;
  readonly only: readonly string[];
  /** Whether the nodes compute the match, or only order its commands. */
  readonly authority: Authority;
  /** Match processes of each node. */
  readonly workers: number;
  readonly log: (line: string) => void;
}

export async function runCluster(
  { kills, seed, only, authority, workers, log }: ClusterRunOptions,
): Promise<ClusterReport> {
  const has = (part: Part) => only.includes(part);

  // Measured before any bots play, because they would use processor time as well.
  const cost = has("logCost") ? await logCost() : undefined;
  const played = await playFaults({ kills, seed, only, authority, workers, log });
  const alone = has("fileLog")
    ? await runKills({ kills: Math.min(kills, FILE_KILLS), seed, workers: 1, authority, log })
    : undefined;
  return {
    ...played,
    ...cost && { logCost: cost },
    ...alone &&
      {
        fileLog: {
          kills: alone.kills,
          lostTicks: alone.lostTicks,
          changedTicks: alone.changedTicks,
        },
      },
    ...has("canary") && { canary: await canary(log) },
  };
}

async function playFaults(
  { kills, seed, only, authority, workers, log }: ClusterRunOptions,
): Promise<ClusterReport> {
  await using world = await ClusterWorld.start({ bots: BOTS, seed, authority, workers });
  const run = { world, random: new Random(seed), log };
  const play = async <Result>(
    part: Part,
    fault: () => Promise<Result>,
  ): Promise<Result | undefined> => {
    if (!only.includes(part)) return undefined;
    world.beginPart(part);
    return await fault();
  };
  const raced = await play("races", () => races(world.servers, RACES));
  const killed = await play("ownerKills", () => ownerKills(run, kills));
  const inTurn = workers > 1 ? await play("byWorkers", () => processKills(run, kills)) : undefined;
  const paused = await play(
    "pauses",
    () => pauses(run, Math.max(PAUSES_MIN, Math.floor(kills / 2))),
  );
  const led = await play("leaderKills", () => leaderKills(run, LEADER_KILLS));
  const away = await play("outage", () => outage(run));
  const cut = await play("partition", () => partition(run));
  const rolled = await play("rolling", () => rolling(run));

  const verdict = await world.judge();
  const ofPart = (part: Part) => verdict.parts.get(part) ?? NOTHING_HAD;
  for (const line of [...world.brokenLines, ...verdict.lines]) log(line);
  const ofKills = ofPart("ownerKills");
  return {
    ...raced && { races: raced },
    ...killed && {
      ownerKills: {
        ...killed,
        confirmedLost: ofKills.lost,
        unconfirmedLost: ofKills.discardedTicks,
        confirmedChanged: ofKills.changed,
      },
    },
    ...inTurn && {
      byWorkers: {
        ...inTurn,
        confirmedLost: ofPart("byWorkers").lost,
        confirmedChanged: ofPart("byWorkers").changed,
      },
    },
    ...paused && { pauses: paused },
    ...led && { leaderKills: led },
    ...away && { outage: { lost: ofPart("outage").lost, ...away } },
    ...cut && { partition: { discardedTicks: ofPart("partition").discardedTicksMax, ...cut } },
    ...rolled && { rolling: rolled },
    seatsKept: world.seatsKept,
    ...sumsOf(verdict),
    brokenMatches: world.brokenLines.length,
  };
}

const NOTHING_HAD: PartVerdict = {
  compared: 0,
  lost: 0,
  changed: 0,
  discardedTicks: 0,
  discardedTicksMax: 0,
};

/** A verdict as the report shows it. Its tables leave out parts in which nothing was lost. */
function sumsOf({ parts, lostMessages }: Verdict) {
  const sum = (key: keyof PartVerdict) =>
    [...parts.values()].reduce((total, part) => total + part[key], 0);
  const by = (key: keyof PartVerdict) =>
    Object.fromEntries(
      [...parts].filter(([, part]) => part[key] > 0).map(([name, part]) => [name, part[key]]),
    );
  return {
    comparedTicks: sum("compared"),
    confirmedLost: sum("lost"),
    confirmedChanged: sum("changed"),
    lostMessages,
    confirmedLostBy: by("lost"),
    confirmedChangedBy: by("changed"),
    unconfirmedLostBy: by("discardedTicks"),
  };
}

/** Runs the same races on a server that does not fence, which a node refuses. */
async function canary(
  log: (line: string) => void,
): Promise<NonNullable<ClusterReport["canary"]> | null> {
  const program = await canaryServer();
  if (program === undefined) return null;
  await using servers = await NatsServers.start({ program });
  let refused = false;
  try {
    await (await NatsClient.open(servers.all.map(({ url }) => url))).close();
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    refused = true;
    log(`canary: ${error.message}`);
  }
  const { doubleWinners } = await races(servers, RACES);
  log(`canary: ${doubleWinners} of ${RACES} races with more than one winner`);
  return { version: await versionOf(program) ?? "", refused, doubleWinners };
}

/** @returns the run's losses and changes, in words */
export function faultsOf(report: ClusterReport): string[] {
  const {
    ownerKills: killed,
    byWorkers: inTurn,
    pauses: paused,
    races: raced,
    outage: away,
    partition: cut,
    rolling: rolled,
  } = report;
  const { fileLog, canary: old, seatsKept, confirmedLost, confirmedChanged, comparedTicks } =
    report;
  const wrong: [boolean, string][] = [
    [
      (killed?.confirmedLost ?? 0) > 0,
      `${killed?.confirmedLost} confirmed ticks were lost with their owner`,
    ],
    [
      (inTurn?.confirmedLost ?? 0) > 0,
      `${inTurn?.confirmedLost} confirmed ticks were lost with a process or its machine`,
    ],
    [confirmedLost > 0, `${confirmedLost} ticks of clients are not in the log`],
    [confirmedChanged > 0, `${confirmedChanged} ticks of clients are others in the log`],
    [report.lostMessages > 0, `${report.lostMessages} messages are no longer in the log`],
    [report.brokenMatches > 0, `${report.brokenMatches} matches were broken`],
    [comparedTicks < 100, `only ${comparedTicks} ticks were compared`],
    [
      paused !== undefined && paused.fenced < paused.count,
      `only ${paused?.fenced} of ${paused?.count} were fenced`,
    ],
    [(raced?.doubleWinners ?? 0) > 0, `${raced?.doubleWinners} races had more than one winner`],
    [(away?.lost ?? 0) > 0, `${away?.lost} ticks were lost in the outage`],
    [cut?.heldStill === false, "the owner that was cut off did not hold still"],
    [(cut?.discardedTicks ?? 0) > DISCARDED_MAX, `${cut?.discardedTicks} ticks were discarded`],
    [(rolled?.roundsEnded ?? 0) > 0, "the rolling restart has ended the match"],
    [seatsKept < 1, `only ${seatsKept} of the seats were kept`],
    [(fileLog?.lostTicks ?? 0) + (fileLog?.changedTicks ?? 0) > 0, "a server alone has lost ticks"],
    [old?.refused === false, "a server that does not fence was not refused"],
    [old?.doubleWinners === 0, "the canary has passed: the races prove nothing"],
  ];
  return wrong.filter(([isWrong]) => isWrong).map(([, words]) => words);
}

/** @returns the delays that a run should not show, in words */
export function delaysOf(
  {
    ownerKills: killed,
    byWorkers: inTurn,
    leaderKills: led,
    outage: away,
    rolling: rolled,
    logCost: cost,
  }: ClusterReport,
): string[] {
  const again = Math.max(killed?.playingAgainMsP95 ?? 0, inTurn?.playingAgainMsP95 ?? 0);
  const gap = led?.playersGapMsMax ?? 0;
  const rolling = rolled?.gapMsP95 ?? 0;
  return [
    ...again > PLAYING_AGAIN_MS_MAX ? [`players were back after ${again} ms`] : [],
    ...gap > LEADER_GAP_MS_MAX ? [`a leader's end cost a gap of ${gap} ms`] : [],
    // On a busy machine the owner may be back later than the others, which then take its match.
    ...away?.sameOwner === false ? ["the outage made another owner"] : [],
    ...(cost?.appendMsP99 ?? 0) > APPEND_MS_MAX
      ? [`99 of 100 appends took ${cost?.appendMsP99} ms`]
      : [],
    ...(cost?.cpuMicrosPerTick ?? 0) > CPU_MICROS_MAX
      ? [`a tick's append took ${cost?.cpuMicrosPerTick} µs`]
      : [],
    ...rolling > ROLLING_GAP_MS_MAX ? [`a rolling restart cost a gap of ${rolling} ms`] : [],
  ];
}
