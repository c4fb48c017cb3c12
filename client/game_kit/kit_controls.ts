/**
 * Makes a kit game's controls from the parts of its command: actions with keys, devices, typed
 * commands and the help line. A view keeps one `KitInput`, and each match one `KitControls`.
 */
import type { Command, CommandParts } from "../../shared/game_kit/game_kit.ts";
import type { Codec, Tick } from "../../shared/netcode/game.ts";
import { NewestAim } from "../input/aim.ts";
import { ButtonCounters } from "../input/button_counters.ts";
import { readGamepads } from "../input/gamepads.ts";
import type { InputDevice } from "../input/input_device.ts";
import type { KeyBindings } from "../input/key_bindings.ts";
import { MouseButtons, Wheel } from "../input/mouse.ts";
import { mediaQuery } from "../input/optional.ts";
import { PointerAim } from "../input/pointer_aim.ts";
import { StickAim } from "../input/stick_aim.ts";
import { Thumbs } from "../input/thumbs.ts";
import type { CommandSource } from "../session/session.ts";
import { findElement } from "../ui/dom.ts";
import { type KitActions, kitActions, type KitDial } from "./controls/kit_actions.ts";
import { kitHelp } from "./controls/kit_help.ts";

/** Press counters count modulo 4. */
const COUNTER_MASK = 3;

type LooseInput = Record<string, number | boolean | string>;

/** What the controls need from a `KitGame`. */
export interface ControlledGame<Sent extends Command = Command> {
  readonly tickHz: number;
  readonly declaration: { readonly command: CommandParts };
  readonly command: Pick<Codec<Sent>, "neutral">;
  commandOf(input: object, before: Sent): Sent;
}

/** What a player chose on joining, by the choice's name. */
export type JoinChoices = Readonly<Record<string, string>>;

/** One page's devices, and the words about them. */
export class KitInput<Sent extends Command> {
  readonly actions: KitActions;
  readonly #game: ControlledGame<Sent>;
  #aim = new NewestAim();
  #pointer: PointerAim | undefined;

  constructor(game: ControlledGame<Sent>) {
    this.#game = game;
    this.actions = kitActions(game.declaration.command);
  }

  /** For `View.devices`. @throws Error if the markup lacks a part */
  devices(root: ParentNode): readonly InputDevice[] {
    const { aims, dials, presses } = this.actions;
    const canvas = findElement<HTMLCanvasElement>(root, "#arena");
    // Zones go from right to left, and a dial reads from left to right.
    const buttons = [...presses, ...dials.flatMap(({ less, more }) => [more, less])];
    const thumbs = new Thumbs(root, { ...this.actions, buttons });
    const devices: InputDevice[] = [thumbs];
    if (dials.length > 0) {
      devices.push(new Wheel(canvas, { less: dials[0]!.less.id, more: dials[0]!.more.id }));
    }
    if (aims.length === 0) return devices;
    this.#pointer = new PointerAim(globalThis, canvas);
    this.#aim = new NewestAim(this.#pointer, new StickAim(readGamepads), thumbs);
    return [
      ...devices,
      new MouseButtons(globalThis, canvas, presses.slice(0, 2).map(({ id }) => id)),
    ];
  }

  /**
   * Sets the point that a pointer aims from. Call it with every frame.
   * @param origin where the own thing is drawn, in canvas pixels; undefined for the canvas's centre
   */
  aimFrom(origin: { readonly x: number; readonly y: number } | undefined): void {
    if (this.#pointer !== undefined) this.#pointer.origin = origin;
  }

  /** For `View.controls`. @param join what the player chose */
  controls(device: () => InputDevice, join: JoinChoices = {}): KitControls<Sent> {
    return new KitControls(this.#game, { actions: this.actions, device, aim: this.#aim, join });
  }

  /** For `View.helpText`. */
  helpText(keys: KeyBindings): string {
    return kitHelp(this.actions, keys, { fingers: hasTouchScreen() });
  }
}

/** Whether the machine's main pointer is a finger. */
export function hasTouchScreen(): boolean {
  return mediaQuery("(pointer: coarse)").matches;
}

export interface KitControlsOptions {
  readonly actions: KitActions;
  /** Returns the device that the player uses now. */
  readonly device: () => InputDevice;
  readonly aim: Pick<NewestAim, "read" | "moves">;
  readonly join: JoinChoices;
}

/**
 * A pointer at rest aims elsewhere whenever the own thing moves. After this time without any input,
 * s, it stops aiming, so that the server sees that the player is away (SPEC 3.17).
 */
const STILL_SECONDS_MAX = 10;

/** Dials stay where the player left them, within their values. */
class DialCounter {
  readonly #dial: KitDial;
  /** Undefined before the first command that counts. */
  #value: number | undefined;
  /** How many of the device's turns the value already includes. */
  #seen: number;

  constructor(dial: KitDial, device: InputDevice) {
    this.#dial = dial;
    this.#seen = this.#turnsOf(device);
  }

  /** @param first the value to begin with */
  read(device: InputDevice, first: number): number {
    const turns = this.#turnsOf(device);
    const value = (this.#value ?? first) + turns - this.#seen;
    this.#seen = turns;
    return this.#value = Math.max(0, Math.min(this.#dial.values - 1, value));
  }

  #turnsOf(device: InputDevice): number {
    return device.presses(this.#dial.more.id) - device.presses(this.#dial.less.id);
  }
}

/**
 * Reads the player's devices into one tick's command, which is quantized before the page or the
 * server simulates it.
 */
export class KitControls<Sent extends Command> implements CommandSource<Sent> {
  readonly #game: ControlledGame<Sent>;
  readonly #options: KitControlsOptions;
  readonly #buttons: ButtonCounters;
  readonly #dials: ReadonlyMap<string, DialCounter>;
  /** The newest command; undefined until one was made with an acknowledged one known. */
  #last: Sent | undefined;
  /** How many ticks went by without any input, and how often the pointer had moved by then. */
  #stillTicks = 0;
  #aimMoves = 0;

  constructor(game: ControlledGame<Sent>, options: KitControlsOptions) {
    const { actions, device } = options;
    this.#game = game;
    this.#options = options;
    this.#buttons = new ButtonCounters(device, actions.presses.map(({ id }) => id));
    const now = this.#buttons.currentDevice();
    this.#dials = new Map(actions.dials.map((dial) => [dial.id, new DialCounter(dial, now)]));
  }

  next(_tick: Tick, acknowledged: Sent | undefined): Sent {
    this.#buttons.currentDevice().tick?.();
    const command = this.#read("next", acknowledged);
    if (this.#options.actions.aims.length > 0) this.#countStill(command);
    if (acknowledged !== undefined) this.#last = command;
    return command;
  }

  #countStill(command: Sent): void {
    const { moves } = this.#options.aim;
    const parts = Object.entries(this.#game.declaration.command);
    const isStill = moves === this.#aimMoves &&
      parts.every(([name, { kind }]) => kind === "aim" || command[name] === this.#last?.[name]);
    this.#stillTicks = isStill ? this.#stillTicks + 1 : 0;
    this.#aimMoves = moves;
  }

  get #isStill(): boolean {
    return this.#stillTicks > STILL_SECONDS_MAX * this.#game.tickHz &&
      this.#options.aim.moves === this.#aimMoves;
  }

  resume(own: Sent | undefined): void {
    this.#buttons.resume((id) => own?.[id]);
  }

  peek(acknowledged: Sent | undefined): Sent {
    return this.#read("peek", acknowledged);
  }

  #read(method: "next" | "peek", acknowledged: Sent | undefined): Sent {
    const { declaration: { command: parts }, command: { neutral } } = this.#game;
    const device = this.#buttons.currentDevice();

    // Another player, or an NPC, may have sat here before: dials and aim stay where they left them.
    const before = this.#last ?? acknowledged ?? neutral;
    const input: LooseInput = { ...this.#options.join };

    for (const [name, part] of Object.entries(parts)) {
      switch (part.kind) {
        case "axis":
          input[name] = device.readAxis(name, method === "next");
          break;
        case "hold":
          input[name] = device.isHeld(part.of ?? name);
          break;
        case "press":
          input[name] = (this.#buttons[method](name, acknowledged?.[name]) - before[name]!) &
            COUNTER_MASK;
          break;
        case "dial":
          if (acknowledged !== undefined) {
            input[name] = this.#dials.get(name)!.read(device, before[name]!);
          }
          break;
        case "aim": {
          const angle = this.#options.aim.read();
          if (angle !== undefined && !this.#isStill) input[name] = angle;
        }
      }
    }

    return this.#game.commandOf(input, before);
  }
}
