/**
 * Watches one match in development (`serve --check-twin`): a twin repeats each tick, and recent
 * states are kept, so that a page that desyncs can compare its own state with them.
 */
import type { Commands, Game, GameOptions, Simulation, Tick } from "../../shared/netcode/game.ts";
import { formatBits, formatWord, nameDifference } from "../../shared/netcode/state_difference.ts";
import { TickRing } from "../../shared/netcode/tick_ring.ts";
import { HISTORY_TICKS } from "../../shared/netcode/timeline.ts";
import { type ContractFault, TwinCheck } from "../../shared/netcode/twin_check.ts";
import { Snapshot } from "../../shared/snapshot.ts";

/**
 * A fault also breaks every later tick, so only each field's first fault is reported, and for this
 * many fields at most.
 */
const FAULTS_MAX = 16;

/**
 * Entities' numbers are left out when faults are compared, because eight cars share the same
 * mistake.
 */
const ENTITY_NUMBER = /\d+/g;

/** A word of a page's state that differs from the server's. */
export interface PageWord {
  /** The word's offset. */
  readonly word: number;
  /** Unsigned, 32 bits; undefined beyond the end of the page's state. */
  readonly bits: number | undefined;
}

/** Where a page's state and the server's differ, with both values. */
export interface PageDifference {
  readonly field: string;
  readonly server: string;
  readonly page: string;
}

export interface ContractWatchOptions<Command> {
  readonly simulation: Simulation<Command>;
  /** The arguments that the match was started with. */
  readonly options: GameOptions;
  readonly seed: number;
  readonly onFault: (fault: ContractFault) => void;
}

/** The watch of one match. */
export class ContractWatch<Command> {
  readonly #game: Game<Command>;
  readonly #options: ContractWatchOptions<Command>;
  readonly #twin: TwinCheck<Command>;
  readonly #states = new TickRing<Snapshot>(HISTORY_TICKS, () => new Snapshot(0));
  readonly #fields = new Set<string>();
  readonly #faults: ContractFault[] = [];

  constructor(game: Game<Command>, options: ContractWatchOptions<Command>) {
    this.#game = game;
    this.#options = options;
    this.#twin = new TwinCheck(game, options);
  }

  /** The reported faults, oldest first; at most one for each field. */
  get faults(): readonly ContractFault[] {
    return this.#faults;
  }

  /** Call it before each step. */
  beforeStep(): void {
    this.#report(this.#twin.beforeStep());
  }

  /**
   * Call it after each step.
   * @param commands the step's commands
   * @param after the state that they led to
   */
  afterStep(commands: Commands<Command>, after: Snapshot): void {
    this.#report(this.#twin.afterStep(commands, after));
    this.#states.claim(this.#options.simulation.tick).copyFrom(after);
  }

  /** The definitive S(tick); undefined if the tick is not recent. Valid until the next step. */
  stateAt(tick: Tick): Snapshot | undefined {
    return this.#states.get(tick);
  }

  /**
   * Names the first difference between a page's S(tick) and the server's.
   * @param words the differing words as the page reports them, ascending; at least one
   * @returns undefined if the tick is not recent
   */
  compare(tick: Tick, words: readonly PageWord[]): PageDifference | undefined {
    const state = this.stateAt(tick);
    const { simulation } = this.#options;
    if (state === undefined) return undefined;
    const offsets = words.map(({ word }) => word);
    const { field, word } = nameDifference(this.#game, { simulation, tick, state, words: offsets });
    const bits = words.find((each) => each.word === word)?.bits;
    return {
      field,
      server: formatWord(state, word),
      page: bits === undefined ? "missing" : formatBits(bits),
    };
  }

  #report(fault: ContractFault | undefined): void {
    if (fault === undefined || this.#faults.length >= FAULTS_MAX) return;
    const field = fault.field.replace(ENTITY_NUMBER, "");
    if (this.#fields.has(field)) return;
    this.#fields.add(field);
    this.#faults.push(fault);
    this.#options.onFault(fault);
  }
}
