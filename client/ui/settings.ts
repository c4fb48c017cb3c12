/**
 * A player's settings, kept in the browser: name, colour, keys, volume, input delay, switches. Only the name is sent.
 * Colour, keys and the switch for one button belong to a game, the others to all games of a server.
 */
import type { ActionSet } from "../input/actions.ts";
import { defaultBindings, type KeyBindings, parseBindings } from "../input/key_bindings.ts";
import { INPUT_DELAYS, type InputDelayChoice } from "../session/input_delay.ts";

const KEY = "wyvern.settings";

/** The rung of the quality ladder by a player's choice; undefined if the ladder decides. */
export const QUALITY_RUNGS = { automatic: undefined, full: 0, simple: 3 } as const;

/** The settings that are on or off, with what they are on a first visit. */
export const SWITCHES = { oneButton: false, rumble: true, keepAwake: true } as const;

export interface Settings extends Readonly<Record<keyof typeof SWITCHES, boolean>> {
  /** Empty until the player has entered one. */
  readonly name: string;
  /** One of the view's colours. */
  readonly colour: string;
  readonly keys: KeyBindings;
  readonly quality: keyof typeof QUALITY_RUNGS;
  /** 0 … 1. */
  readonly volume: number;
  readonly muted: boolean;
  readonly inputDelay: InputDelayChoice;
}

/** The game's part of the settings. */
export interface SettingsSchema {
  /** The game's id. All versions of its rules share the settings. */
  readonly game: string;
  readonly actions: ActionSet;
  /** Names of the colours that a player may choose; the first is the default. */
  readonly colours: readonly string[];
}

/** Sound is part of the game, but full volume is a surprise in an office. */
const DEFAULT_VOLUME = 0.5;

/** The settings of a first visit. */
function defaultSettings({ actions, colours }: SettingsSchema): Settings {
  return {
    name: "",
    colour: colours[0]!,
    keys: defaultBindings(actions),
    ...SWITCHES,
    quality: "automatic",
    volume: DEFAULT_VOLUME,
    muted: false,
    inputDelay: "automatic",
  };
}

/** The usable part of stored settings, and defaults for the rest. */
export function parseSettings(stored: Readonly<Record<string, unknown>>, schema: SettingsSchema): Settings {
  const defaults = defaultSettings(schema);
  const { name, colour, keys, quality, volume, muted, inputDelay } = stored;
  const switches = Object.entries(SWITCHES).map(([id, byDefault]) => {
    const value = stored[id];
    return [id, typeof value === "boolean" ? value : byDefault];
  });
  return {
    ...Object.fromEntries(switches) as Record<keyof typeof SWITCHES, boolean>,
    name: typeof name === "string" ? name : defaults.name,
    colour: schema.colours.find((known) => known === colour) ?? defaults.colour,
    keys: parseBindings(keys, schema.actions),
    quality: quality === "full" || quality === "simple" ? quality : defaults.quality,
    volume: typeof volume === "number" && volume >= 0 && volume <= 1 ? volume : defaults.volume,
    muted: muted === true,
    inputDelay: INPUT_DELAYS.find((known) => known === inputDelay) ?? defaults.inputDelay,
  };
}

/** The settings of this page, kept from visit to visit. */
export class SettingsStore {
  readonly schema: SettingsSchema;
  #current: Settings;
  #onChange: (settings: Settings) => void = () => {};

  constructor(schema: SettingsSchema) {
    this.schema = schema;
    this.#current = parseSettings({ ...storedAt(KEY), ...storedAt(gameKeyOf(schema)) }, schema);
  }

  get current(): Settings {
    return this.#current;
  }

  /** Calls the listener at once, and after every change. There is one listener at a time. */
  onChange(listener: (settings: Settings) => void): void {
    this.#onChange = listener;
    listener(this.#current);
  }

  change(changes: Partial<Settings>): void {
    this.#current = { ...this.#current, ...changes };
    const { colour, keys, oneButton, ...common } = this.#current;
    try {
      // Earlier pages kept all settings at the common key. What they kept stays the default of each game.
      localStorage.setItem(KEY, JSON.stringify({ ...storedAt(KEY), ...common }));
      localStorage.setItem(gameKeyOf(this.schema), JSON.stringify({ colour, keys, oneButton }));
    } catch {
      // Storage is switched off: the settings last for this visit.
    }
    this.#onChange(this.#current);
  }
}

/** "wyvern.settings.dragons" for the game "dragons-5" */
function gameKeyOf({ game }: SettingsSchema): string {
  return `${KEY}.${game.replace(/-\d+$/, "")}`;
}

/** The object that is stored at a key; empty if there is none, or something else. */
function storedAt(key: string): object {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(key) ?? "{}");
    return typeof stored === "object" && stored !== null ? stored : {};
  } catch {
    return {};
  }
}
