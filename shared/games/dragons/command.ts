/**
 * The command of one seat for one tick, declared as a table of fields. The table yields the
 * command's type, its neutral value, its codec, its equality and one shared object for each
 * command. A new field is a line of the table.
 *
 * A held control is a value. A one-shot action is a counter of presses modulo 4. The game acts on
 * the difference between the counters in the command and in its state. The next command delivers a
 * press whose own command came too late. No press is lost or doubled (DESIGN 3).
 */
import type { Codec, Guesser, ListedFieldSchema, Tick } from "../../netcode/game.ts";
import { CommandTable, type TableField } from "../../game_kit/command/command_table.ts";
import { buttonCoder, directionCoder, pressesCoder } from "../../netcode/wire/command_fields.ts";
import type { Fields, FieldSpec } from "../../physics/core/types.ts";
import { ASSUME_HELD_TICKS } from "./tuning.ts";

type CommandField<Value> = FieldChance & TableField<Value> & {
  readonly type: ListedFieldSchema["type"];
};

interface FieldChance {
  /** The chance that a field is unchanged in a command that differs from its reference, of 4096. */
  readonly unchanged: number;
}

// The probabilities in this file are of 4096. They are the dragon game's own and trained on
// workload W (DESIGN 11).

/** The chance that new presses of one button are a single press. */
const P_ONE_PRESS = 3900;

/** The fields in their order on the wire. */
const FIELDS: { readonly [Name in keyof DragonCommand]: CommandField<DragonCommand[Name]> } = {
  dir: direction({ unchanged: 1900 }),
  flapHeld: button({ unchanged: 3700 }),
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

/**
 * The last ticks for which a guess holds a direction: 0.5 s. Later a lost connection is likelier
 * than a late command.
 */
const GUESS_HELD_TICKS = 10;
/**
 * A flap key that is down for so many ticks is held, not tapped: typists hold a key for 0.1 s
 * (tests/tools/people).
 */
const LONGER_THAN_TAP_TICKS = 4;
/**
 * The first estimate: a player holds the flap key for so many ticks. It weighs as much as so many
 * holds.
 */
const PRIOR_FLAP_HELD_TICKS = 2;
const PRIOR_FLAP_HOLDS = 3;
/** The mean follows about so many of the last times that the key was held. */
const FLAP_HOLDS_MAX = 8;

/**
 * Guesses a player's commands (`Game.newGuesser`). A direction stays. A flap key comes up when this
 * player's key usually does, unless it has been down for longer than a tap. No press is guessed.
 */
export class CommandGuesser implements Guesser<DragonCommand> {
  #newest: { readonly tick: Tick; readonly command: DragonCommand } | undefined;
  /** The first tick with the flap key down; undefined while it is up. */
  #downSince: Tick | undefined;
  #meanHeldTicks = PRIOR_FLAP_HELD_TICKS;
  #holds = PRIOR_FLAP_HOLDS;

  learn(tick: Tick, command: DragonCommand): void {
    const isPressed = this.#newest !== undefined && this.#newest.command.flaps !== command.flaps;
    if (this.#downSince !== undefined && (isPressed || !command.flapHeld)) {
      this.#addHold(tick - this.#downSince);
    }
    if (!command.flapHeld) this.#downSince = undefined;
    else if (isPressed) this.#downSince = tick;
    else this.#downSince ??= tick;
    this.#newest = { tick, command };
  }

  guess(last: DragonCommand | undefined, ticksMissing: number): DragonCommand {
    if (last === undefined) return NEUTRAL;
    if (ticksMissing > GUESS_HELD_TICKS) return release(last);
    return last.flapHeld && !this.#isHeldAfter(ticksMissing)
      ? commandOf({ ...last, flapHeld: false })
      : last;
  }

  #addHold(ticks: number): void {
    this.#holds = Math.min(FLAP_HOLDS_MAX, this.#holds + 1);
    this.#meanHeldTicks += (ticks - this.#meanHeldTicks) / this.#holds;
  }

  /**
   * Whether the flap key is expected to be down so many ticks after the newest known command, in
   * which it was down.
   */
  #isHeldAfter(ticks: number): boolean {
    const tick = this.#newest?.tick ?? 0;
    const knownTicks = tick - (this.#downSince ?? tick) + 1;
    return knownTicks >= LONGER_THAN_TAP_TICKS || knownTicks + ticks <= this.#meanHeldTicks;
  }
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
  return { type: "direction", unchanged, neutral: 0, isHeld: true, least: -1, count: 3, code };
}

function button({ unchanged }: FieldChance): CommandField<boolean> {
  const code = buttonCoder(unchanged);
  return {
    type: "button",
    unchanged,
    neutral: false,
    isHeld: true,
    least: 0,
    count: 2,
    code: (value, reference, coder) => code(Number(value), Number(reference), coder) === 1,
  };
}

function pressCounter({ unchanged }: FieldChance): CommandField<number> {
  const code = pressesCoder(unchanged, P_ONE_PRESS);
  return { type: "presses", unchanged, neutral: 0, isHeld: false, least: 0, count: 4, code };
}
