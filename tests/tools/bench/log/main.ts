/**
 * `bench log`: what the log of a match costs its tick, for each `--journal-sync`, as compared with
 * `--data off`. Four servers in this process play the same matches of dragons in real time, in
 * turns of two seconds.
 *
 *     cost = mean( t(i) − t₀(i) over ticks i )      without the 5 % at either end
 *
 * t is the time of a match-tick with its log, and t₀ without. Ticks with a state have a mean of
 * their own, and count as one of 200. The time includes reading the inboxes, the step, the record's
 * coding, its check, its copy and its write, the broadcast, and the call that begins a sync.
 * Waiting for the disk is no cost, because other matches run meanwhile; it counts as lateness.
 */
import { dragonGame } from "../../../../shared/games/dragons/game.ts";
import { type FlagValues, present, wholeNumber } from "../../../../shared/flags.ts";
import { TemporaryData } from "../../../support/logs/temporary_data.ts";
import { Progress } from "../../../support/progress.ts";
import { medianOf, quantileOf } from "../median.ts";
import { type LogMode, type MeasuredTick, RealTimeServer } from "./real_time_server.ts";

const PLAYERS = 8;
const NPCS = 16;
/** By then the compiler is done, and the first tick with a state that counts comes soon. */
const WARM_UP_TICKS = 390;
/** How many ticks apart the log stores states. */
const STATE_TICKS = 200;
/** How many ticks a server runs before it is the next one's turn. */
const TURN_TICKS = 40;
/**
 * What is left out at either end, as a share: ticks that another process or the garbage collector
 * made long on one of two servers.
 */
const TRIMMED = 0.05;

export const FLAGS = {
  matches: {
    schema: wholeNumber(60, 1).default(40),
    about: "matches on each server [40]",
    allowed: "a whole number 1 to 60",
  },
  seconds: {
    schema: wholeNumber(3600, 2).default(30),
    about: "how long each of the four servers is measured [30]",
    allowed: "a whole number 2 to 3600",
  },
  json: { schema: present(), about: "one JSON object as the last line", allowed: "", switch: true },
} as const;

const LOG_MODES = ["tick", "200ms", "off"] as const;
type ByMode = Readonly<Record<typeof LOG_MODES[number], number>>;

/** The object that `--json` prints. */
export interface LogFigures extends Record<string, unknown> {
  /** How much more it takes than `dataOffUsPerMatchTick`, µs of this thread. */
  readonly costUsPerMatchTick: ByMode;
  /** The part of it that the states every ten seconds cost. */
  readonly stateUsPerMatchTick: ByMode;
  readonly dataOffUsPerMatchTick: number;
  /** The time of match-ticks with a log divided by that of those without. */
  readonly ratio: ByMode;
  readonly bytesPerMatchMinute: number;
  /** From a tick's due time until the last match sent it. */
  readonly latenessP99Ms: ByMode & { readonly dataOff: number };
  readonly matchTicks: number;
  /**
   * Match-ticks that did not run when they were due, because the record before was still being
   * written.
   */
  readonly stoodStill: ByMode;
}

export async function measureLog(
  { matches, seconds }: Omit<FlagValues<typeof FLAGS>, "json">,
): Promise<LogFigures> {
  using data = await TemporaryData.make();
  const modes: readonly LogMode[] = [...LOG_MODES, "none"];
  const options = { matches, players: PLAYERS, npcs: NPCS };
  const servers = modes.map((mode) =>
    new RealTimeServer({ ...options, mode, folder: `${data.folder}/${mode}` })
  );
  try {
    for (const server of servers) await server.warmUp(WARM_UP_TICKS);
    await playInTurns(servers, Math.round(seconds * dragonGame.tickHz));
    return figuresOf(servers, matches);
  } finally {
    for (const server of servers) await server[Symbol.asyncDispose]();
  }
}

/** Each round begins with another server. */
async function playInTurns(servers: readonly RealTimeServer[], ticks: number): Promise<void> {
  const progress = new Progress(servers.length * ticks, "ticks");
  let done = 0;
  for (let round = 0; round * TURN_TICKS < ticks; round++) {
    const turn = Math.min(TURN_TICKS, ticks - round * TURN_TICKS);
    for (let i = 0; i < servers.length; i++) {
      await servers[(round + i) % servers.length]!.play(turn);
      progress.show(done += turn);
    }
  }
  progress.end();
}

function figuresOf(servers: readonly RealTimeServer[], matches: number): LogFigures {
  const [syncTick, sync200ms, syncOff, none] = servers as [
    RealTimeServer,
    RealTimeServer,
    RealTimeServer,
    RealTimeServer,
  ];
  const byMode = (figure: (server: RealTimeServer) => number): ByMode => ({
    tick: figure(syncTick),
    "200ms": figure(sync200ms),
    off: figure(syncOff),
  });
  const dataOff = 1000 * medianOf(none.ticks.map(({ costMs }) => costMs)) / matches;
  const costOf = (server: RealTimeServer) => costUs(server.ticks, none.ticks, matches);
  const lateness = ({ ticks }: RealTimeServer) =>
    tenths(quantileOf(ticks.map(({ latenessMs }) => latenessMs), 0.99));
  const minutes = syncOff.matchTicks / dragonGame.tickHz / 60;
  return {
    costUsPerMatchTick: byMode((server) => tenths(costOf(server).total)),
    stateUsPerMatchTick: byMode((server) => tenths(costOf(server).state)),
    dataOffUsPerMatchTick: tenths(dataOff),
    ratio: byMode((server) => Number((1 + costOf(server).total / dataOff).toFixed(3))),
    bytesPerMatchMinute: Math.round(syncOff.logBytes / minutes),
    latenessP99Ms: { ...byMode(lateness), dataOff: lateness(none) },
    matchTicks: none.matchTicks,
    stoodStill: byMode((server) => none.matchTicks - server.matchTicks),
  };
}

/**
 * How much longer the ticks with a log took, µs per match-tick. It compares the same ticks: the
 * i-th of both servers.
 */
function costUs(
  ticks: readonly MeasuredTick[],
  without: readonly MeasuredTick[],
  matches: number,
): { total: number; state: number } {
  const differences = ticks.map(({ tick, costMs }, i) => (
    { hasState: tick % STATE_TICKS === 0, us: 1000 * (costMs - without[i]!.costMs) / matches }
  ));
  const { states = [], others = [] } = Object.groupBy(
    differences,
    ({ hasState }) => hasState ? "states" : "others",
  );
  const tick = trimmedMeanOf(others.map(({ us }) => us));
  const state = states.length === 0
    ? 0
    : (trimmedMeanOf(states.map(({ us }) => us)) - tick) / STATE_TICKS;
  return { total: tick + state, state };
}

function trimmedMeanOf(numbers: readonly number[]): number {
  const cut = Math.floor(TRIMMED * numbers.length);
  const kept = numbers.toSorted((a, b) => a - b).slice(cut, -cut || undefined);
  return kept.reduce((sum, number) => sum + number, 0) / kept.length;
}

function tenths(value: number): number {
  return Math.round(value * 10) / 10;
}
