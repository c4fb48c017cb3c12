/**
 * One client's newest datagrams with commands: those that it sent, or those that arrived. Each end
 * keeps them, and later datagrams are delta-coded against those that both know.
 *
 *     window    newest tick − 39 … newest tick + 24
 *
 * A short datagram carries only the low 6 bits of its tick, so a reader mistakes its tick once
 * newer ones overtook it by 40 ticks, 2 s at 20 Hz. Its reference is then missing, and the reader
 * ignores it. Only a datagram that is late by 49 to 64 ticks can find a reference. Nearly always it
 * then claims to have received a tick that the server has not run, and the server closes the link.
 *
 * If a client's clock jumped ahead, its datagrams would move the window away from others in
 * transit. So those that are far ahead of what their client received are not kept.
 */
import type { Tick } from "../../game.ts";
import { TickRing } from "../../tick_ring.ts";
import {
  type Arrivals,
  ARRIVALS_TICKS,
  ARRIVED_MAX,
  type CommandsMessage,
  quantizeLead,
} from "../messages.ts";

export const TICK_BITS = 6;
/** The window's length. */
const KEPT_TICKS = 1 << TICK_BITS;
/**
 * How far a short datagram may be ahead of the newest, because its reference, which arrived, is at
 * most 23 ticks older.
 */
const AHEAD_TICKS_MAX = 24;

/**
 * A datagram that is farther ahead of what its client received is not kept. It is 1.6 s at 20 Hz,
 * more than a round trip and a lead.
 */
const AHEAD_OF_RECEIVED_TICKS_MAX = 32;

/**
 * Whether both ends keep a datagram, so that later ones may be coded against it. They do not keep
 * one without commands.
 */
export function isKept(
  { tick, received, commands, unreadCount }: Pick<
    CommandsMessage<unknown>,
    "tick" | "received" | "commands" | "unreadCount"
  >,
): boolean {
  const hasCommands = commands.length > 0 || unreadCount !== undefined;
  return hasCommands && tick - received <= AHEAD_OF_RECEIVED_TICKS_MAX;
}

interface KeptTick<Command> {
  /** How many datagrams were for this tick. */
  count: number;
  /** Whether the commands in one of them were read. */
  isRead: boolean;
  /**
   * From the first of them: its tick minus its newest received tick, its lead in quarters of a ms,
   * and how many commands it carries.
   */
  offset: number;
  lead: number;
  commandCount: number;
  /** The command for this tick, from any datagram; undefined if none carried it. */
  command: Command | undefined;
}

/** The fields that a later datagram is delta-coded against. */
export type ReferenceFields = Readonly<Pick<KeptTick<unknown>, "offset" | "lead" | "commandCount">>;

/** One end's datagrams from the newest 64 ticks. */
export class DatagramHistory<Command> {
  readonly #ticks = new TickRing<KeptTick<Command>>(
    KEPT_TICKS,
    () => ({ count: 0, isRead: false, offset: 0, lead: 0, commandCount: 0, command: undefined }),
  );
  #newest: Tick = -1;

  /** Whether no datagram with commands was kept yet. */
  get isEmpty(): boolean {
    return this.#newest < 0;
  }

  /** Finds the tick in the window with these low bits; negative if it would be before tick 0. */
  tickOf(lowBits: number): Tick {
    const oldest = this.#newest + AHEAD_TICKS_MAX - KEPT_TICKS + 1;
    return oldest + ((lowBits - oldest) & (KEPT_TICKS - 1));
  }

  /** Finds the fields of the first datagram for `tick`; undefined if there was none. */
  fieldsOf(tick: Tick): ReferenceFields | undefined {
    const kept = tick < 0 ? undefined : this.#ticks.get(tick);
    return kept === undefined || kept.count === 0 ? undefined : kept;
  }

  /** Finds the command for `tick`; undefined if no datagram carried it. */
  commandOf(tick: Tick): Command | undefined {
    return tick < 0 ? undefined : this.#ticks.get(tick)?.command;
  }

  /** Keeps a datagram that was sent or arrived, if it `isKept`. */
  record(message: CommandsMessage<Command>): void {
    if (!isKept(message)) return;
    const { tick, received, leadMs, commands, unreadCount } = message;
    this.#newest = Math.max(this.#newest, tick);
    const kept = this.#keep(tick);
    if (kept === undefined) return;
    if (kept.count++ === 0) {
      kept.offset = tick - received;
      kept.lead = quantizeLead(leadMs);
      kept.commandCount = unreadCount ?? commands.length;
    }
    kept.isRead ||= unreadCount === undefined;
    // The first command for a tick counts (SPEC 1.5).
    for (let i = 0; i < commands.length; i++) {
      const own = this.#keep(tick - i);
      if (own !== undefined) own.command ??= commands[i];
    }
  }

  /**
   * Reports the datagrams that arrived.
   * @param tick the newest tick that the server ran
   * @returns undefined if all are old
   */
  arrivals(tick: Tick): Arrivals | undefined {
    const newest = this.#newest;
    if (newest < 0 || Math.abs(newest - tick) > KEPT_TICKS) return undefined;
    const counts: number[] = [];
    const areRead: boolean[] = [];
    for (let age = 0; age < ARRIVALS_TICKS; age++) {
      const kept = newest < age ? undefined : this.#ticks.get(newest - age);
      counts.push(Math.min(ARRIVED_MAX, kept?.count ?? 0));
      areRead.push(kept?.isRead ?? false);
    }
    return { newest, counts, areRead };
  }

  /** Finds a tick's kept values, or creates them empty; undefined for a tick that is too old. */
  #keep(tick: Tick): KeptTick<Command> | undefined {
    if (tick <= this.#newest - KEPT_TICKS) return undefined;
    const kept = this.#ticks.get(tick);
    if (kept !== undefined) return kept;
    const fresh = this.#ticks.claim(tick);
    fresh.count = 0;
    fresh.isRead = false;
    fresh.command = undefined;
    return fresh;
  }
}
