/**
 * The dragons' part of one row in the lab's matrix: players' prediction errors on one network
 * profile.
 */
import type {
  DragonCommand,
  DragonSimulation,
} from "../../../../shared/games/dragons/declaration.ts";
import { dragonGame } from "../../../../shared/games/dragons/game.ts";
import { Bot, type BotPerception } from "../../../../client/games/dragons/bot.ts";
import type { CommandSource } from "../../../../client/session/session.ts";
import { networkModelOf } from "../../../../shared/netcode/simulated_network/network_profiles.ts";
import type { CountedMatch } from "../row_match.ts";
import type { SessionStats } from "../../../../client/session/session_stats.ts";
import {
  type Cause,
  CAUSES,
  type Correction,
} from "../../../../client/debug/replay/attribution.ts";
import { Lab, type Player } from "../lab.ts";
import { NpcQueueMeter, shortestQueue } from "../npc_queue_meter.ts";
import { DefinitiveHistory } from "./definitive_history.ts";
import { PredictionMonitor, type PredictionMonitorOptions } from "./prediction_monitor.ts";

/** The largest error of a client's clock, in millionths. */
const CLOCK_PPM_MAX = 200;
const FRAMES_PER_SECOND = 60;
/** Seconds before anything is counted: clients join and their leads converge. */
export const DRAGON_WARM_UP_SECONDS = 5;

/** A player without a screen. */
export interface DragonPlayer extends CommandSource<DragonCommand> {
  attach(perception: BotPerception): void;
}

export interface DragonRowOptions extends CountedMatch {
  /** Every NPC's reaction time, in ticks; by default the game's own. */
  readonly reactionTicks?: number | undefined;
  /** The players' hands; by default bots. */
  readonly player?: ((index: number, seed: number) => DragonPlayer) | undefined;
  /** A smoother in place of the page's. */
  readonly smoother?: () => PredictionMonitorOptions<DragonCommand, DragonSimulation>["smoother"];
}

/** How many corrections each cause made. */
export type CauseCounts = Readonly<Record<Cause, number>>;

export interface DragonRow {
  /**
   * Corrections of the own body over 5 cm that were not caused by another seat's command, per tick
   * and client.
   */
  readonly ownCorrectionsShare: number;
  /** The mean distance between other dragons' predicted and definitive poses. */
  readonly remoteErrorM: number;
  /** The same for the reference predictor. */
  readonly remoteErrorUnavoidableM: number;
  readonly npcForeknownShare: number;
  /**
   * The queues' mean length for NPCs: what clients need or the NPCs' reaction time, whichever is
   * longer.
   */
  readonly npcQueueTicks: number;
  /** The shortest queue that would have made 99 % of the commands known in time. */
  readonly npcQueueTicksLeast: number;
  /** Per body and second (pop_meter.ts). */
  readonly popMeter: number;
  /** The share of corrections over 5 cm with a known cause. */
  readonly attributedShare: number;
  readonly rollbacks: number;
  /** How many times two bodies began to touch. */
  readonly contacts: number;
  readonly ownCorrections: CauseCounts;
  readonly remoteCorrections: CauseCounts;
  readonly popErrorM: number;
  readonly popLeapM: number;
  readonly popReversals: number;
}

interface Seat {
  readonly player: Player<DragonCommand, DragonSimulation>;
  readonly monitor: PredictionMonitor<DragonCommand, DragonSimulation>;
  /** By command: how many ticks before their use this client needed the others' commands. */
  readonly neededTicks: number[];
  /** The counts at the warm-up's end. */
  countsBefore: SessionStats;
}

/** Plays the row. The same options give the same figures, bit for bit. */
export function runDragonRow(options: DragonRowOptions): DragonRow {
  const { seed, npcs, seconds } = options;
  const history = new DefinitiveHistory<DragonCommand>();
  const npcQueueMeter = new NpcQueueMeter<DragonCommand>(options.reactionTicks);
  let contacts = 0;
  let isCounting = false;
  const lab = new Lab({
    game: npcQueueMeter.instrument(dragonGame),
    seed,
    npcs,
    onDefinitive: (simulation, state) => {
      history.record(simulation, state);
      if (isCounting) contacts += simulation.contactsBegun;
    },
  });
  const seats = joinAll(lab, history, options);
  play(lab, seats, DRAGON_WARM_UP_SECONDS);
  isCounting = true;
  for (const seat of seats) {
    seat.monitor.isCounting = true;
    seat.countsBefore = { ...seat.player.session.stats };
    seat.neededTicks.length = 0;
  }

  play(lab, seats, seconds, () => npcQueueMeter.sample(lab.serverSimulation!));
  return { ...figuresOf(seats), contacts, npcQueueTicks: npcQueueMeter.queueTicks };
}

function joinAll(
  lab: Lab<DragonCommand, DragonSimulation>,
  history: DefinitiveHistory<DragonCommand>,
  {
    profile,
    link,
    players,
    seconds,
    correlated,
    smoother,
    player: newPlayer = (_, seed) => new Bot(seed),
  }: DragonRowOptions,
): Seat[] {
  const runMs = (DRAGON_WARM_UP_SECONDS + seconds) * 1000;
  return Array.from({ length: players }, (_, i) => {
    const controls = newPlayer(i, lab.random.bits());
    const monitor = new PredictionMonitor({
      game: dragonGame,
      history,
      controls,
      phaseTicks: i,
      smoother: smoother?.(),
    });
    const neededTicks: number[] = [];
    const { commandSource, ...joinOptions } = monitor.joinOptions;
    const player = lab.join(`player ${i + 1}`, {
      ...joinOptions,
      commandSource: {
        next: (tick, acknowledged) => {
          neededTicks.push(tick - player.session.definitiveTick);
          return commandSource.next(tick, acknowledged);
        },
      },
      network: networkModelOf(profile, { correlated, runMs }),
      ordered: link === "ordered",
      clockPpm: CLOCK_PPM_MAX * (2 * lab.random.fraction() - 1),
    });
    controls.attach(player.session);
    monitor.attach(player.session);
    return { player, monitor, neededTicks, countsBefore: { ...player.session.stats } };
  });
}

/** Lets time pass, frame by frame. */
function play(
  lab: Lab<DragonCommand, DragonSimulation>,
  seats: readonly Seat[],
  seconds: number,
  onTick: () => void = () => {},
): void {
  const evaluate = () => {
    onTick();
    for (const { monitor } of seats) monitor.evaluate();
  };
  for (let frame = 0; frame < seconds * FRAMES_PER_SECOND; frame++) {
    lab.run(1 / FRAMES_PER_SECOND, evaluate);
    for (const { monitor } of seats) monitor.draw(1000 / FRAMES_PER_SECOND);
  }
}

function figuresOf(seats: readonly Seat[]): Omit<DragonRow, "contacts" | "npcQueueTicks"> {
  const sum = (value: (seat: Seat) => number) =>
    seats.reduce((total, seat) => total + value(seat), 0);
  const gained = (key: keyof SessionStats) =>
    sum(({ player, countsBefore }) => player.session.stats[key] - countsBefore[key]);
  const own = seats.flatMap(({ monitor }) =>
    monitor.corrections.filter(({ seat }) => seat === monitor.seat)
  );
  const remote = seats.flatMap(({ monitor }) =>
    monitor.corrections.filter(({ seat }) => seat !== monitor.seat)
  );
  const bodies = Math.max(1, sum(({ monitor }) => monitor.remote.bodies));
  const mean = (value: (seat: Seat) => number) => sum(value) / seats.length;
  const unknown = [...own, ...remote].filter(({ cause }) => cause === "unknown").length;
  return {
    // Another seat's command can move the own body only by contact.
    ownCorrectionsShare: own.filter(({ cause }) => cause !== "contact").length / gained("ticks"),
    remoteErrorM: sum(({ monitor }) => monitor.remote.oursMetres) / bodies,
    remoteErrorUnavoidableM: sum(({ monitor }) => monitor.remote.referenceMetres) / bodies,
    npcForeknownShare: gained("npcKnownInTime") / Math.max(1, gained("npcCommands")),
    npcQueueTicksLeast: shortestQueue(seats.flatMap(({ neededTicks }) => neededTicks)),
    popMeter: mean(({ monitor }) => monitor.pops.pops),
    attributedShare: 1 - unknown / Math.max(1, own.length + remote.length),
    rollbacks: gained("rollbacks"),
    ownCorrections: countCauses(own),
    remoteCorrections: countCauses(remote),
    popErrorM: mean(({ monitor }) => monitor.pops.errorMetres),
    popLeapM: mean(({ monitor }) => monitor.pops.leapMetres),
    popReversals: mean(({ monitor }) => monitor.pops.reversals),
  };
}

function countCauses(corrections: readonly Correction[]): CauseCounts {
  const counts = Object.fromEntries(CAUSES.map((cause) => [cause, 0])) as Record<Cause, number>;
  for (const { cause } of corrections) counts[cause]++;
  return counts;
}
