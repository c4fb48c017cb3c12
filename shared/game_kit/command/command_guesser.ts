/**
 * Guesses one player's commands on one client (`Game.newGuesser`), each field by itself. It learns
 * for how long this player usually holds each control.
 *
 *     guess[field] = field's guess( newest known value, ticks since then, how long it was held, how long it usually is )
 *
 * A field without a guess stays: counters of presses, aims, dials and choices. Guessed presses at a
 * player's own cadence were worse than none (DESIGN 3).
 */
import type { Guesser, Tick } from "../../netcode/game.ts";
import type { CommandTable, NamedField, SeenPart } from "./command_table.ts";

/**
 * For how many seconds a guess holds a control. Later a lost connection is likelier than a late
 * command.
 */
const HELD_SECONDS = 0.5;
/**
 * A button that is down for so many seconds is held, not tapped: typists hold a key for 0.1 s
 * (tests/tools/people).
 */
const LONGER_THAN_TAP_SECONDS = 0.2;
/** The first estimate: a player holds a control for so many seconds. It weighs as much as so many holds. */
const PRIOR_SECONDS = 0.1;
const PRIOR_HOLDS = 3;
/** The mean follows about so many of the last holds. */
const HOLDS_MAX = 8;

/** Guesses that a direction, whose neutral value is 0, stays. */
export function guessDirection({ value, missingTicks, tickHz }: SeenPart<number>): number {
  return missingTicks <= HELD_SECONDS * tickHz ? value : 0;
}

/**
 * Guesses that a button comes up when this player's button usually does, unless it has been down
 * for longer than a tap.
 */
export function guessButton(seen: SeenPart<number>): number {
  const { heldTicks, missingTicks, usualTicks, tickHz } = seen;
  const isHeld = heldTicks >= LONGER_THAN_TAP_SECONDS * tickHz;
  const isTapped = heldTicks + missingTicks <= usualTicks;
  return isHeld || isTapped ? guessDirection(seen) : 0;
}

/** How one player holds one control. */
class Holds {
  /** The side of the neutral value on which it is, 0 if it is neutral, and since when. */
  #side = 0;
  #since: Tick = 0;
  #meanTicks: number;
  #count = PRIOR_HOLDS;

  constructor(tickHz: number) {
    this.#meanTicks = PRIOR_SECONDS * tickHz;
  }

  /** @param isPressed whether its button was pressed since the last known command */
  learn(tick: Tick, side: number, isPressed: boolean): void {
    if (side === this.#side && !isPressed) return;
    if (this.#side !== 0) this.#add(tick - this.#since);
    this.#side = side;
    this.#since = tick;
  }

  /** @param tick that of the newest known command */
  heldTicks(tick: Tick): number {
    return this.#side === 0 ? 0 : tick - this.#since + 1;
  }

  get usualTicks(): number {
    return this.#meanTicks;
  }

  #add(ticks: number): void {
    this.#count = Math.min(HOLDS_MAX, this.#count + 1);
    this.#meanTicks += (ticks - this.#meanTicks) / this.#count;
  }
}

/** Guesses the commands of a table that says for each field how it is guessed. */
export class CommandGuesser<Command extends object> implements Guesser<Command> {
  readonly #table: CommandTable<Command>;
  readonly #fields: readonly { readonly field: NamedField<Command>; readonly holds: Holds }[];
  readonly #tickHz: number;
  readonly #report: (mistake: Error) => void;
  #newest: { readonly tick: Tick; readonly command: Command } | undefined;

  /** @param report gets an author's mistake in a part's own guess */
  constructor(
    table: CommandTable<Command>,
    tickHz: number,
    report: (mistake: Error) => void,
  ) {
    this.#table = table;
    this.#tickHz = tickHz;
    this.#report = report;
    this.#fields = table.fields
      .filter(({ guessed }) => guessed !== undefined)
      .map((field) => ({ field, holds: new Holds(tickHz) }));
  }

  learn(tick: Tick, command: Command): void {
    const before = this.#newest?.command;
    for (const { field, holds } of this.#fields) {
      const of = field.guessed!.of as keyof Command | undefined;
      const isPressed = of !== undefined && before !== undefined && before[of] !== command[of];
      const side = Math.sign(Number(command[field.name]) - Number(field.neutral));
      holds.learn(tick, side, isPressed);
    }
    this.#newest = { tick, command };
  }

  guess(last: Command | undefined, ticksMissing: number): Command {
    if (last === undefined) return this.#table.codec.neutral;

    const newestTick = this.#newest?.tick ?? 0;
    let guessed: Record<keyof Command, unknown> | undefined;
    for (const { field: { name, guessed: by }, holds } of this.#fields) {
      const value = Number(last[name]);
      const guess = by!.guess({
        value,
        missingTicks: ticksMissing,
        heldTicks: holds.heldTicks(newestTick),
        usualTicks: holds.usualTicks,
        tickHz: this.#tickHz,
      }, this.#report);
      if (guess === value) continue;
      guessed ??= { ...last };
      guessed[name] = guess;
    }
    return guessed === undefined ? last : this.#table.commandOf(guessed as Partial<Command>);
  }
}
