/**
 * The command of one seat for one tick, declared as a table of fields. The table yields the
 * command's type, its neutral value, its codec, its equality and one shared object for each
 * command. A new field is a line of the table.
 *
 * A held control is a value. A one-shot action is a counter of presses modulo 4. The game acts on
 * the difference between the counters in the command and in its state. The next command delivers a
 * press whose own command came too late. No press is lost or doubled (DESIGN 3).
 */
import type { Codec, ListedFieldSchema } from "../../netcode/game.ts";
import {
  CommandGuesser,
  guessButton,
  guessDirection,
} from "../../game_kit/command/command_guesser.ts";
import {
  CommandTable,
  type FieldGuess,
  type TableField,
} from "../../game_kit/command/command_table.ts";
import { buttonCoder, directionCoder, pressesCoder } from "../../netcode/wire/command_fields.ts";
import type { Fields, FieldSpec } from "../../physics/core/types.ts";
import { ASSUME_HELD_TICKS, TICK_HZ } from "./tuning.ts";

type CommandField<Value> = FieldChance & TableField<Value> & {
  readonly type: ListedFieldSchema["type"];
};

interface FieldChance {
  /** The chance that a field is unchanged in a command that differs from its reference, of 4096. */
  readonly unchanged: number;
}

const FLAP_KEY: FieldGuess = { of: "flaps", guess: guessButton };

// The probabilities in this file are of 4096. They are the dragon game's own and trained on
// workload W (DESIGN 11).

/** The chance that new presses of one button are a single press. */
const P_ONE_PRESS = 3900;

/** The fields in their order on the wire. */
const FIELDS: { readonly [Name in keyof DragonCommand]: CommandField<DragonCommand[Name]> } = {
  dir: direction({ unchanged: 1900 }),
  flapHeld: button({ unchanged: 3700 }, FLAP_KEY),
  flaps: pressCounter({ unchanged: 1900 }),
  fires: pressCounter({ unchanged: 3400 }),
};

/** The command of one seat for one tick: a value for each field. */
export interface DragonCommand {
  /** -1 left, 1 right. */
  readonly dir: -1 | 0 | 1;
  /** The flap button is down: the wings repeat their beats. */
  readonly flapHeld: boolean;
  /** Presses of the flap and the fire button, modulo 4. */
  readonly flaps: number;
  readonly fires: number;
}

/**
 * The press counters in a dragon's state: the counters of its newest command, and all presses since
 * it entered.
 */
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

const TABLE = new CommandTable(FIELDS);

/** The command with these values; fields that are left out are neutral. */
export function commandOf(values: Partial<DragonCommand>): DragonCommand {
  return TABLE.commandOf(values);
}

/** A changed command takes four bits in the mean. */
export const dragonCommandCodec: Codec<DragonCommand> = TABLE.codec;

/** Nothing held, nothing ever pressed. */
export const NEUTRAL: DragonCommand = dragonCommandCodec.neutral;

/** The command with the same press counters and nothing held. */
export function release(command: DragonCommand): DragonCommand {
  return TABLE.release(command);
}

/** All values of the fields of each type. */
const VALUES = { direction: [-1, 0, 1], button: [0, 1], presses: [0, 1, 2, 3] };

/** The table for clients in other languages, in its order. A button's values are 0 and 1. */
export function commandSchema(): ListedFieldSchema[] {
  return Object.entries(FIELDS).map(([name, { type, neutral, isHeld, unchanged }]) => ({
    name,
    type,
    values: VALUES[type],
    neutral: Number(neutral),
    held: isHeld,
    unchanged,
    ...(type === "presses" && { onePress: P_ONE_PRESS }),
  }));
}

/**
 * The command for a tick whose command did not arrive (`Game.assume`). Held controls repeat for
 * `ASSUME_HELD_TICKS` and are then released. Counters repeat for good, so the game sees no press
 * that the player did not make.
 * @param last the newest command that arrived
 * @param ticksMissing the number of ticks since then, from 1
 */
export function assumeCommand(
  last: DragonCommand | undefined,
  ticksMissing: number,
): DragonCommand {
  if (last === undefined) return NEUTRAL;
  return ticksMissing <= ASSUME_HELD_TICKS ? last : release(last);
}

/** Guesses a player's commands (`Game.newGuesser`, SPEC 13.80). */
export function newCommandGuesser(): CommandGuesser<DragonCommand> {
  return new CommandGuesser(TABLE, TICK_HZ);
}

/**
 * A flap or a turn moves a dragon by up to 2 m within the time that its command is on its way
 * (`Game.isUrgent`). A flap key that comes up is expected, and a direction key that comes or goes
 * matters half as much as a turn.
 */
export function isUrgentCommand(command: DragonCommand, before: DragonCommand): boolean {
  return command.flaps !== before.flaps || command.dir * before.dir < 0;
}

/** A press counter after more presses. */
export function addPresses(counter: number, presses = 1): number {
  return (counter + presses) & 3;
}

/**
 * Presses from counter `seen` to counter `now`: 0 … 3. Four presses between two commands would read
 * as none; no hand does that.
 */
export function pressesSince(seen: number, now: number): number {
  return (now - seen) & 3;
}

function direction({ unchanged }: FieldChance): CommandField<-1 | 0 | 1> {
  const code = directionCoder(unchanged) as CommandField<-1 | 0 | 1>["code"];
  return {
    type: "direction",
    unchanged,
    neutral: 0,
    isHeld: true,
    least: -1,
    count: 3,
    guessed: { guess: guessDirection },
    code,
  };
}

function button({ unchanged }: FieldChance, guessed: FieldGuess): CommandField<boolean> {
  const code = buttonCoder(unchanged);
  return {
    type: "button",
    unchanged,
    neutral: false,
    isHeld: true,
    least: 0,
    count: 2,
    guessed,
    code: (value, reference, coder) => code(Number(value), Number(reference), coder) === 1,
  };
}

function pressCounter({ unchanged }: FieldChance): CommandField<number> {
  const code = pressesCoder(unchanged, P_ONE_PRESS);
  return { type: "presses", unchanged, neutral: 0, isHeld: false, least: 0, count: 4, code };
}
