/**
 * The counter game with traps: what a match does at the trap's tick follows from its seed. A log up to that tick is like any
 * other, so a server that goes on with it meets the trap.
 */
import { type Commands, type Game } from "../../../shared/netcode/game.ts";
import { Match } from "../../../server/match/match.ts";
import { MatchRecorder } from "../../../server/match/match_recorder.ts";
import { type CounterCommand, counterGame, CounterSimulation } from "../../lab/counter_game.ts";
import { MemoryLogs } from "../logs/memory_logs.ts";

/** The traps by the seeds of their matches. Those that are for play spring much later than a trial sees. */
export const TRAP_SEEDS = { none: 0, throws: 1, hangs: 2, slow: 3, eats: 4, throwsInPlay: 5, hangsInPlay: 6 } as const;

export type Trap = keyof typeof TRAP_SEEDS;

const NAMES = Object.keys(TRAP_SEEDS) as Trap[];

/** The ticks at which traps spring. */
export const TRAP_TICK = 60, PLAY_TRAP_TICK = 160;
/** A slow tick lasts so much longer than its time. */
const SLOW_FACTOR = 3;

class TrapSimulation extends CounterSimulation {
  readonly #trap: Trap;

  constructor(...[options, seed]: ConstructorParameters<typeof CounterSimulation>) {
    super(options, seed);
    this.#trap = NAMES[seed] ?? "none";
  }

  override step(commands: Commands<CounterCommand>): void {
    super.step(commands);
    if (this.tick >= TRAP_TICK) spring(this.#trap);
    if (this.tick >= PLAY_TRAP_TICK) springInPlay(this.#trap);
  }
}

function spring(trap: Trap): void {
  if (trap === "throws") throw new TypeError("the trap has sprung");
  if (trap === "slow") busyFor(SLOW_FACTOR * 1000 / counterGame.tickHz);
  while (trap === "hangs");
  for (const eaten: unknown[] = []; trap === "eats";) eaten.push(new Array(1_000).fill(eaten.length));
}

function springInPlay(trap: Trap): void {
  if (trap === "throwsInPlay") throw new TypeError("the trap has sprung");
  while (trap === "hangsInPlay");
}

function busyFor(ms: number): void {
  const endMs = performance.now() + ms;
  while (performance.now() < endMs);
}

export const trapGame: Game<CounterCommand, CounterSimulation> = {
  ...counterGame,
  id: "trap-1",
  start: (options, seed) => new TrapSimulation(options, seed),
};

/** The log of a match with a trap, before its tick. @param room four letters @param ticks before the trap's by default */
export function trapLog(trap: Trap, { room, ticks = TRAP_TICK - 10 }: { room: string; ticks?: number }): Uint8Array {
  const safe = { ...counterGame, id: trapGame.id }, { command, tickHz } = safe, seed = TRAP_SEEDS[trap], npcs = 2;
  const logs = new MemoryLogs(),
    recorder = new MatchRecorder(command, { log: logs.create(room), tickHz, deflate: undefined });
  recorder.begin({ gameId: safe.id, room, npcs, seed, choices: [], key: undefined, startedAt: 0 });
  const match = new Match(safe, {
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
