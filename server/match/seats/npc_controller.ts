/**
 * Gives NPC seats, and seats whose players are lost, their commands so far ahead that every client has them before it first
 * simulates their tick.
 *
 *     queue length = max(what the slowest client needs, the mind's own reaction time), at most 40 ticks
 */
import type { Game, SeatId, Simulation, Tick } from "../../../shared/netcode/game.ts";
import type { Timeline } from "../../../shared/netcode/timeline.ts";
import type { Presence } from "./presence.ts";

/** Two seconds: a mind that decides earlier than that fights ghosts; a client that needs more has a line nobody can play on. */
const NPC_QUEUE_TICKS_MAX = 40;

/**
 * How much longer than all others need the queues may be for one client's sake: the worst line over the best (DESIGN 12.2's rows), so
 * that a client whose line is worse still, or who lies, does not make everybody's NPCs see less.
 */
const NPC_QUEUE_TICKS_BEYOND_SECOND = 16;

/** How many ticks ahead all clients together must be told of commands, 1 … 40. @param clients each with its own need */
export function queueTicksFor(clients: Iterable<{ readonly horizonTicks: Tick }>): Tick {
  let count = 0, neediest = 0, secondNeediest = 0;
  for (const { horizonTicks } of clients) {
    count++;
    secondNeediest = Math.max(secondNeediest, Math.min(neediest, horizonTicks));
    neediest = Math.max(neediest, horizonTicks);
  }
  const limit = count > 1 ? secondNeediest + NPC_QUEUE_TICKS_BEYOND_SECOND : NPC_QUEUE_TICKS_MAX;
  return Math.max(1, Math.min(neediest, limit, NPC_QUEUE_TICKS_MAX));
}

interface NpcBrain<Command> {
  readonly seat: SeatId;
  /** The first tick that it decides. */
  readonly firstTick: Tick;
  /** The seat's commands for the next ticks, the nearest first: its own, before `firstTick` what is foreseen. */
  readonly queued: Command[];
}

export interface NpcControllerOptions<Command> {
  readonly game: Game<Command>;
  readonly simulation: Simulation<Command>;
  readonly timeline: Timeline<Command>;
  readonly presence: Presence<Command>;
  /** Hears of every command that has been decided. */
  readonly onCommand: (seat: SeatId, tick: Tick, command: Command) => void;
}

/** All minds of one match. */
export class NpcController<Command> {
  readonly #options: NpcControllerOptions<Command>;
  /** Of the seats that the state wants minds for. */
  readonly #npcs = new Map<SeatId, NpcBrain<Command>>();
  /** Of players' seats. */
  readonly #botTakeovers = new Map<SeatId, NpcBrain<Command>>();
  /** Of NPC seats that were given up: the tick from which they are empty. */
  readonly #emptyFrom = new Map<SeatId, Tick>();

  constructor(options: NpcControllerOptions<Command>) {
    this.#options = options;
  }

  /** Fills the queues for what follows the tick just run. @param horizonTicks what the slowest client needs */
  fillQueues(horizonTicks: number): void {
    const { tick, npcSeats } = this.#options.simulation;
    const earliest = tick + 1 + horizonTicks;
    // The tick just run has used the first command of every queue.
    for (const brain of this.#npcs.values()) dropFirst(brain.queued);
    for (const brain of this.#botTakeovers.values()) dropFirst(brain.queued);
    for (const seat of npcSeats) if (!this.#npcs.has(seat)) this.#addNpc(seat, earliest);
    for (const brain of this.#npcs.values()) {
      // Also of one who leaves: until then there is a command for each tick.
      this.#fillQueue(brain, horizonTicks);
      if (!npcSeats.includes(brain.seat)) this.#removeNpc(brain, earliest);
    }
    for (const brain of this.#botTakeovers.values()) this.#fillQueue(brain, horizonTicks);
  }

  /** Lets a mind decide for a player's seat. @param firstTick farther ahead than any client has simulated */
  takeOver(seat: SeatId, firstTick: Tick): void {
    this.#botTakeovers.set(seat, { seat, firstTick, queued: [] });
  }

  /** Ends that. @returns the last tick that was promised, -1 where there is none */
  handBack(seat: SeatId): Tick {
    const brain = this.#botTakeovers.get(seat);
    this.#botTakeovers.delete(seat);
    return brain === undefined ? -1 : this.#lastAnnouncedBy(brain);
  }

  #addNpc(seat: SeatId, earliest: Tick): void {
    const firstTick = Math.max(earliest, (this.#emptyFrom.get(seat) ?? 0) + 1);
    this.#npcs.set(seat, { seat, firstTick, queued: [] });
    this.#options.presence.enter(seat, firstTick);
  }

  /** The state wants no mind there any more: what is promised is used, then the seat is empty. */
  #removeNpc(brain: NpcBrain<Command>, earliest: Tick): void {
    const from = Math.max(earliest, this.#lastAnnouncedBy(brain) + 1, brain.firstTick + 1);
    this.#npcs.delete(brain.seat);
    this.#emptyFrom.set(brain.seat, from);
    this.#options.presence.leave(brain.seat, from);
  }

  #lastAnnouncedBy(brain: NpcBrain<Command>): Tick {
    const newest = this.#options.simulation.tick + brain.queued.length;
    return newest < brain.firstTick ? -1 : newest;
  }

  #fillQueue({ seat, firstTick, queued }: NpcBrain<Command>, horizonTicks: number): void {
    const { simulation, timeline, onCommand } = this.#options;
    const length = Math.min(NPC_QUEUE_TICKS_MAX, Math.max(horizonTicks, simulation.reactionTicks(seat)));
    while (queued.length < length) {
      const tick = simulation.tick + queued.length + 1;
      // What a stand-in before it has promised stays promised.
      if (tick < firstTick || timeline.isAnnounced(tick, seat)) {
        queued.push(timeline.predictCommand(tick, seat, simulation.tick));
        continue;
      }
      const command = simulation.npcCommand(seat, queued);
      queued.push(command);
      timeline.announce(tick, seat, command);
      onCommand(seat, tick, command);
    }
  }
}

/** As `shift`, which for more than sixteen calls out of compiled code, and makes the next `push` move everything. */
function dropFirst(queue: unknown[]): void {
  for (let i = 1; i < queue.length; i++) queue[i - 1] = queue[i];
  queue.pop();
}
