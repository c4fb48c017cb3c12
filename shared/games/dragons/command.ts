/**
 * The command of one seat for one tick, declared as a table of fields. The table yields the command's type, its neutral
 * value, its codec, its equality and one shared object for each command. A new field is a line of the table.
 *
 * A held control is a value. A one-shot action is a counter of presses modulo 4. The game acts on the difference
 * between the counters in the command and in its state. The next command delivers a press whose own command came too
 * late. No press is lost or doubled (DESIGN 3).
 */
import type { Codec, Guesser, ListedFieldSchema, Tick } from "../../netcode/game.ts";
import { buttonCoder, directionCoder, pressesCoder } from "../../netcode/wire/command_fields.ts";
import type { Coder } from "../../netcode/wire/range_coder.ts";
import type { Fields, FieldSpec } from "../../physics/core/types.ts";
import { ASSUME_HELD_TICKS } from "./tuning.ts";

interface CommandField<Value> extends FieldChance {
  readonly type: ListedFieldSchema["type"];
  readonly neutral: Value;
  /** All values of the field. */
  readonly values: readonly Value[];
  /** Held controls become neutral when commands are missing. Press counters stay. */
  readonly isHeld: boolean;
  /** Press counters only: the chance that new presses are a single press, of 4096. */
  readonly onePress?: number;
  /** Codes one field, as `Codec.code` codes a command. */
  code(value: Value, reference: Value, coder: Coder): Value;
}

interface FieldChance {
  /** The chance that a field is unchanged in a command that differs from its reference, of 4096. */
  readonly unchanged: number;
}

// The probabilities in this file are of 4096. They are the dragon game's own and trained on workload W (DESIGN 11).

/** The chance that new presses of one button are a single press. */
const P_ONE_PRESS = 3900;

/** The fields in their order on the wire. */
const FIELDS = {
  /** -1 left, 1 right. */
  dir: direction({ unchanged: 1900 }),
  /** The flap button is down: the wings repeat their beats. */
  flapHeld: button({ unchanged: 3700 }),
  /** Presses of the flap button, modulo 4. */
  flaps: pressCounter({ unchanged: 1900 }),
  /** Presses of the fire button, modulo 4. */
  fires: pressCounter({ unchanged: 3400 }),
};

/** The command of one seat for one tick: a value for each field. */
export type DragonCommand = { readonly [Name in keyof typeof FIELDS]: typeof FIELDS[Name]["neutral"] };

/** The press counters in a dragon's state: the counters of its newest command, and all presses since it entered. */
export const PRESS_FIELDS = {
  flapsSeen: "u8",
  firesSeen: "u8",
  flapPresses: "u32",
  firePresses: "u32",
} as const satisfies FieldSpec;

type SeenCounters = Pick<Fields<typeof PRESS_FIELDS>, "flapsSeen" | "firesSeen">;

/** The counters of a dragon whose newest command is `command`. */
export function seenCountersOf({ flaps, fires }: DragonCommand): SeenCounters {
  return { flapsSeen: flaps, firesSeen: fires };
}

/** The command with a dragon's counters and nothing held. */
export function commandOfSeen({ flapsSeen, firesSeen }: SeenCounters): DragonCommand {
  return commandOf({ flaps: flapsSeen, fires: firesSeen });
}

const FIELD_LIST = Object.entries(FIELDS).map(([name, field]) => ({
  name: name as keyof DragonCommand,
  field: field as CommandField<DragonCommand[keyof DragonCommand]>,
}));

/**
 * Every command there is. The position of a command is its number, whose digits are the positions of the fields'
 * values. A match keeps a dozen commands a tick for seconds, too long for the heap's young generation. Equal commands
 * therefore share one object.
 */
const ALL_COMMANDS = allCommands();

function allCommands(): readonly DragonCommand[] {
  let commands: Partial<DragonCommand>[] = [{}];
  for (const { name, field } of FIELD_LIST) {
    commands = commands.flatMap((command) => field.values.map((value) => ({ ...command, [name]: value })));
  }
  return commands.map((command) => Object.freeze(command as DragonCommand));
}

/** Adds the digit of a field's value to a command's number. */
function appendDigit<Value>(number: number, { values }: CommandField<Value>, value: Value): number {
  return number * values.length + values.indexOf(value);
}

/** The command with these values; fields that are left out are neutral. */
export function commandOf(values: Partial<DragonCommand>): DragonCommand {
  let number = 0;
  for (const { name, field } of FIELD_LIST) number = appendDigit(number, field, values[name] ?? field.neutral);
  return ALL_COMMANDS[number]!;
}

/** Nothing held, nothing ever pressed. */
export const NEUTRAL: DragonCommand = commandOf({});

/** The command with the same press counters and nothing held. */
export function release(command: DragonCommand): DragonCommand {
  let number = 0;
  for (const { name, field } of FIELD_LIST) {
    number = appendDigit(number, field, field.isHeld ? field.neutral : command[name]);
  }
  return ALL_COMMANDS[number]!;
}

/** The table for clients in other languages, in its order. A button's values are 0 and 1. */
export function commandSchema(): ListedFieldSchema[] {
  return FIELD_LIST.map(({ name, field: { type, values, neutral, isHeld, unchanged, onePress } }) => ({
    name,
    type,
    values: values.map(Number),
    neutral: Number(neutral),
    held: isHeld,
    unchanged,
    ...(onePress !== undefined && { onePress }),
  }));
}

/** A changed command takes four bits in the mean. */
export const dragonCommandCodec: Codec<DragonCommand> = {
  neutral: NEUTRAL,

  code(value: DragonCommand, reference: DragonCommand, coder: Coder): DragonCommand {
    let number = 0;
    for (const { name, field } of FIELD_LIST) {
      number = appendDigit(number, field, field.code(value[name], reference[name], coder));
    }
    return ALL_COMMANDS[number]!;
  },

  same(a: DragonCommand, b: DragonCommand): boolean {
    if (a === b) return true;
    for (const { name } of FIELD_LIST) if (a[name] !== b[name]) return false;
    return true;
  },
};

/**
 * The command for a tick whose command did not arrive (`Game.assume`). Held controls repeat for `ASSUME_HELD_TICKS` and
 * are then released. Counters repeat for good, so the game sees no press that the player did not make.
 * @param last the newest command that arrived
 * @param ticksMissing the number of ticks since then, from 1
 */
export function assumeCommand(last: DragonCommand | undefined, ticksMissing: number): DragonCommand {
  if (last === undefined) return NEUTRAL;
  return ticksMissing <= ASSUME_HELD_TICKS ? last : release(last);
}

/** The last ticks for which a guess holds a direction: 0.5 s. Later a lost connection is likelier than a late command. */
const GUESS_HELD_TICKS = 10;
/** A flap key that is down for so many ticks is held, not tapped: typists hold a key for 0.1 s (tests/people). */
const LONGER_THAN_TAP_TICKS = 4;
/** The first estimate: a player holds the flap key for so many ticks. It weighs as much as so many holds. */
const PRIOR_FLAP_HELD_TICKS = 2, PRIOR_FLAP_HOLDS = 3;
/** The mean follows about so many of the last times that the key was held. */
const FLAP_HOLDS_MAX = 8;

/**
 * Guesses a player's commands (`Game.newGuesser`). A direction stays. A flap key comes up when this player's key
 * usually does, unless it has been down for longer than a tap. No press is guessed.
 */
export class CommandGuesser implements Guesser<DragonCommand> {
  #newest: { readonly tick: Tick; readonly command: DragonCommand } | undefined;
  /** The first tick with the flap key down; undefined while it is up. */
  #downSince: Tick | undefined;
  #meanHeldTicks = PRIOR_FLAP_HELD_TICKS;
  #holds = PRIOR_FLAP_HOLDS;

  learn(tick: Tick, command: DragonCommand): void {
    const isPressed = this.#newest !== undefined && this.#newest.command.flaps !== command.flaps;
    if (this.#downSince !== undefined && (isPressed || !command.flapHeld)) this.#addHold(tick - this.#downSince);
    if (!command.flapHeld) this.#downSince = undefined;
    else if (isPressed) this.#downSince = tick;
    else this.#downSince ??= tick;
    this.#newest = { tick, command };
  }

  guess(last: DragonCommand | undefined, ticksMissing: number): DragonCommand {
    if (last === undefined) return NEUTRAL;
    if (ticksMissing > GUESS_HELD_TICKS) return release(last);
    return last.flapHeld && !this.#isHeldAfter(ticksMissing) ? commandOf({ ...last, flapHeld: false }) : last;
  }

  #addHold(ticks: number): void {
    this.#holds = Math.min(FLAP_HOLDS_MAX, this.#holds + 1);
    this.#meanHeldTicks += (ticks - this.#meanHeldTicks) / this.#holds;
  }

  /** Whether the flap key is expected to be down so many ticks after the newest known command, in which it was down. */
  #isHeldAfter(ticks: number): boolean {
    const tick = this.#newest?.tick ?? 0, knownTicks = tick - (this.#downSince ?? tick) + 1;
    return knownTicks >= LONGER_THAN_TAP_TICKS || knownTicks + ticks <= this.#meanHeldTicks;
  }
}

/**
 * A flap or a turn moves a dragon by up to 2 m within the time that its command is on its way (`Game.isUrgent`). A flap
 * key that comes up is expected, and a direction key that comes or goes matters half as much as a turn.
 */
export function isUrgentCommand(command: DragonCommand, before: DragonCommand): boolean {
  return command.flaps !== before.flaps || command.dir * before.dir < 0;
}

/** A press counter after more presses. */
export function addPresses(counter: number, presses = 1): number {
  return (counter + presses) & 3;
}

/**
 * Presses from counter `seen` to counter `now`: 0 … 3. Four presses between two commands would read as none; no hand
 * does that.
 */
export function pressesSince(seen: number, now: number): number {
  return (now - seen) & 3;
}

function direction({ unchanged }: FieldChance): CommandField<-1 | 0 | 1> {
  const code = directionCoder(unchanged) as CommandField<-1 | 0 | 1>["code"];
  return { type: "direction", unchanged, neutral: 0, values: [-1, 0, 1], isHeld: true, code };
}

function button({ unchanged }: FieldChance): CommandField<boolean> {
  const code = buttonCoder(unchanged);
  return {
    type: "button",
    unchanged,
    neutral: false,
    values: [false, true],
    isHeld: true,
    code: (value, reference, coder) => code(Number(value), Number(reference), coder) === 1,
  };
}

function pressCounter({ unchanged }: FieldChance): CommandField<number> {
  const code = pressesCoder(unchanged, P_ONE_PRESS);
  return {
    type: "presses",
    unchanged,
    onePress: P_ONE_PRESS,
    neutral: 0,
    values: [0, 1, 2, 3],
    isHeld: false,
    code,
  };
}
