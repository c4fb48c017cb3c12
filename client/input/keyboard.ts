/** Keys as an input device: which are down, and how often each button was pressed. */
import type { ActionSet } from "./actions.ts";
import { type InputDevice, PressTotals, TappedAxes } from "./input_device.ts";
import { actionOf, type KeyBindings } from "./key_bindings.ts";

/** Elements that give keys their own meaning, such as text, or Space that presses a button. */
const OWN_MEANING_TAGS: ReadonlySet<string> = new Set([
  "INPUT",
  "TEXTAREA",
  "SELECT",
  "BUTTON",
  "A",
  "SUMMARY",
]);

/** What the keyboard reads from a browser's `KeyboardEvent`. */
export interface KeyEvent extends Event {
  readonly code: string;
  readonly repeat?: boolean;
  readonly ctrlKey?: boolean;
  readonly altKey?: boolean;
  readonly metaKey?: boolean;
}

export class Keyboard implements InputDevice {
  /** Key repeat does not count. */
  readonly #presses = new PressTotals();
  /** Bound codes that are down now, in the order they were pressed. */
  readonly #codesDown: string[] = [];
  #bindings: KeyBindings;
  /** By action id, for each end of an axis: the axis, and its value while the key is down. */
  readonly #ends: ReadonlyMap<string, readonly [axis: string, value: number]>;
  readonly #tapped = new TappedAxes();

  /** @param target receives the key events: the window in a browser, any `EventTarget` in a test */
  constructor(target: EventTarget, { axes }: Pick<ActionSet, "axes">, bindings: KeyBindings) {
    this.#bindings = bindings;
    this.#ends = new Map(
      axes.flatMap(({ id, less, more }) => [[less.id, [id, -1]], [more.id, [id, 1]]]),
    );
    target.addEventListener("keydown", (event) => this.#press(event as KeyEvent));
    target.addEventListener("keyup", (event) => this.#release((event as KeyEvent).code));
    // A page without the focus does not receive releases, so every key counts as released.
    target.addEventListener("blur", () => this.releaseAll());
    target.addEventListener("visibilitychange", () => this.releaseAll());
  }

  /** Replaces the bindings. Keys that are down count as released. */
  bind(bindings: KeyBindings): void {
    this.releaseAll();
    this.#bindings = bindings;
  }

  isHeld(button: string): boolean {
    return this.#codesDown.some((code) => actionOf(this.#bindings, code) === button);
  }

  presses(button: string): number {
    return this.#presses.of(button);
  }

  readAxis(axis: string, consumes: boolean): number {
    return this.#tapped.read(axis, consumes, this.#held(axis));
  }

  /** Counts every key as released; the totals stay. */
  releaseAll(): void {
    this.#codesDown.length = 0;
    this.#tapped.clear();
  }

  #press(event: KeyEvent): void {
    if (event.ctrlKey || event.altKey || event.metaKey) {
      // macOS does not report the release of a key that was down together with Command.
      if (event.metaKey) this.releaseAll();
      return;
    }
    if (isMeantForElement(event.target)) return;
    const action = actionOf(this.#bindings, event.code);
    if (action === undefined) return;
    event.preventDefault();
    if (event.repeat || this.#codesDown.includes(event.code)) return;
    this.#codesDown.push(event.code);
    const end = this.#ends.get(action);
    if (end === undefined) this.#presses.add(action);
    else this.#tapped.tap(...end);
  }

  /** Returns an axis's value now. If both ends are down, the one pressed last counts. */
  #held(axis: string): number {
    for (const code of this.#codesDown.toReversed()) {
      const end = this.#ends.get(actionOf(this.#bindings, code)!);
      if (end?.[0] === axis) return end[1];
    }
    return 0;
  }

  #release(code: string): void {
    const index = this.#codesDown.indexOf(code);
    if (index >= 0) this.#codesDown.splice(index, 1);
  }
}

function isMeantForElement(target: EventTarget | null): boolean {
  const element = target as { tagName?: string; isContentEditable?: boolean } | null;
  return element?.isContentEditable === true || OWN_MEANING_TAGS.has(element?.tagName ?? "");
}
