/**
 * Codes a lag report's records in bits. One function per record writes and reads it, with the
 * wire's coder:
 *
 *     entry = times · arrivals · own commands · steps · state            a state ends with the uncoded words
 *     frame = time · (seat, centimetres)…
 *
 * A command is coded against the same seat's command in the step before, because it is mostly
 * equal.
 */
import {
  type Codec,
  type Commands,
  type SeatId,
  SEATS,
  type Tick,
} from "../../../shared/netcode/game.ts";
import { COMMANDS_AHEAD_TICKS_MAX, HISTORY_TICKS } from "../../../shared/netcode/timeline.ts";
import {
  checkedTick,
  codeChoices,
  GAME_ID_BYTES_MAX,
  NAME_BYTES_MAX,
  ROOM_BYTES_MAX,
  SEAT_BITS,
} from "../../../shared/netcode/wire/messages.ts";
import { type Coder, WireError } from "../../../shared/netcode/wire/range_coder.ts";
import {
  type FlightCommand,
  type FlightEntry,
  type FlightStep,
  type FlightTick,
  FRAMES_MAX,
} from "../../presentation/flight_recording.ts";
import type { SavedFrame } from "../sights.ts";
import type { LagReport } from "./lag_report.ts";

/** Fine enough, because a browser's clock resolves a tenth of a ms at best. */
const UNITS_PER_MS = 16;
/** Offsets are fine enough as whole ones. */
const CENTIMETRES = 100;
const HASH_BITS = 16;
const P_LIKELY = 3900;
/** The most arrivals in an entry, and the most own commands: a page never catches up on more. */
const ARRIVALS_MAX = 2048;
const ANNOUNCEMENTS_MAX = SEATS * (COMMANDS_AHEAD_TICKS_MAX + 1);
/**
 * The most steps in an entry: a page steps at most its history again, and then as many new ticks.
 */
const STEPS_PER_ENTRY_MAX = 2 * HISTORY_TICKS;

type Header = Omit<LagReport, "entries" | "frames">;

/** An entry without its state's words, which stand after the coded part. */
export interface CodedEntry {
  readonly entry: FlightEntry;
  readonly hasState: boolean;
}

const NO_HEADER: Header = {
  gameId: "",
  room: "",
  npcs: 0,
  seed: 0,
  choices: [],
  isOrdered: false,
  ownSeat: -1,
  names: new Map(),
};
const NO_FRAME: SavedFrame = { atMs: 0, offsets: new Map() };
const NO_OFFSET: [SeatId, number] = [0, 0];
const NO_STEP: FlightStep = { tick: 0, commands: [] };
const NO_ENTRY: FlightEntry = {
  atMs: 0,
  gapMs: 0,
  definitive: -1,
  ticks: [],
  commands: [],
  steps: [],
  state: undefined,
  isRebased: false,
};

export function codeHeader(header: Header | undefined, coder: Coder): Header {
  const { gameId, room, npcs, seed, choices, isOrdered, ownSeat, names } = header ?? NO_HEADER;
  return {
    gameId: coder.text(gameId, GAME_ID_BYTES_MAX),
    room: coder.text(room, ROOM_BYTES_MAX),
    npcs: coder.bits(npcs, SEAT_BITS),
    seed: coder.bits(seed, 32),
    choices: codeChoices(choices, coder),
    isOrdered: coder.flag(isOrdered),
    ownSeat: coder.flag(ownSeat >= 0) ? codeSeat(ownSeat, coder) : -1,
    names: new Map(codeList([...names], { max: SEATS, none: [0, ""], coder }, ([seat, name]) => {
      return [codeSeat(seat, coder), coder.text(name, NAME_BYTES_MAX)];
    })),
  };
}

/**
 * Codes the drawn frames. @param fromMs the first entry's time, from which a reader counts
 */
export function codeFrames(
  given: readonly SavedFrame[],
  fromMs: number,
  coder: Coder,
): SavedFrame[] {
  let atUnits = 0;
  return codeList(given, { max: FRAMES_MAX, none: NO_FRAME, coder }, ({ atMs, offsets }) => {
    atUnits += coder.varint(Math.max(0, unitsOf(atMs - fromMs) - atUnits));
    const list = { max: SEATS, none: NO_OFFSET, coder };
    const coded = codeList([...offsets], list, ([seat, metres]): [SeatId, number] => [
      codeSeat(seat, coder),
      coder.varint(Math.round(metres * CENTIMETRES)) / CENTIMETRES,
    ]);
    return { atMs: atUnits / UNITS_PER_MS, offsets: new Map(coded) };
  });
}

function codeSeat(seat: number, coder: Coder): number {
  const coded = coder.bits(Math.max(0, seat), SEAT_BITS);
  if (coded >= SEATS) throw new WireError(`seat ${coded} is none`);
  return coded;
}

/** Codes a bounded list. @param list.none what a reader gives `code`, which ignores it */
function codeList<Item>(
  items: readonly Item[],
  { max, none, coder }: { max: number; none: Item; coder: Coder },
  code: (item: Item) => Item,
): Item[] {
  const count = coder.varint(items.length);
  const coded: Item[] = [];
  if (count > max) throw new WireError(`a list of ${count}; ${max} are allowed`);
  for (let i = 0; i < count; i++) coded.push(code(items[i] ?? none));
  return coded;
}

/** Codes one report's entries in order, each against those before it. */
export class EntryCoder<Command> {
  readonly #codec: Codec<Command>;
  readonly #commands: (Command | undefined)[] = new Array(SEATS).fill(undefined);
  /** The previous entry's time, in units; 0 before the first. */
  #atUnits = 0;
  #fromMs: number | undefined;
  #tick: Tick = 0;
  /** How many steps were coded so far. */
  steps = 0;

  constructor(codec: Codec<Command>) {
    this.#codec = codec;
  }

  /** Codes an entry. @param given the entry to write; undefined if the coder reads */
  code(given: FlightEntry | undefined, coder: Coder): CodedEntry {
    const entry = given ?? NO_ENTRY;
    const { state } = entry;

    // Times, as differences
    this.#fromMs ??= entry.atMs;
    this.#atUnits += coder.varint(Math.max(0, unitsOf(entry.atMs - this.#fromMs) - this.#atUnits));
    const atMs = this.#atUnits / UNITS_PER_MS;
    const gapMs = coder.varint(unitsOf(entry.gapMs)) / UNITS_PER_MS;

    const definitive = checkedTick(coder.varint(entry.definitive + 1)) - 1;
    const isRebased = coder.flag(entry.isRebased);

    // What happened in the advance
    const list = <Item>(items: readonly Item[], none: Item, code: (item: Item) => Item) =>
      codeList(items, { max: ARRIVALS_MAX, none, coder }, code);
    const ticks = list(entry.ticks, NO_TICK, (tick) => this.#codeTick(tick, coder));
    const commands = list(entry.commands, NO_COMMAND, (command) => this.#codeSent(command, coder));
    const steps = this.#codeSteps(entry.steps, coder);

    // A state, and the steps from there to the head
    const hasState = coder.flag(state !== undefined);
    const coded = { atMs, gapMs, definitive, isRebased, ticks, commands, steps, state: undefined };
    if (!hasState) return { entry: coded, hasState };

    const tick = checkedTick(coder.varint(state?.tick ?? 0));
    const ahead = this.#codeSteps(state?.steps ?? [], coder);
    if (ahead.some((step, i) => step.tick !== tick + 1 + i)) {
      throw new WireError("steps that follow no state");
    }

    return {
      entry: { ...coded, state: { tick, words: new Uint32Array(0), steps: ahead } },
      hasState,
    };
  }

  #codeTick(
    { tick, atMs, lagMs, hash, slackMs, announcements }: FlightTick,
    coder: Coder,
  ): FlightTick {
    const coded = this.#codeNextTick(tick, coder);
    return {
      tick: coded,
      atMs: this.#codeTime(atMs, coder),
      lagMs: coder.varint(unitsOf(lagMs)) / UNITS_PER_MS,
      hash: coder.bits(hash & 0xffff, HASH_BITS),
      slackMs: coder.signedVarint(Math.round(slackMs)),
      announcements: codeList(announcements, {
        max: ANNOUNCEMENTS_MAX,
        none: NO_ANNOUNCEMENT,
        coder,
      }, (each) => ({
        seat: codeSeat(each.seat, coder),
        tick: checkedTick(coded + coder.signedVarint(each.tick - coded)),
      })),
    };
  }

  #codeSent({ tick, atMs }: FlightCommand, coder: Coder): FlightCommand {
    return { tick: this.#codeNextTick(tick, coder), atMs: this.#codeTime(atMs, coder) };
  }

  #codeSteps(steps: readonly FlightStep[], coder: Coder): FlightStep[] {
    const coded = codeList(
      steps,
      { max: STEPS_PER_ENTRY_MAX, none: NO_STEP, coder },
      ({ tick, commands }) => ({
        tick: this.#codeNextTick(tick, coder),
        commands: this.#codeCommands(commands as Commands<Command>, coder),
      }),
    );
    this.steps += coded.length;
    return coded;
  }

  #codeCommands(commands: Commands<Command>, coder: Coder): (Command | undefined)[] {
    const before = this.#commands;
    const { same, neutral } = this.#codec;
    for (let seat = 0; seat < SEATS; seat++) {
      const command = commands[seat];
      const last = before[seat];
      const isSame = last === undefined
        ? command === undefined
        : command !== undefined && same(command, last);
      if (coder.flag(isSame, P_LIKELY)) continue;
      // If the seat was empty, a different value must be a command.
      const isEmpty = last !== undefined && coder.flag(command === undefined);
      before[seat] = isEmpty
        ? undefined
        : this.#codec.code(command ?? neutral, last ?? neutral, coder);
    }
    return [...before];
  }

  /** Codes a tick, which mostly follows the one before. */
  #codeNextTick(tick: Tick, coder: Coder): Tick {
    return this.#tick = checkedTick(coder.near(tick, { likely: this.#tick + 1, p: P_LIKELY }));
  }

  /** Codes a time near the entry's. */
  #codeTime(atMs: number, coder: Coder): number {
    const units = coder.signedVarint(unitsOf(atMs - this.#fromMs!) - this.#atUnits);
    return (this.#atUnits + units) / UNITS_PER_MS;
  }
}

const NO_TICK: FlightTick = { tick: 0, atMs: 0, lagMs: 0, hash: 0, slackMs: 0, announcements: [] };
const NO_COMMAND: FlightCommand = { tick: 0, atMs: 0 };
const NO_ANNOUNCEMENT = { seat: 0, tick: 0 };

function unitsOf(ms: number): number {
  return Math.round(ms * UNITS_PER_MS);
}
