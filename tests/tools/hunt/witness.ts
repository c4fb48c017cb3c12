/**
 * Sees every record of one match at the moment when its server writes it, and checks it. From then
 * on a record is the truth, whatever becomes of the server and its disk.
 */
import type { Game, SeatId, Tick } from "../../../shared/netcode/game.ts";
import { FrameReader } from "../../../shared/netcode/match_log/frames.ts";
import { RecordReader } from "../../../shared/netcode/match_log/record_coder.ts";
import type { LogRecord, LogTick } from "../../../shared/netcode/match_log/records.ts";
import { COMMANDS_AHEAD_TICKS_MAX } from "../../../shared/netcode/timeline.ts";
import type { Announcement } from "../../../shared/netcode/wire/messages.ts";
import { MemoryLog } from "../../support/logs/memory_logs.ts";

/** Reports a broken rule. */
export class Broken extends Error {
  override readonly name = "Broken";
  readonly invariant: string;

  /** @param invariant the rule, in the same words each time @param detail what was seen */
  constructor(invariant: string, detail: string) {
    super(`${invariant}: ${detail}`);
    this.invariant = invariant;
  }
}

/**
 * Reports that a command was not taken although it had arrived this long before its tick was due,
 * ms.
 */
export function lostCommand(
  { seat, tick, beforeMs }: { seat: SeatId; tick: Tick; beforeMs: number },
): Broken {
  const words = `seat ${seat}, tick ${tick}: its command came ${beforeMs.toFixed(1)} ms before`;
  return new Broken("what has arrived in time is taken", words);
}

/** A departure follows the last announced command, and an NPC's successor follows the departure. */
const PRESENCE_AHEAD_TICKS_MAX = COMMANDS_AHEAD_TICKS_MAX + 2;
/** Ticks of announced commands that are remembered; commands are never announced further ahead. */
const REMEMBERED_TICKS = 256;
const SEATS = 32;

/** @returns whether any client may have given this command */
export type IsGiven<Command> = (announcement: Announcement<Command>) => boolean;

export class Witness<Command> {
  readonly room: string;
  /** Every frame. */
  readonly log: MemoryLog;
  readonly #reader: RecordReader<Command>;
  /** By tick: what clients of an ordered match have computed; the log has no hashes of most ticks. */
  readonly #computed = new Map<Tick, number>();
  readonly #isGiven: IsGiven<Command>;
  #hashes = new Uint32Array(8192);
  /** By tick and seat: the newest tick for which a tick's record announced a command. */
  readonly #announced = new Int32Array(REMEMBERED_TICKS * SEATS).fill(-1);
  /** Those commands, in the same places. */
  readonly #commands: (Command | undefined)[] = Array.from(
    { length: REMEMBERED_TICKS * SEATS },
    () => undefined,
  );
  /** Early announcements that the next tick must repeat. */
  #early: readonly Announcement<Command>[] = [];
  /**
   * Early announcements that no tick need repeat, because a server has continued from the log that
   * holds them. It may also have torn them off.
   */
  #handedOn: readonly Announcement<Command>[] = [];
  readonly #codec: Game<Command>["command"];
  #isOrdered = false;
  /** The newest tick in the log; −1 before the first. */
  newestTick: Tick = -1;
  /** By seat: the tick from which its newest player is in the game. */
  readonly entersAt = new Map<SeatId, Tick>();
  /** By seat: the same, although the player may have left. */
  readonly #entries = new Map<SeatId, Tick>();
  /** The first tick with a record that is still on its way to the disk. */
  unwrittenFrom: Tick = Infinity;
  /** Whether a record says that the match is over. */
  isOver = false;

  constructor(game: Game<Command>, { room, isGiven }: { room: string; isGiven: IsGiven<Command> }) {
    this.room = room;
    this.log = new MemoryLog(room);
    this.#codec = game.command;
    this.#reader = new RecordReader(game.command);
    this.#isGiven = isGiven;
  }

  /**
   * Takes a hash that a client has proven.
   * @returns whether the log, or the first client with this tick, has the same one
   */
  agrees(tick: Tick, hash: number): boolean {
    const logged = this.hashOf(tick);
    if (!this.#isOrdered) return logged === hash;
    if (logged === undefined) return false;
    const first = logged === 0 ? this.#computed.get(tick) : logged;
    if (first === undefined) this.#computed.set(tick, hash);
    return first === undefined || first === hash;
  }

  /** Takes the hash that a replay of the log has. @returns whether clients had the same one */
  isReplayed(tick: Tick, hash: number): boolean {
    const computed = this.#computed.get(tick) ?? hash;
    this.#computed.delete(tick);
    return computed === hash;
  }

  /** When a seat's newest player entered, who may have left again; −1 before the first. */
  newestEntryOf(seat: SeatId): Tick {
    return this.#entries.get(seat) ?? -1;
  }

  /** A tick's hash; undefined for a tick that is not in the log. */
  hashOf(tick: Tick): number | undefined {
    return tick >= 0 && tick <= this.newestTick ? this.#hashes[tick] : undefined;
  }

  /**
   * Whether the log holds a command for a seat and tick, among the newest hundred ticks or beyond.
   */
  isAnnounced(seat: SeatId, tick: Tick): boolean {
    return this.#announced[(tick % REMEMBERED_TICKS) * SEATS + seat] === tick;
  }

  /** Checks a record that the server has written. @throws Broken for one that breaks a rule */
  see(frame: Uint8Array): void {
    this.log.append(frame);
    let record: LogRecord<Command>;

    try {
      record = this.#reader.read(new FrameReader(frame).next()!);
    } catch (error) {
      throw new Broken(
        "the log has one tick after the other",
        `${this.room}: ${(error as Error).message}`,
      );
    }

    if (record.type === "header") this.#isOrdered = record.isOrdered;
    if (record.type === "state") this.#seeState(record.tick, record.hash);
    if (record.type === "tick") this.#seeTick(record);
    if (record.type === "early") this.#early = record.announcements;
    if (record.type === "owner") {
      this.#handedOn = this.#early;
      this.#early = [];
    }
    if (record.type === "end") this.isOver = true;
  }

  #seeState(tick: Tick, hash: number): void {
    if (tick <= this.newestTick) {
      if (this.#hashes[tick] === hash) return;
      if (this.#isOrdered && this.#hashes[tick] === 0) return void (this.#hashes[tick] = hash);
      throw new Broken(
        "a definitive tick never changes",
        `the state of tick ${tick} has another hash than the tick`,
      );
    }
    this.#note(tick, hash);
  }

  #seeTick(record: LogTick<Command>): void {
    const { tick, hash, presence, announcements } = record;
    for (const early of this.#early) {
      const again = announcements.find(({ seat, tick }) =>
        seat === early.seat && tick === early.tick
      );
      if (again === undefined || !this.#codec.same(again.command, early.command)) {
        throw new Broken(
          "an early announcement is repeated",
          `seat ${early.seat}, tick ${early.tick}`,
        );
      }
    }

    this.#early = [];
    for (const announcement of announcements) this.#seeCommand(announcement, tick);
    for (const change of presence) {
      if (change.present) {
        this.entersAt.set(change.seat, change.tick);
        this.#entries.set(change.seat, change.tick);
      } else this.entersAt.delete(change.seat);
      // A match begins with changes for its first tick.
      if (change.tick >= tick && change.tick <= tick + PRESENCE_AHEAD_TICKS_MAX) continue;
      throw new Broken(
        "bounds hold",
        `seat ${change.seat} changes at ${change.tick}, announced at ${tick}`,
      );
    }

    this.#note(tick, hash);
  }

  #seeCommand(announcement: Announcement<Command>, now: Tick): void {
    const { seat, tick } = announcement;
    const slot = (tick % REMEMBERED_TICKS) * SEATS + seat;

    if (tick < now || tick >= now + COMMANDS_AHEAD_TICKS_MAX) {
      throw new Broken(
        "bounds hold",
        `a command of seat ${seat} for tick ${tick} was taken at tick ${now}`,
      );
    }

    if (this.#announced[slot] === tick) {
      throw new Broken(
        "no command counts twice",
        `seat ${seat} and tick ${tick}, again at tick ${now}`,
      );
    }

    this.#announced[slot] = tick;
    this.#commands[slot] = announcement.command;

    if (!this.#isGiven(announcement) && !this.#isRepeatedAtEntry(announcement, now)) {
      throw new Broken(
        "no command under another's seat",
        `seat ${seat}, tick ${tick}: nobody there gave it`,
      );
    }
  }

  /**
   * Whether the server repeats a player's command in the tick of the entry, because the player's
   * own has not come (SPEC 3.8).
   */
  #isRepeatedAtEntry({ seat, tick, command }: Announcement<Command>, now: Tick): boolean {
    if (tick !== now || this.entersAt.get(seat) !== tick) return false;
    for (let before = tick - 1; before > tick - COMMANDS_AHEAD_TICKS_MAX; before--) {
      const early = this.#handedOn.find((each) => each.seat === seat && each.tick === before);
      if (early !== undefined && this.#codec.same(early.command, command)) return true;
      const slot = (before % REMEMBERED_TICKS) * SEATS + seat;
      if (this.#announced[slot] === before) return this.#codec.same(this.#commands[slot]!, command);
    }
    return false;
  }

  #note(tick: Tick, hash: number): void {
    if (tick >= this.#hashes.length) {
      const grown = new Uint32Array(2 * tick);
      grown.set(this.#hashes);
      this.#hashes = grown;
    }
    this.#hashes[tick] = hash;
    this.newestTick = tick;
  }
}

/** The commands that the server decided for NPCs, by seat and tick. */
export class NpcDecisions<Command> {
  readonly #byTick: { tick: Tick; commands: Command[] }[] = Array.from(
    { length: REMEMBERED_TICKS * SEATS },
    () => ({ tick: -1, commands: [] }),
  );

  note(seat: SeatId, tick: Tick, command: Command): void {
    const entry = this.#byTick[(tick % REMEMBERED_TICKS) * SEATS + seat]!;
    if (entry.tick !== tick) entry.commands = [];
    entry.tick = tick;
    entry.commands.push(command);
  }

  at(seat: SeatId, tick: Tick): readonly Command[] {
    const entry = this.#byTick[(tick % REMEMBERED_TICKS) * SEATS + seat]!;
    return entry.tick === tick ? entry.commands : [];
  }
}
