/**
 * The parts of a command, as a game declares them. A part says what a player controls, what the
 * rules see, and which keys, buttons and touches control it. They go on the wire in the declared
 * order.
 *
 * | part    | rules see                                  | while commands are missing       |
 * | ------- | ------------------------------------------ | -------------------------------- |
 * | `axis`  | a number, −1 … 1, positive right and up    | it stays for 0.2 s, then 0       |
 * | `hold`  | whether the button is down                 | it stays for 0.2 s, then up      |
 * | `press` | presses since the last tick, 0 … 3         | none, and none is lost or doubled |
 * | `aim`   | an angle, radians, 0 ≤ a < 2π              | it stays                         |
 * | `dial`  | a whole number, 0 … values − 1             | it stays                         |
 */
import type { SeenPart } from "./command_table.ts";

/** The default for `AimOptions.steps`: 1.4 degrees each. */
export const AIM_STEPS = 256;

/** Values of `KeyboardEvent.code`, such as "ArrowLeft" or "KeyA". */
export type Keys = readonly string[];

/** Options that every part takes. */
export interface PartOptions {
  /** The words beside the key in the help, such as "Boost". Default: the part's name. */
  readonly label?: string;
  /** The words on the touch zone. Default: the label. */
  readonly touchLabel?: string;
}

/**
 * Guesses a rival's part on a page, from the newest command that the page knows (SPEC 13.80). Only
 * predictions depend on it.
 * @returns the value, as rules see it
 */
export type Guess<Value> = (seen: SeenPart<Value>) => Value;

/** Keys for a part that goes two ways. */
export interface TwoWayKeys {
  /** Left, down, or one value less. */
  readonly less: Keys;
  /** Right, up, or one value more. */
  readonly more: Keys;
}

/** Options for `axis`. */
export interface AxisOptions extends PartOptions {
  /**
   * Steps to each side, 1 … 127; default 1, which gives −1, 0 and 1. With more a stick is analog: n
   * / steps.
   */
  readonly steps?: number;
  /**
   * Whether it is the vertical axis: W and S, or the upright arrows. Default: A and D, or the lying
   * arrows.
   */
  readonly up?: boolean;
  /** Default: the first pair of keys that no other part uses. */
  readonly keys?: TwoWayKeys;
  /** A gamepad axis, by number. Default: the left stick's. */
  readonly gamepad?: number;
  /** How pages guess a rival's axis. Default: it stays for 0.5 s. */
  readonly guess?: Guess<number>;
}

/** Options for `aim`. */
export interface AimOptions extends PartOptions {
  /** Directions in a turn, 4 … 1,024; default 256. */
  readonly steps?: number;
  /**
   * The name of a `press` that one thumb aims and does: on a touch screen it has no button, and
   * happens when the thumb lifts from the stick. A thumb that goes back to the middle calls it off,
   * and a tap does it where the aim is. A `hold` of the press is held while the thumb aims.
   */
  readonly fires?: string;
}

/** Options for `dial`. */
export interface DialOptions extends PartOptions {
  /** How many values it takes, 2 … 256. */
  readonly values: number;
  /** The first value; default 0. */
  readonly start?: number;
  /** Default: the first pair of keys that no other part uses. */
  readonly keys?: TwoWayKeys;
  /** Two gamepad buttons, by number. */
  readonly gamepad?: { readonly less: number; readonly more: number };
}

/** Options for `press`. */
export interface PressOptions extends PartOptions {
  /** Default: the first key that no other part uses. */
  readonly keys?: Keys;
  /** A gamepad button, or several, by number. */
  readonly gamepad?: number | readonly number[];
}

/** Options for `hold`. */
export interface HoldOptions<Of extends string = string> extends PressOptions {
  /** The name of a `press` that shares this button; the press then names the keys. */
  readonly of?: Of;
  /**
   * How pages guess a rival's button. Default: it comes up when this rival's usually does; if it
   * has been down for 0.2 s, it stays for 0.5 s.
   */
  readonly guess?: Guess<boolean>;
}

/** A part of a command: `axis()`. */
export interface AxisPart extends AxisOptions {
  readonly kind: "axis";
}

/** A part of a command: `aim()`. */
export interface AimPart extends AimOptions {
  readonly kind: "aim";
}

/** A part of a command: `dial()`. */
export interface DialPart extends DialOptions {
  readonly kind: "dial";
}

/** A part of a command: `press()`. */
export interface PressPart extends PressOptions {
  readonly kind: "press";
}

/** A part of a command: `hold()`. */
export interface HoldPart<Of extends string = string> extends HoldOptions<Of> {
  readonly kind: "hold";
}

/** Any part of a command. */
export type CommandPart = AxisPart | AimPart | DialPart | PressPart | HoldPart;

/** A command's parts by name. */
export type CommandParts = Readonly<Record<string, CommandPart>>;

/** Declares a direction to both sides of 0: a stick, or two keys. */
export function axis(options: AxisOptions = {}): AxisPart {
  return { kind: "axis", ...options };
}

/** Declares an angle: the pointer seen from the player's own thing, or a right stick. */
export function aim(options: AimOptions = {}): AimPart {
  return { kind: "aim", ...options };
}

/** Declares a number that stays until it is changed, such as a gear. */
export function dial(options: DialOptions): DialPart {
  return { kind: "dial", ...options };
}

/** Declares a button that counts each press once. */
export function press(options: PressOptions = {}): PressPart {
  return { kind: "press", ...options };
}

/** Declares a button that counts while it is down. */
export function hold<const Of extends string = never>(options: HoldOptions<Of> = {}): HoldPart<Of> {
  return { kind: "hold", ...options };
}

/** One part's value as rules see it. */
export type PartValue<Part extends CommandPart> = Part extends HoldPart ? boolean : number;

/**
 * One command as it travels: a whole number for each part. Immutable; equal commands often share
 * one object.
 */
export type Command<Parts = CommandParts> = { readonly [Name in keyof Parts]: number };
