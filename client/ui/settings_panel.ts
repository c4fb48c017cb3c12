/** The dialog for keys, volume, input delay and switches. */
import { findElement, make } from "./dom.ts";
import { actionsOf } from "../input/actions.ts";
import {
  defaultBindings,
  isBindable,
  type KeyBindings,
  keyLabel,
  KEYS_PER_ACTION_MAX,
  withBinding,
} from "../input/key_bindings.ts";
import type { KeyEvent } from "../input/keyboard.ts";
import { INPUT_DELAYS } from "../session/input_delay.ts";
import { type Settings, type SettingsStore, SWITCHES } from "./settings.ts";

/** One of an action's keys. */
interface KeySlot {
  readonly action: string;
  /** The action's label in the dialog. */
  readonly label: string;
  /** From 0. */
  readonly slot: number;
}

export class SettingsPanel {
  readonly #dialog: HTMLDialogElement;
  readonly #settings: SettingsStore;
  readonly #keys: { readonly button: HTMLButtonElement; readonly keySlot: KeySlot }[] = [];
  readonly #switches: readonly {
    readonly id: keyof typeof SWITCHES;
    readonly box: HTMLInputElement;
  }[];
  readonly #quality: HTMLSelectElement;
  readonly #volume: HTMLInputElement;
  readonly #inputDelay: HTMLSelectElement;
  /** The slot that waits for a key. */
  #waitingSlot: KeySlot | undefined;

  /** @param root holds the markup of index.html. @throws Error if a part is missing */
  constructor(root: ParentNode, settings: SettingsStore) {
    this.#settings = settings;
    this.#dialog = findElement(root, "#controls");

    // The markup writes "keepAwake" as "keep-awake".
    const boxOf = (id: string) =>
      findElement<HTMLInputElement>(root, `#${id.replace(/[A-Z]/, "-$&").toLowerCase()}`);
    const ids = Object.keys(SWITCHES) as (keyof typeof SWITCHES)[];
    this.#switches = ids.map((id) => ({ id, box: boxOf(id) }));
    for (const { id, box } of this.#switches) {
      box.addEventListener("change", () => settings.change({ [id]: box.checked }));
    }

    // Choices and ranges
    this.#quality = findElement(root, "#quality");
    this.#volume = findElement(root, "#volume");
    this.#inputDelay = findElement(root, "#input-delay");

    this.#addRows(findElement(root, "#key-rows"));
    this.#dialog.addEventListener("keydown", (event) => this.#press(event));
    this.#dialog.addEventListener("close", () => this.#waitForKey(undefined));

    this.#quality.addEventListener(
      "change",
      () => settings.change({ quality: this.#quality.value as Settings["quality"] }),
    );
    this.#volume.addEventListener(
      "input",
      () => settings.change({ volume: Number(this.#volume.value), muted: false }),
    );
    this.#inputDelay.addEventListener("change", () => {
      settings.change({
        inputDelay: INPUT_DELAYS.find((each) => String(each) === this.#inputDelay.value)!,
      });
    });

    findElement(root, "#reset-keys").addEventListener(
      "click",
      () => this.#change(defaultBindings(settings.schema.actions)),
    );
    findElement(root, "#close-controls").addEventListener("click", () => this.#dialog.close());
  }

  open(): void {
    for (const { id, box } of this.#switches) box.checked = this.#settings.current[id];
    this.#quality.value = this.#settings.current.quality;
    this.#volume.value = String(this.#settings.current.volume);
    this.#inputDelay.value = String(this.#settings.current.inputDelay);
    this.#show();
    this.#dialog.showModal();
  }

  #addRows(rows: HTMLElement): void {
    for (const { id: action, label } of actionsOf(this.#settings.schema.actions)) {
      const row = make("div", {}, make("span", { textContent: label }));
      for (let slot = 0; slot < KEYS_PER_ACTION_MAX; slot++) {
        const button = make("button", { type: "button", className: "key" });
        const keySlot = { action, label, slot };
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
    if (isBindable(event.code)) {
      this.#change(withBinding(this.#settings.current.keys, event.code, this.#waitingSlot));
    } else if (event.code === "Escape") this.#waitForKey(undefined);
  }

  #change(keys: KeyBindings): void {
    this.#waitingSlot = undefined;
    this.#settings.change({ keys });
    this.#show();
  }

  #show(): void {
    const { keys } = this.#settings.current;
    for (const { button, keySlot: { action, label, slot } } of this.#keys) {
      const code = keys[action]![slot];
      const isWaiting = this.#waitingSlot?.action === action && this.#waitingSlot.slot === slot;
      const key = code === undefined ? "none" : keyLabel(code);
      button.textContent = isWaiting ? "Press a key" : code === undefined ? "+" : key;
      button.setAttribute(
        "aria-label",
        `${label}, key ${slot + 1}: ${isWaiting ? "press a key" : key}`,
      );
    }
  }
}
