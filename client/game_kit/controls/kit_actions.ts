/**
 * Turns the parts of a game's command into the player's actions, with names, labels, keys, sticks
 * and buttons.
 */
import type {
  AxisPart,
  CommandPart,
  CommandParts,
  DialPart,
} from "../../../shared/game_kit/game_kit.ts";
import type { Action, ActionSet, AxisAction, ButtonAction } from "../../input/actions.ts";
import { KEYS_PER_ACTION_MAX } from "../../input/key_bindings.ts";
import { analogStick, digitalStick, upwards } from "../../input/sticks.ts";
import type { ThumbAxes } from "../../input/thumbs.ts";
import { DefaultInputs, type Ends } from "./default_inputs.ts";

/** One of a game's axes. */
export interface KitAxis extends AxisAction {
  readonly isVertical: boolean;
  /** The author's words; undefined without any. */
  readonly words: string | undefined;
}

export interface KitDial {
  /** The part's name. */
  readonly id: string;
  readonly words: string;
  /** The number of values. */
  readonly values: number;
  readonly less: ButtonAction;
  readonly more: ButtonAction;
}

/** A game's actions, and what sticks and thumbs do. */
export interface KitActions extends ActionSet {
  readonly axes: readonly KitAxis[];
  readonly dials: readonly KitDial[];
  /** Each aim's words. All aims share one direction. */
  readonly aims: readonly string[];
  /** The buttons, without the ends of dials. */
  readonly presses: readonly ButtonAction[];
  readonly left: ThumbAxes;
  readonly right: ThumbAxes | "aim" | undefined;
  /** The press that the right thumb does when it lifts from the aim; undefined for none. */
  readonly fires: string | undefined;
}

type PartEntry<Part extends CommandPart = CommandPart> = readonly [name: string, part: Part];

/** A button to itself, or one that a hold shares with a press. */
type ButtonPart = Extract<CommandPart, { kind: "press" | "hold" }>;

/** "wreckingBall" and "wrecking_ball" → "Wrecking ball". */
function wordsOf(name: string): string {
  const words = name.replace(/_/g, " ").replace(/([a-z\d])([A-Z])/g, "$1 $2").toLowerCase().trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** All parts of one kind, in declared order. */
function ofKind<Kind extends CommandPart["kind"]>(parts: CommandParts, kind: Kind) {
  return Object.entries(parts).filter(([, part]) =>
    part.kind === kind
  ) as unknown as readonly PartEntry<
    Extract<CommandPart, { kind: Kind }>
  >[];
}

/** @param parts as a game declares them */
export function kitActions(parts: CommandParts): KitActions {
  const free = new DefaultInputs(declaredInputs(parts));
  const aims = ofKind(parts, "aim").map(([name, { label }]) => label ?? wordsOf(name));
  const axes: KitAxis[] = [];
  for (const entry of ofKind(parts, "axis")) {
    axes.push(axisOf(entry, { axes, hasAim: aims.length > 0, free }));
  }
  const dials = ofKind(parts, "dial").map((entry) => dialOf(entry, free));
  const presses = buttonsOf(parts).map((entry) => buttonOf(entry, free));
  const [left, right] = [0, 1].map((i): ThumbAxes => ({
    horizontal: axes.filter(({ isVertical }) => !isVertical)[i],
    vertical: axes.filter(({ isVertical }) => isVertical)[i],
  })) as [ThumbAxes, ThumbAxes];
  const hasRight = right.horizontal !== undefined || right.vertical !== undefined;
  return {
    axes,
    dials,
    aims,
    presses,
    buttons: [...presses, ...dials.flatMap(({ less, more }) => [less, more])],
    left,
    right: aims.length > 0 ? "aim" : hasRight ? right : undefined,
    fires: ofKind(parts, "aim").find(([, part]) => part.fires !== undefined)?.[1].fires,
  };
}

/** The keys and gamepad buttons that the game itself declares. */
function declaredInputs(parts: CommandParts): { keys: Set<string>; buttons: Set<number> } {
  const keys = new Set<string>();
  const buttons = new Set<number>();
  for (const part of Object.values(parts)) {
    if (part.kind === "aim") continue;
    const given = part.keys ?? [];
    for (const key of "less" in given ? [...given.less, ...given.more] : given) keys.add(key);
    if (part.kind === "axis" || part.gamepad === undefined) continue;
    for (
      const button of typeof part.gamepad === "number"
        ? [part.gamepad]
        : Object.values(part.gamepad)
    ) {
      buttons.add(button);
    }
  }
  return { keys, buttons };
}

/** The buttons in declared order. A hold `of` a press uses that press's button. */
function buttonsOf(parts: CommandParts): readonly PartEntry<ButtonPart>[] {
  return Object.entries(parts).flatMap(([name, part]): PartEntry<ButtonPart>[] =>
    part.kind === "press" || part.kind === "hold" && part.of === undefined ? [[name, part]] : []
  );
}

function axisOf(
  [name, { up = false, steps = 1, label, keys, gamepad }]: PartEntry<AxisPart>,
  { axes, hasAim, free }: { axes: readonly KitAxis[]; hasAim: boolean; free: DefaultInputs },
): KitAxis {
  const earlier = axes.filter(({ isVertical }) => isVertical === up).length;
  const stick = steps === 1 ? digitalStick : analogStick;
  // Each stick gives two axes. In a game with an aim, the right stick aims.
  const stickAxis = earlier < (hasAim ? 1 : 2) ? 2 * earlier + Number(up) : undefined;
  const codes = keys ?? free.axisKeys(up);
  const buttons = free.axisButtons(up);
  const words = label ?? (earlier === 0 ? "" : wordsOf(name));
  return {
    id: name,
    isVertical: up,
    words: label,
    less: endOf(name, "less", { words, direction: up ? "down" : "left", codes, buttons }),
    more: endOf(name, "more", { words, direction: up ? "up" : "right", codes, buttons }),
    gamepadAxis: gamepad ?? stickAxis,
    ofStick: up ? upwards(stick) : stick,
  };
}

function dialOf(
  [name, { values, label, touchLabel, keys, gamepad }]: PartEntry<DialPart>,
  free: DefaultInputs,
): KitDial {
  const words = label ?? wordsOf(name);
  const codes = keys ?? free.dialKeys();
  const buttons = gamepad === undefined
    ? free.dialButtons()
    : { less: [gamepad.less], more: [gamepad.more] };
  const end = (end: "less" | "more", direction: string, sign: string): ButtonAction => ({
    ...endOf(name, end, { words, direction, codes, buttons }),
    touchLabel: `${touchLabel ?? words} ${sign}`,
  });
  return { id: name, words, values, less: end("less", "down", "−"), more: end("more", "up", "+") };
}

/** One end of an axis or a dial. */
function endOf(
  name: string,
  end: "less" | "more",
  { words, direction, codes, buttons }: {
    words: string;
    direction: string;
    codes: Ends<string>;
    buttons: Ends<number>;
  },
): Action {
  return {
    // A part's name contains no dash, so this id belongs to no part.
    id: `${name}-${end}`,
    label: words === "" ? wordsOf(direction) : `${words} ${direction}`,
    keys: codes[end].slice(0, KEYS_PER_ACTION_MAX),
    gamepadButtons: buttons[end],
  };
}

function buttonOf(
  [name, { label, touchLabel, keys, gamepad }]: PartEntry<ButtonPart>,
  free: DefaultInputs,
): ButtonAction {
  const words = label ?? wordsOf(name);
  return {
    id: name,
    label: words,
    touchLabel: touchLabel ?? words,
    keys: (keys ?? free.buttonKeys()).slice(0, KEYS_PER_ACTION_MAX),
    gamepadButtons: typeof gamepad === "number" ? [gamepad] : gamepad ?? free.buttonButtons(),
  };
}
