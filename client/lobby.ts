/**
 * The first thing a visitor sees: a name, a room of four letters, one button, and a quiet one for who only looks on. Both fields
 * are filled already, so one click (or Enter) plays. The room stands in the page's address, so a friend who gets the address lands in the same room.
 */
import { findElement } from "./dom.ts";

/** Characters; what the scoreboard and the labels in the arena have room for. */
export const PLAYER_NAME_LENGTH_MAX = 12;
const ROOM_LENGTH = 4;
/** Where visitors without an invitation meet. */
export const DEFAULT_ROOM = "PLAY";
/** Names for who has not told us one. */
export const NAMES: readonly string[] = ["Ember", "Ash", "Talon", "Gale", "Flint", "Rook", "Wren", "Cinder"];

const NAME_KEY = "wyvern.name";

export interface Entry {
  readonly name: string;
  /** Four letters A–Z. */
  readonly room: string;
}

/** The letters A–Z of `text` as capitals, the first four of them: "#play", "Play!" and " p-l-a-y" all are PLAY. */
export function roomFrom(text: string): string {
  return text.toUpperCase().replace(/[^A-Z]/g, "").slice(0, ROOM_LENGTH);
}

/** `text` on one line without needless space, at most `PLAYER_NAME_LENGTH_MAX` characters; empty if nothing is left. */
export function nameFrom(text: string): string {
  const oneLine = text.replace(/[\p{Cc}\p{Cf}\s]+/gu, " ").trim();
  return [...oneLine].slice(0, PLAYER_NAME_LENGTH_MAX).join("").trim();
}

type Listener = (entry: Entry) => void;

export class Lobby {
  readonly #screen: HTMLElement;
  readonly #name: HTMLInputElement;
  readonly #room: HTMLInputElement;
  readonly #play: HTMLButtonElement;
  readonly #watch: HTMLButtonElement;
  readonly #notice: HTMLElement;
  #onPlay: Listener = () => {};
  #onWatch: Listener = () => {};

  /** @param root holds the markup of index.html: the document or an element. @throws Error where a part is missing */
  constructor(root: ParentNode) {
    this.#screen = findElement(root, "#lobby");
    this.#name = findElement(root, "#name");
    this.#room = findElement(root, "#room");
    this.#play = findElement(root, "#play");
    this.#watch = findElement(root, "#watch");
    this.#notice = findElement(root, "#lobby-notice");
    this.#name.value = rememberedName() || NAMES[crypto.getRandomValues(new Uint8Array(1))[0]! % NAMES.length]!;
    this.#fillRoom();
    this.#room.addEventListener("input", () => this.#room.value = roomFrom(this.#room.value));
    globalThis.addEventListener("hashchange", () => this.#fillRoom());
    findElement<HTMLFormElement>(root, "#join").addEventListener("submit", (event) => {
      event.preventDefault();
      this.#submit(this.#play, this.#onPlay);
    });
    this.#watch.addEventListener("click", () => this.#submit(this.#watch, this.#onWatch));
    this.#play.focus({ preventScroll: true });
  }

  /** `listener` hears each valid entry; until `show` or `hide`, the button stays pressed. One listener at a time. */
  onPlay(listener: Listener): void {
    this.#onPlay = listener;
  }

  /** The same for who wants to look on. Until somebody listens there is no such button. */
  onWatch(listener: Listener): void {
    this.#onWatch = listener;
    this.#watch.hidden = false;
  }

  /** Brings the form back, ready for another try; harmless where it is. @param notice one sentence that says why, or none */
  show(notice = ""): void {
    const wasAway = this.#screen.hidden || this.#play.disabled;
    this.#screen.hidden = false;
    this.#setBusy(undefined);
    this.#tell(notice);
    if (wasAway) this.#play.focus({ preventScroll: true });
  }

  /** Clears the page for the game; the keyboard's focus goes with it. */
  hide(): void {
    this.#screen.hidden = true;
    this.#setBusy(undefined);
    this.#tell("");
    // Also out of a field, where Enter was pressed: a key that still goes there would not reach the dragon.
    const focused = document.activeElement;
    if (focused instanceof HTMLElement && this.#screen.contains(focused)) focused.blur();
  }

  #submit(button: HTMLButtonElement, listener: Listener): void {
    if (this.#play.disabled) return;
    this.#name.removeAttribute("aria-invalid");
    this.#room.removeAttribute("aria-invalid");
    const name = nameFrom(this.#name.value);
    const room = roomFrom(this.#room.value);
    if (name === "") return this.#ask(this.#name, "Please enter a name for the others to see.");
    if (room.length !== ROOM_LENGTH) return this.#ask(this.#room, "A room is four letters, A to Z.");
    this.#name.value = name;
    rememberName(name);
    // Replaced, not pushed: "back" leaves the page instead of leafing through rooms.
    history.replaceState(null, "", `#${room}`);
    this.#tell("");
    this.#setBusy(button);
    listener({ name, room });
  }

  #ask(field: HTMLInputElement, sentence: string): void {
    field.setAttribute("aria-invalid", "true");
    field.focus();
    this.#tell(sentence);
  }

  #tell(sentence: string): void {
    // Setting the same words again would make a screen reader say them again.
    if (this.#notice.textContent !== sentence) this.#notice.textContent = sentence;
  }

  /** @param pressed the button that is at work, or none */
  #setBusy(pressed: HTMLButtonElement | undefined): void {
    this.#play.disabled = this.#watch.disabled = pressed !== undefined;
    this.#play.textContent = pressed === this.#play ? "Joining…" : "Play";
    this.#watch.textContent = pressed === this.#watch ? "Joining…" : "Watch";
  }

  #fillRoom(): void {
    const invited = roomFrom(location.hash);
    this.#room.value = invited.length === ROOM_LENGTH ? invited : DEFAULT_ROOM;
  }
}

/** Storage throws where the visitor has switched it off; then nobody is remembered. */
function rememberedName(): string {
  try {
    return nameFrom(localStorage.getItem(NAME_KEY) ?? "");
  } catch {
    return "";
  }
}

function rememberName(name: string): void {
  try {
    localStorage.setItem(NAME_KEY, name);
  } catch {
    // Not remembered: the visitor types it again.
  }
}
