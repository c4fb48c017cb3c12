/**
 * Disturbs one player's page or network, or the server, for a while. It measures how soon that
 * player plays again, and the effect on the others. Each run is compared with an undisturbed run
 * with the same seed, networks and commands.
 */
import type { CommandSource } from "../../../../client/session/session.ts";
import type { Tick } from "../../../../shared/netcode/game.ts";
import { networkModelOf } from "../../../../shared/netcode/simulated_network/network_profiles.ts";
import { ClientMessageDecoder } from "../../../../shared/netcode/wire/client_messages.ts";
import { hashOf } from "../../../../shared/random.ts";
import { type CounterCommand, counterGame, type CounterSimulation } from "../counter_game.ts";
import { joinPage, type PageThread } from "./disturbed_page.ts";
import { Lab, type Player } from "../lab.ts";
import { runWithPauses } from "../stalls/pauses.ts";
import { QueueRecorder } from "../queues/queue_recorder.ts";

const PROFILE = "4g";
const OTHERS = 3;
const NPCS = 4;
/** Seconds of play before the disturbance, and after it. */
const BEFORE_SECONDS = 20;
const AFTER_SECONDS = 20;
/** A disturbed client counts as back when it has played for this many ticks in a row. */
const RECOVERED_TICKS = 5;

/** What simulating a tick costs on a phone, ms, and the factor of the slowdown. */
const STEP_MS = 1;
const SLOWDOWN = 5;

export interface Disturbance {
  readonly name: string;
  /** From the disturbance's end until the client plays again, ms; Infinity if it never does. */
  readonly backInMs: number;
  /**
   * The others' own corrections, late commands, skipped ticks, desyncs and states, in excess of the
   * undisturbed run. NPC commands that are not known in time also count, beyond one in a hundred.
   * Rollbacks because of the disturbed player's commands do not count.
   */
  readonly othersDisturbed: number;
  /**
   * The disturbed client's commands that arrived after the disturbance, for ticks that the server
   * had already run.
   */
  readonly oldCommands: number;
}

/** The share of NPC commands that need not be known in time (SPEC 6.1). */
const NPC_UNKNOWN_SHARE = 0.01;

interface Fault {
  readonly name: string;
  readonly seconds: number;
  readonly begin?: (thread: PageThread, ms: number) => void;
  readonly end?: (thread: PageThread) => void;
  /** Lets the disturbance's time pass; by default the server is not disturbed meanwhile. */
  readonly pass?: (lab: Lab<CounterCommand, CounterSimulation>, ms: number) => void;
}

const FAULTS: readonly Fault[] = [
  { name: "stall 300 ms", seconds: 0.3, begin: (thread, ms) => thread.stall(ms) },
  { name: "hidden tab 10 s", seconds: 10, begin: (thread, ms) => thread.hide(ms) },
  {
    name: "steps cost 5 times",
    seconds: 10,
    begin: (thread) => thread.stepMs = STEP_MS * SLOWDOWN,
    end: (thread) => thread.stepMs = STEP_MS,
  },
  { name: "line cut 3 s", seconds: 3, begin: (thread, ms) => thread.cut(ms) },
  {
    name: "server pauses 10 s",
    seconds: 10,
    pass: (lab, ms) => runWithPauses(lab, { ms, draw: lab.random.bits() }),
  },
];

/** All disturbances over both kinds of links. The same seed gives the same figures. */
export function runDisturbances(seed: number): Disturbance[] {
  return (["ordered", "datagram"] as const).flatMap((link) =>
    FAULTS.map((fault) => {
      const ordered = link === "ordered";
      const run = new DisturbedMatch({ seed, ordered, fault });
      const baseline = new DisturbedMatch({
        seed,
        ordered,
        fault: { name: fault.name, seconds: fault.seconds },
      });
      return {
        name: `${fault.name}, ${link}`,
        backInMs: run.backInMs,
        othersDisturbed: run.others.reduce(
          (sum, observed, i) => sum + excessOver(observed, baseline.others[i]!),
          0,
        ),
        oldCommands: run.oldCommands,
      };
    })
  );
}

/** What one other client has counted since the disturbance began. */
interface ObservedCounts {
  readonly late: number;
  readonly ownCorrections: number;
  readonly npcUnknown: number;
  readonly npcCommands: number;
  readonly skippedTicks: number;
  readonly desyncs: number;
  readonly statesAdopted: number;
}

function excessOver(observed: ObservedCounts, baseline: ObservedCounts): number {
  const more = (key: keyof ObservedCounts) => Math.max(0, observed[key] - baseline[key]);
  const unknown = Math.max(0, more("npcUnknown") - NPC_UNKNOWN_SHARE * observed.npcCommands);
  return more("late") + more("ownCorrections") + more("skippedTicks") + more("desyncs") +
    more("statesAdopted") +
    Math.round(unknown);
}

/** Commands that depend only on the tick, so both runs give the same. */
class TickControls implements CommandSource<CounterCommand> {
  readonly #seed: number;

  constructor(seed: number) {
    this.#seed = seed;
  }

  next(tick: Tick): CounterCommand {
    return { presses: 0, dir: hashOf(this.#seed, Math.floor(tick / 5)) % 3 - 1 };
  }
}

/** One match of the counter game in which one player's page or connection is disturbed once. */
class DisturbedMatch {
  readonly #lab: Lab<CounterCommand, CounterSimulation>;
  readonly #victim: Player<CounterCommand, CounterSimulation> & { readonly thread: PageThread };
  readonly #others: {
    readonly player: Player<CounterCommand>;
    readonly recorder: QueueRecorder<CounterCommand>;
  }[];
  /** By tick: when the victim's command first arrived, ms. */
  readonly #arrivedMs = new Map<Tick, number>();
  #goodTicks = 0;
  backInMs = Infinity;
  readonly others: readonly ObservedCounts[];
  readonly oldCommands: number;

  constructor({ seed, ordered, fault }: { seed: number; ordered: boolean; fault: Fault }) {
    const lab = this.#lab = new Lab({ game: counterGame, seed, npcs: NPCS });
    const network = networkModelOf(PROFILE);
    this.#others = Array.from({ length: OTHERS }, (_, i) => {
      const recorder = new QueueRecorder({
        game: counterGame,
        controls: new TickControls(seed + i),
        nowMs: () => lab.nowMs,
      });
      const player = lab.join(`other ${i}`, { commandSource: recorder, network, ordered });
      recorder.attach(player);
      return { player, recorder };
    });
    this.#victim = joinPage(lab, {
      game: counterGame,
      controls: new TickControls(seed - 1),
      network,
      ordered,
    });
    this.#victim.thread.stepMs = STEP_MS;
    this.#listen(ordered);
    lab.run(BEFORE_SECONDS);
    const before = this.#observe();
    fault.begin?.(this.#victim.thread, fault.seconds * 1000);
    if (fault.pass === undefined) lab.run(fault.seconds);
    else fault.pass(lab, fault.seconds * 1000);
    fault.end?.(this.#victim.thread);
    const endMs = lab.nowMs;
    lab.run(AFTER_SECONDS, () => this.#detectReturn(endMs));
    this.others = this.#observe().map((now, i) => differenceOf(now, before[i]!));
    this.oldCommands =
      [...this.#arrivedMs].filter(([tick, atMs]) => atMs > endMs && atMs > lab.tickDueMs(tick))
        .length;
  }

  #listen(ordered: boolean): void {
    const decoder = new ClientMessageDecoder(counterGame.command, { ordered });
    let hasHello = false;
    this.#victim.serverEnd.tap = (bytes, reliably) => {
      if (reliably && !ordered) return;
      // On a reliable link the hello is the first message.
      if (ordered && !hasHello) {
        hasHello = true;
        return;
      }
      const message = decoder.decode(bytes);
      const count = message.type === "command"
        ? 1
        : message.type === "commands"
        ? message.commands.length
        : 0;
      for (let i = 0; i < count; i++) {
        const tick = (message as { tick: Tick }).tick - i;
        if (!this.#arrivedMs.has(tick)) this.#arrivedMs.set(tick, this.#lab.nowMs);
      }
    };
  }

  /**
   * Called after each of the server's ticks: checks that the victim's command was in time and that
   * the victim is in sync.
   */
  #detectReturn(endMs: number): void {
    if (this.backInMs < Infinity) return;
    const { session } = this.#victim;
    const tick = this.#lab.match!.tick;
    const isInTime = (this.#arrivedMs.get(tick) ?? Infinity) <= this.#lab.nowMs;
    const isPlaying = session.phase === "playing" && session.isInSync && session.head > tick &&
      session.fraction() < 1;
    this.#goodTicks = isInTime && isPlaying ? this.#goodTicks + 1 : 0;
    const sinceMs = this.#lab.nowMs - endMs - (RECOVERED_TICKS - 1) * 1000 / counterGame.tickHz;
    if (this.#goodTicks === RECOVERED_TICKS) this.backInMs = Math.max(0, sinceMs);
  }

  #observe(): ObservedCounts[] {
    return this.#others.map(({ player: { session: { stats } }, recorder }) => ({
      late: stats.commandsLate,
      ownCorrections: stats.ownCorrectionsOver5cm,
      npcUnknown: stats.npcCommands - stats.npcKnownInTime,
      npcCommands: stats.npcCommands,
      skippedTicks: recorder.skippedTicks,
      desyncs: stats.desyncs,
      statesAdopted: stats.statesAdopted,
    }));
  }
}

function differenceOf(now: ObservedCounts, before: ObservedCounts): ObservedCounts {
  const entries = Object.entries(now).map((
    [key, value],
  ) => [key, value - before[key as keyof ObservedCounts]]);
  return Object.fromEntries(entries) as unknown as ObservedCounts;
}
