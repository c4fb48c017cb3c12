/**
 * A player's input as a page sets it, tick by tick in commands. Levels stay until they are set
 * again; each change of a press from up to down counts once, even if both lie between two ticks.
 */
import { GameError } from "../../shared/game_kit/game_error.ts";
import type { Choices, CommandPart } from "../../shared/game_kit/game_kit.ts";
import type { Tick } from "../../shared/netcode/game.ts";
import type { LooseCommand, LooseGame } from "../game_kit/loose_types.ts";
import { ButtonCounters } from "../input/button_counters.ts";
import { type InputDevice, PressTotals, TappedAxes } from "../input/input_device.ts";
import type { CommandSource } from "../session/session.ts";

/** Press counters count modulo 4. */
const COUNTER_MASK = 3;

type LooseValue = number | boolean | string;

/** Parts of a command by name, and choices of `join`; what is left out stays. */
export type LooseMatchInput = Readonly<Record<string, LooseValue | undefined>>;

/** What a page sets, as a device. It outlives connections. */
export class SetInput implements InputDevice {
  readonly #kinds: ReadonlyMap<string, CommandPart["kind"] | "join">;
  readonly #words: Choices;
  readonly #values: Record<string, LooseValue> = {};
  readonly #presses = new PressTotals();
  readonly #tapped = new TappedAxes();

  constructor({ declaration: { command, join = {} } }: Pick<LooseGame, "declaration">) {
    this.#words = join;
    this.#kinds = new Map([
      ...Object.entries(command).map(([name, { kind }]) => [name, kind] as const),
      ...Object.keys(join).map((name) => [name, "join"] as const),
    ]);
  }

  /** @throws GameError for a name that is no part, and for a value that its part cannot take */
  set(input: LooseMatchInput): void {
    // All of it or nothing
    for (const [name, value] of Object.entries(input)) this.#check(name, value);

    for (const [name, value] of Object.entries(input)) {
      if (value === undefined) continue;
      const kind = this.#kinds.get(name);
      if (kind === "press" && value === true && this.#values[name] !== true) {
        this.#presses.add(name);
      }
      if (kind === "axis" && value !== this.#values[name]) this.#tapped.tap(name, value as number);
      this.#values[name] = value;
    }
  }

  #check(name: string, value: LooseValue | undefined): void {
    const kind = this.#kinds.get(name);
    if (kind === undefined) {
      const names = [...this.#kinds.keys()].join(", ");
      throw new GameError(`setInput: "${name}" is no part of the command: ${names}`);
    }
    if (value === undefined) return;

    const isButton = kind === "press" || kind === "hold";
    const words = this.#words[name]?.words;
    const fits = words?.includes(value as string) ??
      (isButton ? typeof value === "boolean" : Number.isFinite(value));
    if (fits) return;
    const wanted = words?.join(", ") ?? (isButton ? "true or false" : "a finite number");
    throw new GameError(`setInput: ${name} is ${value}; it takes ${wanted}`);
  }

  /** @returns undefined for what was never set */
  valueOf(name: string): LooseValue | undefined {
    return this.#values[name];
  }

  readAxis(axis: string, consumes: boolean): number {
    return this.#tapped.read(axis, consumes, this.#values[axis] as number ?? 0);
  }

  isHeld(button: string): boolean {
    return this.#values[button] === true;
  }

  presses(button: string): number {
    return this.#presses.of(button);
  }
}

/** Commands from what a page sets, for one connection. */
export class SetCommands implements CommandSource<LooseCommand> {
  readonly #game: LooseGame;
  readonly #input: SetInput;
  readonly #buttons: ButtonCounters;
  /** The newest command; undefined until one was made with an acknowledged one known. */
  #last: LooseCommand | undefined;

  constructor(game: LooseGame, input: SetInput) {
    const presses = Object.entries(game.declaration.command)
      .filter(([, { kind }]) => kind === "press").map(([name]) => name);
    this.#game = game;
    this.#input = input;
    this.#buttons = new ButtonCounters(() => input, presses);
  }

  next(_tick: Tick, acknowledged: LooseCommand | undefined): LooseCommand {
    const command = this.#read("next", acknowledged);
    if (acknowledged !== undefined) this.#last = command;
    return command;
  }

  peek(acknowledged: LooseCommand | undefined): LooseCommand {
    return this.#read("peek", acknowledged);
  }

  resume(own: LooseCommand | undefined): void {
    this.#buttons.resume((name) => own?.[name]);
  }

  #read(method: "next" | "peek", acknowledged: LooseCommand | undefined): LooseCommand {
    const { declaration: { command: parts, join = {} }, command: { neutral } } = this.#game;
    const before = this.#last ?? acknowledged ?? neutral;
    const input: Record<string, LooseValue | undefined> = {};

    for (const name of Object.keys(join)) input[name] = this.#input.valueOf(name);
    for (const [name, part] of Object.entries(parts)) {
      switch (part.kind) {
        case "axis":
          input[name] = this.#input.readAxis(name, method === "next");
          break;
        case "press":
          input[name] = (this.#buttons[method](name, acknowledged?.[name]) - before[name]!) &
            COUNTER_MASK;
          break;
        case "hold":
          input[name] = this.#input.isHeld(name) ||
            part.of !== undefined && this.#input.isHeld(part.of);
          break;
        default:
          input[name] = this.#input.valueOf(name);
      }
    }
    return this.#game.commandOf(input, before);
  }
}
