/** The dialog where a player says which keys are his, how loud it is, and whether one button is all he wants. */
import { findElement } from "./dom.ts";
import {
  type Action,
  ACTIONS,
  DEFAULT_BINDINGS,
  isBindable,
  keyLabel,
  KEYS_PER_ACTION_MAX,
  withBinding,
} from "../input/key_bindings.ts";
import type { KeyEvent } from "../input/keyboard.ts";
import type { SettingsStore } from "./settings.ts";

const ACTION_LABELS: Readonly<Record<Action, string>> = {
  left: "Fly left",
  right: "Fly right",
  flap: "Flap",
  fire: "Breathe fire",
};

interface KeySlot {
  readonly action: Action;
  readonly slot: number;
}

export class SettingsPanel {
  readonly #dialog: HTMLDialogElement;
  readonly #settings: SettingsStore;
  readonly #keys: { readonly button: HTMLButtonElement; readonly keySlot: KeySlot }[] = [];
  readonly #oneButton: HTMLInputElement;
  readonly #volume: HTMLInputElement;
  /** The place that waits for a key. */
  #waitingSlot: KeySlot | undefined;

  /** @param root holds the markup of index.html. @throws Error where a part is missing */
  constructor(root: ParentNode, settings: SettingsStore) {
    this.#settings = settings;
    this.#dialog = findElement(root, "#controls");
    this.#oneButton = findElement(root, "#one-button");
    this.#volume = findElement(root, "#volume");
    this.#addRows(findElement(root, "#key-rows"));
    this.#dialog.addEventListener("keydown", (event) => this.#press(event));
    this.#dialog.addEventListener("close", () => this.#waitForKey(undefined));
    this.#oneButton.addEventListener("change", () => settings.change({ oneButton: this.#oneButton.checked }));
    this.#volume.addEventListener("input", () => settings.change({ volume: Number(this.#volume.value), muted: false }));
    findElement(root, "#reset-keys").addEventListener("click", () => this.#change(DEFAULT_BINDINGS));
    findElement(root, "#close-controls").addEventListener("click", () => this.#dialog.close());
  }

  open(): void {
    this.#oneButton.checked = this.#settings.current.oneButton;
    this.#volume.value = String(this.#settings.current.volume);
    this.#show();
    this.#dialog.showModal();
  }

  #addRows(rows: HTMLElement): void {
    for (const action of ACTIONS) {
      const row = document.createElement("div");
      const name = document.createElement("span");
      name.textContent = ACTION_LABELS[action];
      row.append(name);
      for (let slot = 0; slot < KEYS_PER_ACTION_MAX; slot++) {
        const button = document.createElement("button");
        const keySlot = { action, slot };
        button.type = "button";
        button.className = "key";
        button.addEventListener("click", () => this.#waitForKey(keySlot));
        row.append(button);
        this.#keys.push({ button, keySlot });
      }
      rows.append(row);
    }
  }

  #waitForKey(keySlot: KeySlot | undefined): void {
    this.#waitingSlot = keySlot;
    this.#show();
  }

  #press(event: KeyEvent): void {
    if (this.#waitingSlot === undefined) return;
    event.preventDefault();
    if (isBindable(event.code)) this.#change(withBinding(this.#settings.current.keys, event.code, this.#waitingSlot));
    else if (event.code === "Escape") this.#waitForKey(undefined);
  }

  #change(keys: typeof DEFAULT_BINDINGS): void {
    this.#waitingSlot = undefined;
    this.#settings.change({ keys });
    this.#show();
  }

  #show(): void {
    const { keys } = this.#settings.current;
    for (const { button, keySlot: { action, slot } } of this.#keys) {
      const code = keys[action][slot];
      const isWaiting = this.#waitingSlot?.action === action && this.#waitingSlot.slot === slot;
      const label = code === undefined ? "none" : keyLabel(code);
      button.textContent = isWaiting ? "Press a key" : code === undefined ? "+" : label;
      button.setAttribute(
        "aria-label",
        `${ACTION_LABELS[action]}, key ${slot + 1}: ${isWaiting ? "press a key" : label}`,
      );
    }
  }
}
