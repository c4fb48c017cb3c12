/**
 * Codes announcements: presence changes, and each seat's command once. A command is delta-coded
 * against the seat's newest announced one, because it is mostly equal and for the tick after.
 */
import { type Coder, WireError } from "./range_coder.ts";
import { type Codec, PLAYER_SEATS, type SeatId, SEATS, type Tick } from "../game.ts";
import {
  type Announcement,
  checkedTick,
  NAME_BYTES_MAX,
  type PresenceChange,
  SEAT_BITS,
} from "./messages.ts";
import {
  P_ANNOUNCED_NEXT_TICK,
  P_ANNOUNCES_EARLY,
  P_BASELINE_DIFFERS,
  P_NPC_ANNOUNCES,
  P_NPC_UNCHANGED,
  P_PLAYER_ANNOUNCES,
  P_PLAYER_UNCHANGED,
  P_PRESENCE_CHANGE,
  P_SILENT_SEAT_ANNOUNCES,
} from "./probabilities.ts";
import { COMMANDS_AHEAD_TICKS_MAX } from "../timeline.ts";

/**
 * The most announcements for one seat in one message: one for every tick that may be ahead, and one
 * for the message's own.
 */
const ANNOUNCEMENTS_PER_SEAT_MAX = COMMANDS_AHEAD_TICKS_MAX + 1;
const PRESENCE_CHANGES_MAX = 64;
/**
 * A seat counts as silent if it has no announced command, or its newest one is this many ticks
 * older than the message.
 */
const SILENT_TICKS = 8;

/** Keeps each seat's newest announced command, which the next one is delta-coded against. */
export class AnnouncementBaselines<Command> {
  readonly ticks = new Int32Array(SEATS).fill(-1);
  readonly commands: (Command | undefined)[] = new Array(SEATS).fill(undefined);

  update(seat: SeatId, tick: Tick, command: Command): void {
    if (tick <= this.ticks[seat]!) return;
    this.ticks[seat] = tick;
    this.commands[seat] = command;
  }

  set(seat: SeatId, tick: Tick, command: Command | undefined): void {
    this.ticks[seat] = tick;
    this.commands[seat] = command;
  }

  copyFrom(other: AnnouncementBaselines<Command>): void {
    this.ticks.set(other.ticks);
    for (let seat = 0; seat < SEATS; seat++) this.commands[seat] = other.commands[seat];
  }

  clear(): void {
    this.ticks.fill(-1);
    this.commands.fill(undefined);
  }
}

/** What it takes to code one message: the coder, and what both ends share. */
export interface TickCodingContext<Command> {
  /**
   * The message's tick; the newest one in a datagram. When `codeTicks` and `codeState` read, they
   * read the tick and ignore this one.
   */
  readonly tick: Tick;
  /** The baselines for announced commands; coding advances them. */
  readonly announced: AnnouncementBaselines<Command>;
  readonly codec: Codec<Command>;
  readonly coder: Coder;
}

/** Sorts announcements into a message's order: by seat, then by tick. */
export function sortBySeat<Command>(
  announcements: readonly Announcement<Command>[],
): Announcement<Command>[] {
  return announcements.slice().sort((a, b) => a.seat - b.seat || a.tick - b.tick);
}

/** Codes presence changes. @param base the message's tick, before which no change may lie */
export function codePresence(
  changes: readonly PresenceChange[],
  base: Tick,
  coder: Coder,
): PresenceChange[] {
  const coded: PresenceChange[] = [];
  while (coder.flag(coded.length < changes.length, P_PRESENCE_CHANGE)) {
    if (coded.length >= PRESENCE_CHANGES_MAX) {
      throw new WireError("more presence changes than there can be");
    }
    const change = changes[coded.length] ?? { seat: 0, tick: base, present: false, name: "" };
    const seat = coder.bits(change.seat, SEAT_BITS);
    const tick = checkedTick(base + coder.varint(change.tick - base));
    const present = coder.flag(change.present);
    coded.push({
      seat,
      tick,
      present,
      name: present ? coder.text(change.name, NAME_BYTES_MAX) : "",
    });
  }
  return coded;
}

/**
 * Codes a command that most likely equals `reference`.
 * @param p the probability of that, of `P_ONE`
 */
export function codeChange<Command>(
  command: Command,
  { codec, coder, reference, p }: {
    codec: Codec<Command>;
    coder: Coder;
    reference: Command;
    p: number;
  },
): Command {
  if (coder.flag(codec.same(command, reference), p)) return reference;
  return codec.code(command, reference, coder);
}

/**
 * Codes one message's announcements, seat by seat. It is an object that keeps the context, because
 * a closure per seat would be garbage.
 */
export class AnnouncementCoder<Command> {
  readonly #tick: Tick;
  readonly #announced: AnnouncementBaselines<Command>;
  readonly #codec: Codec<Command>;
  readonly #coder: Coder;
  readonly #given: readonly Announcement<Command>[];
  readonly #coded: Announcement<Command>[];
  readonly #pMore: number;
  #next = 0;

  /**
   * @param lists.given the announcements to write, by seat, then by tick
   * @param lists.coded receives the announcements that were written or read
   * @param lists.pMore the probability that a seat's announcement is followed by another one, of
   *   `P_ONE`
   */
  constructor(
    { tick, announced, codec, coder }: TickCodingContext<Command>,
    lists: {
      given: readonly Announcement<Command>[];
      coded: Announcement<Command>[];
      pMore: number;
    },
  ) {
    this.#tick = tick;
    this.#announced = announced;
    this.#codec = codec;
    this.#coder = coder;
    this.#given = lists.given;
    this.#coded = lists.coded;
    this.#pMore = lists.pMore;
  }

  codeSeat(seat: SeatId): void {
    const { ticks, commands } = this.#announced;
    const isSilent = commands[seat] === undefined || ticks[seat]! < this.#tick - SILENT_TICKS;
    let p = seat < PLAYER_SEATS ? P_PLAYER_ANNOUNCES : P_NPC_ANNOUNCES;
    if (isSilent) p = P_SILENT_SEAT_ANNOUNCES;
    for (
      let count = 0;
      this.#coder.flag(this.#given[this.#next]?.seat === seat, p);
      p = this.#pMore
    ) {
      if (++count > ANNOUNCEMENTS_PER_SEAT_MAX) {
        throw new WireError("more announcements than there can be");
      }
      this.#codeAnnouncement(seat, this.#given[this.#next++]);
    }
  }

  #codeAnnouncement(seat: SeatId, given: Announcement<Command> | undefined): void {
    const announced = this.#announced;
    const coder = this.#coder;
    const codec = this.#codec;
    const likely = Math.max(announced.ticks[seat]! + 1, this.#tick);
    const reference = announced.commands[seat] ?? codec.neutral;
    const tick = checkedTick(
      coder.near(given?.tick ?? likely, { likely, p: P_ANNOUNCED_NEXT_TICK }),
    );
    if (tick < this.#tick) throw new WireError(`tick ${tick} announced at ${this.#tick}`);
    const p = seat < PLAYER_SEATS ? P_PLAYER_UNCHANGED : P_NPC_UNCHANGED;
    const command = codeChange(given?.command ?? reference, { codec, coder, reference, p });
    announced.update(seat, tick, command);
    this.#coded.push({ seat, tick, command });
  }
}

/**
 * Codes a seat's baseline after a full state, if it does not follow from that state: the server's
 * baseline may be an announcement that the state no longer holds. Afterwards both ends use the same
 * baseline.
 * @param context.announced the baselines that follow from the state
 */
export function codeBaseline<Command>(
  seat: SeatId,
  announced: AnnouncementBaselines<Command>,
  { announced: derived, tick, codec, coder }: TickCodingContext<Command>,
): void {
  const command = announced.commands[seat];
  const derivedCommand = derived.commands[seat];
  const isSame = announced.ticks[seat] === derived.ticks[seat] &&
    (command === derivedCommand ||
      (command !== undefined && derivedCommand !== undefined &&
        codec.same(command, derivedCommand)));
  if (!coder.flag(!isSame, P_BASELINE_DIFFERS)) {
    return announced.set(seat, derived.ticks[seat]!, derivedCommand);
  }
  if (!coder.flag(command !== undefined)) return announced.set(seat, -1, undefined);
  const newest = checkedTick(tick - coder.signedVarint(tick - announced.ticks[seat]!));
  announced.set(seat, newest, codec.code(command ?? codec.neutral, codec.neutral, coder));
}

/**
 * Codes commands that are announced between two ticks. The baselines stay as they are, because the
 * next tick message repeats these commands for all clients.
 * @param given players' announcements, by seat, at most one each
 * @param context.tick the tick that the server runs next
 */
export function codeEarlyAnnouncements<Command>(
  given: readonly Announcement<Command>[],
  { tick: next, announced, codec, coder }: TickCodingContext<Command>,
): Announcement<Command>[] {
  const coded: Announcement<Command>[] = [];
  let index = 0;

  for (let seat = 0; seat < PLAYER_SEATS; seat++) {
    const announcement = given[index];
    if (!coder.flag(announcement?.seat === seat, P_ANNOUNCES_EARLY)) continue;
    index++;

    // Most likely the same command as the seat's newest, one tick later
    const likely = Math.max(announced.ticks[seat]! + 1, next);
    const reference = announced.commands[seat] ?? codec.neutral;
    const tick = checkedTick(
      coder.near(announcement?.tick ?? likely, { likely, p: P_ANNOUNCED_NEXT_TICK }),
    );
    if (tick < next) throw new WireError(`tick ${tick} announced before ${next}`);
    coded.push({
      seat,
      tick,
      command: codec.code(announcement?.command ?? reference, reference, coder),
    });
  }

  return coded;
}
