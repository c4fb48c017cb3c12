/**
 * Plays a whole log again. Each tick must be as it was, each state in it must be as good a
 * beginning as everything before it, what a client got must be what happened, and each of a
 * player's presses must have counted once.
 */
import { type SeatId, SEATS, type Simulation, type Tick } from "../../../shared/netcode/game.ts";
import { FrameReader } from "../../../shared/netcode/match_log/frames.ts";
import { RecordReader } from "../../../shared/netcode/match_log/record_coder.ts";
import type { LogRecord } from "../../../shared/netcode/match_log/records.ts";
import { MatchReplay } from "../../../shared/netcode/match_log/replay.ts";
import { headerOf } from "../../../shared/netcode/match_log/replayed_log.ts";
import { hashOfSnapshot } from "../../../shared/netcode/wire/range_coder.ts";
import type { Announcement } from "../../../shared/netcode/wire/messages.ts";
import type { Connection } from "./clients/connection.ts";
import type { HuntedGameParts } from "./clients/games.ts";
import { Broken, type Witness } from "./witness.ts";

interface ProofOptions<Command, Sim extends Simulation<Command>> {
  readonly parts: HuntedGameParts<Command, Sim>;
  /** The player who gave the command; undefined for an NPC's command, and for an assumed one. */
  readonly authorOf: (seat: SeatId, tick: Tick) => Connection<Command, Sim> | undefined;
}

/** The proof of one log, which continues as the log grows. */
export class LogProof<Command, Sim extends Simulation<Command>> {
  readonly #witness: Witness<Command>;
  readonly #parts: HuntedGameParts<Command, Sim>;
  readonly #reader: RecordReader<Command>;
  readonly #presses: PressAccount<Command, Sim>;
  #replay: MatchReplay<Command, Sim> | undefined;
  /** Where the unproven part of the log starts. */
  #offset = 0;
  /** The newest state, from which another replay begins. */
  #stateOffset = 0;
  /** By tick: what a client got about later ticks. */
  readonly #promised = new Map<Tick, Announcement<Command>[]>();

  constructor(witness: Witness<Command>, { parts, authorOf }: ProofOptions<Command, Sim>) {
    this.#witness = witness;
    this.#parts = parts;
    this.#reader = new RecordReader(parts.game.command);
    this.#presses = new PressAccount(parts, authorOf);
  }

  /** Notes that a client got a command. For a tick that is already proven it adds nothing. */
  promise(announcement: Announcement<Command>): void {
    const { tick } = announcement;
    const promised = this.#promised.get(tick);
    if (tick <= (this.#replay?.tick ?? -1)) return;
    if (promised === undefined) this.#promised.set(tick, [announcement]);
    else promised.push(announcement);
  }

  /**
   * Proves what was written since the last call. @throws Broken for the first rule that the log
   * breaks
   */
  goOn(): void {
    const { log: { bytes } } = this.#witness;
    const { game } = this.#parts;
    const frames = new FrameReader(bytes, this.#offset);
    const states: number[] = [];
    for (let payload = frames.next(); payload !== undefined; payload = frames.next()) {
      const record = this.#reader.read(payload);
      if (record.type === "header") this.#replay = new MatchReplay(game, record);
      else this.#play(this.#replay!, record);
      if (record.type === "tick") this.#afterTick(this.#replay!);
      if (record.type === "state") {
        states.push(this.#stateOffset);
        this.#stateOffset = this.#offset;
      }
      this.#offset = frames.offset;
    }
    for (const offset of states) if (offset > 0) this.#playFromState(offset);
  }

  /**
   * Plays from a state to the next one, because a replay from the beginning would not notice that a
   * state lacks something.
   */
  #playFromState(offset: number): void {
    const { log: { bytes } } = this.#witness;
    const { game } = this.#parts;
    const reader = new RecordReader(game.command);
    const frames = new FrameReader(bytes, offset);
    const replay = new MatchReplay<Command, Sim>(game, headerOf(bytes));
    for (let payload = frames.next(); payload !== undefined; payload = frames.next()) {
      const record = reader.read(payload);
      const isNextState = record.type === "state" && replay.tick >= 0;
      this.#play(replay, record);
      if (isNextState) break;
    }
  }

  #play(replay: MatchReplay<Command, Sim>, record: LogRecord<Command>): void {
    try {
      replay.play(record);
    } catch (error) {
      throw new Broken(
        "a replay of the log is the match",
        `${this.#witness.room}: ${(error as Error).message}`,
      );
    }
  }

  #afterTick({ tick, timeline, snapshot }: MatchReplay<Command, Sim>): void {
    if (!this.#witness.isReplayed(tick, hashOfSnapshot(snapshot))) {
      throw new Broken("equal everywhere", `tick ${tick}: clients have another state`);
    }
    const commands = timeline.commands(tick);
    const { same } = this.#parts.game.command;
    for (const { seat, command } of this.#promised.get(tick) ?? []) {
      const used = commands[seat];
      if (used === undefined || same(used, command)) continue;
      throw new Broken("what is announced is what happens", `seat ${seat}, tick ${tick}`);
    }
    this.#promised.delete(tick);
    this.#presses.count(tick, commands);
  }
}

/** Counts each player's presses as the counter game does. */
class PressAccount<Command, Sim extends Simulation<Command>> {
  readonly #parts: HuntedGameParts<Command, Sim>;
  readonly #authorOf: ProofOptions<Command, Sim>["authorOf"];
  readonly #before: (number | undefined)[] = new Array(SEATS).fill(undefined);
  readonly #open = new Set<Connection<Command, Sim>>();
  /** The newest tick that used a connection's command. */
  readonly #usedAt = new Map<Connection<Command, Sim>, Tick>();

  constructor(
    parts: HuntedGameParts<Command, Sim>,
    authorOf: ProofOptions<Command, Sim>["authorOf"],
  ) {
    this.#parts = parts;
    this.#authorOf = authorOf;
  }

  count(tick: Tick, commands: readonly (Command | undefined)[]): void {
    const { pressesOf } = this.#parts;
    if (pressesOf === undefined) return;
    for (let seat = 0; seat < commands.length; seat++) {
      const command = commands[seat];
      const before = this.#before[seat];
      const presses = this.#before[seat] = command === undefined ? undefined : pressesOf(command);
      if (presses === undefined || before === undefined) continue;
      const author = this.#authorOf(seat, tick);
      if (author === undefined) continue;
      this.#usedAt.set(author, tick);
      this.#add(author, { presses: (presses - before) & 3, tick });
    }
    for (const connection of this.#open) this.#compare(connection, tick);
  }

  #add(
    connection: Connection<Command, Sim>,
    { presses, tick }: { presses: number; tick: Tick },
  ): void {
    this.#open.add(connection);
    connection.pressesCounted += presses;
    const { pressesGiven = 0 } = connection.hands;
    if (connection.pressesCounted <= pressesGiven || connection.sharesPresses) return;
    throw new Broken(
      "a press counts once",
      `${connection.pressesCounted} counted of ${pressesGiven}, tick ${tick}`,
    );
  }

  #compare(connection: Connection<Command, Sim>, tick: Tick): void {
    const mark = connection.pressMarks[0];
    if (mark === undefined || mark.tick !== tick) return;
    connection.pressMarks.shift();
    // If no command since the last press came in time, the press waits for one that does.
    if ((this.#usedAt.get(connection) ?? -1) < mark.pressedAt) return;
    if (connection.pressesCounted === mark.presses || connection.sharesPresses) return;
    throw new Broken(
      "a press counts once",
      `${connection.pressesCounted} counted of ${mark.presses} at tick ${tick}`,
    );
  }
}
