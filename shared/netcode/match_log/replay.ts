/**
 * Plays a log again and checks every hash in it, so a replay that reaches the end reproduced
 * exactly the match that was played.
 *
 *     S(n) = f( S(n−1), C(n) )     C(n) follows from the records up to that of tick n, as on every client
 */
import { builtRulesOf } from "../built_rules.ts";
import type { Game, SeatId, Simulation, Tick } from "../game.ts";
import { rulesOf } from "../own_npcs.ts";
import { isSameChange, Presence } from "../presence.ts";
import { joinStateAt } from "../join_state.ts";
import { Timeline } from "../timeline.ts";
import { Snapshot, SnapshotError } from "../../snapshot.ts";
import type { PresenceChange } from "../wire/messages.ts";
import { hashOfSnapshot } from "../wire/range_coder.ts";
import { differingWords, nameDifference } from "../state_difference.ts";
import {
  LogError,
  type LoggedPlayer,
  type LogHeader,
  type LogRecord,
  type LogState,
  type LogTick,
} from "./records.ts";

/** The log and this program disagree on a state. */
export class LogDifference extends LogError {
  readonly tick: Tick;
  /**
   * The label of the first word that differs, such as "entity 12 car.fuel"; undefined where the log
   * holds only a hash.
   */
  readonly field: string | undefined;

  /** @param rules the fingerprints of the rules of the log and of this program, if both have one */
  constructor(
    tick: Tick,
    { field, rules: { logged, own } = {} }: {
      field?: string | undefined;
      rules?: { readonly logged?: string | undefined; readonly own?: string | undefined };
    } = {},
  ) {
    const place = `tick ${tick}${field === undefined ? "" : `: ${field}`}`;
    const reason = logged === undefined || own === undefined || logged === own
      ? "other rules, or another build of them, played it"
      : `rules ${logged} played it, and this program has ${own}`;
    super(`${place} is not as the log has it: ${reason}`);
    this.tick = tick;
    this.field = field;
  }
}

/** A logged match, at one of its ticks. `play` leads it on. */
export class MatchReplay<Command, Sim extends Simulation<Command> = Simulation<Command>> {
  readonly header: LogHeader;
  readonly simulation: Sim;
  readonly timeline: Timeline<Command>;
  readonly presence: Presence<Command>;
  readonly #game: Game<Command, Sim>;
  readonly #snapshot = new Snapshot();
  readonly #logged = new Snapshot(0);
  readonly #players = new Map<SeatId, LoggedPlayer>();
  #hasBegun = false;
  /** Why the match is over; undefined while it is not. */
  endReason: string | undefined;

  /** @throws LogError if the log is from another game, or if the game refuses to begin the match */
  constructor(game: Game<Command, Sim>, header: LogHeader) {
    if (header.gameId !== game.id) {
      throw new LogError(`a log of ${header.gameId}; this program has ${game.id}`);
    }
    this.#game = rulesOf(game, header);
    this.header = header;
    this.simulation = begun(this.#game, header);
    this.timeline = new Timeline(game);
    this.presence = new Presence(this.timeline);
  }

  /** The newest tick that was played; −1 before the first state. */
  get tick(): Tick {
    return this.#hasBegun ? this.simulation.tick : -1;
  }

  /** The state at `tick`, valid until the next record. */
  get snapshot(): Snapshot {
    return this.#snapshot;
  }

  /** The players who hold a seat. */
  get players(): readonly LoggedPlayer[] {
    return [...this.#players.values()];
  }

  /**
   * Copies the state at `tick` as a record, so that a match or another replay can go on from it.
   * @throws LogError before the first state
   */
  get state(): LogState<Command> {
    if (!this.#hasBegun) throw new LogError("a log without a state");
    const { tick, timeline, presence, players } = this;
    const snapshot = this.#snapshot;
    const { state, presence: pending, announcements } = joinStateAt(tick, {
      timeline,
      presence,
      snapshot,
    });
    const hash = hashOfSnapshot(snapshot);
    const words = state.snapshot.slice();

    // `pending` is copied because it is the presence's own list, which goes on changing.
    return {
      type: "state",
      tick,
      hash,
      seats: state.seats,
      presence: [...pending],
      announcements,
      players,
      snapshot: words,
    };
  }

  /**
   * Goes to another state of the same match. Play the records after it next.
   * @throws as `play`
   */
  goTo(state: LogState<Command>): void {
    this.#players.clear();
    this.endReason = undefined;
    this.#begin(state);
  }

  /**
   * Plays a record. The replay begins with a state, so the first record after the header must be
   * one.
   * @throws LogError if the record cannot follow, or the game throws at it;
   * LogDifference if a state is not as the log has it
   */
  play(record: LogRecord<Command>): void {
    try {
      this.#play(record);
    } catch (error) {
      if (error instanceof LogError) throw error;
      throw unplayable("tick" in record ? record.tick : this.tick, error);
    }
  }

  #play(record: LogRecord<Command>): void {
    switch (record.type) {
      case "state":
        return this.#hasBegun ? this.#meet(record) : this.#begin(record);
      case "tick":
        return this.#playTick(record);
      case "early":
        for (const { seat, tick, command } of record.announcements) {
          this.timeline.announce(tick, seat, command);
        }
        return;
      case "seat":
        return void this.#players.set(record.seat, record);
      case "end":
        return void (this.endReason = record.reason);
      case "header":
        throw new LogError("a second header");
      case "owner":
        return;
    }
  }

  #begin(
    { tick, hash, seats, presence, announcements, players, snapshot }: LogState<Command>,
  ): void {
    // Load the state
    try {
      this.#logged.setBytes(snapshot);
      this.simulation.load(this.#logged);
    } catch (error) {
      if (error instanceof SnapshotError) {
        throw new LogError(`the state of tick ${tick} is none: ${error.message}`);
      }
      throw error;
    }

    // Check that it is the state that the log says
    this.simulation.save(this.#snapshot);
    if (this.simulation.tick !== tick) {
      throw new LogError(`the state of tick ${tick} is that of another`);
    }
    if (hashOfSnapshot(this.#snapshot) !== hash) throw this.#differenceAt(tick);

    // Take over who is there and what is announced
    this.timeline.begin(tick, seats);
    this.presence.begin(seats, presence);
    for (const { seat, tick, command } of announcements) {
      this.timeline.announce(tick, seat, command);
    }
    for (const player of players) this.#players.set(player.seat, player);
    this.#hasBegun = true;
  }

  #playTick({ tick, hash, presence, announcements }: LogTick<Command>): void {
    if (!this.#hasBegun) throw new LogError(`tick ${tick} before the first state`);
    if (tick !== this.tick + 1) throw new LogError(`tick ${tick} after tick ${this.tick}`);
    for (const change of presence) this.#announce(change);
    for (const { seat, tick, command } of announcements) {
      this.timeline.announce(tick, seat, command);
    }
    this.timeline.resolve(tick);
    this.simulation.step(this.timeline.commands(tick));
    this.simulation.save(this.#snapshot);
    this.presence.applyDue(tick);
    this.presence.markSent();
    // A server that only ordered commands knew none.
    if (hash === 0 && this.header.isOrdered) return;
    if (hashOfSnapshot(this.#snapshot) !== hash) throw this.#difference(tick);
  }

  /** Announces a change. A player who leaves also loses their tokens. */
  #announce(change: PresenceChange): void {
    this.presence.announce(change);
    const player = this.#players.get(change.seat);
    if (player === undefined) return;
    if (change.present) this.#players.set(change.seat, { ...player, entersAt: change.tick });
    else this.#players.delete(change.seat);
  }

  /**
   * Compares a state and takes over what it announces. The ticks may lack those announcements, if a
   * machine stalled after the state and another one went on from it.
   */
  #meet({ tick, snapshot, presence, announcements }: LogState<Command>): void {
    if (tick !== this.tick) throw new LogError(`the state of tick ${tick} at tick ${this.tick}`);
    this.#logged.setBytes(snapshot);
    if (!this.#logged.equals(this.#snapshot)) throw this.#differenceAt(tick);
    for (const change of presence) if (!this.#isPending(change)) this.#announce(change);
    for (const { seat, tick, command } of announcements) {
      this.timeline.announce(tick, seat, command);
    }
  }

  #isPending(change: PresenceChange): boolean {
    return this.presence.pending.some((each) => isSameChange(each, change));
  }

  #differenceAt(tick: Tick): LogDifference {
    const state = this.#snapshot;
    const words = differingWords(state, this.#logged);
    if (words.length === 0) return this.#difference(tick);
    const { simulation } = this;
    return this.#difference(
      tick,
      nameDifference(this.#game, { simulation, tick, state, words }).field,
    );
  }

  #difference(tick: Tick, field?: string): LogDifference {
    const { rules: logged, gameId } = this.header;
    return new LogDifference(tick, { field, rules: { logged, own: builtRulesOf(gameId) } });
  }
}

/** @throws LogError if the game cannot begin with this header */
function begun<Command, Sim extends Simulation<Command>>(
  game: Game<Command, Sim>,
  header: LogHeader,
): Sim {
  const { npcs, choices, seed } = header;
  try {
    return game.start({ npcs, choices }, seed);
  } catch (error) {
    throw new LogError(`a log whose match cannot begin (${described(error)})`, { cause: error });
  }
}

/**
 * Turns what a game throws into an error about the log. A log's checks do not prove who made it, so
 * a state in it can make a game throw anything.
 */
export function unplayable(tick: Tick, cause: unknown): LogError {
  return new LogError(`a log whose tick ${tick} cannot be played (${described(cause)})`, { cause });
}

function described(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}
