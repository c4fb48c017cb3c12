/**
 * Watches the contract between a game and the netcode (DESIGN 3): it finds what a step reads
 * although no snapshot holds it, such as chance, a clock, a module's variable, a Map's order, or a
 * list from the tick before.
 *
 *     match:  S(n) = step( S(n−1) )                                          as the server runs it
 *     twin:   load( S(n−1) ) · wrong ticks · load( S(n−1) ) · step           as a client's rollback runs it
 *
 * Both must end in the same words and with the same events. It serves development and tests,
 * because a tick then costs about four times as much.
 */
import {
  type Commands,
  type Game,
  type GameEvent,
  type GameOptions,
  type SeatId,
  SEATS,
  type Simulation,
  type Tick,
} from "./game.ts";
import { hashOf } from "../random.ts";
import { Snapshot } from "../snapshot.ts";
import { differingWords, formatWord, nameDifference } from "./state_difference.ts";

/** A breach of contract, in words. */
export interface ContractFault {
  readonly tick: Tick;
  /**
   * The label of the state's word that shows the fault, e.g. "entity 12 car.fuel", or a function's
   * name.
   */
  readonly field: string;
  /** The fault in a sentence or two. */
  readonly text: string;
}

/** The match that the twin follows. */
export interface TwinOptions<Sim> {
  readonly simulation: Sim;
  /** The arguments that the match started with. */
  readonly options: GameOptions;
  readonly seed: number;
}

const UNSAVED =
  "The step reads something that no snapshot holds: chance, a clock, a variable outside the declared " +
  "fields, the order in which a Map was filled, or a list of the tick before, such as limited";
const CHANGED =
  "Only the step may change the state; look at npcCommand(), or think(), and at whatever else reads the match";
const NOT_RESTORED = "load() does not restore all that save() writes";

/**
 * The most wrong ticks before each right one. Their number is irregular, so that a counter cannot
 * hide by keeping step with it.
 */
const WRONG_TICKS_MAX = 3;
/** After so many missing ticks an assumed command has decayed. */
const LONG_MISSING_TICKS = 20;
/** `assume` is called with 1 … so many missing ticks. */
const ASSUMED_TICKS = 8;

/** One match's twin. */
export class TwinCheck<Command, Sim extends Simulation<Command> = Simulation<Command>> {
  readonly #game: Game<Command, Sim>;
  readonly #simulation: Sim;
  readonly #twin: Sim;
  readonly #before = new Snapshot();
  /** The tick of the state in `#before`. */
  #tick: Tick;
  readonly #scratch = new Snapshot();
  readonly #wrong: (Command | undefined)[] = new Array(SEATS).fill(undefined);

  constructor(game: Game<Command, Sim>, { simulation, options, seed }: TwinOptions<Sim>) {
    this.#game = game;
    this.#simulation = simulation;
    this.#twin = game.start(options, seed);
    simulation.save(this.#before);
    this.#tick = simulation.tick;
  }

  /**
   * Call it before each step of the match.
   * @returns a fault if the state has changed since the last step
   */
  beforeStep(): ContractFault | undefined {
    const scratch = this.#scratch;
    this.#simulation.save(scratch);
    const words = differingWords(this.#before, scratch);
    if (words.length === 0) return undefined;
    const tick = this.#tick;
    const { field, text } = this.#name(tick, words, this.#before);
    const changed = `${text(this.#before)} after the step, but ${
      text(scratch)
    } before the next one. ${CHANGED}`;
    this.#before.copyFrom(scratch);
    return { tick, field, text: changed };
  }

  /**
   * Repeats the match's newest step in the twin. Call it after each step.
   * @param commands what the step was called with
   * @param after the state that the step led to
   * @returns the first fault; undefined if the twin agrees
   */
  afterStep(commands: Commands<Command>, after: Snapshot): ContractFault | undefined {
    const fault = this.#checkAssume(commands) ?? this.#repeat(commands, after);
    this.#before.copyFrom(after);
    this.#tick = this.#simulation.tick;
    return fault;
  }

  #repeat(commands: Commands<Command>, after: Snapshot): ContractFault | undefined {
    const twin = this.#twin;
    const scratch = this.#scratch;
    const { tick } = this.#simulation;
    let task = "load()";

    try {
      // Go astray and come back
      twin.load(this.#before);
      task = "step() with other commands";
      const wrongTicks = 1 + hashOf(tick, WRONG_TICKS_MAX) % WRONG_TICKS_MAX;
      for (let i = 0; i < wrongTicks; i++) twin.step(this.#wrongCommands(commands, tick + i));
      task = "load()";
      twin.load(this.#before);

      // Look for what load() did not restore
      twin.save(scratch);
      const lost = differingWords(this.#before, scratch);
      if (lost.length > 0) return this.#difference(tick - 1, lost, this.#before, NOT_RESTORED);

      // Repeat the match's step
      task = "step()";
      twin.step(commands);
      twin.save(scratch);
    } catch (error) {
      return {
        tick,
        field: task,
        text: `${task} throws after a rollback, but not in the match: ${error}`,
      };
    }

    // Both must agree on words, then on events
    const words = differingWords(after, scratch);
    return words.length > 0
      ? this.#difference(tick, words, after, UNSAVED)
      : this.#checkEvents(tick);
  }

  /** @param state the match's own state; the scratch holds the twin's */
  #difference(tick: Tick, words: readonly number[], state: Snapshot, cause: string): ContractFault {
    const { field, text } = this.#name(tick, words, state);
    return {
      tick,
      field,
      text: `${text(state)} in the match, but ${text(this.#scratch)} after a rollback. ${cause}`,
    };
  }

  #name(tick: Tick, words: readonly number[], state: Snapshot) {
    const { field, word } = nameDifference(this.#game, {
      simulation: this.#simulation,
      tick,
      state,
      words,
    });
    return {
      field,
      text: (of: Snapshot) =>
        of === state ? `${field} is ${formatWord(of, word)}` : formatWord(of, word),
    };
  }

  #checkEvents(tick: Tick): ContractFault | undefined {
    const { events } = this.#simulation;
    const repeated = this.#twin.events;

    for (let i = 0; i < Math.max(events.length, repeated.length); i++) {
      const a = events[i], b = repeated[i];
      if (
        a !== undefined && b !== undefined && a.kind === b.kind && a.entity === b.entity &&
        a.other === b.other
      ) {
        continue;
      }
      const named = (event: GameEvent | undefined) =>
        event === undefined ? "no event" : `"${event.kind}" of entity ${event.entity}`;
      const text = `event ${i} is ${named(a)} in the match, but ${
        named(b)
      } after a rollback. ${UNSAVED}`;
      return { tick, field: `event "${(a ?? b)!.kind}"`, text };
    }

    return undefined;
  }

  /**
   * Checks that `assume` gives equal commands for equal arguments, whatever it was called with in
   * between.
   */
  #checkAssume(commands: Commands<Command>): ContractFault | undefined {
    const { tick } = this.#simulation;
    const missing = 1 + tick % ASSUMED_TICKS;
    for (let seat: SeatId = 0; seat < SEATS; seat++) {
      const last = commands[seat];
      if (last === undefined) continue;
      const first = this.#game.assume(last, missing);
      this.#game.assume(undefined, missing + 1);
      const second = this.#game.assume(last, missing);
      if (this.#game.command.same(first, second)) continue;
      const both = `${JSON.stringify(first)} and ${JSON.stringify(second)}`;
      return {
        tick,
        field: "assume()",
        text: `assume() gives ${both} for the same command, ${missing} ticks missing`,
      };
    }
    return undefined;
  }

  /**
   * Makes commands that a client might have predicted: none at all, all seats' commands shifted by
   * one with an extra player among them, or what is assumed after they were missing for long.
   */
  #wrongCommands(right: Commands<Command>, variant: number): Commands<Command> {
    const wrong = this.#wrong;
    const { neutral } = this.#game.command;
    let previous: Command | undefined = neutral;
    let hasNewcomer = false;
    for (let seat = 0; seat < SEATS; seat++) {
      const command = right[seat];
      if (variant % 3 === 0) wrong[seat] = undefined;
      else if (variant % 3 === 1) {
        wrong[seat] = command === undefined && hasNewcomer ? undefined : previous;
        hasNewcomer ||= command === undefined;
        previous = command ?? previous;
      } else wrong[seat] = command && this.#game.assume(command, LONG_MISSING_TICKS);
    }
    return wrong;
  }
}
