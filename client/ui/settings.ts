/** What a browser remembers of its player: name, colour, keys, loudness, and whether one button is all he has. Only the name is sent. */
import { DEFAULT_BINDINGS, type KeyBindings, parseBindings } from "../input/key_bindings.ts";
import { isOwnColour, OWN_COLOURS, type OwnColour } from "../games/dragons/render/palette.ts";

const KEY = "wyvern.settings";

export interface Settings {
  /** Empty where the player has not told us one. */
  readonly name: string;
  readonly colour: OwnColour;
  readonly keys: KeyBindings;
  readonly oneButton: boolean;
  /** 0 … 1. */
  readonly volume: number;
  readonly muted: boolean;
}

/** Sound is part of the game, and a surprise in an office. */
const VOLUME = 0.5;

const DEFAULTS: Settings = {
  name: "",
  colour: OWN_COLOURS[0],
  keys: DEFAULT_BINDINGS,
  oneButton: false,
  ...{ volume: VOLUME, muted: false },
};

/** Of what was remembered what can be used. */
export function parseSettings(text: string | null): Settings {
  try {
    const { name, colour, keys, oneButton, volume, muted } = (JSON.parse(text ?? "{}") ?? {}) as Readonly<
      Record<string, unknown>
    >;
    return {
      name: typeof name === "string" ? name : DEFAULTS.name,
      colour: isOwnColour(colour) ? colour : DEFAULTS.colour,
      keys: parseBindings(keys),
      oneButton: oneButton === true,
      volume: typeof volume === "number" && volume >= 0 && volume <= 1 ? volume : DEFAULTS.volume,
      muted: muted === true,
    };
  } catch {
    return DEFAULTS;
  }
}

/** The settings of this page, kept from visit to visit. */
export class SettingsStore {
  #current: Settings = parseSettings(loadStored());
  #onChange: (settings: Settings) => void = () => {};

  get current(): Settings {
    return this.#current;
  }

  /** Hears of every change, and at once of what is there. One listener at a time. */
  onChange(listener: (settings: Settings) => void): void {
    this.#onChange = listener;
    listener(this.#current);
  }

  change(changes: Partial<Settings>): void {
    this.#current = { ...this.#current, ...changes };
    try {
      localStorage.setItem(KEY, JSON.stringify(this.#current));
    } catch {
      // Storage is switched off: it holds for this visit.
    }
    this.#onChange(this.#current);
  }
}

function loadStored(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}
