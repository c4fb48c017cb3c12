/**
 * The NPCs' minds of a match, seen through the game's own plug: how far ahead they really decide, and, where asked, with
 * another reaction time than the game gives them. With one of 0 the queues are as long as the clients need and no longer.
 */
import type { Game, SeatId, Simulation, Tick } from "../../shared/netcode/game.ts";

export class NpcQueueMeter<Command> {
  readonly #reactionTicks: number | undefined;
  /** By seat: the newest tick that its mind has decided. */
  readonly #newestDecided = new Map<SeatId, Tick>();
  #queuedTicks = 0;
  #queues = 0;

  /** @param reactionTicks what every mind's reaction is taken to be, 0 … 40; as the game has it where it is not given */
  constructor(reactionTicks?: number) {
    this.#reactionTicks = reactionTicks;
  }

  /** The same game for a server, whose minds are watched. */
  instrument<Sim extends Simulation<Command>>(game: Game<Command, Sim>): Game<Command, Sim> {
    return {
      ...game,
      start: (options, seed) => {
        const simulation = game.start(options, seed);
        const npcCommand = simulation.npcCommand.bind(simulation);
        simulation.npcCommand = (seat, queued) => {
          this.#newestDecided.set(seat, simulation.tick + queued.length + 1);
          return npcCommand(seat, queued);
        };
        const ticks = this.#reactionTicks;
        if (ticks !== undefined) simulation.reactionTicks = () => ticks;
        return simulation;
      },
    };
  }

  /** Takes note of all queues as they are after the server's newest tick. */
  sample({ tick, npcSeats }: Pick<Simulation<Command>, "tick" | "npcSeats">): void {
    for (const seat of npcSeats) {
      const decided = this.#newestDecided.get(seat);
      // One that has just been asked for decides nothing before it is in the game.
      if (decided === undefined || decided <= tick) continue;
      this.#queuedTicks += decided - tick;
      this.#queues++;
    }
  }

  /** How long the queues were, in ticks, in the mean. */
  get queueTicks(): number {
    return this.#queuedTicks / Math.max(1, this.#queues);
  }
}

/** The shortest queue with which all but `missedShare` of these needs would have been met. At least one. */
export function shortestQueue(neededTicks: readonly number[], missedShare = 0.01): Tick {
  const sorted = Int32Array.from(neededTicks).sort();
  return sorted[Math.min(sorted.length - 1, Math.floor((1 - missedShare) * sorted.length))]!;
}
