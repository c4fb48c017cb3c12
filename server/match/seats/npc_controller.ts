/**
 * Gives commands to NPC seats, and to disconnected players' seats. It announces them so far ahead
 * that every client has them before it first simulates their tick (DESIGN 9).
 *
 *     queue length = min( max( the clients' horizon, the NPC's own reaction time ), 40 ), in ticks
 */
import {
  type Game,
  PLAYER_SEATS,
  type SeatId,
  type Simulation,
  type Tick,
} from "../../../shared/netcode/game.ts";
import type { LogState } from "../../../shared/netcode/match_log/records.ts";
import { decodedBy } from "../../../shared/netcode/wire/decoded_commands.ts";
import type { Timeline } from "../../../shared/netcode/timeline.ts";
import type { Presence } from "../../../shared/netcode/presence.ts";

/**
 * The longest queue: two seconds at 20 Hz. An NPC that decides farther ahead reacts to a scene that
 * is long past, and a client that needs more could not play on its network anyway.
 */
const NPC_QUEUE_TICKS_MAX = 40;

/**
 * How much clients may lengthen the queues beyond the middle client's need: 400 ms at 20 Hz. A
 * client on a worse network than most, or one that claims so, does not make all NPCs react later;
 * instead it learns of some of their commands too late.
 */
const NPC_QUEUE_TICKS_BEYOND_MIDDLE = 8;

/**
 * How many ticks ahead the clients together need commands, 1 … 40.
 *
 *     min( most needed, lower median + 8, 40 )
 *
 * @param clients each with its own horizon; 0 for clients that have not sent a command
 */
export function queueTicksFor(clients: Iterable<{ readonly horizonTicks: Tick }>): Tick {
  let count = 0;
  let neediest = 0;
  for (const { horizonTicks } of clients) {
    if (horizonTicks === 0) continue;
    count++;
    neediest = Math.max(neediest, horizonTicks);
  }

  const limit = count > 1
    ? lowerMedianOf(clients, count) + NPC_QUEUE_TICKS_BEYOND_MIDDLE
    : NPC_QUEUE_TICKS_MAX;
  return Math.max(1, Math.min(neediest, limit, NPC_QUEUE_TICKS_MAX));
}

/**
 * The least horizon that half of the clients with commands do not exceed. It searches instead of
 * sorting, because a match has few clients and a sort would allocate.
 */
function lowerMedianOf(clients: Iterable<{ readonly horizonTicks: Tick }>, count: number): Tick {
  for (let ticks = 1; ticks < NPC_QUEUE_TICKS_MAX; ticks++) {
    let within = 0;
    for (const { horizonTicks } of clients) if (horizonTicks > 0 && horizonTicks <= ticks) within++;
    if (2 * within >= count) return ticks;
  }
  return NPC_QUEUE_TICKS_MAX;
}

interface NpcBrain<Command> {
  readonly seat: SeatId;
  /** The first tick that the NPC decides. */
  readonly firstTick: Tick;
  /**
   * Commands for the next ticks, nearest first. Those before `firstTick` are predicted; the others
   * are the NPC's own.
   */
  readonly queued: Command[];
  /** Turns a command into what clients decode. */
  readonly decoded: (command: Command) => Command;
}

export interface NpcControllerOptions<Command> {
  readonly game: Game<Command>;
  readonly simulation: Simulation<Command>;
  readonly timeline: Timeline<Command>;
  readonly presence: Presence<Command>;
  /** Called with each command that an NPC decides. */
  readonly onCommand: (seat: SeatId, tick: Tick, command: Command) => void;
}

/** All NPCs of one match. */
export class NpcController<Command> {
  readonly #options: NpcControllerOptions<Command>;
  /** NPCs on the seats that the state requests. */
  readonly #npcs = new Map<SeatId, NpcBrain<Command>>();
  /** NPCs that have taken over players' seats. */
  readonly #botTakeovers = new Map<SeatId, NpcBrain<Command>>();
  /** For each NPC seat that was given up, the tick from which it is empty. */
  readonly #emptyFrom = new Map<SeatId, Tick>();

  constructor(options: NpcControllerOptions<Command>) {
    this.#options = options;
  }

  /**
   * Fills the queues after a tick has run.
   * @param horizonTicks how far ahead the clients need commands
   */
  fillQueues(horizonTicks: number): void {
    const { tick, npcSeats } = this.#options.simulation;
    const earliest = tick + 1 + horizonTicks;

    // The tick that just ran used the first command of every queue.
    for (const brain of this.#npcs.values()) dropFirst(brain.queued);
    for (const brain of this.#botTakeovers.values()) dropFirst(brain.queued);

    for (const seat of npcSeats) if (!this.#npcs.has(seat)) this.#addNpc(seat, earliest);
    for (const brain of this.#npcs.values()) {
      // An NPC that leaves is included, because it needs a command for each tick until then.
      this.#fillQueue(brain, horizonTicks);
      if (!npcSeats.includes(brain.seat)) this.#removeNpc(brain, earliest);
    }
    for (const brain of this.#botTakeovers.values()) this.#fillQueue(brain, horizonTicks);
  }

  /**
   * Continues with a resumed match's NPCs. What was announced stays in force, and everything else
   * is decided anew.
   * @param state.seats the seats that are present
   * @param state.presence changes announced beyond the newest tick
   */
  restore({ seats, presence }: Pick<LogState<Command>, "seats" | "presence">): void {
    const { tick, npcSeats } = this.#options.simulation;
    for (const { seat, tick: from, present } of presence) {
      if (!present && seat >= PLAYER_SEATS) this.#emptyFrom.set(seat, from);
    }
    for (const seat of npcSeats) {
      const entry = presence.find((change) => change.seat === seat && change.present);
      const stays = seats.some((record) => record.seat === seat) && !this.#emptyFrom.has(seat);
      if (entry !== undefined || stays) {
        this.#npcs.set(seat, this.#newBrain(seat, entry?.tick ?? tick + 1));
      }
    }
  }

  /**
   * Lets an NPC take over a player's seat.
   * @param firstTick a tick that no client has simulated yet
   */
  takeOver(seat: SeatId, firstTick: Tick): void {
    this.#botTakeovers.set(seat, this.#newBrain(seat, firstTick));
  }

  /** Ends a takeover. @returns the last tick that the NPC announced, or −1 */
  handBack(seat: SeatId): Tick {
    const brain = this.#botTakeovers.get(seat);
    this.#botTakeovers.delete(seat);
    return brain === undefined ? -1 : this.#lastAnnouncedBy(brain);
  }

  #newBrain(seat: SeatId, firstTick: Tick): NpcBrain<Command> {
    return { seat, firstTick, queued: [], decoded: decodedBy(this.#options.game.command) };
  }

  #addNpc(seat: SeatId, earliest: Tick): void {
    const firstTick = Math.max(earliest, (this.#emptyFrom.get(seat) ?? 0) + 1);
    this.#npcs.set(seat, this.#newBrain(seat, firstTick));
    this.#options.presence.enter(seat, firstTick);
  }

  /**
   * Removes an NPC that the state no longer requests. The seat becomes empty after the NPC's
   * announced commands.
   */
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

  #fillQueue({ seat, firstTick, queued, decoded }: NpcBrain<Command>, horizonTicks: number): void {
    const { simulation, timeline, onCommand } = this.#options;
    const length = Math.min(
      NPC_QUEUE_TICKS_MAX,
      Math.max(horizonTicks, simulation.reactionTicks(seat)),
    );
    while (queued.length < length) {
      const tick = simulation.tick + queued.length + 1;
      // Commands that an earlier takeover announced stay in force (SPEC 1.7).
      if (tick < firstTick || timeline.isAnnounced(tick, seat)) {
        queued.push(timeline.predictCommand(tick, seat, simulation.tick));
        continue;
      }

      const command = decoded(simulation.npcCommand(seat, queued));
      queued.push(command);
      timeline.announce(tick, seat, command);
      onCommand(seat, tick, command);
    }
  }
}

/**
 * Like `shift`, which leaves compiled code for more than sixteen elements, after which the next
 * `push` moves everything.
 */
function dropFirst(queue: unknown[]): void {
  for (let i = 1; i < queue.length; i++) queue[i - 1] = queue[i];
  queue.pop();
}
