/** Chooses default keys and gamepad buttons for a game's parts, and gives none to two actions. */

/** The keys, or the gamepad buttons, for both ends of an axis or a dial. */
export interface Ends<Input> {
  readonly less: readonly Input[];
  readonly more: readonly Input[];
}

/** W, A, S and D for the left hand, arrows for the right one; then the right hand's letters. */
const HORIZONTAL_KEYS: readonly Ends<string>[] = [
  { less: ["KeyA", "ArrowLeft"], more: ["KeyD", "ArrowRight"] },
  { less: ["KeyJ"], more: ["KeyL"] },
  { less: ["Comma"], more: ["Period"] },
];
const VERTICAL_KEYS: readonly Ends<string>[] = [
  { less: ["KeyS", "ArrowDown"], more: ["KeyW", "ArrowUp"] },
  { less: ["KeyK"], more: ["KeyI"] },
  { less: ["BracketLeft"], more: ["BracketRight"] },
];
/** Beside the left hand's letters. */
const DIAL_KEYS: readonly Ends<string>[] = [
  { less: ["KeyQ"], more: ["KeyE"] },
  { less: ["KeyZ"], more: ["KeyC"] },
  { less: ["Minus"], more: ["Equal"] },
];
/** Without Shift, because five presses on it open a system dialog in Windows. */
// deno-fmt-ignore
const BUTTON_KEYS: readonly (readonly string[])[] = [
  "Space", "KeyF", "KeyE", "KeyR", "KeyQ", "KeyG", "KeyC", "KeyV", "KeyX", "KeyT", "KeyB", "KeyN",
  "KeyM", "KeyH", "KeyY", "KeyU", "KeyO", "KeyP", "KeyZ",
  "Enter", "Comma", "Period", "Slash", "Semicolon", "Quote",
  "Digit1", "Digit2", "Digit3", "Digit4", "Digit5", "Digit6", "Digit7", "Digit8", "Digit9", "Digit0",
].map((key) => [key]);

/** The cross (W3C Gamepad, "Remapping"): up, down, left, right. */
const [UP, DOWN, LEFT, RIGHT] = [12, 13, 14, 15] as const;
const HORIZONTAL_BUTTONS: readonly Ends<number>[] = [{ less: [LEFT], more: [RIGHT] }];
const VERTICAL_BUTTONS: readonly Ends<number>[] = [{ less: [DOWN], more: [UP] }];
/**
 * The upright half of the cross, if no axis took it; then the shoulders, then the buttons under the
 * sticks.
 */
const DIAL_BUTTONS: readonly Ends<number>[] = [...VERTICAL_BUTTONS, { less: [4], more: [5] }, {
  less: [10],
  more: [11],
}];
/** A face button, and one for a thumb on the right stick: the triggers, then the shoulders. */
const BUTTON_BUTTONS: readonly (readonly number[])[] = [
  [0, 7],
  [2, 6],
  [1, 5],
  [3, 4],
  [11],
  [10],
  [8],
];

/** Gives out keys or buttons, each once. */
class Pool<Input> {
  readonly #taken: Set<Input>;

  constructor(taken: Iterable<Input>) {
    this.#taken = new Set(taken);
  }

  /** The first choice with both ends free; else empty ends. */
  ends(choices: readonly Ends<Input>[]): Ends<Input> {
    const isFree = (input: Input) => !this.#taken.has(input);
    const found = choices.find(({ less, more }) => [...less, ...more].every(isFree)) ??
      { less: [], more: [] };
    for (const input of [...found.less, ...found.more]) this.#taken.add(input);
    return found;
  }

  /** The free inputs from the first choice with any; else none. */
  one(choices: readonly (readonly Input[])[]): readonly Input[] {
    const free = choices.map((inputs) => inputs.filter((input) => !this.#taken.has(input)));
    const found = free.find((inputs) => inputs.length > 0) ?? [];
    for (const input of found) this.#taken.add(input);
    return found;
  }
}

/**
 * Gives out the keys and gamepad buttons that are still free. Ask for axes first, then for dials,
 * then for buttons.
 */
export class DefaultInputs {
  readonly #keys: Pool<string>;
  readonly #buttons: Pool<number>;

  /** @param taken the inputs that the game itself declares */
  constructor(taken: { readonly keys: Iterable<string>; readonly buttons: Iterable<number> }) {
    this.#keys = new Pool(taken.keys);
    this.#buttons = new Pool(taken.buttons);
  }

  axisKeys(isVertical: boolean): Ends<string> {
    return this.#keys.ends(isVertical ? VERTICAL_KEYS : HORIZONTAL_KEYS);
  }

  axisButtons(isVertical: boolean): Ends<number> {
    return this.#buttons.ends(isVertical ? VERTICAL_BUTTONS : HORIZONTAL_BUTTONS);
  }

  dialKeys(): Ends<string> {
    return this.#keys.ends(DIAL_KEYS);
  }

  dialButtons(): Ends<number> {
    return this.#buttons.ends(DIAL_BUTTONS);
  }

  buttonKeys(): readonly string[] {
    return this.#keys.one(BUTTON_KEYS);
  }

  buttonButtons(): readonly number[] {
    return this.#buttons.one(BUTTON_BUTTONS);
  }
}
