/**
 * Keys become intents that a tick can read whenever it likes: what is held is a level, what is pressed is a running total.
 *
 *     presses made since the last look = total now − total then
 *
 * so a tap that begins and ends between two ticks is still counted, and no queue has to be emptied in time.
 */

type Side = -1 | 1;

const SIDE_OF_CODE: ReadonlyMap<string, Side> = new Map([
  ["ArrowLeft", -1],
  ["KeyA", -1],
  ["ArrowRight", 1],
  ["KeyD", 1],
]);

const FLAP_CODES: ReadonlySet<string> = new Set(["ArrowUp", "KeyW", "Space"]);

/** One for either hand. Not Shift: five presses of it open a system dialog on Windows. */
const FIRE_CODES: ReadonlySet<string> = new Set(["KeyF", "KeyX", "KeyJ"]);

/** Where keys have a meaning of their own: text, or Space that presses a button. */
const OWN_MEANING_TAGS: ReadonlySet<string> = new Set(["INPUT", "TEXTAREA", "SELECT", "BUTTON"]);

/** What the keyboard reads of a key event; a browser's `KeyboardEvent` is one. Codes are places on the board, not letters. */
export interface KeyEvent extends Event {
  readonly code: string;
  readonly repeat?: boolean;
  readonly ctrlKey?: boolean;
  readonly altKey?: boolean;
  readonly metaKey?: boolean;
}

export class Keyboard {
  /** How often flap was pressed since the page began; key repeat does not count. */
  flapPresses = 0;
  /** How often fire was pressed since the page began; key repeat does not count. */
  firePresses = 0;

  /** Codes that are down now, in the order of their presses. Only known codes get in, so it holds ten at most. */
  readonly #held: string[] = [];
  #tappedSide: -1 | 0 | 1 = 0;

  /** @param target hears the keys: a window in the browser, any `EventTarget` in a test */
  constructor(target: EventTarget) {
    target.addEventListener("keydown", (event) => this.#press(event as KeyEvent));
    target.addEventListener("keyup", (event) => this.#release((event as KeyEvent).code));
    // A key let go elsewhere is never reported here: whoever looks away lets go of everything.
    target.addEventListener("blur", () => this.releaseAll());
    target.addEventListener("visibilitychange", () => this.releaseAll());
  }

  /** The direction held now, -1 is left; of two the one pressed last. */
  get dir(): -1 | 0 | 1 {
    for (let i = this.#held.length - 1; i >= 0; i--) {
      const side = SIDE_OF_CODE.get(this.#held[i]!);
      if (side !== undefined) return side;
    }
    return 0;
  }

  /** Whether a flap key is down now. */
  get hold(): boolean {
    return this.#held.some((code) => FLAP_CODES.has(code));
  }

  /** The direction for one tick: the one held, otherwise one that was tapped since the last call. */
  takeDir(): -1 | 0 | 1 {
    const dir = this.dir || this.#tappedSide;
    this.#tappedSide = 0;
    return dir;
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
    const side = SIDE_OF_CODE.get(event.code);
    const flaps = FLAP_CODES.has(event.code);
    const fires = FIRE_CODES.has(event.code);
    if (side === undefined && !flaps && !fires) return;
    event.preventDefault();
    if (event.repeat || this.#held.includes(event.code)) return;
    this.#held.push(event.code);
    if (side !== undefined) this.#tappedSide = side;
    if (flaps) this.flapPresses++;
    if (fires) this.firePresses++;
  }

  #release(code: string): void {
    const index = this.#held.indexOf(code);
    if (index >= 0) this.#held.splice(index, 1);
  }
}

function isMeantForElement(target: EventTarget | null): boolean {
  const element = target as { tagName?: string; isContentEditable?: boolean } | null;
  return element?.isContentEditable === true || OWN_MEANING_TAGS.has(element?.tagName ?? "");
}
