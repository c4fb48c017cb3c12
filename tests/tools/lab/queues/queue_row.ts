/**
 * The queues' part of one row in the lab's matrix: players on one network profile and their command
 * queues.
 */
import type { BotPlayer } from "../../../../client/bots/npc_bot.ts";
import type { CommandSource } from "../../../../client/session/session.ts";
import type { Game, Simulation } from "../../../../shared/netcode/game.ts";
import {
  networkModelOf,
  type ProfileName,
} from "../../../../shared/netcode/simulated_network/network_profiles.ts";
import type { RowMatch } from "../row_match.ts";
import { Lab, type Player } from "../lab.ts";
import { NpcQueueMeter, shortestQueue } from "../npc_queue_meter.ts";
import { meanFigures, queueFigures } from "./oracle.ts";
import { QueueRecorder } from "./queue_recorder.ts";

/** The largest error of a client's clock, in millionths. */
const CLOCK_PPM_MAX = 200;
/** Commands due within this time before the end may be in flight and do not count, ms. */
const TAIL_MS = 2000;
/** How many additional joins measure the beginning, and how many seconds count as the beginning. */
const JOINS = 8;
const BEGINNING_SECONDS = 5;
const JOINED_SECONDS = BEGINNING_SECONDS + 2 + TAIL_MS / 1000;
/** The simulated time of all of a row's beginnings, seconds. */
export const BEGINNINGS_SECONDS = JOINS * JOINED_SECONDS;

/** A game and its players. */
export interface QueueGame<Command, Sim extends Simulation<Command> = Simulation<Command>> {
  readonly game: Game<Command, Sim>;
  /** One player's controls. A bot's controls are attached to its session. */
  readonly createControls: (
    seed: number,
  ) => CommandSource<Command> & Partial<Pick<BotPlayer<Command>, "attach">>;
}

export interface RowOptions<Command, Sim extends Simulation<Command>>
  extends QueueGame<Command, Sim>, RowMatch {
  readonly minutes: number;
  /** Every NPC's reaction time, in ticks; by default the game's own. */
  readonly reactionTicks?: number | undefined;
}

export interface QueueRow {
  readonly profile: ProfileName;
  readonly link: "ordered" | "datagram";
  readonly commands: number;
  readonly lateShare: number;
  /** The share of late commands in the first five seconds, over many joins. */
  readonly lateFirstShare: number;
  readonly waitMs: number;
  readonly oracleMs: number;
  readonly staticMs: number;
  readonly phaseWaitMs: number;
  readonly rateMax: number;
  readonly skippedTicks: number;
  readonly npcForeknownShare: number;
  /** The NPC queues' mean length. */
  readonly npcQueueTicks: number;
  /** The shortest queue that would have made 99 % of the commands known in time. */
  readonly npcQueueTicksLeast: number;
  readonly rollbacks: number;
  readonly desyncs: number;
}

/** Plays the row. The same options give the same figures, bit for bit. */
export function runQueueRow<Command, Sim extends Simulation<Command>>(
  options: RowOptions<Command, Sim>,
): QueueRow {
  const npcQueueMeter = new NpcQueueMeter<Command>(options.reactionTicks);
  const lab = new Lab({
    game: npcQueueMeter.instrument(options.game),
    seed: options.seed,
    npcs: options.npcs,
  });
  const seats = joinAll(lab, options, options.minutes * 60_000);
  lab.run(options.minutes * 60, () => {
    // The first hello that arrives opens the room.
    if (lab.serverSimulation !== undefined) npcQueueMeter.sample(lab.serverSimulation);
  });
  const due = { dueMs: (tick: number) => lab.tickDueMs(tick), untilMs: lab.nowMs - TAIL_MS };
  const figures = meanFigures(seats.map(({ recorder }) => queueFigures(recorder.arrivals(due))));
  const sum = (value: (seat: Seat<Command, Sim>) => number) =>
    seats.reduce((total, seat) => total + value(seat), 0);
  return {
    profile: options.profile,
    link: options.link,
    ...figures,
    lateFirstShare: lateFirstShare(options),
    phaseWaitMs: sum(({ recorder }) => recorder.phaseWaitMs) / seats.length,
    rateMax: Math.max(...seats.map(({ recorder }) => recorder.rateMax)),
    skippedTicks: sum(({ recorder }) => recorder.skippedTicks),
    npcForeknownShare: sum(({ player }) => player.session.stats.npcKnownInTime) /
      Math.max(1, sum(({ player }) => player.session.stats.npcCommands)),
    npcQueueTicks: npcQueueMeter.queueTicks,
    npcQueueTicksLeast: shortestQueue(seats.flatMap(({ recorder }) => recorder.neededTicks)),
    rollbacks: sum(({ player }) => player.session.stats.rollbacks),
    desyncs: sum(({ player }) => player.session.stats.desyncs),
  };
}

interface Seat<Command, Sim extends Simulation<Command>> {
  readonly player: Player<Command, Sim>;
  readonly recorder: QueueRecorder<Command>;
}

function joinAll<Command, Sim extends Simulation<Command>>(
  lab: Lab<Command, Sim>,
  options: RowOptions<Command, Sim>,
  runMs: number,
): Seat<Command, Sim>[] {
  const { game, createControls, profile, link, correlated, players } = options;
  return Array.from({ length: players }, (_, i) => {
    const controls = createControls(lab.random.bits());
    const recorder = new QueueRecorder({ game, controls, nowMs: () => lab.nowMs });
    const player = lab.join(`player ${i + 1}`, {
      commandSource: recorder,
      network: networkModelOf(profile, { correlated, runMs }),
      ordered: link === "ordered",
      clockPpm: CLOCK_PPM_MAX * (2 * lab.random.fraction() - 1),
    });
    recorder.attach(player);
    controls.attach?.(player.session);
    return { player, recorder };
  });
}

function lateFirstShare<Command, Sim extends Simulation<Command>>(
  options: RowOptions<Command, Sim>,
): number {
  let late = 0;
  let commands = 0;

  for (let join = 1; join <= JOINS; join++) {
    const lab = new Lab({ game: options.game, seed: options.seed + join, npcs: options.npcs });
    const seats = joinAll(lab, options, Infinity);
    lab.run(JOINED_SECONDS);
    for (const { recorder } of seats) {
      const arrivals = recorder.arrivals({
        dueMs: (tick) => lab.tickDueMs(tick),
        untilMs: Infinity,
      });
      const untilMs = arrivals[0]!.dueMs + BEGINNING_SECONDS * 1000;
      for (const { dueMs, leadMs, delayMs } of arrivals) {
        if (dueMs > untilMs) break;
        commands++;
        if (delayMs > leadMs) late++;
      }
    }
  }

  return late / commands;
}
