/**
 * Every seat's command at every tick, known or assumed: C(n) in S(n) = f( S(n−1), C(n) ).
 *
 *     C(n)[seat] = nothing                                       if the seat is empty at n
 *                = the known command                             if one is known for n
 *                = assume( newest known command, ticks since )   otherwise
 *
 * The server and every client compute C(n) here, by the same rule and from the same announcements,
 * so the server never needs to send a command that it assumed.
 *
 * Before tick n is definitive, a client may guess a player's unknown command instead of assuming
 * one (DESIGN 3). It guesses when it steps the tick, and keeps the guess until a known command
 * contradicts it or the tick is definitive.
 */
import {
  type Commands,
  type Game,
  type Guesser,
  PLAYER_SEATS,
  type SeatId,
  SEATS,
  type Tick,
} from "./game.ts";

/**
 * How far ahead of the newest definitive tick a command may be: 3.2 s at 20 Hz, more than any
 * playable lead.
 */
export const COMMANDS_AHEAD_TICKS_MAX = 64;
/**
 * How far ahead of the definitive tick the server may announce something: a departure follows the
 * last announced command.
 */
export const ANNOUNCED_AHEAD_TICKS_MAX = COMMANDS_AHEAD_TICKS_MAX + 2;
/**
 * How many past ticks to keep: more than a rollback (32) and the longest announcement (64)
 * together.
 */
export const HISTORY_TICKS = 128;
/** Room for the past ticks and for those ahead. */
const RING_TICKS = 256;

/**
 * One seat's last known command at a tick, from which both ends assume the same commands from there
 * on.
 */
export interface SeatRecord<Command> {
  readonly seat: SeatId;
  /** The newest known command, or undefined. */
  readonly last: Command | undefined;
  /** Ticks since that command. */
  readonly ticksMissing: number;
}

/** A seat is taken, or empty, from a tick on. */
interface SeatChange {
  readonly seat: SeatId;
  readonly tick: Tick;
  readonly present: boolean;
}

class TickRecord<Command> {
  tick: Tick = -1;
  readonly known: (Command | undefined)[] = new Array(SEATS).fill(undefined);
  readonly used: (Command | undefined)[] = new Array(SEATS).fill(undefined);
  readonly last: (Command | undefined)[] = new Array(SEATS).fill(undefined);
  readonly ticksMissing = new Uint16Array(SEATS);
  /** In these five, bit n stands for seat n. */
  guessed = 0;
  announced = 0;
  entering = 0;
  leaving = 0;
  present = 0;
  isDefinitive = false;

  reset(tick: Tick): void {
    this.tick = tick;
    // Not `fill`, which would be a call out of compiled code: every tick resets one record.
    for (let seat = 0; seat < SEATS; seat++) {
      this.known[seat] = this.used[seat] = this.last[seat] = undefined;
      this.ticksMissing[seat] = 0;
    }
    this.isDefinitive = false;
    this.guessed =
      this.announced =
      this.entering =
      this.leaving =
      this.present =
        0;
  }
}

/** `ticksMissing` stops here: every assumed command has decayed long before. */
const TICKS_MISSING_MAX = 1000;

/** How a client guesses commands that are unknown and not definitive. */
export interface Guessing<Command> {
  readonly newGuesser: () => Guesser<Command>;
  /** The client's own seat, whose unknown commands are assumed: they can only be late. */
  readonly ownSeat: SeatId | undefined;
}

/** One player's guesser, which learns each command once and in tick order. */
class SeatGuesser<Command> {
  readonly #guesser: Guesser<Command>;
  #newest: Tick = -1;

  constructor(guesser: Guesser<Command>) {
    this.#guesser = guesser;
  }

  learn(tick: Tick, command: Command): void {
    if (tick <= this.#newest) return;
    this.#newest = tick;
    this.#guesser.learn(tick, command);
  }

  guess(last: Command | undefined, ticksMissing: number): Command {
    return this.#guesser.guess(last, ticksMissing);
  }
}

/** C(n) for the ticks around the newest definitive one. */
export class Timeline<Command> {
  readonly #game: Pick<Game<Command>, "assume" | "command">;
  readonly #guessing: Guessing<Command> | undefined;
  /** By seat: undefined for seats whose unknown commands are assumed. */
  readonly #guessers: (SeatGuesser<Command> | undefined)[] = new Array(SEATS).fill(undefined);
  readonly #ring: TickRecord<Command>[] = Array.from(
    { length: RING_TICKS },
    () => new TickRecord<Command>(),
  );

  /**
   * @param guessing undefined for the server, and for a client that assumes what the server assumes
   */
  constructor(game: Pick<Game<Command>, "assume" | "command">, guessing?: Guessing<Command>) {
    this.#game = game;
    this.#guessing = guessing;
  }

  /** Restarts after `tick`. @param seats those that are present at `tick` */
  begin(tick: Tick, seats: readonly SeatRecord<Command>[]): void {
    for (const record of this.#ring) record.reset(-1);
    const record = this.#at(tick);
    record.isDefinitive = true;
    for (let seat = 0; seat < SEATS; seat++) this.#restartGuesser(seat);
    for (const { seat, last, ticksMissing } of seats) {
      if (last !== undefined) this.#guessers[seat]?.learn(tick - ticksMissing, last);
      record.present |= 1 << seat;
      record.last[seat] = last;
      record.ticksMissing[seat] = ticksMissing;
      record.used[seat] = ticksMissing === 0 ? last : this.#game.assume(last, ticksMissing);
    }
  }

  /**
   * Collects the present seats, ascending, with which another timeline can `begin` after `tick`.
   * Allocates.
   */
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

  /** Sets the client's own command for a tick, unless one is announced. */
  setLocalCommand(tick: Tick, seat: SeatId, command: Command): void {
    const record = this.#at(tick);
    if ((record.announced >>> seat & 1) === 0) record.known[seat] = command;
  }

  /** Sets the command that the server announced for a seat and tick. */
  announce(tick: Tick, seat: SeatId, command: Command): void {
    const record = this.#at(tick);
    record.known[seat] = command;
    record.announced |= 1 << seat;
    this.#guessers[seat]?.learn(tick, command);
  }

  /** Whether the seat's command for `tick` has been announced. */
  isAnnounced(tick: Tick, seat: SeatId): boolean {
    const record = this.#ring[tick % RING_TICKS]!;
    return record.tick === tick && (record.announced >>> seat & 1) === 1;
  }

  /** The announced command, or undefined. */
  announcedAt(tick: Tick, seat: SeatId): Command | undefined {
    return this.isAnnounced(tick, seat) ? this.#ring[tick % RING_TICKS]!.known[seat] : undefined;
  }

  /**
   * Predicts a seat's command for `tick` from its newest announced one.
   * @param resolved the newest resolved tick
   */
  predictCommand(tick: Tick, seat: SeatId, resolved: Tick): Command {
    for (let known = tick; known > resolved; known--) {
      const command = this.announcedAt(known, seat);
      if (command !== undefined) {
        return known === tick ? command : this.#game.assume(command, tick - known);
      }
    }
    const { last, ticksMissing } = this.#at(resolved);
    return this.#game.assume(last[seat], ticksMissing[seat]! + tick - resolved);
  }

  /** Makes the seat present, or empty, from `tick` on. */
  setPresence(tick: Tick, seat: SeatId, present: boolean): void {
    const record = this.#at(tick);
    if (present) this.#restartGuesser(seat);
    if (present) record.entering |= 1 << seat;
    else record.leaving |= 1 << seat;
  }

  /** Collects the changes of presence that are announced beyond `tick`, in their order. Allocates. */
  changesBeyond(tick: Tick): SeatChange[] {
    const changes: SeatChange[] = [];
    for (let at = tick + 1; at <= tick + ANNOUNCED_AHEAD_TICKS_MAX; at++) {
      const record = this.#ring[at % RING_TICKS]!;
      if (record.tick !== at) continue;
      for (let seat = 0; seat < SEATS; seat++) {
        if (record.leaving >>> seat & 1) changes.push({ seat, tick: at, present: false });
        if (record.entering >>> seat & 1) changes.push({ seat, tick: at, present: true });
      }
    }
    return changes;
  }

  /**
   * Makes `tick` definitive, so that it contains no guess any more. Removes own commands that were
   * not announced by now, because they came too late.
   * @returns whether a present seat lost such a command
   */
  finalize(tick: Tick): boolean {
    const record = this.#at(tick);
    record.isDefinitive = true;
    let late = false;
    for (let seat = 0; seat < SEATS; seat++) {
      if (record.known[seat] === undefined || (record.announced >>> seat & 1) === 1) continue;
      record.known[seat] = undefined;
      if (record.present >>> seat & 1) late = true;
    }
    return late;
  }

  /**
   * Computes C(tick) from the commands that are known now. `tick` − 1 must be resolved.
   * @param isStepped whether the tick is stepped now: if so, guesses are made anew; otherwise they
   *   stay
   * @returns whether C(tick) differs from the previous result
   */
  resolve(tick: Tick, isStepped = false): boolean {
    const before = this.#at(tick - 1);
    const now = this.#at(tick);
    const present = (before.present | now.entering) & ~now.leaving;
    let changed = present !== now.present;
    now.present = present;
    for (let seat = 0; seat < SEATS; seat++) {
      const used = (present >>> seat & 1) === 1
        ? this.#resolveSeat(seat, { before, now, isStepped })
        : undefined;
      if (!this.#same(used, now.used[seat])) changed = true;
      now.used[seat] = used;
    }
    return changed;
  }

  /** Returns C(tick) as last resolved. */
  commands(tick: Tick): Commands<Command> {
    return this.#at(tick).used;
  }

  /** Whether C(tick) ever contained a guess. */
  hasGuesses(tick: Tick): boolean {
    return this.#at(tick).guessed !== 0;
  }

  isPresent(tick: Tick, seat: SeatId): boolean {
    return (this.#at(tick).present >>> seat & 1) === 1;
  }

  /** Whether the seat's command for `tick` is known, announced or its own. */
  isKnown(tick: Tick, seat: SeatId): boolean {
    return this.#at(tick).known[seat] !== undefined;
  }

  #resolveSeat(
    seat: SeatId,
    { before, now, isStepped }: {
      before: TickRecord<Command>;
      now: TickRecord<Command>;
      isStepped: boolean;
    },
  ): Command {
    const known = now.known[seat];
    if (known !== undefined) {
      now.last[seat] = known;
      now.ticksMissing[seat] = 0;
      return known;
    }

    // Unknown: one more tick is missing. A player who enters now starts with nothing
    const wasPresent = (before.present >>> seat & 1) === 1;
    const last = wasPresent ? before.last[seat] : undefined;
    const ticksMissing = Math.min(
      TICKS_MISSING_MAX,
      (wasPresent ? before.ticksMissing[seat]! : 0) + 1,
    );
    now.last[seat] = last;
    now.ticksMissing[seat] = ticksMissing;

    // Assume, as the server does: for good once the tick is definitive
    const guesser = this.#guessers[seat];
    if (guesser === undefined || now.isDefinitive) return this.#game.assume(last, ticksMissing);

    // Guess each time the tick is stepped; until then an earlier guess stays
    now.guessed |= 1 << seat;
    const made = now.used[seat];
    return isStepped || made === undefined ? guesser.guess(last, ticksMissing) : made;
  }

  /** Starts over, because another player may behave differently. */
  #restartGuesser(seat: SeatId): void {
    const { newGuesser, ownSeat } = this.#guessing ?? {};
    const isGuessed = newGuesser !== undefined && seat < PLAYER_SEATS && seat !== ownSeat;
    this.#guessers[seat] = isGuessed ? new SeatGuesser(newGuesser()) : undefined;
  }

  #same(a: Command | undefined, b: Command | undefined): boolean {
    return a === b || (a !== undefined && b !== undefined && this.#game.command.same(a, b));
  }

  #at(tick: Tick): TickRecord<Command> {
    const record = this.#ring[tick % RING_TICKS]!;
    if (record.tick > tick) {
      throw new RangeError(`tick ${tick} is forgotten: ${record.tick} has taken its place`);
    }
    if (record.tick < tick) record.reset(tick);
    return record;
  }
}
