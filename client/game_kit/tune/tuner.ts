/**
 * What a page asks for when its developer moves a slider: each command sets one constant, again and
 * again until the definitive state has it, because a command may come too late.
 */
import type { Tick } from "../../../shared/netcode/game.ts";
import type { CommandSource } from "../../session/session.ts";

/** Puts a change of a constant into a command, as `KitGame.tuneCommand`. */
export type TuneCommand<Command> = (command: Command, name: string, value: number) => Command;

/** The constants' values by name. */
export type TunedValues = Readonly<Record<string, number>>;

/** A value that this page asks for. */
interface Request {
  readonly value: number;
  /** The first tick whose command asks for it; undefined before. */
  readonly sinceTick: Tick | undefined;
}

/** One page's changes of the constants. */
export class Tuner<Command> {
  readonly #tuneCommand: TuneCommand<Command>;
  /** By name; the constant that was asked for longest ago comes first. */
  readonly #wanted = new Map<string, Request>();

  constructor(tuneCommand: TuneCommand<Command>) {
    this.#tuneCommand = tuneCommand;
  }

  /** Asks for a value. @param value one that the slider has */
  set(name: string, value: number): void {
    this.#wanted.set(name, { value, sinceTick: undefined });
  }

  /** Returns the value that was asked for and is not definitive yet. */
  wanted(name: string): number | undefined {
    return this.#wanted.get(name)?.value;
  }

  /**
   * Forgets what has come true. An earlier request of this page may still be in transit while
   * another page has set the same value, so only a tick counts that this page's request could reach.
   * @param values those of a definitive tick
   */
  see(values: TunedValues, tick: Tick): void {
    for (const [name, { value, sinceTick = Infinity }] of this.#wanted) {
      if (values[name] === value && tick >= sinceTick) this.#wanted.delete(name);
    }
  }

  /** Makes a command source that also asks for the wanted values, one a tick, in turns. */
  sourceOver(source: CommandSource<Command>): CommandSource<Command> {
    return {
      next: (tick, acknowledged) => this.#tuned(source.next(tick, acknowledged), tick),
      ...source.peek && { peek: (acknowledged) => source.peek!(acknowledged) },
      ...source.resume && { resume: (own) => source.resume!(own) },
    };
  }

  #tuned(command: Command, tick: Tick): Command {
    const [first] = this.#wanted;
    if (first === undefined) return command;
    const [name, { value, sinceTick = tick }] = first;
    this.#wanted.delete(name);
    this.#wanted.set(name, { value, sinceTick });
    return this.#tuneCommand(command, name, value);
  }
}
