/**
 * Codes a log's records in bits. One function per record type writes and reads it, with the wire's
 * coder:
 *
 *     payload = start of the wire's tick · epoch · tick · high half of the hash
 *     payload = another type · epoch · fields                  a state ends with the uncoded bytes of its snapshot
 *
 * A tick begins as its message to clients does, so that it is encoded once for both.
 */
import { type Codec, SEATS, type Tick } from "../game.ts";
import { AnnouncementBaselines, codeEarlyAnnouncements } from "../wire/announcement_codec.ts";
import {
  type Announcement,
  checkedTick,
  codeChoices,
  codeToken,
  GAME_ID_BYTES_MAX,
  NAME_BYTES_MAX,
  ROOM_BYTES_MAX,
  SEAT_BITS,
} from "../wire/messages.ts";
import { type PackedSnapshot, readSnapshot } from "../wire/packed_snapshot.ts";
import { type Coder, CodeReader, CodeWriter, WireError } from "../wire/range_coder.ts";
import { codeIsTick } from "../wire/server_messages.ts";
import { codeStateStart, codeTickDelta, EMPTY_DELTA, EMPTY_STATE } from "../wire/tick_codec.ts";
import type { TickStart } from "../tick_start.ts";
import { FrameWriter } from "./frames.ts";
import {
  FINGERPRINT_LOG_VERSION,
  LOG_VERSION,
  type LogEarly,
  type LogEnd,
  LogError,
  type LoggedPlayer,
  type LogHeader,
  type LogOwner,
  type LogRecord,
  type LogSeat,
  type LogState,
  type LogTick,
  OLDEST_LOG_VERSION,
} from "./records.ts";

const OTHER_TYPES = ["header", "state", "early", "seat", "owner", "end"] as const;
const TYPE_BITS = 3;
const HASH_HIGH_BITS = 16;
const REASON_BYTES_MAX = 64;
/** More than a fingerprint has. */
const RULES_BYTES_MAX = 64;

export type RecordType = "tick" | typeof OTHER_TYPES[number];

/** Codes the type, with which every record begins. */
function codeType(type: RecordType, coder: Coder): RecordType {
  if (codeIsTick(type === "tick", coder)) return "tick";
  const read = OTHER_TYPES[coder.bits(type === "tick" ? 0 : OTHER_TYPES.indexOf(type), TYPE_BITS)];
  if (read === undefined) throw new WireError("a record of an unknown type");
  return read;
}

/** Codes the version first, so that any reader can refuse it. */
function codeHeader(header: LogHeader, coder: Coder): LogHeader {
  const version = coder.varint(header.version);
  if (version > LOG_VERSION || version < OLDEST_LOG_VERSION) {
    throw new LogError(`a log of version ${version}; this program has ${LOG_VERSION}`);
  }
  return {
    type: "header",
    version,
    gameId: coder.text(header.gameId, GAME_ID_BYTES_MAX),
    rules: version < FINGERPRINT_LOG_VERSION ? undefined : codeRules(header.rules, coder),
    room: coder.text(header.room, ROOM_BYTES_MAX),
    npcs: coder.bits(header.npcs, SEAT_BITS),
    seed: coder.bits(header.seed, 32),
    choices: codeChoices(header.choices, coder),
    key: coder.flag(header.key !== undefined) ? codeToken(header.key ?? "0", coder) : undefined,
    startedAt: coder.bits(header.startedAt, 32),
    isOrdered: version === LOG_VERSION && coder.flag(header.isOrdered),
  };
}

function codeRules(rules: string | undefined, coder: Coder): string | undefined {
  return coder.flag(rules !== undefined) ? coder.text(rules ?? "", RULES_BYTES_MAX) : undefined;
}

/** Codes a hash's high half; the low half stands in the tick's delta. */
function codeHash(hash: number, low: number, coder: Coder): number {
  return (coder.bits(hash >>> 16, HASH_HIGH_BITS) * 65_536) + low;
}

function codePlayer(
  { seat, tokenHashes, identity, entersAt }: LoggedPlayer,
  coder: Coder,
): LoggedPlayer {
  const codedSeat = coder.bits(seat, SEAT_BITS);
  const hasTwo = coder.flag(tokenHashes.length > 1);
  const codeOne = (i: number) => codeToken(tokenHashes[i] ?? "0", coder);
  return {
    seat: codedSeat,
    tokenHashes: hasTwo ? [codeOne(0), codeOne(1)] : [codeOne(0)],
    identity: coder.flag(identity !== undefined)
      ? coder.text(identity ?? "", NAME_BYTES_MAX)
      : undefined,
    entersAt: coder.flag(entersAt !== undefined)
      ? checkedTick(coder.varint(entersAt ?? 0))
      : undefined,
  };
}

function codePlayers(players: readonly LoggedPlayer[], coder: Coder): LoggedPlayer[] {
  const coded: LoggedPlayer[] = [];
  while (coder.flag(coded.length < players.length)) {
    if (coded.length >= SEATS) throw new WireError("more players than there can be");
    coded.push(codePlayer(players[coded.length] ?? NO_PLAYER, coder));
  }
  return coded;
}

const NO_PLAYER: LoggedPlayer = {
  seat: 0,
  tokenHashes: [],
  identity: undefined,
  entersAt: undefined,
};
const NO_HEADER: LogHeader = {
  type: "header",
  version: LOG_VERSION,
  gameId: "",
  rules: undefined,
  room: "",
  npcs: 0,
  seed: 0,
  choices: [],
  key: undefined,
  startedAt: 0,
  isOrdered: false,
};

/** A state for the writer, with its snapshot packed already. */
export type WrittenState<Command> = Omit<LogState<Command>, "type" | "snapshot"> & {
  readonly snapshot: PackedSnapshot;
};

/** Writes one match's records, each as a frame that is valid until the next one. */
export class RecordWriter<Command> {
  readonly #codec: Codec<Command>;
  readonly #epoch: number;
  readonly #coder = new CodeWriter();
  readonly #frames = new FrameWriter();

  /** @param epoch what every record carries */
  constructor(codec: Codec<Command>, epoch: number) {
    this.#codec = codec;
    this.#epoch = epoch;
  }

  header(header: Omit<LogHeader, "type" | "version">): Uint8Array {
    return this.#write(
      "header",
      (coder) => codeHeader({ type: "header", version: LOG_VERSION, ...header }, coder),
    );
  }

  /**
   * @param state with its announcements sorted by seat, then by tick
   * @param start the start of the state's tick
   */
  state(
    { tick, hash, seats, presence, announcements, players, snapshot }: WrittenState<Command>,
    { announced }: TickStart<Command>,
  ): Uint8Array {
    const coder = this.#begin("state");
    const context = { tick, announced, codec: this.#codec, coder };
    codeStateStart({ joinDelta: { hash, presence, announcements, seats }, snapshot }, context);
    codeHash(hash, 0, coder);
    codePlayers(players, coder);
    return this.#frames.frame(coder.finishWith(snapshot.bytes));
  }

  /** @param start the part of the tick that is already encoded */
  tick(
    { tick, hash }: Pick<LogTick<Command>, "tick" | "hash">,
    start: TickStart<Command>,
  ): Uint8Array {
    const coder = this.#coder;
    coder.copyFrom(start.coder);
    coder.varint(this.#epoch);
    coder.varint(tick);
    codeHash(hash, 0, coder);
    return this.#frames.frame(coder.finish());
  }

  /**
   * @param announcements players' announcements, by seat, at most one each
   * @param options.tick the tick that runs next
   * @param options.start the start of the tick before
   */
  early(
    announcements: readonly Announcement<Command>[],
    { tick, start: { announced } }: { tick: Tick; start: TickStart<Command> },
  ): Uint8Array {
    return this.#write(
      "early",
      (coder) =>
        codeEarlyAnnouncements(announcements, { tick, announced, codec: this.#codec, coder }),
    );
  }

  seat(player: LoggedPlayer): Uint8Array {
    return this.#write("seat", (coder) => codePlayer(player, coder));
  }

  owner(at: number): Uint8Array {
    return this.#write("owner", (coder) => coder.bits(at, 32));
  }

  end(tick: Tick, reason: string): Uint8Array {
    return this.#write("end", (coder) => {
      coder.varint(tick);
      coder.text(reason, REASON_BYTES_MAX);
    });
  }

  #write(type: RecordType, code: (coder: Coder) => void): Uint8Array {
    const coder = this.#begin(type);
    code(coder);
    return this.#frames.frame(coder.finish());
  }

  #begin(type: RecordType): CodeWriter {
    this.#coder.reset();
    codeType(type, this.#coder);
    this.#coder.varint(this.#epoch);
    return this.#coder;
  }
}

/**
 * Reads only a payload's type, so that a reader can look for a state to begin at.
 * @throws LogError if the payload is not a record
 */
export function recordTypeOf(payload: Uint8Array): RecordType {
  try {
    return codeType("tick", new CodeReader(payload));
  } catch (error) {
    if (error instanceof WireError) throw new LogError(error.message);
    throw error;
  }
}

/** Reads one match's records, from its header or from a state on. */
export class RecordReader<Command> {
  readonly #codec: Codec<Command>;
  readonly #announced = new AnnouncementBaselines<Command>();
  /** The newest record's tick; −1 before the first state. */
  #tick: Tick = -1;
  /** The newest record's epoch. */
  epoch = 0;

  constructor(codec: Codec<Command>) {
    this.#codec = codec;
  }

  /** Creates another reader that goes on from here. */
  copy(): RecordReader<Command> {
    const copy = new RecordReader(this.#codec);
    copy.#announced.copyFrom(this.#announced);
    copy.#tick = this.#tick;
    copy.epoch = this.epoch;
    return copy;
  }

  /** @throws LogError if the payload is not a record, or cannot follow those before it */
  read(payload: Uint8Array): LogRecord<Command> {
    try {
      return this.#read(new CodeReader(payload));
    } catch (error) {
      if (error instanceof LogError) throw error;
      // A game's codec reads untrusted bits here, and may throw more than it should.
      const { message } = error as Error;
      throw new LogError(`after tick ${this.#tick}: ${message}`, { cause: error });
    }
  }

  #read(coder: CodeReader): LogRecord<Command> {
    const type = codeType("tick", coder);
    if (type !== "tick") this.#readEpoch(coder);
    if (type === "state") return this.#readState(coder);
    const record = this.#readOther(type, coder);
    coder.end();
    return record;
  }

  #readEpoch(coder: CodeReader): void {
    const epoch = coder.varint(0);
    if (epoch < this.epoch) throw new WireError(`epoch ${epoch} after ${this.epoch}`);
    this.epoch = epoch;
  }

  #readOther(type: Exclude<RecordType, "state">, coder: CodeReader): LogRecord<Command> {
    switch (type) {
      case "header":
        return codeHeader(NO_HEADER, coder);
      case "tick":
        return this.#readTick(coder);
      case "early":
        return this.#readEarly(coder);
      case "seat":
        return { type: "seat", ...codePlayer(NO_PLAYER, coder) } satisfies LogSeat;
      case "owner":
        return { type: "owner", at: coder.bits(0, 32) } satisfies LogOwner;
      case "end":
        return {
          type: "end",
          tick: checkedTick(coder.varint(0)),
          reason: coder.text("", REASON_BYTES_MAX),
        } satisfies LogEnd;
    }
  }

  #readState(coder: CodeReader): LogState<Command> {
    const context = { tick: 0, announced: this.#announced, codec: this.#codec, coder };
    const { tick, joinDelta, snapshot } = codeStateStart<Command>(EMPTY_STATE, context);
    const { seats, presence, announcements } = joinDelta;
    const hash = codeHash(0, joinDelta.hash, coder);
    const players = codePlayers([], coder);
    if (snapshot === undefined) throw new WireError("a state without a snapshot");
    if (this.#tick >= 0 && tick !== this.#tick) {
      throw new WireError(`the state of tick ${tick} after tick ${this.#tick}`);
    }
    this.#tick = tick;
    return {
      type: "state",
      tick,
      hash,
      seats,
      presence,
      announcements,
      players,
      snapshot: readSnapshot(snapshot, coder),
    };
  }

  #readTick(coder: CodeReader): LogTick<Command> {
    if (this.#tick < 0) throw new WireError("a tick before the first state");
    const tick = this.#tick + 1;
    const context = { tick, announced: this.#announced, codec: this.#codec, coder };
    const { hash: low, presence, announcements } = codeTickDelta<Command>(EMPTY_DELTA, context);
    this.#readEpoch(coder);
    const read = checkedTick(coder.varint(0));
    const hash = codeHash(0, low, coder);
    if (read !== tick) throw new WireError(`tick ${read} after tick ${this.#tick}`);
    this.#tick = tick;
    return { type: "tick", tick, hash, presence, announcements };
  }

  #readEarly(coder: CodeReader): LogEarly<Command> {
    if (this.#tick < 0) throw new WireError("announcements before the first state");
    const context = { tick: this.#tick + 1, announced: this.#announced, codec: this.#codec, coder };
    return { type: "early", announcements: codeEarlyAnnouncements<Command>([], context) };
  }
}
