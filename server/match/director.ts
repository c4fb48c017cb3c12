/**
 * Gives NPC seats their commands so far ahead that every client has them before it first simulates their tick.
 *
 *     queue length = max(what the slowest client needs, the mind's own reaction time), at most 40 ticks
 */
import type { Game, SeatId, Simulation, Tick } from "../../shared/netcode/game.ts";
import type { Timeline } from "../../shared/netcode/timeline.ts";

/** Two seconds: a mind that decides earlier than that fights ghosts; a client that needs more has a line nobody can play on. */
export const NPC_QUEUE_TICKS_MAX = 40;

interface Mind<Command> {
  readonly seat: SeatId;
  readonly entersAt: Tick;
  /** Its commands for the next ticks, the nearest first. */
  readonly queued: Command[];
}

/** Who hears of what the director decides. */
export interface DirectorAudience<Command> {
  onEnter(seat: SeatId, tick: Tick): void;
  onCommand(seat: SeatId, tick: Tick, command: Command): void;
}

export class Director<Command> {
  readonly #game: Game<Command>;
  readonly #simulation: Simulation<Command>;
  readonly #timeline: Timeline<Command>;
  readonly #audience: DirectorAudience<Command>;
  /** By seat. */
  readonly #minds = new Map<SeatId, Mind<Command>>();

  constructor(options: {
    game: Game<Command>;
    simulation: Simulation<Command>;
    timeline: Timeline<Command>;
    audience: DirectorAudience<Command>;
  }) {
    this.#game = options.game;
    this.#simulation = options.simulation;
    this.#timeline = options.timeline;
    this.#audience = options.audience;
  }

  /** Fills the queues for what follows the tick just run. @param neededTicks what the slowest client needs */
  direct(neededTicks: number): void {
    const tick = this.#simulation.tick;
    for (const mind of this.#minds.values()) if (mind.queued.length > 0) mind.queued.shift();
    for (const seat of this.#simulation.npcSeats) {
      const mind = this.#minds.get(seat) ?? this.#enter(seat, tick + 1 + neededTicks);
      const reactionTicks = this.#simulation.reactionTicks(seat);
      this.#fill(mind, Math.min(NPC_QUEUE_TICKS_MAX, Math.max(neededTicks, reactionTicks)));
    }
  }

  #enter(seat: SeatId, entersAt: Tick): Mind<Command> {
    const mind = { seat, entersAt, queued: [] };
    this.#minds.set(seat, mind);
    this.#audience.onEnter(seat, entersAt);
    return mind;
  }

  #fill({ seat, entersAt, queued }: Mind<Command>, length: number): void {
    while (queued.length < length) {
      const tick = this.#simulation.tick + queued.length + 1;
      if (tick < entersAt) {
        queued.push(this.#game.assume(undefined, 1));
        continue;
      }
      const command = this.#simulation.think(seat, queued);
      queued.push(command);
      this.#timeline.announce(tick, seat, command);
      this.#audience.onCommand(seat, tick, command);
    }
  }
}
