/**
 * Measures how far ahead the server lets NPCs decide, through the game's own contract. It can also
 * override their reaction time: with 0, queues are only as long as clients need.
 */
import type { Game, SeatId, Simulation, Tick } from "../../../shared/netcode/game.ts";

export class NpcQueueMeter<Command> {
  readonly #reactionTicks: number | undefined;
  /** By seat: the newest tick that its NPC has decided. */
  readonly #newestDecided = new Map<SeatId, Tick>();
  #queuedTicks = 0;
  #queues = 0;

  /** @param reactionTicks every NPC's reaction time, 0 … 40; by default the game's own */
  constructor(reactionTicks?: number) {
    this.#reactionTicks = reactionTicks;
  }

  /** The same game, for the server, with measured NPCs. */
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

  /** Samples all queues' lengths after the server's newest tick. */
  sample({ tick, npcSeats }: Pick<Simulation<Command>, "tick" | "npcSeats">): void {
    for (const seat of npcSeats) {
      const decided = this.#newestDecided.get(seat);
      // An NPC on a seat that was just requested does not decide before it enters.
      if (decided === undefined || decided <= tick) continue;
      this.#queuedTicks += decided - tick;
      this.#queues++;
    }
  }

  /** The queues' mean length, in ticks. */
  get queueTicks(): number {
    return this.#queuedTicks / Math.max(1, this.#queues);
  }
}

/**
 * Finds the shortest queue, in ticks, that meets all but `missedShare` of these needs.
 * @param neededTicks at least one
 */
export function shortestQueue(neededTicks: readonly number[], missedShare = 0.01): Tick {
  const sorted = Int32Array.from(neededTicks).sort();
  return sorted[Math.min(sorted.length - 1, Math.floor((1 - missedShare) * sorted.length))]!;
}
