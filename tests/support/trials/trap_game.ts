/**
 * Games with traps: what a match does at the trap's tick follows from its seed. A log up to that
 * tick is like any other, so a server that goes on with it meets the trap.
 */
import { Match } from "../../../server/match/match.ts";
import { MatchRecorder } from "../../../server/match/match_recorder.ts";
import type { Game, Simulation } from "../../../shared/netcode/game.ts";
import {
  type CounterCommand,
  counterGame,
  type CounterSimulation,
} from "../../tools/lab/counter_game.ts";
import { MemoryLogs } from "../logs/memory_logs.ts";

export const TRAPS = ["none", "throws", "hangs", "slow", "hoards", "clings"] as const;
export type Trap = typeof TRAPS[number];

/**
 * The seeds of matches with traps, in the order of `TRAPS`. A server draws one of them in no year.
 */
const FIRST_SEED = 0x7ab_0000;
/** The tick at which traps spring. */
export const TRAP_TICK = 60;
/** What a tick that hoards takes, and keeps. */
const HOARDED_BYTES = 300 * 2 ** 20;
const hoarded: unknown[] = [];
/** A slow tick lasts so much longer than its time. */
const SLOW_FACTOR = 3;

/** The same game, of which matches with the seed of a trap are traps. */
export function trapped<Command, Sim extends Simulation<Command>>(
  game: Game<Command, Sim>,
): Game<Command, Sim> {
  return {
    ...game,
    start(options, seed) {
      const simulation = game.start(options, seed);
      const step = simulation.step.bind(simulation);
      const trap = TRAPS[seed - FIRST_SEED] ?? "none";
      simulation.step = (commands) => {
        step(commands);
        if (simulation.tick >= TRAP_TICK) spring(trap, game.tickHz);
      };
      return simulation;
    },
  };
}

function spring(trap: Trap, tickHz: number): void {
  if (trap === "throws") throw new TypeError("the trap has sprung");
  const endMs = performance.now() + SLOW_FACTOR * 1000 / tickHz;
  while (trap === "slow" && performance.now() < endMs);
  while (trap === "hangs");
  if (trap === "hoards") hoarded.push(new Float64Array(HOARDED_BYTES / 8));
  // V8 cannot end this loop. Of a thread in which it runs, it takes all memory.
  for (const eaten: unknown[] = []; trap === "clings";) {
    eaten.push(new Array(1_000).fill(eaten.length));
  }
}

const safeGame: Game<CounterCommand, CounterSimulation> = { ...counterGame, id: "trap-1" };
export const trapGame = trapped(safeGame);

/** Where a match stands whose log is wanted. */
export interface TrapPlace<Command> {
  /** Four letters. */
  readonly room: string;
  /** Without traps; by default that of `trapGame`. */
  readonly game?: Game<Command>;
  /** Before the trap's tick, by default by ten. */
  readonly ticks?: number;
}

/** The log of a match with a trap that has not sprung yet. */
export function trapLog<Command = CounterCommand>(
  trap: Trap,
  { room, game = safeGame as unknown as Game<Command>, ticks = TRAP_TICK - 10 }: TrapPlace<Command>,
): Uint8Array<ArrayBuffer> {
  const { command, tickHz, id: gameId } = game;
  const seed = FIRST_SEED + TRAPS.indexOf(trap);
  const npcs = 2;
  const logs = new MemoryLogs();
  const log = logs.create(room);
  const header = {
    gameId,
    rules: undefined,
    room,
    npcs,
    seed,
    choices: [],
    key: undefined,
    startedAt: 0,
    isOrdered: false,
  };
  const recorder = new MatchRecorder(command, { log, header, tickHz, deflate: undefined });
  recorder.begin();
  const match = new Match(game, {
    npcs,
    seed,
    recorder,
    stream: "commands",
    clock: { now: () => 0 },
    newToken: () => "",
    nameForms: (name) => [name],
  });
  for (let tick = 1; tick <= ticks; tick++) {
    match.run(tick * 1000 / tickHz);
    match.record();
    match.broadcast();
  }

  return logs.all[0]!.bytes.slice();
}
