/** Keys as an input device: which of them are down, and how often each button was pressed. */
import { type Direction, type InputDevice, PressTotals, TappedDirection } from "./input_device.ts";
import { actionOf, type KeyBindings } from "./key_bindings.ts";

/** Elements on which keys have a meaning of their own: text, or Space that presses a button. */
const OWN_MEANING_TAGS: ReadonlySet<string> = new Set(["INPUT", "TEXTAREA", "SELECT", "BUTTON", "A", "SUMMARY"]);

/** The part of a browser's `KeyboardEvent` that the keyboard reads. */
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
  /** Bound codes that are down now, in the order of their presses. */
  readonly #codesDown: string[] = [];
  #bindings: KeyBindings;
  readonly #tapped = new TappedDirection();

  /** @param target receives the key events: the window in a browser, any `EventTarget` in a test */
  constructor(target: EventTarget, bindings: KeyBindings) {
    this.#bindings = bindings;
    target.addEventListener("keydown", (event) => this.#press(event as KeyEvent));
    target.addEventListener("keyup", (event) => this.#release((event as KeyEvent).code));
    // A page without the focus receives no release: every key counts as released.
    target.addEventListener("blur", () => this.releaseAll());
    target.addEventListener("visibilitychange", () => this.releaseAll());
  }

  /** Replaces the bindings. Keys that are down count as released. */
  bind(bindings: KeyBindings): void {
    this.releaseAll();
    this.#bindings = bindings;
  }

  /** The direction held now; of two the one that was pressed last. */
  get direction(): Direction {
    for (let i = this.#codesDown.length - 1; i >= 0; i--) {
      const direction = directionOf(actionOf(this.#bindings, this.#codesDown[i]!));
      if (direction !== 0) return direction;
    }
    return 0;
  }

  isHeld(button: string): boolean {
    return this.#codesDown.some((code) => actionOf(this.#bindings, code) === button);
  }

  presses(button: string): number {
    return this.#presses.of(button);
  }

  consumeDirection(): Direction {
    return this.#tapped.consume(this.direction);
  }

  peekDirection(): Direction {
    return this.#tapped.peek(this.direction);
  }

  /** Every key counts as released; the totals stay. */
  releaseAll(): void {
    this.#codesDown.length = 0;
    this.#tapped.clear();
  }

  #press(event: KeyEvent): void {
    if (event.ctrlKey || event.altKey || event.metaKey) {
      // macOS reports no release of a key that was down together with Command.
      if (event.metaKey) this.releaseAll();
      return;
    }
    if (isMeantForElement(event.target)) return;
    const action = actionOf(this.#bindings, event.code);
    if (action === undefined) return;
    event.preventDefault();
    if (event.repeat || this.#codesDown.includes(event.code)) return;
    this.#codesDown.push(event.code);
    const direction = directionOf(action);
    this.#tapped.tap(direction);
    if (direction === 0) this.#presses.add(action);
  }

  #release(code: string): void {
    const index = this.#codesDown.indexOf(code);
    if (index >= 0) this.#codesDown.splice(index, 1);
  }
}

function directionOf(action: string | undefined): Direction {
  return action === "left" ? -1 : action === "right" ? 1 : 0;
}

function isMeantForElement(target: EventTarget | null): boolean {
  const element = target as { tagName?: string; isContentEditable?: boolean } | null;
  return element?.isContentEditable === true || OWN_MEANING_TAGS.has(element?.tagName ?? "");
}
