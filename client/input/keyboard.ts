/** Keys as a hand: which of them are down, and how often each action was pressed. */
import type { Direction, InputDevice } from "./input_device.ts";
import { type Action, actionOf, DEFAULT_BINDINGS, type KeyBindings } from "./key_bindings.ts";

/** Where keys have a meaning of their own: text, or Space that presses a button. */
const OWN_MEANING_TAGS: ReadonlySet<string> = new Set(["INPUT", "TEXTAREA", "SELECT", "BUTTON", "A", "SUMMARY"]);

/** What the keyboard reads of a key event; a browser's `KeyboardEvent` is one. Codes are places on the board, not letters. */
export interface KeyEvent extends Event {
  readonly code: string;
  readonly repeat?: boolean;
  readonly ctrlKey?: boolean;
  readonly altKey?: boolean;
  readonly metaKey?: boolean;
}

export class Keyboard implements InputDevice {
  /** Key repeat does not count. */
  flapPresses = 0;
  firePresses = 0;

  /** Codes that are down now, in the order of their presses. Only bound codes get in, so it holds twelve at most. */
  readonly #codesDown: string[] = [];
  #bindings: KeyBindings;
  #tappedDirection: Direction = 0;

  /** @param target hears the keys: a window in the browser, any `EventTarget` in a test */
  constructor(target: EventTarget, bindings: KeyBindings = DEFAULT_BINDINGS) {
    this.#bindings = bindings;
    target.addEventListener("keydown", (event) => this.#press(event as KeyEvent));
    target.addEventListener("keyup", (event) => this.#release((event as KeyEvent).code));
    // A key let go elsewhere is never reported here: whoever looks away lets go of everything.
    target.addEventListener("blur", () => this.releaseAll());
    target.addEventListener("visibilitychange", () => this.releaseAll());
  }

  /** Other keys from now on; what is down is let go. */
  bind(bindings: KeyBindings): void {
    this.releaseAll();
    this.#bindings = bindings;
  }

  /** The direction held now; of two the one pressed last. */
  get direction(): Direction {
    for (let i = this.#codesDown.length - 1; i >= 0; i--) {
      const direction = directionOf(actionOf(this.#bindings, this.#codesDown[i]!));
      if (direction !== 0) return direction;
    }
    return 0;
  }

  get flapHeld(): boolean {
    return this.#codesDown.some((code) => actionOf(this.#bindings, code) === "flap");
  }

  consumeDirection(): Direction {
    const direction = this.peekDirection();
    this.#tappedDirection = 0;
    return direction;
  }

  peekDirection(): Direction {
    return this.direction || this.#tappedDirection;
  }

  /** Lets go of every key; the totals stay. */
  releaseAll(): void {
    this.#codesDown.length = 0;
    this.#tappedDirection = 0;
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
    this.#tappedDirection = directionOf(action) || this.#tappedDirection;
    if (action === "flap") this.flapPresses++;
    if (action === "fire") this.firePresses++;
  }

  #release(code: string): void {
    const index = this.#codesDown.indexOf(code);
    if (index >= 0) this.#codesDown.splice(index, 1);
  }
}

function directionOf(action: Action | undefined): Direction {
  return action === "left" ? -1 : action === "right" ? 1 : 0;
}

function isMeantForElement(target: EventTarget | null): boolean {
  const element = target as { tagName?: string; isContentEditable?: boolean } | null;
  return element?.isContentEditable === true || OWN_MEANING_TAGS.has(element?.tagName ?? "");
}
