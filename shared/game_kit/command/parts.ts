/**
 * The parts of a command, as a game declares them. A part says what a player controls, what the
 * rules see of it, and which keys, buttons and touches control it. Their order is the order on the
 * wire.
 *
 * | part    | rules see                                  | while commands are missing       |
 * | ------- | ------------------------------------------ | -------------------------------- |
 * | `axis`  | a number, −1 … 1, positive right and up    | it stays for 4 ticks, then 0     |
 * | `hold`  | whether the button is down                 | it stays for 4 ticks, then up    |
 * | `press` | presses since the last tick, 0 … 3         | none, and none is lost or doubled |
 * | `aim`   | an angle, radians, 0 ≤ a < 2π              | it stays                         |
 * | `dial`  | a whole number, 0 … values − 1             | it stays                         |
 */

/** Default of `AimOptions.steps`: 1.4 degrees each. */
export const AIM_STEPS = 256;

/** Values of `KeyboardEvent.code`, such as "ArrowLeft" or "KeyA". */
export type Keys = readonly string[];

/** The options of every part. */
export interface PartOptions {
  /** The words beside the key in the help, such as "Boost". Default: the part's name. */
  readonly label?: string;
  /** The words on the touch zone. Default: the label. */
  readonly touchLabel?: string;
}

/** The keys of a part that goes two ways. */
export interface TwoWayKeys {
  /** Left, down, or one value less. */
  readonly less: Keys;
  /** Right, up, or one value more. */
  readonly more: Keys;
}

/** Options of `axis`. */
export interface AxisOptions extends PartOptions {
  /**
   * So many steps to each side, 1 … 127; default 1, which is −1, 0 and 1. With more a stick is
   * analog: n / steps.
   */
  readonly steps?: number;
  /**
   * Whether it is the vertical axis: W and S, or the upright arrows. Default: A and D, or the lying
   * arrows.
   */
  readonly up?: boolean;
  /** Default: the first pair of keys that no other part has. */
  readonly keys?: TwoWayKeys;
  /** The number of a gamepad's axis. Default: the left stick's. */
  readonly gamepad?: number;
}

/** Options of `aim`. */
export interface AimOptions extends PartOptions {
  /** Directions in a turn, 4 … 1,024; default 256. */
  readonly steps?: number;
}

/** Options of `dial`. */
export interface DialOptions extends PartOptions {
  /** The number of values, 2 … 256. */
  readonly values: number;
  /** The first value; default 0. */
  readonly start?: number;
  /** Default: the first pair of keys that no other part has. */
  readonly keys?: TwoWayKeys;
  /** The numbers of two gamepad buttons. */
  readonly gamepad?: { readonly less: number; readonly more: number };
}

/** Options of `press`. */
export interface PressOptions extends PartOptions {
  /** Default: the first key that no other part has. */
  readonly keys?: Keys;
  /** The number of a gamepad's button. */
  readonly gamepad?: number;
}

/** Options of `hold`. */
export interface HoldOptions<Of extends string = string> extends PressOptions {
  /** The name of a `press`: the same button as that press, which then has the keys. */
  readonly of?: Of;
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

/** The parts of a command by name. */
export type CommandParts = Readonly<Record<string, CommandPart>>;

/** A direction to both sides of 0: a stick, or two keys. */
export function axis(options: AxisOptions = {}): AxisPart {
  return { kind: "axis", ...options };
}

/** An angle: the pointer seen from the own thing, or a right stick. */
export function aim(options: AimOptions = {}): AimPart {
  return { kind: "aim", ...options };
}

/** A number that stays until it is changed: a gear. */
export function dial(options: DialOptions): DialPart {
  return { kind: "dial", ...options };
}

/** A button of which each press counts once. */
export function press(options: PressOptions = {}): PressPart {
  return { kind: "press", ...options };
}

/** A button that counts while it is down. */
export function hold<const Of extends string = never>(options: HoldOptions<Of> = {}): HoldPart<Of> {
  return { kind: "hold", ...options };
}

/** The value of one part as rules see it. */
export type PartValue<Part extends CommandPart> = Part extends HoldPart ? boolean : number;

/**
 * One command as it travels: a whole number for each part. Immutable; equal commands are often one
 * object.
 */
export type Command<Parts = CommandParts> = { readonly [Name in keyof Parts]: number };
