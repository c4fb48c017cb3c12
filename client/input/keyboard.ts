/** Keys as a hand: which of them are down, and how often each action was pressed. */
import type { Hand, Side } from "./input_device.ts";
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

export class Keyboard implements Hand {
  /** Key repeat does not count. */
  flapPresses = 0;
  firePresses = 0;

  /** Codes that are down now, in the order of their presses. Only bound codes get in, so it holds twelve at most. */
  readonly #held: string[] = [];
  #bindings: KeyBindings;
  #tappedSide: Side = 0;

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
  get dir(): Side {
    for (let i = this.#held.length - 1; i >= 0; i--) {
      const side = sideOf(actionOf(this.#bindings, this.#held[i]!));
      if (side !== 0) return side;
    }
    return 0;
  }

  get hold(): boolean {
    return this.#held.some((code) => actionOf(this.#bindings, code) === "flap");
  }

  takeDir(): Side {
    const dir = this.peekDir();
    this.#tappedSide = 0;
    return dir;
  }

  peekDir(): Side {
    return this.dir || this.#tappedSide;
  }

  /** Lets go of every key; the totals stay. */
  releaseAll(): void {
    this.#held.length = 0;
    this.#tappedSide = 0;
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
    if (event.repeat || this.#held.includes(event.code)) return;
    this.#held.push(event.code);
    this.#tappedSide = sideOf(action) || this.#tappedSide;
    if (action === "flap") this.flapPresses++;
    if (action === "fire") this.firePresses++;
  }

  #release(code: string): void {
    const index = this.#held.indexOf(code);
    if (index >= 0) this.#held.splice(index, 1);
  }
}

function sideOf(action: Action | undefined): Side {
  return action === "left" ? -1 : action === "right" ? 1 : 0;
}

function isMeantForElement(target: EventTarget | null): boolean {
  const element = target as { tagName?: string; isContentEditable?: boolean } | null;
  return element?.isContentEditable === true || OWN_MEANING_TAGS.has(element?.tagName ?? "");
}
