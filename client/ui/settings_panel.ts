/** The dialog where a player says which keys are his, how loud it is, and whether one button is all he wants. */
import { findElement } from "./dom.ts";
import {
  type Action,
  ACTIONS,
  bound,
  DEFAULT_BINDINGS,
  isBindable,
  KEYS_PER_ACTION_MAX,
  keyWord,
} from "../input/key_bindings.ts";
import type { KeyEvent } from "../input/keyboard.ts";
import type { SettingsStore } from "./settings.ts";

const ACTION_WORDS: Readonly<Record<Action, string>> = {
  left: "Fly left",
  right: "Fly right",
  flap: "Flap",
  fire: "Breathe fire",
};

interface Place {
  readonly action: Action;
  readonly place: number;
}

export class ControlsPanel {
  readonly #dialog: HTMLDialogElement;
  readonly #settings: SettingsStore;
  readonly #keys: { readonly button: HTMLButtonElement; readonly where: Place }[] = [];
  readonly #oneButton: HTMLInputElement;
  readonly #volume: HTMLInputElement;
  /** The place that waits for a key. */
  #asking: Place | undefined;

  /** @param root holds the markup of index.html. @throws Error where a part is missing */
  constructor(root: ParentNode, settings: SettingsStore) {
    this.#settings = settings;
    this.#dialog = findElement(root, "#controls");
    this.#oneButton = findElement(root, "#one-button");
    this.#volume = findElement(root, "#volume");
    this.#addRows(findElement(root, "#key-rows"));
    this.#dialog.addEventListener("keydown", (event) => this.#press(event));
    this.#dialog.addEventListener("close", () => this.#ask(undefined));
    this.#oneButton.addEventListener("change", () => settings.change({ oneButton: this.#oneButton.checked }));
    this.#volume.addEventListener("input", () => settings.change({ volume: Number(this.#volume.value), muted: false }));
    findElement(root, "#reset-keys").addEventListener("click", () => this.#change(DEFAULT_BINDINGS));
    findElement(root, "#close-controls").addEventListener("click", () => this.#dialog.close());
  }

  open(): void {
    this.#oneButton.checked = this.#settings.now.oneButton;
    this.#volume.value = String(this.#settings.now.volume);
    this.#show();
    this.#dialog.showModal();
  }

  #addRows(rows: HTMLElement): void {
    for (const action of ACTIONS) {
      const row = document.createElement("div");
      const name = document.createElement("span");
      name.textContent = ACTION_WORDS[action];
      row.append(name);
      for (let place = 0; place < KEYS_PER_ACTION_MAX; place++) {
        const button = document.createElement("button");
        const where = { action, place };
        button.type = "button";
        button.className = "key";
        button.addEventListener("click", () => this.#ask(where));
        row.append(button);
        this.#keys.push({ button, where });
      }
      rows.append(row);
    }
  }

  #ask(where: Place | undefined): void {
    this.#asking = where;
    this.#show();
  }

  #press(event: KeyEvent): void {
    if (this.#asking === undefined) return;
    event.preventDefault();
    if (isBindable(event.code)) this.#change(bound(this.#settings.now.keys, event.code, this.#asking));
    else if (event.code === "Escape") this.#ask(undefined);
  }

  #change(keys: typeof DEFAULT_BINDINGS): void {
    this.#asking = undefined;
    this.#settings.change({ keys });
    this.#show();
  }

  #show(): void {
    const { keys } = this.#settings.now;
    for (const { button, where: { action, place } } of this.#keys) {
      const code = keys[action][place];
      const isAsked = this.#asking?.action === action && this.#asking.place === place;
      const word = code === undefined ? "none" : keyWord(code);
      button.textContent = isAsked ? "Press a key" : code === undefined ? "+" : word;
      button.setAttribute("aria-label", `${ACTION_WORDS[action]}, key ${place + 1}: ${isAsked ? "press a key" : word}`);
    }
  }
}
