/**
 * What every seat does at every tick, known or assumed: C(n) in S(n) = f(S(n-1), C(n)).
 *
 *     C(n)[seat] = nothing                                  where nobody sits there at n
 *                = the known command                        where one is known for n
 *                = assume(newest known one, ticks since)    otherwise
 *
 * The server and every client compute C(n) here, by the same rule from the same announcements, so what the server assumed for
 * a late command need not be sent.
 */
import { type Commands, type Game, type SeatId, SEATS, type Tick } from "./game.ts";

/** How far ahead of the newest definitive tick a command may be: 3.2 s at 20 Hz, more than any lead that can be played with. */
export const COMMANDS_AHEAD_TICKS_MAX = 64;
/** How far back is remembered: more than a rollback (32) and what the longest announcement (64) add up to. */
export const HISTORY_TICKS = 128;
/** A ring that holds the history and what is ahead of it. */
const RING_TICKS = 256;

/** What is known of one seat beyond a tick: enough to go on assuming exactly as everybody else does. */
export interface SeatRecord<Command> {
  readonly seat: SeatId;
  /** The newest command known, undefined where none is. */
  readonly last: Command | undefined;
  /** Ticks since then. */
  readonly ticksMissing: number;
}

class TickRecord<Command> {
  tick: Tick = -1;
  readonly known: (Command | undefined)[] = new Array(SEATS).fill(undefined);
  readonly used: (Command | undefined)[] = new Array(SEATS).fill(undefined);
  readonly last: (Command | undefined)[] = new Array(SEATS).fill(undefined);
  readonly ticksMissing = new Uint16Array(SEATS);
  /** Bit per seat. */
  announced = 0;
  entering = 0;
  leaving = 0;
  present = 0;

  reset(tick: Tick): void {
    this.tick = tick;
    // Not `fill`, which calls out of compiled code: every tick renews one.
    for (let seat = 0; seat < SEATS; seat++) {
      this.known[seat] = this.used[seat] = this.last[seat] = undefined;
      this.ticksMissing[seat] = 0;
    }
    this.announced =
      this.entering =
      this.leaving =
      this.present =
        0;
  }
}

/** `ticksMissing` stops counting here: every assumption has decayed long before. */
const TICKS_MISSING_MAX = 1000;

/** C(n) for the ticks around the present. */
export class Timeline<Command> {
  readonly #game: Pick<Game<Command>, "assume" | "command">;
  readonly #ring: TickRecord<Command>[] = Array.from({ length: RING_TICKS }, () => new TickRecord<Command>());

  constructor(game: Pick<Game<Command>, "assume" | "command">) {
    this.#game = game;
  }

  /** Begins anew after `tick`, from what is known of the seats present there. */
  begin(tick: Tick, seats: readonly SeatRecord<Command>[]): void {
    for (const record of this.#ring) record.reset(-1);
    const record = this.#at(tick);
    for (const { seat, last, ticksMissing } of seats) {
      record.present |= 1 << seat;
      record.last[seat] = last;
      record.ticksMissing[seat] = ticksMissing;
      record.used[seat] = ticksMissing === 0 ? last : this.#game.assume(last, ticksMissing);
    }
  }

  /** What `begin` needs to go on after `tick`, for the seats present there, ascending. Allocates. */
  recordsAt(tick: Tick): SeatRecord<Command>[] {
    const record = this.#at(tick);
    const records: SeatRecord<Command>[] = [];
    for (let seat = 0; seat < SEATS; seat++) {
      if (record.present >>> seat & 1) {
        records.push({ seat, last: record.last[seat], ticksMissing: record.ticksMissing[seat]! });
      }
    }
    return records;
  }

  /** One's own command for a tick. What has been announced for it counts more. */
  setLocalCommand(tick: Tick, seat: SeatId, command: Command): void {
    const record = this.#at(tick);
    if ((record.announced >>> seat & 1) === 0) record.known[seat] = command;
  }

  /** The server's word that `seat` does `command` at `tick`. */
  announce(tick: Tick, seat: SeatId, command: Command): void {
    const record = this.#at(tick);
    record.known[seat] = command;
    record.announced |= 1 << seat;
  }

  /** Whether the seat's command for `tick` has been announced. */
  isAnnounced(tick: Tick, seat: SeatId): boolean {
    const record = this.#ring[tick % RING_TICKS]!;
    return record.tick === tick && (record.announced >>> seat & 1) === 1;
  }

  /** The announced command; undefined where there is none. */
  announcedAt(tick: Tick, seat: SeatId): Command | undefined {
    return this.isAnnounced(tick, seat) ? this.#ring[tick % RING_TICKS]!.known[seat] : undefined;
  }

  /** What the seat will have done at `tick` as far as is known after `resolved`, the newest tick worked out. */
  predictCommand(tick: Tick, seat: SeatId, resolved: Tick): Command {
    for (let known = tick; known > resolved; known--) {
      const command = this.announcedAt(known, seat);
      if (command !== undefined) return known === tick ? command : this.#game.assume(command, tick - known);
    }
    const { last, ticksMissing } = this.#at(resolved);
    return this.#game.assume(last[seat], ticksMissing[seat]! + tick - resolved);
  }

  /** From `tick` on somebody sits on `seat`, or nobody does. */
  setPresence(tick: Tick, seat: SeatId, present: boolean): void {
    const record = this.#at(tick);
    if (present) record.entering |= 1 << seat;
    else record.leaving |= 1 << seat;
  }

  /**
   * `tick` is definitive: whatever was only intended for it came too late.
   * @returns whether there was such a command
   */
  finalize(tick: Tick): boolean {
    const record = this.#at(tick);
    let late = false;
    for (let seat = 0; seat < SEATS; seat++) {
      if (record.known[seat] === undefined || (record.announced >>> seat & 1) === 1) continue;
      record.known[seat] = undefined;
      if (record.present >>> seat & 1) late = true;
    }
    return late;
  }

  /**
   * Works out C(tick) from what is known now; tick - 1 must have been worked out.
   * @returns whether it differs from what was worked out for this tick before
   */
  resolve(tick: Tick): boolean {
    const before = this.#at(tick - 1), now = this.#at(tick);
    const present = (before.present | now.entering) & ~now.leaving;
    let changed = present !== now.present;
    now.present = present;
    for (let seat = 0; seat < SEATS; seat++) {
      const used = (present >>> seat & 1) === 1 ? this.#resolveSeat(seat, before, now) : undefined;
      if (!this.#same(used, now.used[seat])) changed = true;
      now.used[seat] = used;
    }
    return changed;
  }

  /** C(tick) as it was last worked out. */
  commands(tick: Tick): Commands<Command> {
    return this.#at(tick).used;
  }

  isPresent(tick: Tick, seat: SeatId): boolean {
    return (this.#at(tick).present >>> seat & 1) === 1;
  }

  /** Whether a command is known for this seat and tick, announced or intended. */
  isKnown(tick: Tick, seat: SeatId): boolean {
    return this.#at(tick).known[seat] !== undefined;
  }

  #resolveSeat(seat: SeatId, before: TickRecord<Command>, now: TickRecord<Command>): Command {
    const known = now.known[seat];
    if (known !== undefined) {
      now.last[seat] = known;
      now.ticksMissing[seat] = 0;
      return known;
    }
    const wasPresent = (before.present >>> seat & 1) === 1;
    now.last[seat] = wasPresent ? before.last[seat] : undefined;
    now.ticksMissing[seat] = Math.min(TICKS_MISSING_MAX, (wasPresent ? before.ticksMissing[seat]! : 0) + 1);
    return this.#game.assume(now.last[seat], now.ticksMissing[seat]!);
  }

  #same(a: Command | undefined, b: Command | undefined): boolean {
    return a === b || (a !== undefined && b !== undefined && this.#game.command.same(a, b));
  }

  #at(tick: Tick): TickRecord<Command> {
    const record = this.#ring[tick % RING_TICKS]!;
    if (record.tick > tick) throw new RangeError(`tick ${tick} is forgotten: ${record.tick} has taken its place`);
    if (record.tick < tick) record.reset(tick);
    return record;
  }
}
